// The messages between a page and its players, and the element that speaks them.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, topUrl } from "./harness.mjs";
import { openHost, player, scenario, stands, state } from "./host.mjs";

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

/** Opens a host, runs `body` with it, closes it whatever happens. */
async function withHost(html, body, options) {
  const opened = await openHost(browser, html, options);
  try {
    await body(opened, opened.page);
    opened.assertClean();
  } finally {
    await opened.close();
  }
}

/** Collects what players say, and lets the test speak to the first one. */
const listening = `<script>
  window.heard = [];
  addEventListener("message", (event) => heard.push(event.data));
  window.say = (message, to = "*") => document.querySelector("iframe").contentWindow.postMessage(message, to);
</script>`;

const heard = (page, type) => page.evaluate((type) => window.heard.filter((said) => said.type === type), type);

test("a player says nothing before hello, then its height, its clock, its sentences and how it ends", async () => {
  await withHost(listening + player(), async (opened, page) => {
    const frame = await opened.player();
    await frame.locator("#play").press("ArrowRight");
    await page.waitForTimeout(300);
    assert.deepEqual(await page.evaluate(() => window.heard), []);
    await page.evaluate(() => say({ rollscope: 1, type: "hello" }));
    await page.waitForFunction(() => window.heard.some((said) => said.type === "outcome"));
    assert.deepEqual(await heard(page, "height"), [{ rollscope: 1, type: "height", height: 420 }]);
    assert.equal((await heard(page, "ready")).length, 1);
    const [{ outcome, completed_at_ms: done, lowest_healthy: least, peak_tasks: most }] = await heard(page, "outcome");
    assert.deepEqual([outcome, done, least, most], ["completed", 134_000, 4, 6]);
    await page.evaluate(() => say({ rollscope: 1, type: "seek", ms: 20000 }));
    await page.waitForFunction(() => window.heard.some((said) => said.type === "timechange" && said.moment_ms === 20000));
    const before = (await heard(page, "decision")).length;
    await page.evaluate(() => say({ rollscope: 1, type: "step", by: 1 }));
    await page.waitForFunction((before) => window.heard.filter((said) => said.type === "decision").length > before, before);
    assert.ok((await state(frame)).moment_ms > 20_000);
    await page.evaluate(() => say({ rollscope: 1, type: "play" }));
    await page.waitForFunction(() => window.heard.some((said) => said.playing === true));
    await page.evaluate(() => say({ rollscope: 1, type: "pause" }));
    await frame.waitForFunction(() => window.rollscope.state().playing === false);
    await page.evaluate(() => say({ rollscope: 1, type: "open", scenario: { rollscope: 1, title: "Given", service: { desiredCount: 3 } } }));
    await frame.waitForFunction(() => window.rollscope.state()?.limits.desired === 3);
    assert.equal(await frame.locator("h1").textContent(), "Given");
  });
});

test("messages of another form, or of another window, change nothing", async () => {
  await withHost(listening + player({ query: "&t=20s" }), async (opened, page) => {
    const frame = await opened.player();
    // Not before hello either.
    await page.evaluate(() => say({ rollscope: 1, type: "seek", ms: 1000 }));
    await page.evaluate(() => say({ rollscope: 1, type: "hello" }));
    await page.waitForFunction(() => window.heard.some((said) => said.type === "ready"));
    const before = await state(frame);
    await page.evaluate(() => {
      const hostile = [null, 0, "play", [], {}, { type: "play" }, { rollscope: "1", type: "play" }, { rollscope: 2, type: "play" },
        { rollscope: 1 }, { rollscope: 1, type: null }, { rollscope: 1, type: "toString" }, { rollscope: 1, type: "__proto__" },
        { rollscope: 1, type: "constructor" }, { rollscope: 1, type: ["play"] === 0 }, { rollscope: 1, type: "seek" },
        { rollscope: 1, type: "seek", ms: "1000" }, { rollscope: 1, type: "seek", ms: NaN }, { rollscope: 1, type: "seek", ms: -1 },
        { rollscope: 1, type: "seek", ms: Infinity }, { rollscope: 1, type: "step" }, { rollscope: 1, type: "step", by: 1e9 },
        { rollscope: 1, type: "open" }, { rollscope: 1, type: "open", scenario: 7 }, { rollscope: 1, type: "open", scenario: null },
        { rollscope: 1, type: "open", scenario: "x".repeat(100000) }, new ArrayBuffer(8), new Map([["rollscope", 1]])];
      hostile.forEach((message) => say(message));
    });
    // A frame beside it is not the page around it.
    await page.evaluate(() => {
      const other = document.createElement("iframe");
      document.body.append(other);
      other.contentWindow.eval("parent.frames[0].postMessage({ rollscope: 1, type: 'seek', ms: 5000 }, '*')");
    });
    await page.waitForTimeout(500);
    assert.deepEqual(await state(frame), before);
  });
});

