// Room: what blocks before the run, what would help, and what a moment says about instances.

import assert from "node:assert/strict";
import { computed, state, until, visits } from "./run.mjs";

const { visit } = visits();

/** Opens an example by its name. */
async function example(page, id) {
  await page.locator("#open-presets").click();
  await page.locator(`#preset-${id}`).click();
  await page.locator("#presets").waitFor({ state: "detached" });
  return computed(page);
}

visit("a full cluster says what blocks, and an instance more sets it free", "", async (page) => {
  await example(page, "full-cluster");
  assert.equal((await state(page)).outcome, "waiting");
  assert.match(await page.locator("#verdict").textContent(), /Both instances lack CPU/);
  const helps = await page.locator(".changes .change").allTextContents();
  assert.match(helps.join(" "), /3 instances.*Minimum 75 %/s);
  await page.locator(".changes .change button").first().click();
  await until(page, (s) => s.outcome === "completed");
  assert.match(await page.locator("#verdict").textContent(), /that limits the pace, not the ceiling of 8/);
});

visit("a fixed host port is what is short", "", async (page) => {
  await example(page, "fixed-port-three");
  assert.match(await page.locator("#verdict").textContent(), /All 3 instances lack the host port/);
});

visit("tasks that wait for instances say when the next one registers", "", async (page) => {
  await example(page, "scaling");
  assert.equal((await state(page)).outcome, "completed");
  assert.match(await page.locator("#verdict").textContent(), /4 tasks wait in PROVISIONING.*after 5 minutes/);
});

visit("a daemon on one node cannot move", "", async (page) => {
  await example(page, "daemon-one-node");
  assert.equal((await state(page)).outcome, "stuck");
});

visit("a template with an old count is named before Play, and its own count helps", "", async (page) => {
  await example(page, "template");
  const verdict = page.locator("#verdict");
  assert.match(await verdict.textContent(), /The template shrinks the service.*from 10 to 1.*nothing protects the other 9/s);
  assert.equal((await state(page)).lowest_healthy, 1);
  await page.locator("#cures button").first().click();
  await until(page, (s) => s.complete && s.lowest_healthy === 10);
  assert.doesNotMatch(await verdict.textContent(), /shrinks/);
});

/** Three tasks at 100/125: the ceiling is 3 as well, and one of their instances is drained. */
const BLOCKED = "v1&desired=3&max=125&s.launchType=EC2&start.deploy=false&capacity.instances.0.count=3&capacity.task.cpu=1024&acts.0.at=60000&acts.0.do=drain_instance&acts.0.instance=1";

visit("an instance that both limits keep full, and the smallest change that empties it", BLOCKED, async (page) => {
  await computed(page);
  const verdict = page.locator("#verdict");
  assert.match(await verdict.textContent(), /The instance never gets empty.*ceiling of 3.*floor is 3/s);
  assert.match(await page.locator("#cures").textContent(), /Maximum 134 %.*Minimum 66 %/s);
  await page.locator("#cures button").first().click();
  await until(page, (s) => s.complete && s.limits.ceiling === 4);
  assert.match(await verdict.textContent(), /An instance is drained.*It is empty at 1:57/s);
});

visit("zones are evened out one task at a time, told in steps", "", async (page) => {
  await example(page, "rebalance");
  const next = page.getByRole("button", { name: "Next narrated step" });
  for (const at of [60_000, 300_000, 355_000, 357_000, 414_000]) {
    await next.click();
    await until(page, (s) => s.moment_ms === at);
    const { counts } = await state(page);
    assert.ok(counts.total <= 7, `one more than wanted at ${at}`);
  }
  const zones = await page.locator("#grid [role=rowheader]").allTextContents();
  assert.deepEqual(zones.filter((zone) => /ACTIVE/.test(zone)).map((zone) => zone.match(/(\d) tasks?/)[1]), ["2", "2", "2"]);
});
