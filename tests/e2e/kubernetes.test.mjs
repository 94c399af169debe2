// A Kubernetes Deployment on the page: a link of it opens, and everything speaks Kubernetes' words.

import assert from "node:assert/strict";
import { computed, phone, state, until, visits } from "./run.mjs";

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
  assert.match(await text(page, ".platform"), /Kubernetes Deployment/);
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
