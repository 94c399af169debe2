// `cargo xtask bench`: the page's part. Prints figures beside their goals and asserts nothing:
// times say as much about the machine as about the page, so ratios are taken in one run.

import { readFileSync, readdirSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { launchBrowser, openPage, topUrl } from "./harness.mjs";
import { benchDrawing } from "./bench-drawing.mjs";

/** Seconds of play for the memory row. */
const PLAY_S = Number(process.env.ROLLSCOPE_PLAY_S ?? 60);
const DIST = process.env.ROLLSCOPE_DIST;

/** A whole deployment behind a target group, with spread: every frame has something to do. */
const scenario = (desired) => ({
  service: { desiredCount: desired, deploymentConfiguration: { minimumHealthyPercent: 100, maximumPercent: 150 } },
  targetGroups: [{ healthCheckIntervalSeconds: 10, unhealthyThresholdCount: 10 }],
  timing: {
    pull: { uniform: ["5s", "30s"] },
    start_up: { uniform: ["10s", "60s"] },
    open_request: { uniform: ["5s", "60s"] },
  },
  quotas: "none",
});

const row = (what, figure, goal = "-") => console.log(`page    ${what.padEnd(46)} ${figure.padEnd(40)} goal: ${goal}`);
const ms = (value) => `${value.toFixed(1)} ms`;
const kb = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const signed = (bytes) => `${bytes < 0 ? "-" : "+"}${kb(Math.abs(bytes))}`;

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] : NaN;
}

const spread = (values) => `median ${ms(quantile(values, 0.5))}, p95 ${ms(quantile(values, 0.95))}, n ${values.length}`;

/** In the page, before it starts: times every animation frame, notes long tasks, finds the memory. */
function instrument() {
  const bench = { frames: [], long: [], memory: null };
  window.bench = bench;
  const ask = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (work) => {
    let began;
    const id = ask((time) => { began = performance.now(); work(time); });
    // Frames run in the order they were asked for, each followed by its microtasks, where the
    // page renders its text: the next callback is the end of both.
    ask(() => { if (began !== undefined) bench.frames.push(performance.now() - began); });
    return id;
  };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) bench.long.push({ at: entry.startTime, took: entry.duration });
  }).observe({ type: "longtask", buffered: true });
  const keep = (result) => {
    const { memory } = (result.instance ?? result).exports;
    if (memory instanceof WebAssembly.Memory) bench.memory = memory;
    return result;
  };
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name].bind(WebAssembly);
    WebAssembly[name] = (...given) => original(...given).then(keep);
  }
  /** Script time from now until the next frame is done: handlers, microtasks and the frame itself. */
  bench.script = (act) => new Promise((done) => {
    const first = bench.frames.length;
    const began = performance.now();
    act();
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      // Frames that ran before this message are counted below.
      const between = bench.frames.slice(first).reduce((sum, took) => sum + took, 0);
      const handled = performance.now() - began - between;
      ask(() => ask(() => done(handled + (bench.frames[first] ?? 0))));
    };
    channel.port2.postMessage(null);
  });
}

async function open(browser, desired) {
  const opened = await openPage(browser, "", { before: (page) => page.addInitScript(instrument) });
  await opened.settled();
  const { page } = opened;
  const faults = await page.evaluate((document) => window.rollscope.open(document), scenario(desired));
  if (faults.length) throw new Error(faults.join(" "));
  await page.waitForFunction(
    (count) => { const now = window.rollscope.state(); return now?.complete && now.limits.desired === count; },
    desired,
    // Not by animation frames, which are measured.
    { timeout: 60_000, polling: 100 },
  );
  await page.waitForTimeout(500);
  return opened;
}

const state = (page) => page.evaluate(() => window.rollscope.state());

/**
 * Plays for so long; at the end it starts over. Whether it plays is read off the button: the page's
 * own state() sums up the whole run, which would be measured along.
 */
async function play(page, seconds) {
  const button = page.locator("#play");
  const resting = await button.getAttribute("aria-label");
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    if ((await button.getAttribute("aria-label")) === resting) await button.click();
    await page.waitForTimeout(Math.max(0, Math.min(250, end - Date.now())));
  }
  if ((await button.getAttribute("aria-label")) !== resting) await button.click();
}

/**
 * Processor time of the page's main thread for `act`: other programs on the machine do not add to
 * it, as they do to a clock. Script alone, and everything (with style, layout and paint).
 */
async function processorTime(page, act) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    const value = (name) => metrics.find((metric) => metric.name === name).value * 1000;
    return { script: value("ScriptDuration"), all: value("TaskDuration") };
  };
  const before = await read();
  await act();
  const after = await read();
  await session.detach();
  return { script: after.script - before.script, all: after.all - before.all };
}

const shared = ({ script, all }, count) => `script ${ms(script / count)}, everything ${ms(all / count)}`;

async function frames(browser, desired, goal) {
  const { page, close } = await open(browser, desired);
  await page.evaluate(() => { window.bench.frames.length = 0; window.bench.long.length = 0; });
  const processor = await processorTime(page, () => play(page, 15));
  const { frames: taken, long } = await page.evaluate(() => ({ frames: window.bench.frames, long: window.bench.long }));
  const name = desired.toLocaleString("en");
  row(`script of a frame in play, ${name} tasks`, spread(taken), `at most ${goal} ms`);
  row("  processor time, mean", shared(processor, taken.length));
  const longest = Math.max(0, ...long.map((task) => task.took));
  row(`tasks over 50 ms in play, ${name} tasks`, long.length ? `${long.length}, longest ${ms(longest)}` : "none", "none");
  await close();
}

