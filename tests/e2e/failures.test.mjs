// Failures: the counter and its rows, the border of protection, what is done by hand, what the APIs
// answer, and the narrated steps.

import assert from "node:assert/strict";
import { addressHas, computed, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

/** Four tasks behind a target group, with a breaker that counts to 3 and rolls back. */
const GUARDED = "v1&desired=4&dc.deploymentCircuitBreaker.enable=true&dc.deploymentCircuitBreaker.rollback=true"
  + "&tg.0.healthCheckIntervalSeconds=10&tg.0.deregistration_delay%2Etimeout_seconds=60&quotas=none";
/** The same, and no new task passes a check. */
const FAILING = `${GUARDED}&new.fate=never_passes`;
/** The same as the first, with an alarm and a bake time. */
const WATCHED = `${GUARDED}&dc.alarms.alarmNames.0=errors&dc.alarms.enable=true&dc.alarms.rollback=true&dc.bakeTimeInMinutes=5`;

/** Opens an example by its name. */
async function example(page, id) {
  await page.locator("#open-presets").click();
  await page.locator(`#preset-${id}`).click();
  await page.locator("#presets").waitFor({ state: "detached" });
  return computed(page);
}

const go = async (page, key) => {
  const before = (await state(page)).moment_ms;
  await page.keyboard.press(key);
  return until(page, (s) => s.moment_ms !== before);
};
const gauge = (page) => page.locator("#gauge dd").textContent();
const openActs = (page) => page.locator("#acts-title").click();

visit("the counter: its pips, its rows, what it goes back to", FAILING, async (page) => {
  const run = await state(page);
  assert.equal(run.outcome, "rolled_back");
  assert.equal(await gauge(page), "0 of 3");
  assert.equal(await page.locator("#protection .pip").count(), 3);
  assert.match(await page.locator("#protection").textContent(), /r7, COMPLETED/);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  assert.equal(await gauge(page), "3 of 3");
  assert.equal(await page.locator("#counted li.failure").count(), 3);
  assert.equal(await page.locator("#counted li:last-child .pip.on").count(), 3);
  assert.match(await page.locator("#counted").textContent(), /8·\d failed its check/);
  assert.match(await page.locator("#protection-title").textContent(), /^Why it failed at \d+:\d\d$/);
  // The figures and the word beside the title are those of a failed run.
  assert.match(await page.locator(".figures").textContent(), /Failed after.*Back on r7 after.*r8 served for/s);
  assert.match(await page.locator(".tag.fail").textContent(), /Failed, back on r7/);
  assert.match(await page.locator("#pipeline-sees").textContent(), /services stable.*on r7/);
  // What a pipeline says after the end leads nowhere, and is known at the end; what it said before leads there.
  const { end_ms: last } = await state(page);
  const clocks = await page.locator("#pipeline-sees .moment").allTextContents();
  assert.ok(clocks.length > 0);
  for (const clock of clocks) {
    const [minutes, seconds] = clock.split(":").map(Number);
    assert.ok((minutes * 60 + seconds) * 1000 <= last, clock);
  }
  // A row leads to its moment.
  await page.locator("#counted .moment").first().click();
  await until(page, (s) => s.moment_ms < s.end_ms);
  assert.equal(await page.locator("#counted li").count() > 0, true);
});

visit("a healthy task sets the counter back; without a reset it trips", "", async (page) => {
  await example(page, "intermittent");
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  assert.match(await page.locator("#counted").textContent(), /is healthy.*back to 0/);
  // The switch in its section, with its default and the way back.
  await page.locator("summary", { hasText: "Circuit breaker" }).click();
  const reset = page.locator("[id$=resetOnHealthyTask]");
  assert.equal(await reset.isChecked(), true);
  await reset.uncheck();
  const strict = await until(page, (s) => s.complete && s.outcome === "rolled_back");
  assert.ok(strict.end_ms > 0);
  await page.locator("#undo").click();
  await until(page, (s) => s.complete && s.outcome === "completed");
});

visit("the threshold: type, value and sum; what is refused stays at its field", GUARDED, async (page) => {
  await page.locator("summary", { hasText: "Circuit breaker" }).click();
  assert.match(await page.locator("#threshold-sum").textContent(), /^4 × 50 % = 2, at least 3$/);
  await page.locator("#threshold-type").selectOption({ index: 2 });
  const value = page.locator("[id$=thresholdConfiguration]");
  await value.fill("7");
  await page.locator("#threshold-sum", { hasText: "7 failures" }).waitFor();
  await value.fill("0");
  await page.locator("#threshold-problem").waitFor();
  assert.equal(await value.inputValue(), "0");
  await value.fill("");
  await page.locator("#threshold-sum", { hasText: "at least 3" }).waitFor();
});

visit("early success and alarms are switched on with values that are accepted", GUARDED, async (page) => {
  await page.locator("summary", { hasText: "Early success" }).click();
  await page.locator("[id$=earlySuccessCriteria-enable]").check();
  await page.locator("#gate-sum", { hasText: "gate 4" }).waitFor();
  await page.locator("summary", { hasText: "Alarms and bake" }).click();
  await page.locator("[id$=alarms-enable]").check();
  await page.locator("#alarm-0").selectOption({ index: 1 });
  await addressHas(page, "alarms");
  await until(page, (s) => s.complete && s.outcome === "rolled_back");
  assert.equal(await page.locator(".problem").count(), 0);
});

visit("the border is told and spoken when it is crossed", GUARDED, async (page) => {
  assert.equal(await page.locator("#unprotected").count(), 0);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  await page.locator("#unprotected").waitFor();
  assert.match(await page.locator("#unprotected").textContent(), /a failure is not rolled back: the deployment is SUCCESSFUL/);
  await page.keyboard.press("Home");
  await until(page, (s) => s.moment_ms === 0);
  await page.locator("#unprotected").waitFor({ state: "detached" });
  // Whatever is said at the border stays long enough to be heard.
  await page.evaluate(() => {
    window.heard = [];
    new MutationObserver(() => window.heard.push(document.getElementById("spoken").textContent))
      .observe(document.getElementById("spoken"), { subtree: true, childList: true, characterData: true });
  });
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.heard.some((text) => /nothing rolls back by itself/.test(text)));
});

