// What every browser test needs: the address of the page, the browser, and a
// page that remembers everything that went wrong in it.
//
// `cargo xtask test --only browser` starts the servers and sets the variables.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

/** A variable the runner sets; without it, a sentence that says who sets it. */
function variable(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set; run the tests by "cargo xtask test --only browser".`);
  return value;
}

/** The page at the top of a server. */
export const topUrl = () => variable("ROLLSCOPE_URL");

/** The page in a sub-folder of a server that has nothing else. */
export const subFolderUrl = () => variable("ROLLSCOPE_SUB_FOLDER_URL");

/** Screens the page is looked at on, in CSS pixels. */
export const viewports = {
  desktop: { width: 1440, height: 900 },
  laptop: { width: 1280, height: 720 },
  phone: { width: 390, height: 844 },
};

/** A real Chromium, without anything that talks to the network by itself. */
export function launchBrowser() {
  return chromium.launch({
    executablePath: variable("ROLLSCOPE_BROWSER"),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/**
 * Opens the page in a context of its own, so that nothing is left of another test.
 *
 * `fragment` is what follows the `#`. `before(page)` runs before the page loads,
 * for routes and init scripts. `context` is handed to the browser as it is.
 */
export async function openPage(browser, fragment = "", options = {}) {
  const { url = topUrl(), viewport = viewports.desktop, colorScheme = "light", before, context = {} } = options;
  const browserContext = await browser.newContext({ viewport, colorScheme, ...context });
  // Enough for a busy machine, and not so long that a broken page holds everything up.
  browserContext.setDefaultTimeout(15_000);
  const page = await browserContext.newPage();
  const notes = await watch(page);
  if (before) await before(page);
  const response = await page.goto(fragment ? `${url}#${fragment}` : url, { waitUntil: "load" });
  return {
    page,
    response,
    notes,
    /** Waits until the loader has either started the page with all its panels or told why not. */
    settled: () => page.waitForFunction(() => {
      const { state, rest } = document.getElementById("boot-message")?.dataset ?? {};
      return state === "failed" || (state === "started" && rest);
    }),
    /** Fails when anything was written, thrown, refused or not found. */
    assertClean: () => assert.deepEqual(notes, []),
    close: () => browserContext.close(),
  };
}

/** Collects, as sentences, everything a healthy page does not do. */
async function watch(page) {
  const notes = [];
  page.on("console", (message) => notes.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => notes.push(`page error: ${error.message}`));
  page.on("crash", () => notes.push("the page crashed"));
  page.on("requestfailed", (request) => {
    const { errorText } = request.failure() ?? {};
    // The browser asks for the icon when it likes, and drops that when the page is left.
    if (errorText === "net::ERR_ABORTED" && /\/favicon[^/]*$/.test(request.url())) return;
    notes.push(`request failed: ${request.url()} (${errorText})`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) notes.push(`status ${response.status()}: ${response.url()}`);
  });
  await page.exposeFunction("noteViolation", (text) => notes.push(`content policy: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      window.noteViolation(`${event.violatedDirective} refused ${event.blockedURI}`);
    });
  });
  return notes;
}
