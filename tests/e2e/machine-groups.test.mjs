// Groups of virtual machines on the page: their links open, and everything speaks Google Cloud's or Azure's words.

import assert from "node:assert/strict";
import { computed, phone, state, until, visits } from "./run.mjs";

const { visit } = visits();

/** Four VMs, one above and none missing, 30 s each: done at 120 s. */
const MIG = "v1&platform=mig&s.targetSize=4&s.updatePolicy.maxSurge.fixed=1&s.updatePolicy.maxUnavailable.fixed=0"
  + "&t.healthy_after=30s&t.gone_after=20s";
/** Four VMs in batches of one, in place: done at 200 s. */
const VMSS = "v1&platform=vmss&s.sku.capacity=4&s.upgradePolicy.mode=Rolling&s.applicationHealth=(:)&t.healthy_after=30s&t.gone_after=20s";

const text = (page, selector) => page.locator(selector).textContent();
const end = async (page) => {
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
};

visit("a managed instance group opens from its link, in the words of Google Cloud", MIG, async (page) => {
  const run = await state(page);
  assert.deepEqual([run.outcome, run.completed_at_ms, run.lowest_healthy, run.peak_tasks], ["completed", 120_000, 4, 5]);
  assert.equal(run.invariants_broken, 0);
  assert.match(await text(page, "#strategy option:checked"), /Google Cloud managed instance group/);
  await end(page);
  assert.match(await text(page, "#described"), /status\.versionTarget\.isReachedtrue/);
  assert.match(await text(page, "#versions"), /template 2.*4 healthy/);
});

visit("a scale set opens from its link, in the words of Azure", VMSS, async (page) => {
  const run = await state(page);
  assert.deepEqual([run.outcome, run.completed_at_ms, run.lowest_healthy], ["completed", 200_000, 3]);
  assert.match(await text(page, "#strategy option:checked"), /Azure virtual machine scale set/);
  await end(page);
  assert.match(await text(page, "#described"), /runningStatus\.codeCompleted.*successfulInstanceCount4/);
  assert.match(await text(page, "#versions"), /model 2.*4 healthy/);
});

visit("neither shows what other platforms have", MIG, async (page) => {
  const tabs = await page.locator('.tabs [role="tab"]').allTextContents();
  assert.deepEqual(tabs.map((one) => one.split(" ")[0]), ["Why", "Events"]);
  for (const link of [MIG, VMSS]) {
    await page.goto(page.url().replace(/#.*/, `#${link}`));
    await until(page, (s) => s?.complete);
    // The list of platforms names the others.
    await page.evaluate(() => document.querySelectorAll("#strategy option:not(:checked)").forEach((option) => option.remove()));
    const shown = await page.locator(".columns").innerText();
    for (const word of ["Minimum healthy", "circuit breaker", "DescribeServices", "Amazon ECS", "Pod", "kubectl", "r7", "task"]) {
      assert.ok(!shown.includes(word), `${link}: ${word}`);
    }
  }
});

visit("it steps forward and back to the same moments", VMSS, async (page) => {
  const seen = [await state(page)];
  for (let i = 0; i < 4; i += 1) {
    const before = seen.at(-1).moment_ms;
    await page.keyboard.press("ArrowRight");
    seen.push(await until(page, (s) => s.moment_ms > before));
  }
  for (const { moment_ms, counts } of seen.slice(0, -1).toReversed()) {
    await page.keyboard.press("ArrowLeft");
    const now = await until(page, (s) => s.moment_ms === moment_ms);
    assert.deepEqual(now.counts, counts);
  }
});

visit("an upgrade cancelled at the cursor begins a branch", VMSS, async (page) => {
  await page.keyboard.press("ArrowRight");
  await until(page, (s) => s.moment_ms > 0);
  await page.getByRole("button", { name: "Cancel upgrade" }).click();
  await until(page, (s) => s.branches === 2 && s.complete);
  await end(page);
  assert.match(await text(page, "#described"), /runningStatus\.codeCancelled/);
});

visit("a setting takes effect, and a refusal is in words", VMSS, async (page) => {
  const batch = "#f-service-upgradePolicy-rollingUpgradePolicy-maxBatchInstancePercent";
  await page.locator(batch).fill("50");
  await until(page, (s) => s?.complete && s.completed_at_ms === 100_000);
  await page.locator(batch).fill("3");
  assert.match(await text(page, `${batch}-problem`), /5 to 100/);
});

visit("a bad example of each is offered, and says how it ends", MIG, async (page) => {
  for (const [id, outcome, words] of [
    ["mig-never-healthy", "in_progress", /isReached/],
    ["vmss-faulted", "failed", /Faulted/],
  ]) {
    await page.locator("#open-presets").click();
    await page.locator(`#preset-${id}`).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await until(page, (s) => s?.complete && s.outcome === outcome);
    await end(page);
    assert.match(await text(page, "#described"), words);
    assert.equal((await state(page)).invariants_broken, 0);
  }
});

visit("nothing is wider than a phone", MIG, phone, async (page) => {
  await computed(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});
