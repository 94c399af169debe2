// Sharing: the link with its length and QR code, and the code for another page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser } from "./harness.mjs";
import { openHost, scenario, state as stateOf } from "./host.mjs";
import { computed, phone, state, visits } from "./run.mjs";

const { visit } = visits();
let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const link = (page) => page.locator("#link-text").inputValue();
const at = `${scenario}&at=20000&panel=events`;

async function share(page) {
  await page.locator("#share").click();
  await page.locator("dialog[open] #link-text").waitFor();
}

visit("the link holds what was chosen, and says how long it is", at, async (page) => {
  await share(page);
  const whole = await link(page);
  assert.match(whole, /#v1\.\d+\.[0-9a-f]{8}&.*at=20000/);
  assert.match(whole, /panel=events/);
  assert.equal(await page.locator("#share-length").textContent(), `${whole.length} characters`);
  assert.ok(await page.getByText("fits everywhere").isVisible());
  await page.getByText("Open at 0:20").click();
  await page.getByText("With this panel and selection").click();
  assert.doesNotMatch(await link(page), /[&]at=|panel=/);
  assert.match(await link(page), /title=Half%20at%20a%20time&notes=/);
  await page.getByText("With title and notes").click();
  assert.doesNotMatch(await link(page), /title=|notes=/);
  const other = await page.context().newPage();
  await other.goto(await link(page));
  await computed(other);
  assert.equal((await state(other)).moment_ms, 0);
  assert.equal((await state(other)).limits.ceiling, 6);
});

visit("title and notes that are typed here are the scenario's, one change to take back", at, async (page) => {
  await share(page);
  await page.locator("#share-title").fill("Two rounds & more");
  await page.locator("#share-text").fill("For Thursday");
  assert.match(await link(page), /title=Two%20rounds%20%26%20more&notes=For%20Thursday/);
  assert.match(await link(page), /at=20000/);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal(await page.locator("h1").first().textContent(), "Two rounds & more");
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  assert.equal(await page.locator("h1").first().textContent(), "Half at a time");
});

visit("a link that programs cut says which ones", at, async (page) => {
  await share(page);
  for (const [letters, words] of [[1200, "Outlook may cut it"], [2000, "Outlook, Teams and Slack may cut it"]]) {
    await page.locator("#share-text").fill("x".repeat(letters));
    await page.getByText(words, { exact: true }).waitFor();
  }
  // Longer than any code holds.
  await page.locator("#share-text").fill("x".repeat(3000));
  await page.locator("#share-qr").click();
  await page.getByText("This link is too long for a QR code").waitFor();
});

visit("the QR code is drawn, and drawn anew for another link", at, async (page) => {
  await share(page);
  await page.locator("#share-qr").click();
  const code = page.locator("svg#qr");
  await code.waitFor();
  const read = () => code.evaluate((svg) => ({ box: svg.getAttribute("viewBox"), path: svg.querySelector("path").getAttribute("d"), wide: svg.getBoundingClientRect().width }));
  const first = await read();
  assert.match(first.box, /^0 0 (\d+) \1$/);
  assert.ok(first.path.startsWith("M4 4h7v1h-7z"), "a pattern stands in the corner");
  assert.ok(first.wide > 250, `${first.wide} wide`);
  await page.getByText("Open at 0:20").click();
  await page.waitForFunction((path) => document.querySelector("#qr path")?.getAttribute("d") !== path, first.path);
});

visit("sharing pauses, so that what is shared is a moment", scenario, async (page) => {
  await page.locator("#play").click();
  await share(page);
  const first = await link(page);
  await page.waitForTimeout(400);
  assert.equal(await link(page), first);
  assert.equal((await state(page)).playing, false);
});

visit("the code for another page works there as it does in the preview", at, { context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (page) => {
  await share(page);
  await page.locator("#share-embed").click();
  const preview = page.frameLocator(".share-preview");
  const stands = (theme) => preview.locator(`html[data-embed]${theme} #boot-message[data-rest]`).waitFor({ state: "attached" });
  await stands("");
  await page.locator("#embed-theme").selectOption({ index: 2 });
  await stands("[data-theme=dark]");
  await page.locator("#embed-controls").selectOption({ index: 1 });
  await preview.locator("html[data-embed=bar]").waitFor({ state: "attached" });
  await stands("[data-theme=dark]");
  assert.equal(await preview.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await preview.locator("#open-studio").count(), 0);
  const code = await page.locator("#embed-code").inputValue();
  assert.match(code, /^<iframe title="Rollscope: Half at a time" width="100%" height="420" loading="lazy"\n {2}src="http[^"]*\?embed=1&amp;theme=dark&amp;controls=bar#v1\./);
  await page.locator("#copy-link").click();
  await page.getByText("The code is on the clipboard").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
  const host = await openHost(browser, code);
  try {
    await host.page.frameLocator("iframe").locator("#chart").waitFor();
    assert.equal((await stateOf(await host.player())).moment_ms, 20_000);
    host.assertClean();
  } finally {
    await host.close();
  }
});

visit("on a phone nothing of it is wider than the dialog", at, phone, async (page) => {
  await share(page);
  await page.locator("#share-qr").click();
  await page.locator("svg#qr").waitFor();
  const wide = () => page.evaluate(() => {
    const body = document.querySelector(".dialog-body");
    return [body.scrollWidth - body.clientWidth, document.documentElement.scrollWidth - innerWidth];
  });
  assert.deepEqual(await wide(), [0, 0]);
  await page.locator("#share-embed").click();
  assert.deepEqual(await wide(), [0, 0]);
});
