// The player inside a page of another site.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, subFolderUrl, topUrl } from "./harness.mjs";
import { openHost, player, scenario, stands, state } from "./host.mjs";

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

/** Some text above and below, so that the page scrolls. */
const tall = (frame) => `<p><input id="name" value="of the host"></p>${frame}<div style="height: 3000px">Text</div>`;

const settle = (page, ms = 600) => page.waitForTimeout(ms);

test("a player of another site shows the scenario, at rest, and starts by nothing but Play", async () => {
  const opened = await openHost(browser, player());
  const frame = await opened.player();
  await settle(opened.page, 1500);
  const first = await state(frame);
  assert.deepEqual([first.moment_ms, first.playing], [0, false]);
  assert.equal(await frame.locator("h1").textContent(), "Half at a time");
  assert.match(await frame.locator(".embed-head .limits").textContent(), /4 tasks, floor 4, ceiling 6/);
  for (const id of ["stage", "chart"]) {
    const colours = await frame.evaluate((id) => {
      const canvas = document.getElementById(id);
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      const seen = new Set();
      for (let at = 0; at < data.length; at += 4 * 97) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
      return seen.size;
    }, id);
    assert.ok(colours > 3, `${id} is drawn: ${colours} colours`);
  }
  await frame.locator("#play").click();
  await frame.waitForFunction(() => window.rollscope.state().moment_ms > 1000);
  assert.equal((await state(frame)).playing, true);
  opened.assertClean();
  await opened.close();
});

test("nothing in the frame is cut off, from 320 to 1,200 pixels", async () => {
  for (const [width, height] of [[320, 520], [390, 560], [480, 480], [720, 420], [1200, 420]]) {
    const sized = player().replace('width="720" height="420"', `width="${width}" height="${height}"`);
    const opened = await openHost(browser, sized);
    const frame = await opened.player();
    await settle(opened.page);
    const found = await frame.evaluate(() => {
      const rect = (selector) => document.querySelector(selector).getBoundingClientRect();
      const body = rect(".centre-body");
      return {
        sideways: document.documentElement.scrollWidth - innerWidth,
        content: rect(".content").bottom - body.bottom,
        bar: rect(".embed-bar").bottom - innerHeight,
        chart: rect("#chart").height,
      };
    });
    assert.ok(found.sideways <= 0, `${width}: wider than its frame by ${found.sideways}`);
    assert.ok(found.content <= 0.5, `${width}: ${found.content} pixels of the pictures are cut off`);
    assert.ok(found.bar <= 0.5, `${width}: the bar ends ${found.bar} below the frame`);
    assert.ok(found.chart >= 56, `${width}: a chart of ${found.chart}`);
    opened.assertClean();
    await opened.close();
  }
});

test("the focus, the wheel and the scrolling of the host stay the host's", async () => {
  const opened = await openHost(browser, tall(player()), { before: async (page) => {
    await page.addInitScript(() => { if (window === window.top) addEventListener("DOMContentLoaded", () => document.getElementById("name").focus()); });
  } });
  const { page } = opened;
  const frame = await opened.player();
  const host = () => page.evaluate(() => ({ y: scrollY, focus: document.activeElement.id || document.activeElement.tagName }));
  assert.deepEqual(await host(), { y: 0, focus: "name" });
  // Keys of the host's field are not heard in the frame.
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual([(await state(frame)).moment_ms, (await state(frame)).playing], [0, false]);
  // A wheel over each of its pictures scrolls the host.
  let before = 0;
  for (const id of ["#stage", "#chart", "#scrubber", "#caption"]) {
    const place = await frame.locator(id).boundingBox();
    await page.mouse.move(place.x + place.width / 2, Math.max(place.y + place.height / 2, 5));
    await page.mouse.wheel(0, 5);
    await page.waitForFunction((before) => scrollY > before, before);
    before = (await host()).y;
  }
  // Nor does anything pressed inside scroll it; what is pressed has the keys then.
  await frame.locator("#play").click();
  await frame.locator("#change").click();
  await page.keyboard.press("Escape");
  await page.keyboard.press("End");
  await settle(page);
  assert.equal((await host()).y, before);
  assert.equal((await host()).focus, "IFRAME");
  const { moment_ms, end_ms } = await state(frame);
  assert.equal(moment_ms, end_ms);
  opened.assertClean();
  await opened.close();
});