visit("the next tasks are made to fail by hand; undo; both futures stay", GUARDED, async (page) => {
  const planned = await state(page);
  assert.equal(planned.outcome, "completed");
  await stepOn(page);
  await openActs(page);
  await page.locator("#act-fate").selectOption({ label: "fail to start" });
  await page.locator("#act-fate + button").click();
  await until(page, (s) => s.branches === 2 && s.complete);
  await addressHas(page, "acts");
  await page.locator("#act-stop-deployment").click();
  const stopped = await until(page, (s) => s.branches === 3 && s.complete);
  assert.equal(stopped.outcome, "rolled_back");
  await page.locator("#branches button").first().click();
  await until(page, (s) => s.complete && s.outcome === "completed");
  await page.locator("#branches button").last().click();
  await until(page, (s) => s.complete && s.outcome === "rolled_back");
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 2 && s.complete);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.complete && s.outcome === "completed");
});

visit("an alarm is fired at the cursor, a task is protected", WATCHED, async (page) => {
  await stepOn(page, 2);
  await openActs(page);
  await page.locator("#act-fire").click();
  await until(page, (s) => s.branches === 2 && s.complete && s.outcome === "rolled_back");
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.complete && s.outcome === "completed");
  await page.keyboard.press("Home");
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  await page.locator("#act-protect").click();
  await until(page, (s) => s.branches === 2 && s.complete);
  await page.locator("#act-unprotect").waitFor();
});

/** Opens the fold of one that looks, where it is closed. */
async function watcher(page, id) {
  const fold = page.locator(`#${id}`);
  if (!await fold.evaluate(({ open }) => open)) await fold.locator("summary").first().click();
  await fold.locator(".body").waitFor();
  return fold;
}

visit("the API view: answers, stamps, what changed, the bus and the lights", FAILING, async (page) => {
  await page.keyboard.press("3");
  const card = (name) => page.locator(".api", { has: page.getByRole("heading", { name, exact: true }) });
  assert.match(await card("DescribeServices").locator(".stamp").textContent(), /^live 0:00$/);
  assert.equal(await page.locator(".changed-field").count(), 0, "nothing to compare with");
  await card("DescribeServices").locator("summary").click();
  const json = JSON.parse(await card("DescribeServices").locator("pre").textContent());
  assert.equal(json.services[0].desiredCount, 4);
  await watcher(page, "watch-events");
  assert.equal(await page.locator(".new-tag").count(), 0, "nothing was looked at before");
  // On what opens and closes, the key for the end is its own.
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  await page.locator(".json mark").first().waitFor();
  assert.match(await card("DescribeServices").locator("summary .n").textContent(), /changed since 0:00/);
  assert.match(await card("DescribeServiceDeployments").locator(".stamp").textContent(), /^frozen \d+:\d\d$/);
  assert.match(await card("DescribeServiceDeployments").locator("dl").textContent(), /ROLLBACK_SUCCESSFUL/);
  assert.ok(await page.locator(".changed-field").count() > 0);
  assert.match(await card("EventBridge so far").textContent(), /SERVICE_DEPLOYMENT_FAILED/);
  assert.match(await page.locator("#service-events").textContent(), /deployment completed/);
  assert.ok(await page.locator("#watch-events .is-new").count() > 0, "new lines are marked");
  assert.match(await page.locator("#lights").textContent(), /red.*SERVICE_DEPLOYMENT_FAILED fires/s);
  assert.match(await (await watcher(page, "watch-stack")).textContent(), /UPDATE_FAILED.*failed.*Rolls back to ecs-svc/s);
  assert.match(await (await watcher(page, "watch-trail")).textContent(), /UpdateService/);
  await addressHas(page, "panel=api");
  // A line leads to its moment.
  await page.locator("#deploy-tail .moment").first().click();
  await until(page, (s) => s.moment_ms > 0 && s.moment_ms < s.end_ms);
});

