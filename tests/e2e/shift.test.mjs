// Deployments that shift traffic: what the page says of one, and a pause that is answered by hand.

import assert from "node:assert/strict";
import { computed, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

const SERVICE = "v1&desired=4&dc.bakeTimeInMinutes=15&tg.0.healthCheckIntervalSeconds=10"
  + "&tg.0.deregistration_delay%2Etimeout_seconds=60&quotas=none";
/** Half of the traffic, then the rest; before each half somebody has to say so. */
const PAUSED = `${SERVICE}&dc.strategy=LINEAR&dc.linearConfiguration.stepPercent=50&dc.linearConfiguration.stepBakeTimeInMinutes=5`
  + "&dc.lifecycleHooks.0.targetType=PAUSE&dc.lifecycleHooks.0.lifecycleStages.0=PRE_PRODUCTION_TRAFFIC_SHIFT";

/** Opens an example by its name. */
async function example(page, id) {
  await page.locator("#open-presets").click();
  await page.locator(`#preset-${id}`).click();
  await page.locator("#presets").waitFor({ state: "detached" });
  return computed(page);
}

const end = async (page) => {
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
};

visit("blue and green: twice the tasks, and a verdict that says how long", "", async (page) => {
  const run = await example(page, "blue-green");
  assert.equal(run.outcome, "completed");
  assert.match(await page.locator("#verdict").textContent(), /8 tasks run.*All traffic moves at once/);
  await end(page);
  assert.equal((await state(page)).moment_ms, 967000);
});

visit("a pause is answered by hand, once for each shift", PAUSED, async (page) => {
  assert.equal((await state(page)).outcome, "rolled_back", "nobody answers: it times out");
  for (const shift of [1, 2]) {
    // On to the next decision, until the deployment pauses.
    for (let step = 0; step < 20 && await page.locator("#act-continue").count() === 0; step += 1) await stepOn(page);
    if (shift === 1) await page.locator("#acts-title").click();
    await page.locator("#act-continue").click();
    await until(page, (s) => s.branches === shift + 1 && s.complete);
    await page.locator("#act-continue").waitFor({ state: "detached" });
  }
  assert.equal((await state(page)).outcome, "completed");
});

visit("how long answers take by revision, and the chart that is chosen goes into the link",
  "v1&desired=4&dc.strategy=CANARY&dc.bakeTimeInMinutes=5&dc.canaryConfiguration.canaryPercent=10&tg.0.healthCheckIntervalSeconds=10&traffic.requests_per_second=100&new.request_time=900ms&old.request_time=200ms&at=300000&chart=traffic",
  async (page) => {
    const lane = await page.locator("#traffic-lane").textContent();
    assert.match(lane, /r7 90 % by 4 tasks takes 200 ms/);
    assert.match(lane, /r8 10 % by 4 tasks takes 900 ms/);
    assert.match(lane, /270 ms on average/);
    const shown = () => page.locator("#chart-of [aria-pressed=true]").textContent();
    assert.equal(await shown(), "Traffic");
    await page.locator("#chart-of button", { hasText: "Tasks" }).click();
    await page.waitForFunction(() => !location.hash.includes("chart="));
    await page.locator("#chart-of button", { hasText: "Traffic" }).click();
    await page.waitForFunction(() => location.hash.includes("chart=traffic"));
  });
