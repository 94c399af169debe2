// An EC2 instance refresh on the page: a link of it opens, and everything speaks EC2's words.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { at, computed, phone, state, until, visits } from "./run.mjs";

const { visit } = visits();

/** Four instances at the defaults with a minute of warm-up: one at a time, 90 s each. */
const PLAIN = "v1&title=web&platform=asg-refresh&s.DesiredCapacity=4&s.Preferences.InstanceWarmup=60"
  + "&t.healthy_after=30s&t.gone_after=20s";
/** An alarm at 200 s, with AutoRollback: back at 470 s. */
const ALARM = "v1&title=web&platform=asg-refresh&s.DesiredCapacity=4&s.LaunchTemplate.Version='1"
  + "&s.Preferences.InstanceWarmup=60&s.Preferences.AutoRollback=true&s.Preferences.AlarmSpecification.Alarms.0=errors"
  + "&s.DesiredConfiguration.LaunchTemplate.Version='2&t.healthy_after=30s&t.gone_after=20s"
  + "&acts.0.at=200s&acts.0.do=alarm&acts.0.name=errors&acts.1.at=300s&acts.1.do=alarm&acts.1.name=errors&acts.1.state=OK";

const text = (page, selector) => page.locator(selector).textContent();

visit("a refresh opens from its link, and the run is that of the command line", ALARM, async (page) => {
  const run = await state(page);
  assert.equal(run.outcome, "rolled_back");
  assert.equal(run.completed_at_ms, 470_000);
  assert.equal(run.lowest_healthy, 3);
  assert.equal(run.invariants_broken, 0);
  assert.match(await text(page, "#strategy option:checked"), /EC2 Auto Scaling instance refresh/);
  assert.match(await text(page, "#verdict"), /Rolls back/);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  assert.match(await text(page, "#refresh"), /StatusRollbackSuccessful.*PercentageComplete0.*StatusReasonAlarm errors is in ALARM\./);
  assert.match(await text(page, "#versions"), /version 1.*4 ready/);
  assert.match(await text(page, "#caption"), /RollbackSuccessful at 7:50/);
});

visit("what only Amazon ECS has is not shown", PLAIN, async (page) => {
  const tabs = await page.locator('.tabs [role="tab"]').allTextContents();
  assert.deepEqual(tabs.map((one) => one.split(" ")[0]), ["Why", "Events"]);
  // The list of platforms names the others.
  await page.evaluate(() => document.querySelectorAll("#strategy option:not(:checked)").forEach((option) => option.remove()));
  const shown = await page.locator(".columns").innerText();
  for (const word of ["Minimum healthy", "circuit breaker", "DescribeServices", "Amazon ECS", "Pod", "kubectl", "replicas"]) {
    assert.ok(!shown.includes(word), word);
  }
  assert.match(shown, /MinHealthyPercentage/);
});

visit("the events tell batches with their numbers", PLAIN, async (page) => {
  await page.locator("#tab-events").click();
  const list = await page.locator("#tab-panel").innerText();
  assert.match(list, /1 instance is terminated: 4 ready, 3 must be/);
  assert.ok(!/DEACTIVATING|PROVISIONING|PRIMARY|task/.test(list), list);
});

visit("a setting takes effect, and a refusal is in the API's words", PLAIN, async (page) => {
  await page.locator("#f-service-Preferences-MaxHealthyPercentage").fill("100");
  await page.locator("#f-service-Preferences-MinHealthyPercentage").fill("90");
  await until(page, (s) => s?.limits.ceiling === 5 && s.complete);
  assert.equal((await state(page)).limits.floor, 4);
  await page.locator("#f-service-Preferences-MaxHealthyPercentage").fill("200");
  assert.match(await text(page, "#f-service-Preferences-MaxHealthyPercentage-problem"), /cannot be greater than 100/);
});

visit("a refresh cancelled at the cursor begins a branch", PLAIN, async (page) => {
  await page.keyboard.press("ArrowRight");
  await until(page, (s) => s.moment_ms > 0);
  await page.getByRole("button", { name: "Cancel refresh" }).click();
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal((await state(page)).outcome, "cancelled");
});

const read = (folder, name) => JSON.parse(readFileSync(new URL(`../instance-refresh/${folder}/${name}`, import.meta.url), "utf8"));

visit("the bad ones are told step by step, forward and back", PLAIN, async (page) => {
  const sentence = page.locator("#narration p");
  for (const folder of ["02-never-healthy", "03-auto-rollback", "06-one-instance", "11-grace-too-short"]) {
    const said = read(folder, "steps.json").map((step) => step.text.en);
    const moments = read(folder, "expected.json").steps_at_ms;
    await page.locator("#open-presets").click();
    await page.locator(`#preset-instance-refresh-${folder.slice(3)}`).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await sentence.filter({ hasText: said[0] }).waitFor();
    await until(page, (s) => s?.complete);
    const says = async (i) => {
      await at(page, moments[i]);
      await sentence.filter({ hasText: said[i] }).waitFor();
    };
    await page.locator("#scrubber").press("Home");
    for (let i = 1; i < said.length; i += 1) {
      await page.locator("#chapter-on").click();
      await says(i);
    }
    await page.locator("#chapter-back").click();
    await says(said.length - 2);
  }
});

visit("beside a service and a Deployment on one clock, each with its own words", PLAIN, async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#compare-three-platforms").click();
  const table = page.locator("#cmp-table");
  await table.filter({ hasText: "Done after" }).waitFor();
  const names = ["Amazon ECS 100 % / 125 %", "Kubernetes 1/0", "EC2 Auto Scaling 100 % / 100 %"];
  for (const [run, name] of names.entries()) assert.ok((await text(page, `#cmp-run-${run}`)).includes(name), name);
  const rows = await table.locator("tbody tr").evaluateAll((all) =>
    Object.fromEntries(all.map((row) => [row.cells[0].innerText, [...row.cells].slice(1).map((cell) => cell.firstChild?.textContent)])));
  assert.deepEqual(rows["Fewest healthy, available or ready"], ["4", "4", "4"]);
  assert.equal(rows["Done after"][2], "6:00");
  assert.match(await text(page, "#cmp-side"), /A borrows 1 task .*B borrows up to 2 Pods.*C borrows up to 2 instances/);
  assert.equal(rows["First new one healthy, or warm, at"][2], "1:30");
});

visit("a copy beside the refresh: every word is EC2's", PLAIN, async (page) => {
  await page.goto(`${page.url().split("#")[0]}#compare/${PLAIN}/${PLAIN}&s.Preferences.MinHealthyPercentage=90&s.Preferences.MaxHealthyPercentage=100`);
  const table = page.locator("#cmp-table");
  await table.filter({ hasText: "Most instances at once" }).waitFor();
  await table.filter({ hasText: "Fewest ready" }).waitFor();
  assert.match(await text(page, "#cmp-run-0"), /90 %, no maximum/);
  const shown = await page.locator("#compare").innerText();
  for (const word of ["task", "Pod", "r1", "r2"]) assert.ok(!shown.includes(word), `${word} in ${shown}`);
});

visit("on a phone nothing is cut off", PLAIN, phone, async (page) => {
  await computed(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
});
