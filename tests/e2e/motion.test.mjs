// Frames: how it plays for who wants no motion, and when nothing is drawn at all.

import assert from "node:assert/strict";
import { HALF, assertNoFrames, at, computed, countFrames, pixels, repainted, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

/** An init script: `window.drawn` counts what is drawn on each canvas, by its id. */
const countDrawing = (page) => page.addInitScript(() => {
  window.drawn = {};
  for (const name of ["rect", "fillRect", "clearRect", "drawImage", "stroke", "fillText"]) {
    const draw = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...given) {
      const id = this.canvas.id || this.canvas.parentElement?.id || "hidden";
      window.drawn[id] ??= 0;
      window.drawn[id] += 1;
      return draw.apply(this, given);
    };
  }
});

/** An init script: the tab of the page can be hidden by `window.hide(true)`. */
const hideable = (page) => page.addInitScript(() => {
  let hidden = false;
  Object.defineProperty(Document.prototype, "hidden", { get: () => hidden });
  Object.defineProperty(Document.prototype, "visibilityState", { get: () => (hidden ? "hidden" : "visible") });
  window.hide = (value) => {
    hidden = value;
    document.dispatchEvent(new Event("visibilitychange"));
  };
});

/** The page's clock stands still: time passes only where a test lets it. */
const stopClock = async (page) => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
const clockOf = { before: (page) => page.clock.install() };

visit("without motion play goes from decision to decision, each held for a second", HALF, { context: { reducedMotion: "reduce" }, ...clockOf }, async (page) => {
  const steps = [0];
  while (steps.at(-1) < (await state(page)).end_ms) steps.push((await stepOn(page)).moment_ms);
  await page.keyboard.press("Home");
  await at(page, 0);
  await stopClock(page);
  await page.locator("#play").click();
  await page.clock.runFor(100);
  assert.deepEqual([(await state(page)).playing, (await state(page)).moment_ms], [true, 0], "it is held, not skipped");
  const seen = [0];
  let held = 0;
  for (let tenth = 0; tenth < 20 * steps.length && (await state(page)).playing; tenth += 1) {
    await page.clock.runFor(100);
    held += 100;
    const { moment_ms } = await state(page);
    if (moment_ms !== seen.at(-1)) {
      // 0.1 s for the grain of this clock.
      assert.ok(held >= 900, `${seen.at(-1)} was held for ${held} ms`);
      seen.push(moment_ms);
      held = 0;
    }
  }
  assert.deepEqual(seen, steps, "every decision, and nothing between");
});

visit("without motion nothing fades", HALF, { context: { reducedMotion: "reduce" } }, async (page) => {
  for (let step = 0; step < 3; step += 1) {
    const before = await pixels(page, "#stage");
    await stepOn(page);
    await repainted(page, "#stage", before);
    await page.waitForFunction(() => {
      const style = getComputedStyle(document.querySelector("canvas.fade"));
      return style.display === "none" || style.opacity === "0";
    });
  }
  const durations = await page.evaluate(() => [...document.querySelectorAll("body *")]
    .flatMap((element) => { const style = getComputedStyle(element); return [style.animationDuration, style.transitionDuration]; })
    .flatMap((list) => list.split(", ")).filter((text) => parseFloat(text) > 0.001));
  assert.deepEqual(durations, []);
});

visit("a change fades, and changes that follow each other fast do not", HALF, clockOf, async (page) => {
  const fade = page.locator("canvas.fade");
  await stopClock(page);
  const step = async () => {
    await page.keyboard.press("ArrowRight");
    await page.clock.runFor(40);
    return fade.getAttribute("class");
  };
  await page.clock.runFor(1000);
  const first = await step();
  assert.match(first, /out-[ab]/);
  assert.match(await step(), /gone/, "40 ms later");
  await page.clock.runFor(1000);
  assert.match(await step(), /out-[ab]/);
});

visit("paused, the page asks for no frames", HALF, { before: countFrames }, async (page) => {
  await assertNoFrames(page);
  await page.locator("#play").click();
  await until(page, (s) => s.playing && s.moment_ms > 0);
  const asked = await page.evaluate(() => window.asked);
  await page.waitForFunction((before) => window.asked > before, asked);
  await page.keyboard.press("k");
  await until(page, (s) => !s.playing);
  await assertNoFrames(page);
});

