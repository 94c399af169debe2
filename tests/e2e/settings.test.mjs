// The panel at the left: every setting by the pointer and by keys, what is refused, and undo.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HALF, STUCK, addressHas, computed, drag, state, stepOn, until, visits } from "./run.mjs";

const { visit, open } = visits();

const field = (page, label) => page.getByLabel(label, { exact: true });
const section = (page, name) => page.locator("details.section").filter({ has: page.locator("summary .name", { hasText: name }) });
/** Opens a section and gives it. */
async function opened(page, name) {
  const found = section(page, name);
  await found.locator("summary").click();
  await found.locator(".body").waitFor();
  return found;
}
const headingSays = (page, name, text) => section(page, name).locator("summary .value").getByText(text, { exact: true }).waitFor();
const limits = (s) => [s.limits.floor, s.limits.ceiling];

/**
 * In the page: what field, sum, ruler and verdict say in the frame after each input event of a slider, what the figures of
 * the run say beside their numbers, and the limits of the run itself. On a busy machine that may still be the event
 * before, of all of them.
 */
const follow = (page, id, limit) => page.evaluate(([slider, index]) => {
  const input = document.getElementById(slider);
  window.followed = [];
  input.addEventListener("input", () => requestAnimationFrame(() => {
    window.followed.push({
      percent: Number(document.querySelectorAll(".ruler .percent input")[index].value),
      sum: document.querySelectorAll(".ruler .limit strong")[index].textContent,
      ruler: document.querySelector(".ruler [role=img]").getAttribute("aria-label"),
      verdict: document.querySelector("#verdict h3").textContent,
      figures: [...document.querySelectorAll(".figures small")].map((small) => small.textContent.trim()),
      run: window.rollscope.state().limits,
    });
  }));
}, [id, limit]);

visit("the maximum is dragged: ruler and verdict follow at each event of the slider", HALF, async (page) => {
  await follow(page, "slide-maximum", 0);
  const box = await page.locator("#slide-maximum").boundingBox();
  const y = box.y + box.height / 2;
  await drag(page, { x: box.x + box.width / 2, y }, { x: box.x + box.width, y }, 6);
  await page.mouse.move(box.x + box.width * 0.1, y, { steps: 10 });
  await page.mouse.up();
  const last = Number(await page.locator("#slide-maximum").inputValue());
  await until(page, (s) => s.limits.ceiling === Math.floor(4 * last / 100));
  const followed = await page.evaluate(() => window.followed);
  assert.ok(new Set(followed.map(({ percent }) => percent)).size > 5, "it passes many values");
  for (const { percent, sum, ruler, verdict, figures, run } of followed) {
    const ceiling = Math.floor(4 * percent / 100);
    assert.equal(run.ceiling, ceiling, `the run of ${percent} %`);
    assert.ok(figures.includes(`ceiling ${ceiling}`), `${percent} %: ${figures}`);
    assert.equal(sum, `ceiling ${ceiling}`, `${percent} %`);
    assert.ok(ruler.endsWith(`at most ${ceiling} at once.`), `${percent} %: ${ruler}`);
    assert.match(verdict, ceiling > 4 ? /^It can move/ : /^It cannot move/, `${percent} %`);
  }
  // One drag is one change.
  await page.locator("#undo").click();
  await until(page, (s) => s.limits.ceiling === 6 && s.complete);
  assert.ok(await page.locator("#undo").isDisabled());
});