test("players of one page share what was compiled, also where they are plain frames", async () => {
  const asked = [];
  const watch = async (page) => { page.on("request", (request) => { if (request.url().endsWith(".wasm")) asked.push(request.url()); }); };
  await withHost(player() + player() + player(), async (opened) => {
    for (const frame of opened.players()) await stands(frame);
    assert.equal(asked.length, new Set(asked).size, asked.join("\n"));
    assert.ok(asked.length > 0);
  }, { before: watch, viewport: { width: 1500, height: 1400 } });
});

const element = (attributes) => `<script src="${topUrl()}rollscope-player.js"></script><rollscope-player scenario="${scenario.replaceAll("&", "&amp;")}" ${attributes}></rollscope-player>`;

test("the element has attributes, methods, events and a scenario as an object", async () => {
  await withHost(element('id="one" theme="dark" controls="bar" start="20s"'), async (opened, page) => {
    await page.evaluate(() => {
      window.heard = [];
      const one = document.getElementById("one");
      for (const type of ["ready", "timechange", "decision", "outcome"]) one.addEventListener(type, (event) => heard.push([type, event.detail]));
    });
    await page.frameLocator("rollscope-player iframe").locator("#chart").waitFor();
    const frame = await opened.player();
    await page.waitForFunction(() => window.heard.some(([type]) => type === "outcome"));
    assert.equal((await state(frame)).moment_ms, 20_000);
    assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), "dark");
    assert.equal(await frame.locator("#open-studio").count(), 0);
    assert.ok(await page.evaluate(() => window.heard.some(([type]) => type === "ready")));
    const call = (name, ...given) => page.evaluate(([name, given]) => document.getElementById("one")[name](...given), [name, given]);
    await call("seek", 45_000);
    await frame.waitForFunction(() => window.rollscope.state().moment_ms === 45_000);
    await call("step", -1);
    await frame.waitForFunction(() => window.rollscope.state().moment_ms < 45_000);
    await call("play");
    await frame.waitForFunction(() => window.rollscope.state().playing);
    await call("pause");
    await frame.waitForFunction(() => !window.rollscope.state().playing);
    await page.evaluate(() => { document.getElementById("one").scenario = { rollscope: 1, service: { desiredCount: 5 } }; });
    await frame.waitForFunction(() => window.rollscope.state()?.limits.desired === 5);
    await page.evaluate(() => document.getElementById("one").setAttribute("scenario", "#v1&desired=2"));
    await frame.waitForFunction(() => window.rollscope.state()?.limits.desired === 2);
  });
});

test("two elements with one group have one clock", async () => {
  const two = element('group="a"') + element('group="a"').replace(/<script.*<\/script>/, "").replace("max=150", "max=200");
  await withHost(two, async (opened, page) => {
    await page.frameLocator("rollscope-player >> nth=1 >> iframe").locator("#chart").waitFor();
    const [first, second] = opened.players();
    for (const frame of [first, second]) await stands(frame);
    await page.waitForFunction(() => [...document.querySelectorAll("rollscope-player")].every((one) => one.isReady));
    await page.waitForTimeout(1500);
    // Each has the height it needs, and no more.
    assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll("rollscope-player")].map((one) => one.clientHeight)), [420, 420]);
    await page.evaluate(() => document.querySelector("rollscope-player").seek(30_000));
    const until = async (frame, holds) => {
      for (let tries = 0; tries < 100; tries += 1) {
        const { moment_ms: moment } = await state(frame);
        if (holds(moment)) return;
        await page.waitForTimeout(100);
      }
      assert.fail(`the clock stands at ${(await state(frame)).moment_ms}`);
    };
    await until(second, (moment) => moment === 30_000);
    await second.locator("#play").click();
    await until(first, (moment) => moment > 31_000);
    assert.equal((await state(first)).playing, false);
    await second.locator("#play").click();
    await page.waitForTimeout(600);
    assert.equal((await state(first)).moment_ms, (await state(second)).moment_ms);
  }, { viewport: { width: 900, height: 1100 } });
});

test("an element that is taken out and put in again plays on from its attributes", async () => {
  await withHost(element('id="one"'), async (opened, page) => {
    await page.frameLocator("rollscope-player iframe").locator("#chart").waitFor();
    await page.evaluate(() => { const one = document.getElementById("one"); one.remove(); document.body.append(one); one.seek(20_000); });
    await page.waitForFunction(() => document.getElementById("one").clock.moment_ms === 20_000);
  });
});