test("a player leaves no entry in the history of the host, and writes no address", async () => {
  const opened = await openHost(browser, player());
  const frame = await opened.player();
  const entries = () => opened.page.evaluate(() => history.length);
  const before = [await entries(), frame.url()];
  for (const key of ["ArrowRight", "ArrowRight", "End", "Home"]) await frame.locator("#play").press(key);
  await settle(opened.page, 900);
  assert.deepEqual([await entries(), frame.url()], before);
  opened.assertClean();
  await opened.close();
});

test("of all keys a player knows those of the player", async () => {
  const opened = await openHost(browser, player());
  const frame = await opened.player();
  const play = frame.locator("#play");
  await play.press(".");
  assert.equal((await state(frame)).moment_ms, 1000);
  const before = await frame.evaluate(() => document.querySelector(".embedded").className);
  // Theme, help, stage alone, search, comparison, tabs, undo.
  for (const key of ["t", "?", "f", "/", "c", "2", "b", "Control+z", "g"]) await play.press(key);
  await settle(opened.page);
  assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme ?? "none"), "none");
  assert.equal(await frame.locator("dialog, #compare, #go-to").count(), 0);
  assert.equal(await frame.evaluate(() => document.querySelector(".embedded").className), before);
  assert.equal((await state(frame)).moment_ms, 1000);
  opened.assertClean();
  await opened.close();
});

test("a sandboxed frame that may only run scripts plays, where its storage throws", async () => {
  const opened = await openHost(browser, player({ attributes: 'sandbox="allow-scripts"' }));
  const frame = await opened.player();
  assert.equal(await frame.evaluate(() => { try { return String(localStorage); } catch (error) { return error.name; } }), "SecurityError");
  await frame.locator("#play").click();
  await frame.waitForFunction(() => window.rollscope.state().moment_ms > 1000);
  opened.assertClean();
  await opened.close();
});

test("a player stores nothing", async () => {
  // A page of the same site, whose frames may store.
  const opened = await openHost(browser, player({ query: "&theme=dark" }), { site: "127.0.0.1" });
  const frame = await opened.player();
  await frame.locator("#play").press("End");
  await frame.locator("#change").click();
  await settle(opened.page);
  assert.deepEqual(await frame.evaluate(() => [localStorage.length, sessionStorage.length, document.cookie]), [0, 0, ""]);
  await opened.close();
});

test("a player runs in a sub-folder, and where the server gives its program another type", async () => {
  const typed = async (page) => page.route("**/*.wasm", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "content-type": "application/octet-stream" } });
  });
  const opened = await openHost(browser, player({ url: subFolderUrl() }), { before: typed });
  const frame = await opened.player();
  assert.equal(await frame.locator("#boot-message").getAttribute("data-state"), "started");
  await frame.locator("#play").press("ArrowRight");
  assert.ok((await state(frame)).moment_ms > 0);
  // The browser's own note about the type is all that is written.
  assert.deepEqual(opened.notes.filter((note) => !/MIME type/.test(note)), []);
  await opened.close();
});

test("title, notes and settings are read before the program is there, in the theme of the host", async () => {
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const hold = (page) => page.route("**/*.wasm", async (route) => { await held; await route.continue(); });
  const opened = await openHost(browser, player(), { before: hold, colorScheme: "dark" });
  const [frame] = opened.players();
  const first = frame.locator("#embed-first");
  await first.waitFor();
  const text = await first.innerText();
  for (const words of ["Half at a time", "Two rounds", "desiredCount 4", "minimumHealthyPercent 100", "maximumPercent 150", "tg.0.deregistration_delay.timeout_seconds 60"]) {
    assert.ok(text.includes(words), `${words} in ${text}`);
  }
  const look = () => frame.evaluate(() => {
    const { colorScheme } = getComputedStyle(document.documentElement);
    return { colorScheme, dark: parseInt(getComputedStyle(document.body).backgroundColor.match(/\d+/)[0], 10) < 60 };
  });
  assert.equal((await look()).dark, true);
  release();
  await stands(frame);
  assert.equal(await first.count(), 0);
  assert.equal((await look()).dark, true);
  opened.assertClean();
  await opened.close();
});