visit("the minimum is dragged too", HALF, async (page) => {
  await follow(page, "slide-minimum", 1);
  const box = await page.locator("#slide-minimum").boundingBox();
  const y = box.y + box.height / 2;
  await drag(page, { x: box.x + box.width - 4, y }, { x: box.x + box.width * 0.3, y }, 8);
  await page.mouse.up();
  const last = Number(await page.locator("#slide-minimum").inputValue());
  assert.ok(last > 10 && last < 50, `${last} %`);
  await until(page, (s) => s.limits.floor === Math.ceil(4 * last / 100));
  for (const { percent, sum, ruler, verdict, figures, run } of await page.evaluate(() => window.followed)) {
    const floor = Math.ceil(4 * percent / 100);
    assert.equal(run.floor, floor, `the run of ${percent} %`);
    assert.ok(figures.includes(`floor ${floor}`), `${percent} %: ${figures}`);
    assert.match(verdict, /^It can move/, `${percent} %`);
    assert.equal(sum, `floor ${floor}`, `${percent} %`);
    assert.ok(ruler.startsWith(floor === 1 ? "1 task " : `${floor} tasks `), `${percent} %: ${ruler}`);
  }
});

visit("the minimum is moved by keys: ruler and verdict follow at each event of the slider", "v1&desired=5&min=100&max=120", async (page) => {
  await follow(page, "slide-minimum", 1);
  const slider = page.locator("#slide-minimum");
  assert.equal(await slider.getAttribute("aria-valuetext"), "Minimum 100 percent, floor 5, none may stop.");
  for (let press = 0; press < 20; press += 1) await slider.press("ArrowLeft");
  assert.equal(await slider.inputValue(), "80");
  await until(page, (s) => s.limits.floor === 4);
  await page.waitForFunction(() => window.followed.length === 20);
  for (const { percent, sum, verdict } of await page.evaluate(() => window.followed)) {
    assert.equal(sum, `floor ${Math.ceil(5 * percent / 100)}`, `${percent} %`);
    assert.match(verdict, /^It can move/);
  }
  assert.equal(await slider.getAttribute("aria-valuetext"), "Minimum 80 percent, floor 4, 1 may stop.");
  await slider.press("Home");
  await until(page, (s) => s.limits.floor === 0);
  await slider.press("End");
  await until(page, (s) => s.limits.floor === 5);
  assert.equal(await field(page, "Minimum healthy").inputValue(), "100");
});

visit("the maximum has keys, and one task is a cell of the ruler", HALF, async (page) => {
  const slider = page.locator("#slide-maximum");
  assert.equal(await slider.getAttribute("aria-valuetext"), "Maximum 150 percent, ceiling 6, 2 may start.");
  await slider.press("ArrowRight");
  assert.equal(await slider.inputValue(), "151");
  await slider.press("End");
  await until(page, (s) => s.limits.ceiling === 8);
  const cells = await page.locator(".ruler .cell").evaluateAll((list) => list.map(({ className }) => className.replace("cell ", "")));
  assert.deepEqual(cells, [...Array(4).fill("keep"), ...Array(4).fill("added")]);
  // Many tasks are bars.
  await field(page, "Desired count").fill("40");
  await page.locator(".ruler .bars").waitFor();
  await page.locator(".ruler .bars").getByText("40 stay healthy").waitFor();
});

visit("common settings, by click and by key", HALF, async (page) => {
  const chip = (name) => page.getByRole("button", { name, exact: true });
  assert.equal(await chip("100/150").getAttribute("aria-pressed"), "true");
  await chip("50/100").click();
  await until(page, (s) => limits(s).join() === "2,4");
  assert.equal(await chip("50/100").getAttribute("aria-pressed"), "true");
  assert.equal(await chip("100/150").getAttribute("aria-pressed"), "false");
  // What each is good for is shown under the pointer and for the keyboard.
  await chip("100/200").hover();
  await page.locator("#good-for-100-200").waitFor({ state: "visible" });
  await page.keyboard.press("Tab");
  await page.locator("#good-for-0-100").waitFor({ state: "visible" });
  assert.equal(await chip("0/100").getAttribute("aria-describedby"), "good-for-0-100");
  await page.keyboard.press("Enter");
  await until(page, (s) => limits(s).join() === "0,4");
  await chip("100/200").press("Space");
  await until(page, (s) => limits(s).join() === "4,8");
  // Each choice is a change of its own.
  for (const back of ["0,4", "2,4", "4,6"]) {
    await page.locator("#undo").click();
    await until(page, (s) => limits(s).join() === back);
  }
});

