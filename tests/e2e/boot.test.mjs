// The page starts, anywhere; and where it cannot start, it says so in words.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, subFolderUrl, topUrl } from "./harness.mjs";

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const message = (page) => page.locator("#boot-message");

/** Opens a page that is not to start, and returns the sentence it shows instead. */
async function sentenceOfBroken(options) {
  const opened = await openPage(browser, "", options);
  await opened.settled();
  const { page } = opened;
  assert.equal(await message(page).getAttribute("data-state"), "failed");
  assert.equal(await message(page).getAttribute("role"), "alert");
  assert.ok(await message(page).isVisible(), "the sentence is on the screen");
  const sentence = await message(page).textContent();
  await opened.close();
  return sentence;
}

test("the page starts and nothing is written to the console", async () => {
  const opened = await openPage(browser);
  await opened.settled();
  await opened.page.locator("#app > *").first().waitFor();
  assert.equal(await message(opened.page).textContent(), "");
  assert.ok(await message(opened.page).isHidden());
  opened.assertClean();
  await opened.close();
});

test("the content policy comes as a header and inside the page, and is the same", async () => {
  const opened = await openPage(browser);
  const meta = await opened.page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute("content");
  assert.equal(opened.response.headers()["content-security-policy"], meta);
  assert.match(meta, /default-src 'none'/);
  assert.doesNotMatch(meta, /unsafe-inline|'unsafe-eval'/);
  await opened.close();
});

test("the page works from a sub-folder and asks for nothing outside of it", async () => {
  const asked = [];
  const opened = await openPage(browser, "", {
    url: subFolderUrl(),
    before: (page) => page.on("request", (request) => asked.push(request.url())),
  });
  await opened.settled();
  await opened.page.locator("#app > *").first().waitFor();
  opened.assertClean();
  assert.ok(asked.some((url) => url.endsWith(".wasm")));
  assert.deepEqual(asked.filter((url) => !url.startsWith(subFolderUrl())), []);
  await opened.close();
});

test("each file is fetched once", async () => {
  const asked = [];
  const opened = await openPage(browser, "", {
    before: (page) => page.on("request", (request) => asked.push(request.url())),
  });
  await opened.settled();
  assert.deepEqual(asked.toSorted(), [...new Set(asked)].toSorted());
  await opened.close();
});

test("a program that does not arrive is told in words", async () => {
  const sentence = await sentenceOfBroken({ before: (page) => page.route("**/*.wasm", (route) => route.abort()) });
  assert.match(sentence, /did not load \(its program was not reached\)/);
});

test("a program that is gone from the server is told in words", async () => {
  const sentence = await sentenceOfBroken({
    before: (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404, body: "gone" })),
  });
  assert.match(sentence, /did not load \(the server answered 404\)/);
});

test("a script that does not arrive is told in words", async () => {
  const sentence = await sentenceOfBroken({
    before: (page) => page.route("**/rollscope-web*.js", (route) => route.abort()),
  });
  assert.match(sentence, /did not load \(its script was not reached\)/);
});

