// Links: what they hold, where they lead, and what is said of those that cannot be opened.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HALF, addressHas, at, computed, focused, phone, state, stepOn, until, visits } from "./run.mjs";

const { visit, open, openRun } = visits();

const hash = (page) => page.evaluate(() => location.hash.slice(1));
const chosen = (page) => page.locator("[role=tab][aria-selected=true]").getAttribute("id");
const selected = (page) => page.locator("#grid [aria-selected=true]").getAttribute("data-task");

/** A whole link with its length and checksum, as the page writes it. */
async function wholeLink() {
  const opened = await openRun(HALF);
  await stepOn(opened.page);
  await addressHas(opened.page, "at=");
  const link = await hash(opened.page);
  await opened.close();
  return link;
}

/** A test of a link that does not open: `body` gets the page, the notice and the link. */
function broken(name, damage, body) {
  test(name, async () => {
    const link = damage(await wholeLink());
    const opened = await open(link);
    try {
      await opened.settled();
      const notice = opened.page.locator("#broken-link");
      await notice.waitFor();
      assert.equal(await notice.getAttribute("role"), "alert");
      assert.equal(await state(opened.page), null, "no example in its place");
      assert.equal(await opened.page.locator("#stage").count(), 0);
      assert.ok((await notice.locator("code").textContent()).includes(link.slice(0, 40)), "the text stays to be copied");
      await body(opened.page, notice, link);
      opened.assertClean();
    } finally {
      await opened.close();
    }
  });
}

visit("the address holds settings and moment: reload shows the same", HALF, async (page, opened) => {
  await page.getByRole("button", { name: "One task more" }).click();
  await until(page, (s) => s.limits.desired === 5 && s.complete);
  await stepOn(page);
  await addressHas(page, "at=");
  const before = await state(page);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  assert.deepEqual(await computed(page), before);
});