visit("the number of tasks is stepped and typed", HALF, async (page) => {
  await page.getByRole("button", { name: "One task more" }).click();
  await until(page, (s) => s.limits.desired === 5 && s.complete);
  await page.getByRole("button", { name: "One task less" }).press("Enter");
  await until(page, (s) => s.limits.desired === 4);
  const desired = field(page, "Desired count");
  await desired.fill("0");
  await until(page, (s) => s.limits.desired === 0 && s.complete);
  assert.ok(await page.getByRole("button", { name: "One task less" }).isDisabled());
  await page.locator("#no-tasks").waitFor();
  await page.locator("#verdict").getByText("Nothing to replace").first().waitFor();
  await desired.fill("7");
  await until(page, (s) => s.limits.desired === 7 && s.limits.ceiling === 10 && s.complete);
  // Typing in one field is one change.
  await page.locator("#undo").click();
  await until(page, (s) => s.limits.desired === 4 || s.limits.desired === 5);
});

visit("a setting that is refused keeps its text, and the run stays", HALF, async (page) => {
  const maximum = field(page, "Maximum");
  await maximum.fill("many");
  const problem = page.locator(".problem[role=alert]");
  await problem.waitFor();
  assert.match(await problem.textContent(), /^Maximum: “many” is not accepted\. Allowed: a whole number/);
  assert.equal(await maximum.inputValue(), "many");
  assert.equal(await maximum.getAttribute("aria-invalid"), "true");
  assert.equal(await maximum.getAttribute("aria-describedby"), await problem.getAttribute("id"));
  assert.equal((await state(page)).limits.ceiling, 6);
  await page.locator("#from-before").waitFor();
  await page.locator("#verdict").getByText("This is from before").waitFor();
  await maximum.fill("200");
  await until(page, (s) => s.limits.ceiling === 8);
  assert.equal(await problem.count(), 0);
  assert.equal(await page.locator("#from-before").count(), 0);
  await page.locator("#undo").click();
  await until(page, (s) => s.limits.ceiling === 6);
});

test("what a link gives wrongly stands in its field, with what is wrong beside it", async () => {
  const opened = await open("v1&desired=4.5&min=100&max=many");
  const { page } = opened;
  try {
    await opened.settled();
    assert.equal(await field(page, "Desired count").inputValue(), "4.5");
    assert.equal(await field(page, "Maximum").inputValue(), "many");
    assert.equal(await page.locator(".problem").count(), 2);
    await field(page, "Maximum").fill("150");
    await page.getByRole("button", { name: "Use 5", exact: true }).click();
    await until(page, (s) => s?.complete && s.limits.desired === 5 && s.limits.ceiling === 7);
    assert.equal(await page.locator(".problem").count(), 0);
    opened.assertClean();
  } finally {
    await opened.close();
  }
});

visit("the nearest accepted value is one click away", HALF, async (page) => {
  await field(page, "Minimum healthy").fill("150");
  await page.locator(".problem").getByRole("button", { name: "Use 100" }).click();
  await page.locator(".problem").waitFor({ state: "detached" });
  assert.equal(await field(page, "Minimum healthy").inputValue(), "100");
  await page.getByRole("button", { name: "50/100", exact: true }).click();
  await field(page, "Minimum healthy").fill("100");
  // 100/100 leaves no room in either direction: the service itself says so.
  await page.locator(".problem, .faults").first().waitFor();
  assert.equal((await state(page)).limits.floor, 2, "the run stays");
});

visit("what cannot move says so and offers the smallest changes", STUCK, async (page) => {
  assert.equal((await state(page)).outcome, "stuck");
  await page.locator("#verdict").getByText("It cannot move").waitFor();
  await page.getByRole("button", { name: "Try it: Maximum 200 %", exact: true }).click();
  await until(page, (s) => s.complete && s.outcome === "completed");
  assert.equal((await state(page)).limits.ceiling, 2);
  await page.locator("#undo").click();
  await until(page, (s) => s.complete && s.outcome === "stuck");
  // The verdict has the first of them too.
  await page.locator("#verdict").getByRole("button", { name: /^Try / }).press("Enter");
  await until(page, (s) => s.complete && s.outcome === "completed");
});

