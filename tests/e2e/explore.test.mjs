// The map over two settings: fields that equal single runs, keys, choices, the way to the Studio and to Compare.

import assert from "node:assert/strict";
import { test } from "node:test";
import { phone, until, visits } from "./run.mjs";

const { visit, open } = visits();

/** Four tasks at 100/130, healthy 45 s after their start, gone after 30 s. */
const FOUR = "v1&title=web&desired=4&min=100&max=130&t.healthy_after=45s&t.gone_after=30s&quotas=none";

const map = (link, rest = "") => `explore/${link}${rest}`;
const computed = (page) => page.locator("#compare[data-state=ready]").waitFor();
const cell = (page, index) => page.locator(`#cmp-cell-${index}`);
const words = async (page, index) => (await cell(page, index).locator("b").textContent()).trim();
/** A test of a map that opens. */
function explored(name, fragment, ...rest) {
  const [more, body] = rest.length > 1 ? rest : [{}, rest[0]];
  test(name, async () => {
    const opened = await open(fragment, more);
    try {
      await opened.settled();
      await opened.page.locator(".exp-main h1").waitFor();
      await body(opened.page, opened);
      opened.assertClean();
    } finally {
      await opened.close();
    }
  });
}
const side = (page) => page.locator("#cmp-side").textContent();

visit("the map opens from the Studio, and merges what rounds to the same limits", FOUR, async (page) => {
  await page.locator("#to-explore").click();
  await computed(page);
  assert.match(await page.locator(".exp-main h1").textContent(), /121 pairs of settings, 25 behaviours/);
  assert.equal(await page.locator(".exp-cell").count(), 25);
  assert.equal(await words(page, 0), "stuck");
  assert.equal(await words(page, 1), "5:00", "four rounds of 75 s");
  assert.equal(await words(page, 4), "1:15", "one round");
  assert.equal(await page.locator(".exp-cell[aria-pressed=true]").getAttribute("id"), "cmp-cell-1", "its own field is selected");
  assert.match(await side(page), /100 % \/ 130 %.*Maximum: from 130 % to 140 % it is the same/s);
  assert.equal(await page.locator("#to-explore").getAttribute("aria-current"), "page");
});

explored("a field is its single run: opened in the Studio it has the same figures", map(FOUR), async (page) => {
  await computed(page);
  await cell(page, 7).click();
  const shown = await page.locator(".exp-figures dd").allTextContents();
  await page.locator("#cmp-open").click();
  const run = await until(page, (s) => s?.complete);
  const clock = `${Math.floor(run.completed_at_ms / 60_000)}:${String(run.completed_at_ms / 1000 % 60).padStart(2, "0")}`;
  assert.deepEqual(shown, [clock, String(run.lowest_healthy), String(run.peak_tasks)]);
  await page.goBack();
  await computed(page);
  assert.equal(await page.locator(".exp-cell[aria-pressed=true]").getAttribute("id"), "cmp-cell-7", "Back leads to the same field");
});

explored("arrows go from field to field, and the address keeps the way", map(FOUR), async (page) => {
  await computed(page);
  await cell(page, 1).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => document.activeElement.id), "cmp-cell-7");
  await page.locator("#cmp-measure-2").click();
  assert.equal(await words(page, 4), "8");
  await page.reload();
  await computed(page);
  assert.equal(await page.locator(".exp-cell[aria-pressed=true]").getAttribute("id"), "cmp-cell-7");
  assert.equal(await page.locator("#cmp-measure-2").getAttribute("aria-pressed"), "true");
});

explored("another pair of settings, and the field beside the scenario", map(FOUR), async (page) => {
  await computed(page);
  await page.locator("#cmp-pair").selectOption({ label: "Desired count × Maximum" });
  await computed(page);
  assert.match(await page.locator(".exp-main h1").textContent(), /^110 pairs of settings$/);
  await cell(page, 14).click();
  await page.locator("#cmp-compare").click();
  await page.locator("#cmp-table").waitFor();
  assert.equal(await page.locator(".cmp-run").count(), 2);
  assert.ok(page.url().includes("#compare/"));
});

explored("times that vary are spread over 200 runs, and the longest opens", map("v1&desired=2&max=150&t.pull.uniform.0=10s&t.pull.uniform.1=60s&quotas=none"), async (page) => {
  await computed(page);
  assert.match(await side(page), /Of 200 runs half are done by/);
  assert.ok(await page.locator(".exp-plot circle").count() > 40);
  await page.locator("#cmp-wait").fill("1:00");
  await page.locator("#cmp-wait").press("Enter");
  await page.waitForFunction(() => /\d+ of 200 pass 1:00|200 of 200/.test(document.getElementById("cmp-side").textContent));
  const longest = (await side(page)).match(/the longest takes ([\d:]+)/)[1];
  await page.locator("#cmp-open-worst").click();
  const run = await until(page, (s) => s?.complete);
  const clock = `${Math.floor(run.completed_at_ms / 60_000)}:${String(Math.floor(run.completed_at_ms / 1000) % 60).padStart(2, "0")}`;
  assert.equal(clock, longest);
});

explored("long work can be stopped and goes on", map("v1&desired=400&min=90&max=110"), async (page) => {
  await page.locator("#cmp-stop").click();
  await page.locator("#cmp-go-on").waitFor();
  const done = () => page.locator(".exp-progress").textContent();
  const before = await done();
  await page.waitForTimeout(400);
  assert.equal(await done(), before, "nothing is computed while it is stopped");
  await page.locator("#cmp-go-on").click();
  await page.waitForFunction((text) => document.querySelector(".exp-progress")?.textContent !== text, before);
});

explored("other platforms have maps of their own dials", map("v1&platform=kubernetes-deployment&s.replicas=4"), async (page) => {
  await computed(page);
  assert.match(await page.locator(".exp-map").textContent(), /maxSurge/);
  assert.match(await page.locator(".exp-map").textContent(), /maxUnavailable/);
  assert.equal(await words(page, 0), "1:00", "up to 20 % of four is none, and then one goes all the same");
});

explored("what a platform refuses is a field with its reason", map("v1&platform=mig&s.targetSize=4&s.updatePolicy.maxSurge.fixed=1&s.updatePolicy.maxUnavailable.fixed=0"), async (page) => {
  await computed(page);
  assert.equal(await words(page, 0), "refused");
  await cell(page, 0).click();
  assert.match(await side(page), /maxSurge and maxUnavailable must not both be 0/);
  assert.deepEqual([await page.locator("#cmp-open").count(), await page.locator("#cmp-compare").count()], [1, 0]);
});

explored("a link that was cut says so", "explore/v1.70.00000000&title=web&desired=4", async (page) => {
  assert.match(await page.locator(".exp-main [role=alert]").textContent(), /cannot be opened/);
  await page.locator("#to-studio").click();
  await page.locator("#broken-link").waitFor();
});

explored("on a phone the map scrolls in its frame, and nothing else does", map(FOUR), phone, async (page) => {
  await computed(page);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await cell(page, 2).click();
  assert.match(await side(page), /100 % \/ 150 %/);
});
