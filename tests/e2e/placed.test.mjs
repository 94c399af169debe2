// StatefulSets and DaemonSets on the page: their links open, Pods have the names of the platform, people act by hand.

import assert from "node:assert/strict";
import { computed, phone, state, until, visits } from "./run.mjs";

const { visit } = visits();

const TIMES = "&t.healthy_after=30s&t.gone_after=20s";
/** Four Pods one after the other from the highest ordinal, 50 s each: done at 200 s. */
const SET = `v1&platform=statefulset&s.replicas=4${TIMES}`;
/** The same with a build that never turns ready: Pod 3 keeps everything waiting. */
const STUCK = `${SET}&new.fate=never_passes`;
/** Four nodes, one at a time: done at 200 s. */
const DAEMON = `v1&platform=daemonset&nodes=4${TIMES}`;
/** New beside old: done at 120 s. */
const SURGE = `${DAEMON}&s.updateStrategy.rollingUpdate.maxSurge=1&s.updateStrategy.rollingUpdate.maxUnavailable=0`;

const text = (page, selector) => page.locator(selector).textContent();
const cells = (page) => page.locator('#grid [role="gridcell"]').allTextContents();
/** The keys of the page are meant, not those of the field or the tab that has the focus. */
const leave = (page) => page.evaluate(() => document.activeElement?.blur());
const end = async (page) => {
  await leave(page);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
};
const forward = async (page) => {
  await leave(page);
  const before = (await state(page)).moment_ms;
  await page.keyboard.press("ArrowRight");
  return until(page, (s) => s.moment_ms > before);
};

visit("a StatefulSet opens from its link, and its Pods are called by their ordinals", SET, async (page) => {
  const run = await state(page);
  assert.deepEqual([run.outcome, run.completed_at_ms, run.lowest_healthy, run.peak_tasks], ["completed", 200_000, 3, 4]);
  assert.equal(run.invariants_broken, 0);
  assert.match(await text(page, "#strategy option:checked"), /Kubernetes StatefulSet/);
  await end(page);
  assert.match(await text(page, "#rollout-status"), /partitioned roll out complete: 4 new pods/);
  const names = (await cells(page)).map((cell) => cell.split(",")[0]);
  assert.deepEqual(names, ["web-0 v2", "web-1 v2", "web-2 v2", "web-3 v2"]);
  assert.deepEqual(await page.locator("#get-pods td:first-child").allTextContents(), ["web-0", "web-1", "web-2", "web-3"]);
});

visit("the Pods of a DaemonSet are called by their nodes, two of them while one replaces the other", SURGE, async (page) => {
  const run = await state(page);
  assert.deepEqual([run.outcome, run.completed_at_ms, run.lowest_healthy], ["completed", 120_000, 4]);
  assert.match(await text(page, "#strategy option:checked"), /Kubernetes DaemonSet/);
  await forward(page);
  const names = (await cells(page)).map((cell) => cell.split(",")[0]);
  assert.ok(names.includes("node 0 v1") && names.includes("node 0 v2"), names.join());
  await end(page);
  assert.match(await text(page, "#rollout-status"), /daemon set "web" successfully rolled out/);
});