test("what a link says in its title is text", async () => {
  const hostile = "v1&title=%3Cimg%20src%3Dx%20onerror%3Dtop.hacked%3D1%3E&notes=%3Cscript%3E1%3C%2Fscript%3E&desired=%3Cb%3E";
  const opened = await openHost(browser, player({ query: "&poster=1", fragment: hostile }));
  const [frame] = opened.players();
  const first = frame.locator("#embed-first");
  await first.waitFor();
  assert.equal(await first.locator("img, script, b").count(), 0);
  assert.match(await first.locator("h1").textContent(), /^<img src=x/);
  opened.assertClean();
  await opened.close();
});

test("a player far below loads when it comes near, and stands still when it is scrolled away", async () => {
  const asked = [];
  const watch = async (page) => { page.on("request", (request) => { if (request.url().endsWith(".wasm")) asked.push(request.url()); }); };
  const opened = await openHost(browser, `<div style="height: 6000px">Text</div>${player()}<div style="height: 6000px">Text</div>`, { before: watch });
  const { page } = opened;
  await settle(page, 1200);
  assert.deepEqual(asked, []);
  await page.evaluate(() => document.querySelector("iframe").scrollIntoView());
  const frame = await opened.player();
  assert.ok(asked.length > 0);
  await frame.locator("#play").click();
  await frame.waitForFunction(() => window.rollscope.state().moment_ms > 500);
  await page.evaluate(() => scrollTo(0, 0));
  await settle(page, 2000);
  await page.evaluate(() => document.querySelector("iframe").scrollIntoView());
  await frame.waitForFunction(() => window.rollscope.state().playing === false);
  const { moment_ms, end_ms } = await state(frame);
  assert.ok(moment_ms < end_ms, "it did not play on unseen");
  opened.assertClean();
  await opened.close();
});

test("with a poster nothing is fetched before Play, which then plays", async () => {
  const asked = [];
  const watch = async (page) => { page.on("request", (request) => { if (request.url().endsWith(".wasm")) asked.push(request.url()); }); };
  const opened = await openHost(browser, player({ query: "&poster=1" }), { before: watch });
  const [frame] = opened.players();
  await frame.locator("#embed-play").waitFor();
  await settle(opened.page, 1200);
  assert.deepEqual(asked, []);
  await frame.locator("#embed-play").click();
  await stands(frame);
  await frame.waitForFunction(() => window.rollscope.state().moment_ms > 500);
  assert.equal(await frame.evaluate(() => document.activeElement.id), "play");
  opened.assertClean();
  await opened.close();
});

test("the parameters: theme, controls, moment, view only", async () => {
  const body = [
    player({ query: "&theme=dark&t=1:35" }),
    player({ query: "&controls=bar&theme=light&t=20s" }),
    player({ query: "&controls=none", fragment: `${scenario}&at=45000` }),
    player({ query: "&view=1&controls=nonsense&t=soon", fragment: `${scenario}&at=45000` }),
  ].join("");
  const opened = await openHost(browser, body, { viewport: { width: 1500, height: 1000 }, colorScheme: "light" });
  const [dark, bar, none, view] = opened.players();
  for (const frame of [dark, bar, none, view]) await stands(frame);
  const moments = await Promise.all([dark, bar, none, view].map(async (frame) => (await state(frame)).moment_ms));
  assert.deepEqual(moments, [95_000, 20_000, 45_000, 45_000]);
  const background = (frame) => frame.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.notEqual(await background(dark), await background(bar));
  const has = async (frame) => [await frame.locator("#play").count(), await frame.locator("#open-studio").count(), await frame.locator("#change").count()];
  assert.deepEqual(await Promise.all([dark, bar, none, view].map(has)), [[1, 1, 1], [1, 0, 0], [0, 0, 0], [1, 1, 0]]);
  opened.assertClean();
  await opened.close();
});

