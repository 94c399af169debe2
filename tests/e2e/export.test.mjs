// Settings as text for other tools: what was changed in the page, or all, in each form.

import assert from "node:assert/strict";
import { HALF, until, visits } from "./run.mjs";

const { visit } = visits();

const text = (page) => page.locator("#export-text").inputValue();

visit("what was changed is written, then all, then for another tool", HALF, async (page) => {
  await page.getByRole("button", { name: "100/200", exact: true }).click();
  await until(page, (s) => s?.complete && s.limits.ceiling === 8);
  await page.locator("#open-export").click();
  await page.locator("#export-text").waitFor();
  assert.equal(await page.locator("#export-changed").getAttribute("aria-pressed"), "true");
  assert.match(await text(page), /^aws ecs update-service [^]*--deployment-configuration maximumPercent=200\n$/);
  assert.match(await page.locator("dialog .notes").textContent(), /CLUSTER/);
  await page.locator("#export-all").click();
  await page.waitForFunction(() => document.querySelector("#export-text")?.value.includes("--desired-count 4"));
  await page.locator("#export-terraform").click();
  await page.waitForFunction(() => document.querySelector("#export-text")?.value.startsWith("resource \"aws_ecs_service\""));
  assert.equal(await page.locator("#export-terraform").getAttribute("aria-pressed"), "true");
  // What was written can be pasted again.
  const written = await text(page);
  await page.locator("#dialog-close").click();
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(written);
  await page.locator("#paste-read").click();
  await page.locator("#paste-open").click();
  await until(page, (s) => s?.complete && s.limits.ceiling === 8 && s.limits.floor === 4);
});

visit("where nothing was changed all is written; a change that is taken back is none", HALF, async (page) => {
  await page.locator("#open-export").click();
  await page.locator("#export-text").waitFor();
  assert.equal(await page.locator("#export-all").getAttribute("aria-pressed"), "true");
  await page.locator("#export-changed").click();
  await page.locator("#export-text").waitFor({ state: "detached" });
  assert.equal(await page.locator("#export-usage").textContent(), "Nothing differs.");
  assert.ok(await page.locator("#export-copy").isDisabled());
});

visit("a workload is written as a patch", "v1&platform=kubernetes-deployment&s.replicas=4", async (page) => {
  await page.locator("#open-export").click();
  await page.locator("#export-text").waitFor();
  assert.match(await text(page), /^apiVersion: apps\/v1\nkind: Deployment\n/);
  assert.equal(await page.locator("#export-cli").count(), 0);
});