test("another tab with the copied link shows the same moment, panel and selection", async () => {
  const opened = await openRun(HALF, { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  const { page } = opened;
  await stepOn(page, 2);
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  await page.locator("#act-kill").waitFor();
  await page.keyboard.press("2");
  await page.locator("#share").click();
  await page.locator("#copy-link").click();
  await page.getByText("The link is on the clipboard").waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#v1\.\d+\.[0-9a-f]{8}&/);
  const other = await page.context().newPage();
  const notes = [];
  other.on("console", (message) => notes.push(message.text()));
  other.on("pageerror", (error) => notes.push(error.message));
  await other.goto(link);
  assert.deepEqual(await computed(other), await state(page));
  assert.equal(await chosen(other), "tab-events");
  const task = await selected(page);
  assert.match(task, /^\d·\d$/);
  assert.equal(await selected(other), task);
  assert.equal(await other.locator("#time").textContent(), await page.locator("#time").textContent());
  assert.deepEqual(notes, []);
  opened.assertClean();
  await opened.close();
});

visit("back leads to the scenario before, and forward to the next", HALF, async (page) => {
  assert.deepEqual(await page.evaluate(() => window.rollscope.open({ service: { desiredCount: 7 } })), []);
  await until(page, (s) => s.limits.desired === 7 && s.complete);
  await stepOn(page);
  await addressHas(page, "at=");
  await page.goBack();
  await until(page, (s) => s.limits.desired === 4 && s.complete && s.moment_ms === 0);
  await page.goForward();
  await until(page, (s) => s.limits.desired === 7 && s.complete && s.moment_ms > 0);
});

visit("a link that is typed into the address opens", HALF, async (page) => {
  await page.evaluate(() => { location.hash = "v1&desired=9&min=50&max=100&at=30000&panel=guards"; });
  const now = await until(page, (s) => s?.complete && s.limits.desired === 9);
  assert.deepEqual([now.limits.floor, now.limits.ceiling], [5, 9]);
  await at(page, 30_000);
  assert.equal(await chosen(page), "tab-guards");
  await page.evaluate(() => { location.hash = ""; });
  await until(page, (s) => s?.complete && s.limits.desired === 4);
});

visit("a page without a link shows the first example and stays without one until something happens", "", async (page) => {
  assert.equal((await state(page)).limits.desired, 4);
  assert.equal(await page.locator("h1").textContent(), "web");
  assert.equal(await hash(page), "");
  await stepOn(page);
  await addressHas(page, "at=");
});

visit("an unknown key of a link is told, and the rest opens", `${HALF}&colour=blue`, async (page) => {
  const warnings = page.locator("#warnings");
  assert.match(await warnings.textContent(), /colour/);
  assert.equal((await state(page)).limits.ceiling, 6);
  await warnings.getByRole("button", { name: "Close" }).click();
  await warnings.waitFor({ state: "detached" });
});

visit("what is no link takes the run away, and back brings it again", HALF, async (page) => {
  await page.evaluate(() => { location.hash = "gallery"; });
  await page.locator("#broken-link").getByText("This is not a Rollscope link").waitFor();
  await page.goBack();
  await page.locator("#broken-link").waitFor({ state: "detached" });
  await until(page, (s) => s?.limits.desired === 4);
});

broken("a cut link says how much is missing, and opens what can be read on demand", (link) => link.slice(0, -6), async (page, notice) => {
  assert.match(await notice.textContent(), /6 characters are missing/);
  await page.locator("#open-readable").click();
  await until(page, (s) => s !== null && s.limits.desired === 4);
  await notice.waitFor({ state: "detached" });
  assert.equal(await page.locator("h1").textContent(), "half");
});

broken("a cut link can be replaced by the whole one", (link) => link.slice(0, -6), async (page, notice) => {
  await notice.getByRole("button", { name: "Paste the whole link" }).press("Enter");
  await page.locator("#paste-text").fill(await wholeLink());
  await page.locator("#paste-read").click();
  await until(page, (s) => s !== null && s.limits.ceiling === 6 && s.moment_ms > 0);
  await notice.waitFor({ state: "detached" });
});

broken("a changed link says so with the way out for one's own change, and opens anyway on demand", (link) => link.replace("desired=4", "desired=5"), async (page, notice) => {
  assert.match(await notice.textContent(), /This link was changed.*If you changed it yourself, open it anyway; .*“v1&”/);
  await notice.getByRole("button", { name: "Open anyway" }).press("Enter");
  await until(page, (s) => s !== null && s.limits.desired === 5);
});

broken("a link of a newer version says what of it can be read", () => "v2.9.0&title=web&desired=3&linearStep=10", async (page, notice) => {
  const text = await notice.textContent();
  assert.match(text, /another version/);
  assert.match(text, /2 of 3 settings can be read\. Missing: linearStep\./);
  await page.locator("#open-readable").click();
  await until(page, (s) => s !== null && s.limits.desired === 3);
});

broken("a link of an unknown version with nothing in common is told in words", () => "v9.10.00000000&x=y", async (page, notice) => {
  assert.match(await notice.textContent(), /“v9”; this page reads format v1/);
  assert.equal(await page.locator("#open-readable").count(), 0);
});

/** The three panels say why they are empty; `body` gets each. */
async function emptyPanels(page, titles, body) {
  for (const [key, title] of titles.entries()) {
    await page.keyboard.press(String(key + 1));
    const panel = page.locator("#no-run");
    await panel.getByRole("heading", { name: title }).waitFor();
    await body(panel);
  }
}
const EMPTY = ["Nothing to explain yet", "No events yet", "No answers yet", "Nothing to check yet"];

broken("beside a broken link each panel says why it is empty, and the way out", (link) => link.slice(0, -6), async (page) => {
  await emptyPanels(page, EMPTY, async (panel) => {
    assert.match(await panel.textContent(), /The link could not be opened/);
    await panel.getByRole("button", { name: "Paste" }).waitFor();
  });
  await page.locator("#empty-examples").click();
  await page.locator("#preset-all-at-once").click();
  await until(page, (s) => s?.complete && s.limits.ceiling === 8);
  assert.equal(await page.locator("#no-run").count(), 0);
});

test("settings that are refused are told in place of the run and beside the empty panels, also on a phone", async () => {
  for (const more of [{}, phone]) {
    const opened = await open("v1&title=both&desired=4&min=100&max=100", more);
    const { page } = opened;
    await opened.settled();
    const card = page.locator("#refused");
    assert.match(await card.textContent(), /maximumPercent.*leave no room to start or stop a task/);
    if (more === phone) {
      await page.locator("nav.bottom").getByRole("button", { name: "Events" }).click();
      await page.locator("#no-run").getByRole("heading", { name: EMPTY[1] }).waitFor();
      await page.locator("#empty-settings").click();
    } else {
      await emptyPanels(page, EMPTY, async (panel) => {
        assert.match(await panel.textContent(), /The settings are not accepted/);
      });
      await page.locator("#mend").click();
    }
    await focused(page, "#settings");
    await page.locator("#settings").getByRole("button", { name: /^Use 125/ }).click();
    await until(page, (s) => s?.complete && s.limits.ceiling === 5);
    await card.waitFor({ state: "detached" });
    opened.assertClean();
    await opened.close();
  }
});

broken("what is no link is told in words", () => "gallery", async (page, notice) => {
  assert.match(await notice.textContent(), /This is not a Rollscope link/);
});
