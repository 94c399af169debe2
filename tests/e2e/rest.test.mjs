// The rest of the program: it comes by itself once the first picture stands, at once when it is
// called before, and is told in words when it does not come.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, subFolderUrl, viewports } from "./harness.mjs";

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const LINK = "v1&title=half&desired=4&min=100&max=150";
const started = (page) => page.waitForFunction(() => document.getElementById("boot-message").dataset.state === "started");
const complete = (page) => page.waitForFunction(() => window.rollscope?.state()?.complete);

/** Opens the page while the rest is held back; `release` lets it go. */
async function openHeld(fragment, options = {}) {
  const asked = [];
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const opened = await openPage(browser, fragment, {
    ...options,
    before: (page) => page.route("**/rest/*.wasm*", async (route) => {
      asked.push(route.request().resourceType());
      if (asked.length === 1) await held;
      await route.continue();
    }),
  });
  await started(opened.page);
  await complete(opened.page);
  return { ...opened, asked, release };
}

for (const [name, viewport] of Object.entries(viewports)) {
  test(`the first picture stands without the rest, which then brings the panels: ${name}`, async () => {
    const opened = await openHeld(LINK, { viewport, url: subFolderUrl() });
    const { page, asked, release } = opened;
    await page.locator("#stage").waitFor();
    assert.equal(await page.locator("#settings form, #settings input").count(), 0, "no settings yet");
    assert.equal(await page.locator("#tab-panel").count(), 0, "no details yet");
    const before = await page.locator("#stage").boundingBox();
    release();
    await page.waitForFunction(() => document.getElementById("boot-message").dataset.rest === "here");
    await page.locator("#tab-panel").waitFor({ state: "attached" });
    assert.ok(await page.locator("#settings input").count() > 4);
    assert.deepEqual(await page.locator("#stage").boundingBox(), before, "nothing jumps");
    assert.deepEqual(asked, ["fetch"], "asked for once");
    opened.assertClean();
    await opened.close();
  });
}

test("what is wanted before the rest is there fetches it on the spot", async () => {
  const opened = await openHeld(LINK);
  const { page, asked, release } = opened;
  // A key that needs more than the first picture does.
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  release();
  await page.locator("#tab-panel").waitFor({ state: "attached" });
  assert.deepEqual(asked, ["fetch", "xhr"]);
  assert.deepEqual(opened.notes.filter((note) => !/Synchronous XMLHttpRequest/.test(note)), []);
  await opened.close();
});

test("a rest that does not come is told in the panels, and comes when it is asked for again", async () => {
  let fail = true;
  const opened = await openPage(browser, LINK, {
    before: (page) => page.route("**/rest/*.wasm*", (route) => (fail ? route.abort() : route.continue())),
  });
  const { page } = opened;
  await opened.settled();
  const alert = page.locator("#settings [role=alert]");
  await alert.waitFor();
  assert.match(await alert.innerText(), /did not load/);
  fail = false;
  await alert.getByRole("button").click();
  await page.locator("#settings input").first().waitFor();
  assert.equal(await page.locator("#settings [role=alert]").count(), 0);
  assert.deepEqual(opened.notes.filter((note) => !/request failed: .*\/rest\/|Failed to load resource/.test(note)), []);
  await opened.close();
});
