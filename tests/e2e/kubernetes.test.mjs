// A Kubernetes Deployment on the page: a link of it opens, and everything speaks Kubernetes' words.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { HALF, at, computed, phone, state, until, visits } from "./run.mjs";

const { visit } = visits();

/** Four Pods at 1/0; the fourth new one never turns ready, and somebody undoes the rollout at five minutes. */
const UNDO = "v1&title=web&platform=kubernetes-deployment&s.replicas=4&s.strategy.rollingUpdate.maxSurge=1"
  + "&s.strategy.rollingUpdate.maxUnavailable=0&t.healthy_after=30s&t.gone_after=20s&new.by_start.4=never_passes"
  + "&acts.0.at=5m&acts.0.do=undo";
/** Four Pods at the defaults. */
const PLAIN = "v1&title=web&platform=kubernetes-deployment&s.replicas=4&t.healthy_after=30s&t.gone_after=20s";

const text = (page, selector) => page.locator(selector).textContent();

visit("a Deployment opens from its link, and the run is that of the command line", UNDO, async (page) => {
  const run = await state(page);
  assert.equal(run.outcome, "rolled_back");
  assert.equal(run.completed_at_ms, 390_000);
  assert.equal(run.lowest_healthy, 4);
  assert.equal(run.invariants_broken, 0);
  assert.equal(await page.locator("#strategy option:checked").textContent(), "Kubernetes Deployment");
  assert.match(await text(page, "#verdict"), /Goes back/);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  assert.match(await text(page, "#rollout-status"), /deployment "web" successfully rolled out/);
  assert.match(await text(page, "#get-rs"), /web-v1.*4.*4.*4.*4.*3/);
  assert.match(await text(page, "#conditions"), /Progressing=True.*NewReplicaSetAvailable/);
  assert.match(await text(page, "#caption"), /v1 is back in full at 6:30/);
});

visit("what only Amazon ECS has is not shown", PLAIN, async (page) => {
  assert.deepEqual(await page.locator('.tabs [role="tab"]').allTextContents().then((all) => all.map((one) => one.split(" ")[0])), ["Why", "Events"]);
  const shown = await text(page, "body");
  // The list of platforms names the other one.
  await page.evaluate(() => document.querySelectorAll("#strategy option:not(:checked)").forEach((option) => option.remove()));
  for (const word of ["Minimum healthy", "circuit breaker", "DescribeServices", "target group", "Amazon ECS"]) {
    assert.ok(!(await page.locator(".columns").innerText()).includes(word), word);
  }
  assert.ok(shown.length > 0);
});

visit("the events tell passes with their numbers", PLAIN, async (page) => {
  await page.locator("#tab-events").click();
  const list = await page.locator("#tab-panel").innerText();
  assert.match(list, /A ReplicaSet for v2 is created \(revision 2\) with 1 Pod/);
  assert.ok(!/DEACTIVATING|PROVISIONING|PRIMARY/.test(list), list);
});

visit("a setting takes effect, and a refusal is in the API server's words", PLAIN, async (page) => {
  await page.locator("#f-service-replicas").fill("10");
  await until(page, (s) => s?.limits.ceiling === 13 && s.complete);
  assert.equal((await state(page)).limits.floor, 8);
  await page.locator("#f-service-strategy-rollingUpdate-maxUnavailable").fill("101%");
  assert.match(await text(page, "#f-service-strategy-rollingUpdate-maxUnavailable-problem"), /must not be greater than 100%/);
});

visit("an undo at the cursor begins a branch", PLAIN, async (page) => {
  await page.keyboard.press("ArrowRight");
  await until(page, (s) => s.moment_ms > 0);
  await page.locator(".why .buttons button").first().click();
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal((await state(page)).outcome, "rolled_back");
});

visit("on a phone nothing is cut off", PLAIN, phone, async (page) => {
  await computed(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  assert.ok(wide <= 0, `${wide} px too wide`);
});

const read = (name) => JSON.parse(readFileSync(new URL(`../kubernetes/12-four-steps/${name}`, import.meta.url), "utf8"));

visit("the four steps, forward and back", PLAIN, async (page) => {
  const said = read("steps.json").map((step) => step.text.en);
  const moments = read("expected.json").steps_at_ms;
  await page.locator("#open-presets").click();
  await page.locator("#preset-kubernetes-four-steps").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.completed_at_ms === 735_000);
  await page.locator("#scrubber").press("Home");
  const sentence = page.locator("#narration p");
  const says = async (i) => {
    await at(page, moments[i]);
    await sentence.filter({ hasText: said[i] }).waitFor();
  };
  await says(0);
  for (let i = 1; i < said.length; i += 1) {
    await page.locator("#chapter-on").click();
    await says(i);
  }
  for (let i = said.length - 2; i >= 0; i -= 1) {
    await page.locator("#chapter-back").click();
    await says(i);
  }
  // In the third step: three of four requests meet v2, and two of them meet two versions in 37.5 % of all cases.
  await page.locator("#chapter-on").click();
  await page.locator("#chapter-on").click();
  await page.locator("#who-answers", { hasText: "37.5 %" }).waitFor();
  assert.match(await text(page, "#who-answers"), /v1.*25 %.*v2.*75 %/);
});

