// Runs beside each other: the way there and back, one clock, the table, edits, and broken links.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { HALF, clockMs, drag, phone, pixels, repainted, state, until, visits } from "./run.mjs";

const { visit, open } = visits();
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Healthy at 0:45, draining 5:00, stopping 0:30: 6:15 at 100/200, 25:00 at 100/125. */
const SLOW = "desired=4&tg.0.deregistration_delay.timeout_seconds=300&t.provisioning=5s&t.pull=10s&t.start_up=30s&t.first_check=30s&t.open_request=5m&t.exit_after_sigterm=30s&quotas=none";
const A = `v1&title=web&${SLOW}&max=200`;
const B = `v1&title=web&${SLOW}&max=125`;
const TWO = `compare/${A}/${B}`;

/** Waits until the table and its last row are there. */
const ready = (page) => page.locator("#compare[data-state=ready]").waitFor();
const at = async (page) => Number(await page.locator("#compare").getAttribute("data-at"));
const hash = (page) => page.evaluate(() => location.hash.slice(1));
const row = (page, name) => page.locator("#cmp-table tbody tr", { hasText: name }).locator("td").allTextContents();
const does = (page, name) => page.locator(`[data-do="${name}"]`);

/** A test of a comparison that opens. */
function compared(name, fragment, ...rest) {
  const [more, body] = rest.length > 1 ? rest : [{}, rest[0]];
  test(name, async () => {
    const opened = await open(fragment, more);
    try {
      await opened.settled();
      await ready(opened.page);
      await body(opened.page, opened);
      opened.assertClean();
    } finally {
      await opened.close();
    }
  });
}

compared("two settings on one clock: figures, heading, ends", TWO, async (page) => {
  assert.equal(await page.locator("#cmp-heading").textContent(), "The same extra capacity, four times the wait");
  assert.deepEqual(await row(page, "Done after"), ["6:15", "25:00", "+ 18:45"]);
  assert.deepEqual(await row(page, "Most tasks at once"), ["8", "5", "− 3"]);
  assert.deepEqual(await row(page, "Extra task-minutes"), ["25.0", "25.0", "0"]);
  assert.match(await page.locator("#cmp-largest").textContent(), /^Draining is 80 % of both\./);
  assert.match(await page.locator("#cmp-clock").textContent(), /^0:00 of 25:00$/);
  assert.equal(await page.locator("#compare h1").textContent(), "web");
  assert.equal(await page.getByRole("button", { name: "Compare", exact: true }).first().getAttribute("aria-current"), "page");
  assert.ok((await page.locator("#cmp-chart-0").boundingBox()).height >= 100);
});

visit("from the Studio and back: the key C, a copy, a change, undo in the Studio", HALF, async (page) => {
  await page.getByRole("button", { name: "One task more" }).click();
  await until(page, (s) => s.limits.desired === 5 && s.complete);
  await page.keyboard.press("c");
  await ready(page);
  assert.match(await hash(page), /^compare\/v1\..+\/v1\./);
  assert.equal(await page.locator("#cmp-heading").textContent(), "No figure differs");
  assert.equal(await page.locator(".columns").isVisible(), false);
  const maximum = page.locator("[data-field='/service/deploymentConfiguration/maximumPercent'][data-run='1']");
  await maximum.fill("200");
  await maximum.press("Enter");
  await page.waitForFunction(() => document.getElementById("cmp-heading")?.textContent !== "No figure differs");
  await page.goBack();
  await page.locator("#stage").waitFor();
  assert.equal((await state(page)).limits.desired, 5, "as it was left");
  await page.keyboard.press("Control+z");
  await until(page, (s) => s.limits.desired === 4);
});

/** The cursor comes to rest between two moments; a key or a click is carried out in the frame that follows. */
const arrives = (page, least, most) => page.waitForFunction(([from, to]) => {
  const at = Number(document.getElementById("compare").dataset.at);
  return from <= at && at <= to;
}, [least, most]);