// Checks every 10 s, three failures in a row; the application answers after a minute.
const TOO_STRICT = "v1&desired=4&min=100&max=150&c.0.healthCheck.interval=10&t.start_up=60s&until=2h";

visit("checks that are too strict: what lets it get done, with Try", TOO_STRICT, async (page) => {
  const verdict = page.locator("#verdict");
  await verdict.getByText("It never gets done").waitFor();
  const ways = await page.locator("#cures strong").allTextContents();
  assert.deepEqual(ways, ["Grace period 60s", "Start period 31s", "Retries 6"]);
  for (const way of ways) {
    await page.getByRole("button", { name: `Try it: ${way}`, exact: true }).click();
    await until(page, (s) => s.complete && s.outcome === "completed");
    assert.equal(await page.locator("#cures").count(), 0);
    await page.locator("#undo").click();
    await until(page, (s) => s.complete && s.outcome === "in_progress");
  }
});

visit("long numbers are seen whole", "v1&desired=12345&min=100&max=12345&t.start_up=1m30s", async (page) => {
  for (const label of ["Desired count", "Maximum"]) {
    const [inside, wide] = await field(page, label).evaluate((input) => [input.scrollWidth, input.clientWidth]);
    assert.ok(inside <= wide, `${label}: ${inside} in ${wide}`);
  }
});

visit("sections open by click and key, and say what they hold while closed", "", async (page) => {
  const { end_ms } = await state(page);
  await headingSays(page, "Timing", "start-up 15s, drain up to 60 s");
  const timing = await opened(page, "Timing");
  const start = timing.getByRole("textbox", { name: /^Start-up/ });
  await start.fill("45s");
  await until(page, (s) => s.complete && s.end_ms > end_ms);
  await timing.locator(".changed").first().waitFor();
  await timing.getByText("(set in this scenario)").first().waitFor({ state: "attached" });
  await timing.locator("summary").focus();
  await page.keyboard.press("Enter");
  await timing.locator(".body").waitFor({ state: "hidden" });
  await headingSays(page, "Timing", "start-up 45s, drain up to 60 s");
  await page.keyboard.press("Space");
  await timing.locator(".body").waitFor();
  // The way back to the default.
  await timing.getByRole("button", { name: /^Reset Start-up/ }).click();
  await until(page, (s) => s.complete && s.end_ms === end_ms);
  assert.equal(await timing.getByRole("button", { name: /^Reset Start-up/ }).count(), 0);
  // A number alone means seconds: it stays as it is under the hand, and has its unit afterwards.
  await start.fill("");
  await start.pressSequentially("30");
  const half = await until(page, (s) => s.complete && s.end_ms > end_ms);
  assert.equal(await start.inputValue(), "30");
  await start.press("Tab");
  assert.equal(await start.inputValue(), "30s");
  for (const [typed, shown] of [["1.5", "1s500ms"], ["0.5m", "30s"], ["1m 30s", "1m30s"], ["30s", "30s"]]) {
    await start.fill(typed);
    assert.equal(await start.inputValue(), typed);
    await start.press("Tab");
    assert.equal(await start.inputValue(), shown);
  }
  await until(page, (s) => s.complete && s.end_ms === half.end_ms);
  // A letter in the middle leaves the cursor there.
  await start.focus();
  await start.press("Home");
  await start.pressSequentially("12");
  assert.equal(await start.inputValue(), "1230s");
  await start.fill("30s");
  // Refused, it stays open and marked.
  await start.fill("soon");
  assert.match(await timing.locator(".problem").textContent(), /a number alone means seconds/);
  assert.equal(await start.getAttribute("aria-invalid"), "true");
});