visit("the table of four settings on one clock", PLAIN, async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#compare-four-settings").click();
  const table = page.locator("#cmp-table");
  await table.waitFor();
  await table.filter({ hasText: "Most asked for" }).waitFor();
  const rows = await table.locator("tbody tr").evaluateAll((all) =>
    Object.fromEntries(all.map((row) => [row.cells[0].innerText, [...row.cells].slice(1).map((cell) => cell.firstChild?.textContent)])));
  assert.deepEqual(rows["Most asked for"], ["5", "4", "5", "8"]);
  assert.deepEqual(rows["Fewest asked for"], ["4", "3", "3", "4"]);
  assert.deepEqual(rows["Fewest available"], ["4", "3", "3", "4"]);
  assert.ok(!(await page.locator("#compare").innerText()).includes("task"), "Pods are no tasks");
});

visit("a Deployment beside an Amazon ECS service, each with its own words", PLAIN, async (page) => {
  await page.goto(page.url().split("#")[0] + "#compare/v1&title=a&desired=4&max=125&t.healthy_after=30s&t.gone_after=20s/"
    + "v1&title=b&platform=kubernetes-deployment&s.replicas=4&s.strategy.rollingUpdate.maxSurge=1"
    + "&s.strategy.rollingUpdate.maxUnavailable=0&t.healthy_after=30s&t.gone_after=20s");
  await page.locator("#cmp-table").filter({ hasText: "Done after" }).waitFor();
  assert.match(await text(page, "#cmp-run-0"), /Amazon ECS 100 % \/ 125 %/);
  assert.match(await text(page, "#cmp-run-1"), /Kubernetes 1\/0/);
});

visit("another platform: what has a counterpart is kept, the rest is said", HALF, async (page) => {
  const before = (await state(page)).limits;
  await page.locator("#strategy").selectOption("Kubernetes Deployment");
  await page.locator("#get-rs").waitFor();
  await until(page, (s) => s?.complete);
  assert.deepEqual((await state(page)).limits, before);
  assert.match(await text(page, "#warnings"), /desiredCount as replicas/);
  await page.locator("#strategy").selectOption("Kubernetes Deployment, Recreate");
  await until(page, (s) => s?.complete && s.lowest_healthy === 0);
  await page.locator("#strategy").selectOption("Amazon ECS, rolling update");
  await until(page, (s) => s?.complete && s.limits.floor === 0);
  for (let i = 0; i < 3; i += 1) await page.locator("#undo").click();
  await until(page, (s) => s?.complete && s.limits.floor === before.floor && s.limits.ceiling === before.ceiling);
});

visit("a probe has fields", PLAIN, async (page) => {
  await page.locator(".sections summary", { hasText: "Probes" }).click();
  const probe = page.locator("#f-service-template-spec-containers-0-readinessProbe");
  await probe.check();
  const period = page.locator("#f-service-template-spec-containers-0-readinessProbe-periodSeconds");
  await period.fill("7");
  await page.waitForFunction(() => location.hash.includes("periodSeconds"));
  await probe.uncheck();
  await period.waitFor({ state: "detached" });
});

visit("a pasted manifest: every value with where it comes from", HALF, async (page) => {
  const manifest = "# by hand\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: shop\nspec:\n  replicas: 6\n"
    + "  strategy:\n    rollingUpdate:\n      maxSurge: 2\n---\napiVersion: v1\nkind: Service\nmetadata: {name: shop}\n";
  const broken = manifest.replace("replicas: 6", "replicas: [6");
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(broken);
  await page.locator("#paste-read").click();
  await page.locator("#paste-faults").getByText(/line \d+, column \d+.*expected/).waitFor();
  assert.equal(await page.locator("#paste-text").inputValue(), broken, "nothing is lost");
  await page.locator("#paste-text").fill(manifest);
  await page.locator("#paste-read").click();
  const row = (name) => page.locator("#paste-rows tr").filter({ hasText: name });
  await row("replicas").filter({ hasText: "given, line 7" }).first().waitFor();
  assert.match(await row("maxUnavailable").textContent(), /25%.*default/);
  await page.locator("#paste-open").click();
  await until(page, (s) => s?.complete && s.limits.desired === 6);
  assert.equal((await state(page)).limits.ceiling, 8);
});