compared("play, step, scrub: one cursor for all", TWO, async (page) => {
  const before = await pixels(page, "#cmp-chart-1");
  await does(page, "step-on").click();
  await arrives(page, 45_000, 45_000);
  await repainted(page, "#cmp-chart-1", before);
  await page.keyboard.press("End");
  await arrives(page, 1_500_000, 1_500_000);
  await page.keyboard.press("ArrowLeft");
  await arrives(page, 45_001, 1_499_999);
  const track = await page.locator("#cmp-track").boundingBox();
  const y = track.y + 12;
  await drag(page, { x: track.x + 100, y }, { x: track.x + track.width / 2, y });
  await page.mouse.up();
  await arrives(page, 600_001, 899_999);
  // The address follows once the hand rests; the words do too.
  await page.waitForFunction(() => location.hash.includes(`at=${document.getElementById("compare").dataset.at}`));
  const middle = await at(page);
  await page.waitForFunction(() => /A: 4 of 4 healthy, 4 there; B: 4 of 4 healthy, 5 there/.test(document.getElementById("cmp-spoken").textContent));
  assert.equal(Math.floor(middle / 1000), Math.floor(clockMs(await page.locator("#cmp-clock").textContent()) / 1000));
  await page.locator("#cmp-play").focus();
  await page.keyboard.press("k");
  await page.waitForFunction((ms) => Number(document.getElementById("compare").dataset.at) > ms, middle);
  await does(page, "play").click();
  const rested = await at(page);
  await page.waitForTimeout(300);
  assert.equal(await at(page), rested);
});

compared("without motion play goes from decision to decision", TWO, { context: { reducedMotion: "reduce" } }, async (page) => {
  await does(page, "play").click();
  await page.waitForFunction(() => document.getElementById("compare").dataset.at === "45000");
  await does(page, "play").click();
});

compared("swap, add, remove, undo; reload shows the same", TWO, async (page, opened) => {
  await does(page, "swap").click();
  await ready(page);
  assert.deepEqual(await row(page, "Done after"), ["25:00", "6:15", "− 18:45"]);
  await does(page, "add").click();
  await ready(page);
  assert.equal(await page.locator(".cmp-run").count(), 3);
  assert.equal(await page.locator("#cmp-table thead th").count(), 4, "no column of one difference");
  assert.match(await page.locator("#cmp-heading").textContent(), /^Done from 6:15 \(B\) to 25:00 \(A\)/);
  await page.waitForFunction(() => location.hash.split("/").length === 4);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  await ready(page);
  assert.equal(await page.locator(".cmp-run").count(), 3);
  await does(page, "remove-0").click();
  await ready(page);
  assert.deepEqual((await row(page, "Done after")).slice(0, 2), ["6:15", "6:15"]);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelectorAll(".cmp-run").length === 3);
});

compared("the drawer holds what differs; what is refused stays with its reason", TWO, async (page) => {
  await does(page, "edit").click();
  assert.equal(await page.locator("#cmp-drawer fieldset").count(), 3, "the platform and both percentages");
  const field = page.locator("[data-field='/service/deploymentConfiguration/maximumPercent'][data-run='1']");
  await field.fill("90");
  await field.press("Enter");
  assert.match(await page.locator(".cmp-fault").textContent(), /100/);
  assert.equal(await field.inputValue(), "90");
  assert.deepEqual(await row(page, "Done after"), ["6:15", "25:00", "+ 18:45"], "the last good run stays");
  await field.fill("150");
  await field.press("Enter");
  await page.waitForFunction(() => document.querySelector("#cmp-table tbody tr td:nth-of-type(2)")?.textContent === "12:30");
  assert.equal(await page.locator(".cmp-fault").count(), 0);
  await page.keyboard.press("Escape");
  assert.equal(await page.locator("#cmp-drawer").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.id), "cmp-edit");
});

compared("a change of both at once", TWO, async (page) => {
  assert.match(await page.locator("#cmp-largest").textContent(), /With a deregistration delay of 0:30 A takes 1:45 and B takes 7:00\./);
  await page.getByRole("button", { name: "Try it on both" }).click();
  await page.waitForFunction(() => document.querySelector("#cmp-table tbody td")?.textContent === "1:45");
  await ready(page);
  assert.deepEqual(await row(page, "Done after"), ["1:45", "7:00", "+ 5:15"]);
});

