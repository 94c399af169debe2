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