test("a damaged program is told in words", async () => {
  const sentence = await sentenceOfBroken({
    before: (page) => page.route("**/*.wasm", (route) =>
      route.fulfill({ contentType: "application/wasm", body: "no program" })),
  });
  assert.match(sentence, /does not understand Rollscope's WebAssembly/);
});

test("a site whose policy refuses WebAssembly is told in words", async () => {
  const sentence = await sentenceOfBroken({
    before: (page) => page.route(topUrl(), async (route) => {
      const response = await route.fetch();
      const strict = (text) => text.replaceAll(" 'wasm-unsafe-eval'", "");
      const headers = Object.fromEntries(Object.entries(response.headers()).map(([name, value]) => [name, strict(value)]));
      await route.fulfill({ response, headers, body: strict(await response.text()) });
    }),
  });
  assert.match(sentence, /The content policy of this site refuses WebAssembly/);
});

test("a browser without WebAssembly is told in words", async () => {
  const sentence = await sentenceOfBroken({ before: (page) => page.addInitScript(() => { delete globalThis.WebAssembly; }) });
  assert.match(sentence, /This browser has no WebAssembly/);
});

test("what cannot start shows the resting state, tries again, and has details for the host", async () => {
  let broken = true;
  const opened = await openPage(browser, "", {
    before: (page) => page.route("**/*.wasm", (route) => (broken ? route.fulfill({ status: 403, body: "no" }) : route.continue())),
  });
  await opened.settled();
  const { page } = opened;
  await page.getByRole("heading", { name: "The engine did not load" }).waitFor();
  assert.ok(await page.getByRole("img", { name: /Four tasks of revision 7/ }).isVisible());
  assert.match(await message(page).textContent(), /4 tasks, floor 4, ceiling 6/);
  const details = page.locator("#boot-details");
  assert.ok(await details.isHidden());
  const button = page.getByRole("button", { name: "Details for whoever hosts this page" });
  await button.click();
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  assert.match(await details.textContent(), /the server answered 403.*application\/wasm.*'wasm-unsafe-eval'/s);
  broken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForFunction(() => window.rollscope?.state()?.complete);
  await opened.close();
});

test("a browser that is offline is told so", async () => {
  const sentence = await sentenceOfBroken({
    before: async (page) => {
      await page.addInitScript(() => Object.defineProperty(navigator, "onLine", { value: false }));
      await page.route("**/*.wasm", (route) => route.abort());
    },
  });
  assert.match(sentence, /this browser is offline/);
});

/** Breaks something under the running page, and waits for what it says then. */
async function stop(opened, breakIt, act) {
  const { page } = opened;
  await page.waitForFunction(() => window.rollscope?.state()?.complete);
  await page.evaluate(breakIt);
  await act(page);
  const stopped = page.getByRole("dialog", { name: "Rollscope has stopped" });
  await stopped.waitFor();
  return stopped;
}

test("a panic leaves the scenario's link, a report and a way on", async () => {
  const opened = await openPage(browser, "v1&title=half&desired=4&min=100&max=150", {
    context: { permissions: ["clipboard-read", "clipboard-write"] },
  });
  await opened.settled();
  // The page takes for granted that it can make elements; only its own calls come from the program.
  const stopped = await stop(opened, () => {
    const make = Document.prototype.createElement;
    Document.prototype.createElement = function (...given) {
      if (/wasm/.test(new Error().stack)) throw new DOMException("no more elements");
      return make.apply(this, given);
    };
  }, (page) => page.locator("#open-paste").click());
  const { page } = opened;
  assert.match(await stopped.textContent(), /a fault of its own/);
  assert.match(await page.locator("#boot-link").inputValue(), /^http.*#v1.*title=half&desired=4&min=100&max=150/);
  const report = await page.locator("#boot-report").inputValue();
  assert.match(report, /^Rollscope \d+\.\d+\.\d+, /);
  assert.match(report, /Message: panicked at .+\.rs:\d+:\d+:\n.*no more elements/s, "what happened, and where");
  assert.match(report, /Scenario: .*#v1.*desired=4/);
  assert.match(report, /Browser: Mozilla/);
  await page.locator("#boot-report-copy").click();
  await page.getByText("Copied").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), report);
  await page.keyboard.press("Escape");
  assert.ok(await stopped.isVisible(), "nothing behind it works");
  await page.locator("#boot-reload").click();
  await page.waitForFunction(() => window.rollscope?.state()?.complete);
  assert.equal((await page.evaluate(() => window.rollscope.state())).limits.desired, 4);
  await opened.close();
});

test("an error of the browser inside the program stops it over an open dialog too", async () => {
  const opened = await openPage(browser);
  await opened.settled();
  await opened.page.locator("#open-paste").click();
  const stopped = await stop(opened, () => {
    CanvasRenderingContext2D.prototype.fill = () => { throw new Error("no more paint"); };
    CanvasRenderingContext2D.prototype.fillRect = CanvasRenderingContext2D.prototype.fill;
    CanvasRenderingContext2D.prototype.drawImage = CanvasRenderingContext2D.prototype.fill;
  }, (page) => page.setViewportSize({ width: 1300, height: 800 }));
  assert.match(await opened.page.locator("#boot-report").inputValue(), /Message: Error: no more paint/);
  await stopped.getByRole("button", { name: "Reload" }).waitFor();
  await opened.close();
});

test("an error of a foreign script stops nothing", async () => {
  const opened = await openPage(browser);
  await opened.settled();
  await opened.page.evaluate(() => { setTimeout(() => { throw new Error("of an extension"); }, 0); });
  await opened.page.waitForTimeout(100);
  assert.equal(await opened.page.locator("#boot-stopped").count(), 0);
  assert.deepEqual(opened.notes, ["page error: of an extension"]);
  await opened.close();
});

test("without scripts the page says what it needs", async () => {
  const opened = await openPage(browser, "", { context: { javaScriptEnabled: false } });
  await message(opened.page).waitFor();
  assert.match(await opened.page.locator("noscript").textContent(), /needs it and WebAssembly/);
  await opened.close();
});

test("a loader that does not arrive leaves a sentence, not an empty page", async () => {
  const opened = await openPage(browser, "", { before: (page) => page.route("**/boot*.js", (route) => route.abort()) });
  await opened.page.getByText("its loader did not run").waitFor();
  await opened.close();
});