compared("the table is copied, and one of them opened in the Studio", TWO, { context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (page) => {
  await does(page, "copy-table").click();
  await page.getByText("Copied.").waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(text.startsWith("Figure\tA\tB\tB − A\nDone after\t6:15\t25:00\t+ 18:45\n"), text);
  await page.getByRole("button", { name: "Open B in the Studio" }).click();
  await until(page, (s) => s?.limits.ceiling === 5 && s.complete);
  await page.goBack();
  await ready(page);
  assert.deepEqual(await row(page, "Done after"), ["6:15", "25:00", "+ 18:45"]);
});

test("a part that was cut is told, and what can be read is opened", async () => {
  const first = await open(TWO);
  await first.settled();
  await ready(first.page);
  await does(first.page, "step-on").click();
  await first.page.waitForFunction(() => /compare\/v1\.\d+\./.test(location.hash));
  const whole = await hash(first.page);
  await first.close();
  const opened = await open(whole.slice(0, -7));
  try {
    await opened.settled();
    const notice = opened.page.locator("#cmp-broken");
    await notice.waitFor();
    assert.equal(await notice.getAttribute("role"), "alert");
    assert.match(await notice.textContent(), /B is cut: 7 characters are missing\./);
    assert.equal(await opened.page.locator("#cmp-table").count(), 0, "nothing in its place");
    await opened.page.getByRole("button", { name: "Open what can be read" }).click();
    await ready(opened.page);
    assert.equal(await opened.page.locator(".cmp-run").count(), 2);
    opened.assertClean();
  } finally {
    await opened.close();
  }
});

for (const [name, more] of [["desktop", {}], ["dark", { colorScheme: "dark" }], ["phone", phone]]) {
  // An init script: the content policy allows no other.
  compared(`nothing that axe finds: ${name}`, TWO, { ...more, before: (page) => page.addInitScript({ path: AXE }) }, async (page) => {
    await does(page, "edit").click();
    const found = await page.evaluate(async () => (await window.axe.run(document, { preload: false })).violations
      .map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target).join(" ")}`));
    assert.deepEqual(found, []);
  });
}

compared("on a phone nothing is wider than the screen, and runs stand below each other", TWO, phone, async (page) => {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  const [a, b, side] = await Promise.all(["#cmp-chart-0", "#cmp-chart-1", "#cmp-side"].map((id) => page.locator(id).boundingBox()));
  assert.ok(a.y + a.height < b.y && b.y + b.height < side.y);
  const low = await page.evaluate(() => [...document.querySelectorAll("#compare button, #compare select")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
    .map((element) => element.id || element.textContent));
  assert.deepEqual(low, []);
});

/** The link of docs/link.md: the four strategies on one service. */
const STRATEGIES = readFileSync(new URL("../../docs/link.md", import.meta.url), "utf8").match(/^#(compare\/\S+strategy=CANARY\S*)/m)[1];

compared("four runs, the most there may be: the strategies side by side", STRATEGIES, async (page) => {
  assert.equal(await page.locator("#cmp-table thead th").count(), 5, "a name and four runs");
  for (const run of [0, 1, 2, 3]) {
    assert.ok((await page.locator(`#cmp-chart-${run}`).boundingBox()).height >= 60, `chart ${run}`);
  }
  assert.deepEqual(await row(page, "Most tasks at once"), ["8", "8", "8", "8"]);
  const done = (await row(page, "Done after")).map(clockMs);
  // One shift and its bake time; 20, 40, 60, 80 with waits of 10 minutes and 100; 10 % with one wait of 10.
  assert.ok(done[0] < done[1] && done[1] < done[3] && done[3] < done[2], String(done));
});

visit("the four strategies are among the examples", HALF, async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#compare-strategies").click();
  await ready(page);
  assert.equal((await hash(page)).split("/").length, 5);
  assert.equal(await page.locator("#cmp-table thead th").count(), 5);
});