visit("neither shows what other platforms have, nor the names of the simulation", SET, async (page) => {
  const tabs = await page.locator('.tabs [role="tab"]').allTextContents();
  assert.deepEqual(tabs.map((one) => one.split(" ")[0]), ["Why", "Events"]);
  for (const link of [STUCK, SURGE]) {
    await page.goto(page.url().replace(/#.*/, `#${link}`));
    await until(page, (s) => s?.complete);
    await forward(page);
    // The list of platforms names the others.
    await page.evaluate(() => document.querySelectorAll("#strategy option:not(:checked)").forEach((option) => option.remove()));
    await page.locator('.tabs [role="tab"]', { hasText: "Events" }).click();
    await page.locator(".events [data-row]").first().waitFor();
    const shown = await page.locator(".columns").innerText();
    for (const word of ["Minimum healthy", "circuit breaker", "DescribeServices", "Amazon ECS", "r7", "task", "ReplicaSet"]) {
      assert.ok(!shown.includes(word), `${link}: ${word}`);
    }
    assert.doesNotMatch(shown, /\d·\d/, link);
    await page.locator('.tabs [role="tab"]', { hasText: "Why" }).click();
  }
});

visit("it steps forward and back to the same moments", DAEMON, async (page) => {
  const seen = [await state(page)];
  for (let i = 0; i < 4; i += 1) seen.push(await forward(page));
  for (const { moment_ms, counts } of seen.slice(0, -1).toReversed()) {
    await page.keyboard.press("ArrowLeft");
    const now = await until(page, (s) => s.moment_ms === moment_ms);
    assert.deepEqual(now.counts, counts);
  }
});

visit("an undo does not help a StatefulSet that waits for a broken Pod; who deletes it does", STUCK, async (page) => {
  assert.equal((await state(page)).outcome, "stuck");
  await end(page);
  await page.getByRole("button", { name: "Undo", exact: true }).last().click();
  const undone = await until(page, (s) => s.branches === 2 && s.complete);
  assert.notEqual(undone.outcome, "rolled_back");
  await end(page);
  assert.match(await text(page, "#waits-for"), /Pod 3.*although it is outdated: somebody has to delete it/);
  // The cell of web-3 selects it.
  await page.locator('#grid [role="gridcell"]', { hasText: "web-3 v2" }).dispatchEvent("click");
  assert.match(await text(page, "#selected h3"), /^web-3 v2$/);
  await page.getByRole("button", { name: "Delete the Pod" }).click();
  const back = await until(page, (s) => s.branches === 3 && s.complete);
  assert.equal(back.outcome, "rolled_back");
  assert.match(await text(page, "#branches"), /delete web-3/);
  await end(page);
  assert.match((await cells(page))[3], /^web-3 v1, /);
});

visit("partition and size change at the cursor", `${SET}&s.updateStrategy.rollingUpdate.partition=3`, async (page) => {
  assert.equal((await state(page)).completed_at_ms, 50_000);
  await end(page);
  await page.locator("#act-partition").fill("1");
  await page.locator("#act-partition").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete && s.completed_at_ms > 50_000);
  await end(page);
  assert.deepEqual((await cells(page)).map((cell) => cell.split(",")[0]), ["web-0 v1", "web-1 v2", "web-2 v2", "web-3 v2"]);
  await page.locator("#act-scale").fill("5");
  await page.locator("#act-scale").press("Enter");
  await until(page, (s) => s.branches === 3 && s.complete && s.limits.desired === 5);
  await end(page);
  assert.match((await cells(page))[4], /^web-4 v2, healthy/);
});

visit("the values of the platform are lists, and what one of them excludes goes with it", SET, async (page) => {
  const policy = "#f-service-podManagementPolicy";
  const strategy = "#f-service-updateStrategy-type";
  const unavailable = "#f-service-updateStrategy-rollingUpdate-maxUnavailable";
  await page.locator(policy).selectOption("Parallel");
  await page.locator(unavailable).fill("2");
  // Without the gate the cluster does not read it.
  assert.equal((await until(page, (s) => s?.complete)).completed_at_ms, 200_000);
  await page.locator("#f-featureGates-MaxUnavailableStatefulSet").check();
  await until(page, (s) => s?.complete && s.completed_at_ms === 100_000);
  await page.locator(strategy).selectOption("OnDelete");
  await until(page, (s) => s?.complete && s.outcome === "waiting");
  assert.equal(await page.locator(unavailable).count(), 0);
  await page.locator(strategy).selectOption("RollingUpdate");
  await until(page, (s) => s?.complete && s.completed_at_ms === 200_000);
});

visit("a manifest of a StatefulSet is pasted", SET, async (page) => {
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill([
    "apiVersion: apps/v1", "kind: StatefulSet", "metadata: {name: db}", "spec:", "  replicas: 3", "  serviceName: db",
    "  selector: {matchLabels: {app: db}}", "  updateStrategy:", "    type: RollingUpdate", "    rollingUpdate: {partition: 2}",
    "  template:", "    metadata: {labels: {app: db}}", "    spec:", "      containers: [{name: db, image: db}]",
  ].join("\n"));
  await page.locator("#paste-read").click();
  await page.locator("#paste-open").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.limits.desired === 3);
  assert.equal(await page.locator("#f-service-updateStrategy-rollingUpdate-partition").inputValue(), "2");
  assert.match(await text(page, "#verdict"), /Rolls out in part/);
});

visit("no word of kubectl's table breaks, and no timeline says status", STUCK, { viewport: { width: 1280, height: 720 } }, async (page) => {
  await end(page);
  const broken = await page.locator("#get-pods td").evaluateAll((all) => all.filter((cell) => cell.getClientRects()[0].height > 30).map((cell) => cell.textContent));
  assert.deepEqual(broken, []);
  const wide = await page.locator("#get-pods").evaluate((table) => table.scrollWidth - table.parentElement.clientWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
});

visit("every example is offered and ends as it says", SET, async (page) => {
  for (const [id, outcome, words] of [
    ["statefulset-stuck-after-revert", "rolled_back", /Goes back/],
    ["daemonset-bad-build", "stuck", /Stalls/],
    ["daemonset-surge", "completed", /Rolls out/],
  ]) {
    await page.locator("#open-presets").click();
    await page.locator(`#preset-${id}`).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await until(page, (s) => s?.complete && s.outcome === outcome);
    assert.match(await text(page, "#verdict"), words);
    assert.equal((await state(page)).invariants_broken, 0);
  }
});

visit("nothing is wider than a phone", SURGE, phone, async (page) => {
  await computed(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});