visit("health checks are chosen, and their fields with them", HALF, async (page) => {
  await headingSays(page, "Health checks", "no check");
  const checks = await opened(page, "Health checks");
  await page.locator("#check-kind").selectOption("target group");
  await field(page, "Healthy threshold").waitFor();
  await page.locator(".stage-head").getByText("Load balancer").waitFor();
  const { end_ms } = await until(page, (s) => s.complete);
  await field(page, "Interval").fill("60");
  await until(page, (s) => s.complete && s.end_ms !== end_ms);
  // What the model assumes stands where it acts.
  await checks.getByText("A newly registered target needs one pass").waitFor();
  const grace = checks.getByRole("textbox", { name: /^Grace period/ });
  await grace.fill("1m30s");
  await grace.press("Tab");
  assert.equal(await grace.inputValue(), "90");
  await grace.fill("1.5");
  await checks.locator(".problem").getByRole("button", { name: "Use 2", exact: true }).click();
  await checks.locator(".problem").waitFor({ state: "detached" });
  assert.equal(await grace.inputValue(), "2");
  await page.locator("#check-kind").selectOption("container, group");
  await field(page, "Retries").waitFor();
  assert.equal(await checks.getByLabel(/^Interval/).count(), 2);
  await page.locator("#check-kind").selectOption("no check");
  await page.locator(".stage-head").getByText("In service").waitFor();
});

visit("the new revision gets a fate, and whom it meets", HALF, async (page) => {
  const before = await state(page);
  await headingSays(page, "New revision", "starts, keeps running");
  await opened(page, "New revision");
  await page.locator("#fate").selectOption("fail to start");
  await page.locator("#fate-who").selectOption("one start only");
  await page.locator("#fate-start").fill("2");
  await headingSays(page, "New revision", "start 2: no start");
  const after = await until(page, (s) => s.complete && s.end_ms !== before.end_ms);
  assert.equal(after.outcome, "completed");
  // The failure is in the list, and the keys find it.
  await page.locator("#tab-events").click();
  await page.getByRole("button", { name: "Failures", exact: true }).click();
  assert.equal(await page.locator("#events button.event").count(), 1);
  await page.locator("h1").click();
  await page.keyboard.press("e");
  await until(page, (s) => s.moment_ms > 0);
  await page.locator("#events [aria-current]").waitFor();
  await page.keyboard.press("Home");
  // By chance, and by zone.
  await page.locator("#fate-who").selectOption("some, by chance");
  await page.locator("#fate-of").fill("4");
  await headingSays(page, "New revision", "1 in 4: no start");
  await page.locator("#fate-who").selectOption("those in one zone");
  await page.locator("#fate-zone").selectOption("zone b");
  await headingSays(page, "New revision", "zone b: no start");
  // What only a check could notice says so where there is none.
  await page.locator("#fate").selectOption("never pass a check");
  await page.locator("#unseen-fate").waitFor();
  await page.locator("#fate").selectOption("exit after");
  await page.locator("#unseen-fate").waitFor({ state: "detached" });
  await page.locator("#fate-number").fill("45");
  await page.locator("#fate-number").press("Tab");
  assert.equal(await page.locator("#fate-number").inputValue(), "45s");
  await page.locator("#fate-number").fill("never");
  await section(page, "New revision").locator(".problem").waitFor();
  await page.locator("#fate").selectOption("become healthy");
  await until(page, (s) => s.complete && s.end_ms === before.end_ms);
});

visit("seed, readings and what is good to know", HALF, async (page) => {
  await page.evaluate(() => window.rollscope.open({
    service: { desiredCount: 4, deploymentConfiguration: { maximumPercent: 150, minimumHealthyPercent: 100 } },
    timing: { pull: { uniform: ["10s", "60s"] } },
    seed: 7,
  }));
  await headingSays(page, "Seed", "7");
  const { end_ms } = await computed(page);
  const seed = await opened(page, "Seed");
  await seed.getByRole("button", { name: "Next seed" }).click();
  await headingSays(page, "Seed", "8");
  await until(page, (s) => s.complete && s.end_ms !== end_ms);
  await page.getByLabel(/^Seed of every draw/).fill("7");
  await until(page, (s) => s.complete && s.end_ms === end_ms);
  await headingSays(page, "Where sources disagree", "default");
  const readings = await opened(page, "Where sources disagree");
  const lockstep = readings.getByRole("checkbox", { name: /^Lockstep/ });
  await lockstep.check();
  await headingSays(page, "Where sources disagree", "1 set");
  await lockstep.press("Space");
  await headingSays(page, "Where sources disagree", "default");
  const known = await opened(page, "Good to know");
  await known.getByText("Defaults in force").waitFor();
});

