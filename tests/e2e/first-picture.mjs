// Which functions of the program run until the first picture stands, over many scenarios and screens.
//
// `cargo xtask rest` serves a program that takes note of them, and starts this with the file to write.

import { writeFileSync } from "node:fs";
import { launchBrowser, topUrl, viewports } from "./harness.mjs";

const [, , file] = process.argv;
const links = (process.env.ROLLSCOPE_LINKS ?? "").split("\n").filter(Boolean);

/** How long after that the page may still do something by itself, in milliseconds. */
const AFTERWARDS_MS = 700;

/**
 * Opens the page, gives it no rest, and adds what ran all the same. It is asked how far it is, as
 * a page around it may do, and told that the rest does not come.
 */
async function visit(browser, ran, fragment, viewport, colorScheme, query = "") {
  const context = await browser.newContext({ viewport, colorScheme });
  const page = await context.newPage();
  await page.addInitScript((afterwards) => {
    // Stands in front of what web/js/boot.js defines under these names.
    let program, hear;
    const instead = (name, value) => Object.defineProperty(window, name, { get: () => value, set() {} });
    instead("rollscopeProgram", (exports, told) => { program = exports; hear = told; });
    instead("rollscopeRest", () => {
      setTimeout(() => { window.rollscope.state(); hear("missing"); }, afterwards / 2);
      setTimeout(() => { window.ran = Array.from(new Uint8Array(program.ran.buffer)); }, afterwards);
    });
  }, AFTERWARDS_MS);
  await page.goto(`${topUrl()}${query}${fragment ? `#${fragment}` : ""}`);
  const found = await (await page.waitForFunction(() => window.ran)).jsonValue();
  found.forEach((byte, index) => { ran[index] |= byte; });
  await context.close();
}

const browser = await launchBrowser();
const ran = new Uint8Array(65_536);
try {
  for (const viewport of Object.values(viewports)) {
    for (const scheme of ["light", "dark"]) await visit(browser, ran, "", viewport, scheme);
  }
  const sizes = [1, 24, 160, 1_000, 5_000].map((desired) => `v1&desired=${desired}&min=50&max=150`);
  for (const link of [...links, ...sizes]) await visit(browser, ran, link, viewports.desktop, "light");
  for (const link of links.slice(0, 3)) await visit(browser, ran, link, viewports.phone, "light");
  // Inside another page: several of them share what is compiled, as long as none has to ask for more at once.
  for (const link of links.slice(0, 6)) {
    for (const viewport of [viewports.laptop, viewports.phone]) await visit(browser, ran, link, viewport, "dark", "?embed=1");
  }
} finally {
  await browser.close();
}
writeFileSync(file, ran);
console.log(`${ran.reduce((sum, byte) => sum + byte, 0)} functions run before the first picture stands.`);
