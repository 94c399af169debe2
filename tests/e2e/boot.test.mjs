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

test("a fault of the running page is told in words", async () => {
  const opened = await openPage(browser);
  await opened.settled();
  await opened.page.evaluate(() => {
    setTimeout(() => { throw new WebAssembly.RuntimeError("unreachable"); }, 0);
  });
  await message(opened.page).filter({ hasText: "has stopped because of a fault of its own" }).waitFor();
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
