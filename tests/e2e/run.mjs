// What the tests of the page share: a run that is opened, looked at and waited for.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, viewports } from "./harness.mjs";

/** A link written by hand: no length, no checksum. Four tasks, two at a time, no health check. */
export const HALF = "v1&title=half&desired=4&min=100&max=150";
/** One task that can neither be joined nor leave. */
export const STUCK = "v1&title=one&desired=1&min=100&max=150";

/** A phone held upright, with fingers. */
export const phone = { viewport: viewports.phone, context: { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } };

/** Longest wait for what a large run needs on a busy machine. */
const PATIENCE_MS = 60_000;

/**
 * The browser of a test file, and `visit`: a test of one page with a run. It opens `fragment`, waits
 * until the run is computed, hands the page to `body`, and fails when anything was written to the
 * console or refused. `more` are options of `openPage`.
 */
export function visits() {
  let browser;
  before(async () => { browser = await launchBrowser(); });
  after(() => browser?.close());
  const open = (fragment, more) => openPage(browser, fragment, more);
  async function openRun(fragment = HALF, more = {}) {
    const opened = await open(fragment, more);
    await opened.settled();
    await computed(opened.page);
    return opened;
  }
  function visit(name, fragment, ...rest) {
    const [more, body] = rest.length > 1 ? rest : [{}, rest[0]];
    test(name, async () => {
      const opened = await openRun(fragment, more);
      try {
        await body(opened.page, opened);
        opened.assertClean();
      } finally {
        await opened.close();
      }
    });
  }
  return { visit, open, openRun };
}

/** What the page says of its run; null where there is none. */
export const state = (page) => page.evaluate(() => window.rollscope.state());

/** Waits until the run's state satisfies a condition, and gives it; the policy forbids to evaluate it in the page. */
export async function until(page, condition) {
  const deadline = Date.now() + PATIENCE_MS;
  let last;
  while (Date.now() < deadline) {
    last = await page.evaluate(() => window.rollscope?.state() ?? null);
    if (condition(last)) return last;
    await page.waitForTimeout(20);
  }
  return assert.fail(`never came to ${condition}; last: ${JSON.stringify(last)}`);
}

/** Waits until the run is computed to its end. */
export const computed = (page) => until(page, (s) => s?.complete);

/** Waits until the cursor stands at a moment that satisfies a condition. */
export const at = (page, condition) =>
  until(page, (s) => (typeof condition === "number" ? s.moment_ms === condition : condition(s.moment_ms, s)));

/** The text of the address's fragment contains this, once the page has written it. */
export const addressHas = (page, text) => page.waitForFunction((part) => location.hash.includes(part), text);

/** Waits until an element has the keyboard. */
export const focused = (page, selector) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector);

/** Goes on by so many decisions, and gives the state there. */
export async function stepOn(page, steps = 1) {
  let now = await state(page);
  for (let step = 0; step < steps; step += 1) {
    const before = now.moment_ms;
    await page.getByRole("button", { name: "Next step" }).click();
    now = await until(page, (s) => s.moment_ms > before);
  }
  return now;
}

/** Milliseconds of a clock's text: `1:50`, `1:02:03`, `0:07.5`. */
export function clockMs(text) {
  const found = /(?:(\d+):)?(\d+):(\d\d)(?:\.(\d))?/.exec(text);
  assert.ok(found, `no time in “${text}”`);
  const [, hours = 0, minutes, seconds, tenths = 0] = found;
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(tenths) * 100;
}

/** The time of the player. */
export const clock = (page) => page.locator("#time").textContent();

/**
 * How many colours a canvas shows, and a number that stands for all of its pixels. They are read
 * from a copy: a browser warns of a canvas that is read often, and rightly so.
 */
const look = (page, selector) => page.evaluate((canvas) => {
  const element = document.querySelector(canvas);
  const copy = new OffscreenCanvas(element.width, element.height).getContext("2d", { willReadFrequently: true });
  copy.drawImage(element, 0, 0);
  const { data } = copy.getImageData(0, 0, element.width, element.height);
  const words = new Uint32Array(data.buffer);
  const seen = new Set();
  let sum = 2166136261;
  for (const word of words) {
    seen.add(word);
    sum = Math.imul(sum ^ word, 16777619);
  }
  return { colours: seen.size, pixels: sum >>> 0 };
}, selector);

export const colours = async (page, selector) => (await look(page, selector)).colours;
export const pixels = async (page, selector) => (await look(page, selector)).pixels;

/** Waits until the pixels of a canvas are others than they were, and gives them. */
export async function repainted(page, selector, before) {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline) {
    const now = await pixels(page, selector);
    if (now !== before) return now;
    await page.waitForTimeout(20);
  }
  return assert.fail(`${selector} was not painted again`);
}

/** An init script: counts the frames that the page asks for in `window.asked`; `window.frame()` is one that does not count. */
export const countFrames = (page) => page.addInitScript(() => {
  window.asked = 0;
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (work) => { window.asked += 1; return ask(work); };
  window.frame = () => new Promise((done) => { ask(done); });
});

/** An init script: no frame comes before `window.letFrames()`, so that nothing is computed further until then. */
export const holdFrames = (page) => page.addInitScript(() => {
  const ask = window.requestAnimationFrame.bind(window);
  const held = [];
  window.requestAnimationFrame = (work) => held.push(work);
  window.letFrames = () => {
    window.requestAnimationFrame = ask;
    for (const work of held.splice(0)) ask(work);
  };
});

/** Waits until the page asks for no frames any more, then lets many pass: it asks for none. */
export async function assertNoFrames(page) {
  const asks = (frames) => page.evaluate(async (count) => {
    const before = window.asked;
    for (let i = 0; i < count; i += 1) await window.frame();
    return window.asked - before;
  }, frames);
  const deadline = Date.now() + PATIENCE_MS;
  while (await asks(20) > 0) assert.ok(Date.now() < deadline, "it goes on asking for frames");
  assert.equal(await asks(60), 0);
}

/** Follows the way of the pointer over a picture in small steps. */
export async function drag(page, from, to, steps = 8) {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps });
}
