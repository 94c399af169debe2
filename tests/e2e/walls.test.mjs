// Two walls, the stage's head with what somebody may answer there, requests, and the traffic in the chart's place.

import assert from "node:assert/strict";
import { viewports } from "./harness.mjs";
import { pixels, repainted, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

const SERVICE = "v1&desired=4&dc.bakeTimeInMinutes=15&tg.0.healthCheckIntervalSeconds=10"
  + "&tg.0.deregistration_delay%2Etimeout_seconds=60&quotas=none";
/** A tenth of the traffic for ten minutes, then the rest. */
const CANARY = `${SERVICE}&dc.strategy=CANARY&dc.canaryConfiguration.canaryPercent=10&dc.canaryConfiguration.canaryBakeTimeInMinutes=10`;
/** Half of the traffic, then the rest; before each half somebody has to say so. */
const PAUSED = `${SERVICE}&dc.strategy=LINEAR&dc.linearConfiguration.stepPercent=50&dc.linearConfiguration.stepBakeTimeInMinutes=5`
  + "&dc.lifecycleHooks.0.targetType=PAUSE&dc.lifecycleHooks.0.lifecycleStages.0=PRE_PRODUCTION_TRAFFIC_SHIFT";
const REQUESTS = "&traffic.requests_per_second=100&new.bad_responses.0=1&new.bad_responses.1=20";

const stage = (page) => page.locator("#stage-name").textContent();
const paused = (page) => page.locator("#stage-continue-1");

/** On to the next decision, until a pause waits. */
async function toPause(page) {
  for (let step = 0; step < 20 && await paused(page).count() === 0; step += 1) await stepOn(page);
  await paused(page).waitFor();
}

visit("two walls: the head names the stage with its clock, the source stays left and the target right", CANARY, async (page) => {
  assert.equal(await stage(page), "SCALE_UP");
  await until(page, (s) => s.complete);
  for (let step = 0; step < 20 && await stage(page) !== "PRODUCTION_TRAFFIC_SHIFT"; step += 1) await stepOn(page);
  assert.match(await page.locator("#stage-clock").textContent(), /^until 10:\d\d, /);
  assert.match(await page.locator("#weights").textContent(), /r8 10 %, r7 90 %/);
  const frame = await page.locator("#stage").boundingBox();
  const under = async (share) => {
    await page.mouse.move(frame.x + frame.width * share, frame.y + frame.height * 0.7);
    await page.locator("#tip").waitFor();
    return page.locator("#tip").textContent();
  };
  assert.match(await under(0.05), /^7·/);
  await page.mouse.move(frame.x + frame.width / 2, frame.y - 200);
  await page.locator("#tip").waitFor({ state: "detached" });
  assert.match(await under(0.56), /^8·/);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  assert.equal(await stage(page), "SUCCESSFUL");
});

visit("a pause is answered where it waits, and undo takes the answer back", PAUSED, async (page) => {
  await toPause(page);
  assert.equal(await stage(page), "PRE_PRODUCTION_TRAFFIC_SHIFT");
  assert.equal(await page.locator("#stage-stop").count(), 0, "to roll back is one of the two answers");
  await paused(page).click();
  await until(page, (s) => s.branches === 2 && s.complete);
  await paused(page).waitFor({ state: "detached" });
  assert.equal(await stage(page), "PRODUCTION_TRAFFIC_SHIFT");
  await page.locator("#undo").click();
  await paused(page).waitFor();
  await page.locator("#stage-roll-back-1").click();
  await until(page, (s) => s.complete && s.outcome === "rolled_back");
});

visit("the keyboard reaches the answer to a pause", PAUSED, async (page) => {
  await toPause(page);
  await paused(page).focus();
  await page.keyboard.press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete);
  await paused(page).waitFor({ state: "detached" });
});

visit("a deployment is stopped from the stage and goes back", CANARY, async (page) => {
  await stepOn(page);
  await page.locator("#stage-stop").click();
  const run = await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal(run.outcome, "rolled_back");
});

visit("the chart shows tasks or traffic, and so does its table", CANARY, async (page) => {
  const before = await pixels(page, "#chart");
  const [tasks, traffic] = [page.locator("#chart-of button").first(), page.locator("#chart-of button").last()];
  assert.equal(await tasks.getAttribute("aria-pressed"), "true");
  await traffic.focus();
  await page.keyboard.press("Enter");
  const shown = await repainted(page, "#chart", before);
  assert.equal(await traffic.getAttribute("aria-pressed"), "true");
  await page.locator(".chart-table summary").press("Enter");
  const rows = page.locator(".chart-table tbody tr");
  await rows.first().waitFor();
  assert.match(await rows.first().textContent(), /r8 0 %r7 100 %0 %/);
  assert.match(await rows.nth(1).textContent(), /0:35r8 10 %r7 90 %/);
  await tasks.click();
  await repainted(page, "#chart", shown);
});

visit("requests have a lane: who answers, what is bad, the load of a task", CANARY + REQUESTS, async (page) => {
  const lane = page.locator("#traffic-lane");
  assert.match(await lane.textContent(), /100 requests a second.*r7 100 % by 4 tasks.*25 a second for one task/);
  for (let step = 0; step < 20 && !/r8/.test(await lane.textContent()); step += 1) await stepOn(page);
  assert.match(await lane.textContent(), /r8 10 % by 4 tasks 5 % bad/);
});

visit("two walls stand beside each other on a phone, and nothing is cut", PAUSED, {
  viewport: viewports.phone,
  context: { isMobile: true, hasTouch: true, deviceScaleFactor: 2, reducedMotion: "reduce" },
}, async (page) => {
  await until(page, (s) => s.complete);
  for (const selector of ["#stage", "#strip", "#stage-name"]) {
    const box = await page.locator(selector).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= viewports.phone.width, `${selector}: ${JSON.stringify(box)}`);
  }
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});

visit("a rolling update has one wall, and no traffic to switch to", "v1&desired=4&min=100&max=150", async (page) => {
  assert.equal(await page.locator("#shift-head").count(), 0);
  assert.equal(await page.locator("#chart-of").count(), 0);
  assert.equal((await state(page)).complete, true);
});
