// One fleet, many platforms: the list of the Studio moves it, and a comparison puts it side by side on one clock.

import assert from "node:assert/strict";
import { state, until, visits } from "./run.mjs";

const { visit } = visits();

/** Four tasks, one more at a time and none missing, checked every 10 s. */
const ECS = "v1&title=web&desired=4&min=100&max=125&new.fate=healthy"
  + "&tg.0.healthCheckIntervalSeconds=10&t.start_up=20s";
/** Four VMs, one above and none missing. */
const MIG = "v1&platform=mig&s.targetSize=4&s.updatePolicy.maxSurge.fixed=1&s.updatePolicy.maxUnavailable.fixed=0"
  + "&t.healthy_after=30s&t.gone_after=20s";

const NAMES = [
  "Amazon ECS, rolling update",
  "Amazon ECS, blue/green",
  "Amazon ECS, linear",
  "Amazon ECS, canary",
  "Kubernetes Deployment",
  "Kubernetes Deployment, Recreate",
  "Kubernetes StatefulSet",
  "Kubernetes DaemonSet",
  "EC2 Auto Scaling instance refresh",
  "Google Cloud managed instance group",
  "Azure virtual machine scale set",
];

const list = (page) => page.locator("#strategy");
const chosen = (page) => list(page).locator("option:checked").textContent();
const choose = async (page, name) => {
  await list(page).selectOption({ label: name });
  await until(page, (s) => s?.complete && s.outcome !== "running");
};

visit("the list offers every platform, and each keeps size and limits as far as it can say them", ECS, async (page) => {
  assert.deepEqual(await list(page).locator("option").allTextContents(), NAMES);
  const first = await state(page);
  assert.deepEqual([first.limits.desired, first.limits.floor, first.limits.ceiling], [4, 4, 5]);
  for (const [name, floor, ceiling] of [
    ["Kubernetes Deployment", 4, 5],
    ["Google Cloud managed instance group", 4, 5],
    ["EC2 Auto Scaling instance refresh", 4, 5],
    ["Azure virtual machine scale set", 4, 5],
    ["Kubernetes DaemonSet", 4, 5],
    // One at a time, and never beyond: it has no dial for more.
    ["Kubernetes StatefulSet", 3, 4],
  ]) {
    await choose(page, name);
    assert.equal(await chosen(page), name);
    const { limits, invariants_broken } = await state(page);
    assert.deepEqual([limits.desired, limits.floor, limits.ceiling, invariants_broken], [4, floor, ceiling, 0], name);
  }
});

visit("what is carried over and what has no counterpart is said, and Back brings it back", ECS, async (page) => {
  const before = await state(page);
  await choose(page, "Azure virtual machine scale set");
  const said = await page.locator("#warnings").textContent();
  assert.match(said, /desiredCount as capacity/);
  assert.match(said, /healthCheckIntervalSeconds as intervalInSeconds/);
  await page.goBack();
  await until(page, (s) => s?.complete && s.end_ms === before.end_ms);
  assert.equal(await chosen(page), "Amazon ECS, rolling update");
});

visit("one fleet on four platforms on one clock, from a group's own page, and the link opens it again", MIG, async (page) => {
  await page.locator("#to-compare").click();
  await page.locator("#cmp-platform-1").waitFor();
  await page.locator("#cmp-platform-1").selectOption({ label: "Azure virtual machine scale set" });
  for (const [run, name] of [[2, "Kubernetes Deployment"], [3, "Amazon ECS"]]) {
    await page.locator('[data-do="add"]').click();
    await page.locator(`#cmp-platform-${run}`).selectOption({ label: name });
  }
  const names = () => page.locator(".cmp-name strong").allTextContents();
  await page.waitForFunction(() => document.querySelectorAll(".cmp-name strong").length === 4);
  assert.deepEqual((await names()).map((name) => name.replace(/ [\d/% ]+.*/, "")), ["Google Cloud", "Azure", "Kubernetes", "Amazon ECS"]);
  const heads = await page.locator("#cmp-table tbody th").allTextContents();
  assert.ok(heads.includes("Done after") && heads.includes("Fewest healthy or available"), heads.join());
  const before = await names();
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".cmp-name strong").length === 4);
  assert.deepEqual(await names(), before);
});