test("Change turns the limits, and Open takes everything along", async () => {
  const opened = await openHost(browser, player({ query: "&t=20s" }));
  const frame = await opened.player();
  await frame.locator("#change").click();
  const field = frame.locator("#settings input[type=text]").first();
  await field.fill("200");
  await frame.waitForFunction(() => window.rollscope.state().limits.ceiling === 8);
  assert.equal((await state(frame)).branches, 1, "the run starts anew, with no branch");
  assert.ok(await frame.locator("#chart").isHidden());
  await frame.locator("#change").click();
  assert.ok(await frame.locator("#chart").isVisible());
  const address = await frame.locator("#open-studio").getAttribute("href");
  assert.ok(!address.includes("?") && address.startsWith(topUrl()), address);
  const studio = await openPage(browser, address.split("#")[1]);
  await studio.settled();
  const found = await studio.page.evaluate(() => window.rollscope.state());
  assert.deepEqual([found.limits.ceiling, found.moment_ms], [8, 20_000]);
  assert.equal(await studio.page.locator("h1").first().textContent(), "Half at a time");
  await studio.close();
  opened.assertClean();
  await opened.close();
});

test("a link that cannot be played says why, and leads on", async () => {
  const cases = [
    ["v1&desired=4&min=100&max=50", /Not accepted/, /maximumPercent/],
    ["v1.900.00000000&desired=4", /cut off/, /characters are missing/],
    ["compare/v1&desired=4/v1&desired=6", /compares scenarios/, /opens in Rollscope/],
  ];
  for (const [fragment, title, words] of cases) {
    const opened = await openHost(browser, player({ fragment }));
    const frame = await opened.player();
    await frame.locator(".embed-empty").waitFor();
    assert.match(await frame.locator(".embed-empty h1").textContent(), title);
    assert.match(await frame.locator(".embed-empty").innerText(), words);
    assert.ok((await frame.locator("#open-studio").getAttribute("href")).startsWith(`${topUrl()}#`));
    opened.assertClean();
    await opened.close();
  }
});

test("ten players on one page run each for itself, in less than 100 MB", async () => {
  const keep = (page) => page.addInitScript(() => {
    window.memories = new Set();
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const plain = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const made = await plain.apply(WebAssembly, given);
        const { memory } = (made.instance ?? made).exports;
        if (memory) window.memories.add(memory);
        return made;
      };
    }
  });
  const bodies = Array.from({ length: 10 }, (_, index) => player({ fragment: scenario.replace("desired=4", `desired=${index + 1}`) }));
  const opened = await openHost(browser, bodies.join(""), { before: keep, viewport: { width: 1500, height: 2300 } });
  const frames = opened.players();
  for (const frame of frames) await stands(frame);
  await frames[3].locator("#play").press("End");
  const states = await Promise.all(frames.map(state));
  assert.deepEqual(states.map((found) => found.limits.desired), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual(states.map((found) => found.moment_ms > 0), states.map((_, index) => index === 3));
  const sizes = await Promise.all(frames.map((frame) => frame.evaluate(() => ({
    wasm: [...window.memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0),
    // Frames of one site share one script heap.
    heap: performance.memory.usedJSHeapSize,
  }))));
  const wasm = sizes.reduce((sum, { wasm }) => sum + wasm, 0);
  const megabytes = (wasm + Math.max(...sizes.map(({ heap }) => heap))) / 1e6;
  assert.ok(sizes.every(({ wasm }) => wasm > 0), "each memory was seen");
  assert.ok(megabytes < 100, `${megabytes} MB`);
  opened.assertClean();
  await opened.close();
});