visit("a hidden tab pauses: the run stands still and no frame is asked for", HALF, {
  before: async (page) => { await countFrames(page); await hideable(page); },
}, async (page) => {
  await page.locator("#play").click();
  await until(page, (s) => s.playing && s.moment_ms > 0);
  await page.evaluate(() => window.hide(true));
  await assertNoFrames(page);
  const there = await state(page);
  assert.equal(there.playing, false);
  await assertNoFrames(page);
  assert.equal((await state(page)).moment_ms, there.moment_ms);
  // Time does not jump when it is seen again.
  await page.evaluate(() => window.hide(false));
  await assertNoFrames(page);
  assert.equal((await state(page)).moment_ms, there.moment_ms);
  await page.locator("#play").click();
  await until(page, (s) => s.playing && s.moment_ms > there.moment_ms);
});

visit("only what changed is painted again: the rest of the canvas is not touched", "v1&desired=400&min=100&max=150", { before: countDrawing }, async (page) => {
  assert.ok(await page.evaluate(() => window.drawn.stage) > 400, "the first picture is whole");
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.evaluate(() => { window.drawn = {}; });
  const chart = await pixels(page, "#chart");
  await page.keyboard.press(".");
  await at(page, 1000);
  await repainted(page, "#chart", chart);
  const drawn = await page.evaluate(() => window.drawn);
  assert.equal(drawn.stage ?? 0, 0, "nothing changed in that second");
  assert.ok(drawn.chart > 0, "the playhead moved");
});

visit("pictures that are out of view are not drawn, and are right when they come back", HALF, {
  viewport: { width: 800, height: 420 }, before: async (page) => { await countFrames(page); await countDrawing(page); },
}, async (page) => {
  const inView = (id) => page.evaluate((name) => {
    const box = document.getElementById(name).getBoundingClientRect();
    return box.bottom > 0 && box.top < innerHeight;
  }, id);
  const stage = await pixels(page, "#stage");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  assert.equal(await inView("stage"), false);
  await assertNoFrames(page);
  await page.evaluate(() => { window.drawn = {}; });
  await page.keyboard.press("ArrowRight");
  await at(page, (now) => now > 0);
  await assertNoFrames(page);
  const drawn = await page.evaluate(() => window.drawn);
  assert.equal(drawn.stage ?? 0, 0);
  assert.equal(drawn.strip ?? 0, 0);
  assert.equal(await pixels(page, "#stage"), stage, "it still shows the moment before");
  await page.evaluate(() => scrollTo(0, 0));
  await repainted(page, "#stage", stage);
  await computed(page);
});

/** An init script: `window.calls` notes what the program hands over: canvas, kind, numbers. */
const noteCalls = (page) => page.addInitScript(() => {
  window.calls = [];
  let shapes;
  Object.defineProperty(window, "rollscopeShapes", {
    get: () => shapes,
    set: (given) => {
      shapes = {};
      for (const [kind, draw] of Object.entries(given)) {
        shapes[kind] = (context, numbers, ...rest) => {
          const { canvas } = context;
          window.calls.push({ canvas: canvas.id || (canvas.isConnected ? "unnamed" : "hidden"), kind, numbers: numbers.length });
          return draw(context, numbers, ...rest);
        };
      }
    },
  });
});

visit("thousands of rectangles are a call for each style", "v1&desired=1000&min=50&max=150", { before: noteCalls }, async (page) => {
  const calls = await page.evaluate(() => window.calls.filter((call) => call.canvas === "stage"));
  const rectangles = calls.filter((call) => call.kind === "rects").reduce((sum, call) => sum + call.numbers / 4, 0);
  // From the first instant of the run to its beginning, in a few pictures.
  assert.ok(rectangles >= 1500, `${rectangles} rectangles`);
  assert.ok(rectangles / calls.length >= 50, `${rectangles} rectangles in ${calls.length} calls`);
});

visit("before the begin of play only what lies ahead is painted", HALF, { before: noteCalls }, async (page) => {
  // The past and the future are painted on canvases of their own, with the status first.
  const grounds = () => page.evaluate(() => window.calls.filter((call) => call.canvas === "hidden").length);
  await computed(page);
  await page.evaluate(() => { window.calls.length = 0; });
  await page.locator("#slide-maximum").press("ArrowRight");
  await until(page, (s) => s?.complete);
  await page.waitForFunction(() => window.calls.some((call) => call.canvas === "hidden"));
  const one = await grounds();
  await page.keyboard.press("Tab");
  await stepOn(page);
  await page.waitForTimeout(200);
  const both = await grounds();
  assert.ok(one > 0 && both > one, `${one} calls for the future, ${both} for both`);
});