/** The first control a list of selectors names, with what it is. */
async function control(page, candidates) {
  for (const selector of candidates) {
    if (await page.locator(selector).count() > 0) return selector;
  }
  return null;
}

async function slider(browser, desired) {
  const { page, close } = await open(browser, desired);
  const selector = await control(page, ["#settings input[type=range]:not([max='100'])", "input[type=range]:not([max='100'])"]);
  const what = `slider, input to next frame, ${desired.toLocaleString("en")} tasks`;
  if (!selector) {
    row(what, "no slider on this page", "within a frame, 16.7 ms");
    return close();
  }
  const taken = [];
  const settled = [];
  const processor = await processorTime(page, async () => {
    for (let turn = 0; turn < 16; turn += 1) {
      const began = Date.now();
      taken.push(await page.evaluate(([where, percent]) => window.bench.script(() => {
        const input = document.querySelector(where);
        input.value = String(percent);
        input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      }), [selector, 120 + turn * 5]));
      await page.waitForFunction(() => window.rollscope.state()?.complete, undefined, { polling: 20 });
      settled.push(Date.now() - began);
      await page.waitForTimeout(150);
    }
  });
  row(what, spread(taken), "within a frame, 16.7 ms");
  row("  processor time, mean, with the rest of the run", shared(processor, taken.length));
  row("  until the whole run stands, wall time", spread(settled));
  await close();
}

async function seek(browser, desired) {
  const { page, close } = await open(browser, desired);
  const box = await page.locator("#scrubber").boundingBox();
  const taken = [];
  // Far apart and never in order, as a hand that jumps.
  const processor = await processorTime(page, async () => {
    for (let turn = 1; turn <= 40; turn += 1) {
      const x = box.x + 60 + (box.width - 150) * ((turn * 0.618) % 1);
      taken.push(await page.evaluate(([left, top]) => window.bench.script(() => {
        const scrubber = document.querySelector("#scrubber");
        const event = (kind, buttons) => new PointerEvent(kind, {
          bubbles: true, cancelable: true, composed: true, clientX: left, clientY: top, pointerId: 1, isPrimary: true, button: 0, buttons,
        });
        scrubber.dispatchEvent(event("pointerdown", 1));
        scrubber.dispatchEvent(event("pointerup", 0));
      }), [x, box.y + box.height / 2]));
      await page.waitForTimeout(50);
    }
  });
  if ((await state(page)).moment_ms === 0) row("seek", "the scrubber did not move the cursor");
  else row(`seek and its picture, ${desired.toLocaleString("en")} tasks`, spread(taken), "seek alone at most 5 ms");
  row("  processor time, mean", shared(processor, taken.length));
  await close();
}

/** What is in use after a collection of garbage. */
async function inUse(page, session) {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { nodes } = await session.send("Memory.getDOMCounters");
  const wasm = await page.evaluate(() => window.bench.memory?.buffer.byteLength ?? 0);
  return { script: usedSize, wasm, nodes };
}

async function memory(browser, desired) {
  const { page, close } = await open(browser, desired);
  const session = await page.context().newCDPSession(page);
  // The first round fills caches; what grows after it would grow for ever.
  await play(page, 10);
  await page.evaluate(() => { window.bench.frames.length = 0; });
  const before = await inUse(page, session);
  await play(page, PLAY_S);
  await page.evaluate(() => { window.bench.frames.length = 0; });
  const after = await inUse(page, session);
  const title = `memory after ${PLAY_S} s of play, ${desired.toLocaleString("en")} tasks`;
  row(title, `script ${kb(after.script)}, WebAssembly ${kb(after.wasm)}`);
  row("  growth in that time", `script ${signed(after.script - before.script)}, WebAssembly ${signed(after.wasm - before.wasm)}`, "none that goes on");
  row("  elements in the page", `${after.nodes}, before ${before.nodes}`, "as before");
  await close();
}

/** Every file a first visit fetches: all but what lies in lazy/. */
function bytes() {
  if (!DIST) return;
  const files = readdirSync(DIST, { withFileTypes: true }).filter((entry) => entry.isFile());
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const { name } of files) {
    const content = readFileSync(join(DIST, name));
    sum.raw += content.length;
    sum.gzip += gzipSync(content, { level: 9 }).length;
    const best = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
    sum.brotli += brotliCompressSync(content, best).length;
  }
  row(`first load, ${files.length} files`, `raw ${kb(sum.raw)}, gzip ${kb(sum.gzip)}, brotli ${kb(sum.brotli)}`, "150 kB brotli");
}

/** A clock also counts what other programs took: said where they take much. */
function busy() {
  const [load] = loadavg();
  const processors = availableParallelism();
  if (load > processors) {
    row("this machine is busy", `load ${load.toFixed(1)} on ${processors} processors`, "below; trust ratios and processor time");
  }
}

const browser = await launchBrowser();
try {
  console.log(`${topUrl()} in Chromium ${browser.version()}`);
  busy();
  bytes();
  await benchDrawing(browser, process.env.ROLLSCOPE_DRAWING_URL, row);
  await frames(browser, 1_000, 4);
  await frames(browser, 10_000, 8);
  await slider(browser, 1_000);
  await seek(browser, 10_000);
  await memory(browser, 1_000);
} finally {
  await browser.close();
}