visit("injected events are listed and can be removed", HALF, async (page) => {
  const before = await state(page);
  await headingSays(page, "Injected events", "none");
  await stepOn(page);
  await page.locator("#acts-title").click();
  await page.locator("#act-desired").fill("6");
  await page.locator("#act-desired").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete && s.limits.desired === 6);
  await headingSays(page, "Injected events", "1");
  const events = await opened(page, "Injected events");
  await events.getByRole("button", { name: /^Remove: \d+:\d\d/ }).click();
  await until(page, (s) => s.branches === 1 && s.complete && s.limits.desired === 4);
  await headingSays(page, "Injected events", "none");
  assert.equal((await state(page)).end_ms, before.end_ms);
});

visit("a run begins in the middle of a rollout, and from a steady service again", HALF, async (page) => {
  await headingSays(page, "At the start", "steady");
  const start = await opened(page, "At the start");
  await start.getByRole("button", { name: "Begin in the middle of a rollout" }).click();
  await headingSays(page, "At the start", "2 deployments");
  await until(page, (s) => s.complete && s.counts.healthy === 4 && s.counts.running === 5);
  // More than are healthy cannot be protected; the message stands at the field.
  const guarded = start.getByLabel("of them protected").first();
  await guarded.fill("5");
  await start.locator(".problem").getByText(/Allowed: a whole number, 0 to 4/).waitFor();
  await guarded.fill("1");
  await start.locator(".problem").waitFor({ state: "detached" });
  await until(page, (s) => s.complete && s.end_ms > 7_000_000);
  await start.getByRole("button", { name: "Begin from a steady service" }).click();
  await until(page, (s) => s.complete && s.end_ms < 600_000);
  await headingSays(page, "At the start", "steady");
});

visit("another kind of threshold begins at its own default, and undo brings the old one back", "v1&desired=10&dc.deploymentCircuitBreaker.enable=true&dc.deploymentCircuitBreaker.rollback=true&dc.deploymentCircuitBreaker.thresholdConfiguration.type=BOUNDED_PERCENT&dc.deploymentCircuitBreaker.thresholdConfiguration.value=80", async (page) => {
  const breaker = await opened(page, "Circuit breaker");
  const value = breaker.locator("input[type=text]");
  const kind = breaker.locator("#threshold-type");
  assert.equal(await value.inputValue(), "80");
  await breaker.getByText("10 × 80 % = 8").waitFor();
  await kind.selectOption("number of failures");
  await breaker.getByText("8 failures, whatever the desired count").waitFor();
  assert.equal(await value.inputValue(), "8", "as many as tripped it before");
  await kind.selectOption("share, no bounds");
  await breaker.getByText("10 × 50 % = 5").waitFor();
  assert.equal(await value.inputValue(), "50");
  // A share of more than a hundred is refused in the words of the label.
  await value.fill("200");
  await breaker.locator(".problem").getByText(/^Share, 1 to 100: “200” is not accepted/).waitFor();
  await value.fill("50");
  // All of it is one change of one field.
  await page.locator("#undo").click();
  await breaker.getByText("10 × 80 % = 8").waitFor();
  assert.equal(await value.inputValue(), "80");
});