visit("a worker nobody checks: the tail beside CloudFormation, the watchdog, and what is forgotten after an hour", "", async (page) => {
  await example(page, "worker-watchdog");
  await page.keyboard.press("3");
  const own = await watcher(page, "watch-own");
  for (let step = 0; step < 3; step += 1) await go(page, "]");
  assert.equal((await state(page)).moment_ms, 175_000);
  assert.match(await page.locator("#watch-stack").textContent(), /green.*UPDATE_COMPLETE at 2:55/s);
  const tail = page.locator("#deploy-tail li");
  assert.deepEqual(await tail.locator(".moment").allTextContents(), ["1:00", "2:00"]);
  assert.match(await tail.first().textContent(), /8·1 and 8·2 stopped: EssentialContainerExited.*exit code 1/s);
  assert.match(await own.textContent(), /ALARM since 2:00.*4 in 5 minutes, 4 in all/s);
  await go(page, "]");
  await go(page, "]");
  assert.equal((await state(page)).moment_ms, 3_660_000);
  const tasks = page.locator(".api", { has: page.getByRole("heading", { name: "DescribeTasks", exact: true }) });
  assert.match(await tasks.textContent(), /12 stopped tasks are still answered, 2 no more/);
  assert.match(await own.textContent(), /OK since 10:00.*0 in 5 minutes, 12 in all/s);
  // The whole event is in the log's JSON.
  await own.locator(".api summary").click();
  const log = JSON.parse(await own.locator("pre").textContent());
  assert.equal(log.length, 12);
  assert.deepEqual([log[11].detail.stopCode, log[11].detail.containers[0].exitCode], ["EssentialContainerExited", 1]);
  // Its alarm leads to the moment it fired.
  await own.locator(".spans .moment").click();
  await until(page, (s) => s.moment_ms === 120_000);
});

visit("alarms of one's own: the state of each at the cursor, with its figure and its threshold", "", async (page) => {
  await example(page, "early-relaxed");
  await page.keyboard.press("3");
  const own = await watcher(page, "watch-own");
  const row = (name) => page.locator("#own-alarms li", { hasText: name });
  assert.match(await row("Desired − running").textContent(), /^0:00INSUFFICIENT_DATA/);
  await page.keyboard.press("Escape");
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  await page.locator("#own-alarms li.bad").waitFor();
  assert.match(await row("Replacements of new tasks").textContent(), /^0:35ALARM.*: [\d,]+ALARM: 3 replacements within 5 minutes$/);
  assert.match(await row("Desired − running").textContent(), /^6:07OK/);
  assert.match(await row("oldest old task").textContent(), /^1:07OK.*: noneALARM: an old task is left 1 hour after/);
  assert.match(await own.locator("summary").first().textContent(), /1 × ALARM/);
  // The moment it fired is one press away.
  await row("Replacements").locator(".moment").click();
  await until(page, (s) => s.moment_ms === 35_000);
});

visit("the events filter finds failures that did not count", "", async (page) => {
  await example(page, "worker-check");
  await page.keyboard.press("2");
  await page.locator(".filters .chip", { hasText: "Failures" }).click();
  await page.locator(".event.failure").first().waitFor();
});

visit("narrated steps: forward and back, by button and by key", "", async (page) => {
  await example(page, "breaker-trips");
  const step = () => page.locator("#narration .step").textContent();
  const says = (text) => page.locator("#narration p", { hasText: text }).waitFor();
  assert.equal(await step(), "Step 1 of 5");
  await says("Three new tasks start");
  assert.ok(await page.locator("#chapter-back").isDisabled());
  await page.locator("#chapter-on").click();
  await until(page, (s) => s.moment_ms === 15_000);
  await says("failure 1 of 3");
  assert.equal(await step(), "Step 2 of 5");
  await go(page, "]");
  await go(page, "]");
  assert.equal((await state(page)).moment_ms, 35_000);
  await says("the breaker trips");
  await go(page, "[");
  assert.equal((await state(page)).moment_ms, 23_000);
  assert.equal(await step(), "Step 3 of 5");
  // Its figures are those of the example: another setting has no narration.
  await page.getByRole("button", { name: "100/150" }).click();
  await page.locator("#narration").waitFor({ state: "detached" });
  await page.locator("#undo").click();
  await page.locator("#narration").waitFor();
});