visit("a new target's passes are a choice", "v1&desired=4&min=100&max=150&tg.0.healthCheckIntervalSeconds=10", async (page) => {
  const before = await state(page);
  const readings = await opened(page, "Where sources disagree");
  await readings.locator("#target-passes").selectOption("the healthy threshold");
  await headingSays(page, "Where sources disagree", "1 set");
  await until(page, (s) => s.complete && s.end_ms > before.end_ms);
  await readings.locator("#target-passes").selectOption("one pass");
  await until(page, (s) => s.complete && s.end_ms === before.end_ms);
});

visit("in the middle of a run changes hold from there, or from the start", HALF, async (page) => {
  const hold = page.getByRole("group", { name: "Changes hold from" });
  const choice = (name) => hold.getByRole("button", { name });
  assert.ok(await choice("playhead").isDisabled(), "at the start there is no choice");
  assert.equal(await choice("the start").getAttribute("aria-pressed"), "true");
  const places = () => page.evaluate(() => ["#slide-maximum", "#hold", ".verdict", ".sections"]
    .map((part) => document.querySelector(part).getBoundingClientRect().top));
  const marks = () => page.locator(".section .anew-mark").evaluateAll((all) => all.filter((mark) => getComputedStyle(mark).visibility === "visible").length);
  const rest = await places();
  assert.equal(await marks(), 0);
  const there = await stepOn(page);
  assert.equal(await choice(/^\d+:\d\d on$/).getAttribute("aria-pressed"), "true");
  assert.deepEqual(await places(), rest, "nothing moves when the cursor does");
  assert.equal(await marks(), await page.locator(".section").count(), "what starts the run anew is marked");
  await page.locator("#slide-maximum").press("End");
  const branched = await until(page, (s) => s.branches === 2 && s.complete && s.limits.ceiling === 8);
  assert.equal(branched.moment_ms, there.moment_ms, "the cursor stays");
  await addressHas(page, "acts");
  // Going on with the same slider goes on with the same change.
  await page.locator("#slide-maximum").press("ArrowLeft");
  await until(page, (s) => s.limits.ceiling === 7 && s.branches === 2);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.limits.ceiling === 6);
  await choice("the start").press("Enter");
  assert.equal(await choice("the start").getAttribute("aria-pressed"), "true");
  assert.deepEqual(await places(), rest, "nor when the choice changes");
  assert.equal(await marks(), 0);
  await page.locator("#slide-maximum").press("End");
  const anew = await until(page, (s) => s.limits.ceiling === 8 && s.complete);
  assert.equal(anew.branches, 1);
  assert.equal(anew.peak_tasks, 8, "the first step used it already");
  // Undo leads back to the moment at which it was done.
  await page.keyboard.press("Control+z");
  await until(page, (s) => s.limits.ceiling === 6 && s.complete && s.moment_ms === there.moment_ms);
});

visit("undo and redo go through settings, by button and by key", HALF, async (page) => {
  const [undo, redo] = [page.locator("#undo"), page.locator("#redo")];
  assert.ok(await undo.isDisabled() && await redo.isDisabled());
  await page.getByRole("button", { name: "50/100", exact: true }).click();
  await until(page, (s) => s.limits.ceiling === 4);
  await page.getByRole("button", { name: "One task more" }).click();
  await until(page, (s) => s.limits.desired === 5);
  await undo.click();
  await until(page, (s) => s.limits.desired === 4 && s.limits.ceiling === 4);
  await page.keyboard.press("Control+z");
  await until(page, (s) => s.limits.ceiling === 6);
  assert.ok(await undo.isDisabled());
  await page.keyboard.press("Control+Shift+Z");
  await until(page, (s) => s.limits.ceiling === 4 && s.limits.desired === 4);
  await redo.click();
  await until(page, (s) => s.limits.desired === 5);
  await page.waitForFunction(() => document.getElementById("redo").disabled);
  // Another change ends what could be made again.
  await page.keyboard.press("Control+z");
  await until(page, (s) => s.limits.desired === 4);
  await page.getByRole("button", { name: "100/200", exact: true }).click();
  await until(page, (s) => s.limits.ceiling === 8);
  await page.waitForFunction(() => document.getElementById("redo").disabled);
  await computed(page);
});
