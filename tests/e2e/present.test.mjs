// Presenting: the pictures alone, large, by the keys of a remote control.

import assert from "node:assert/strict";
import { state, visits } from "./run.mjs";
import { scenario } from "./host.mjs";
import { viewports } from "./harness.mjs";

const { visit } = visits();
const projector = { viewport: viewports.laptop };
const step = (page) => page.locator("#present-step").textContent();

async function present(page) {
  await page.locator("#present").click();
  await page.locator(".presenting").waitFor();
}

visit("everything is large enough for the last row, and nothing is cut off", scenario, projector, async (page) => {
  await present(page);
  await page.waitForTimeout(300);
  const found = await page.evaluate(() => {
    const seen = [];
    const walk = document.createTreeWalker(document.querySelector(".presenting"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const { parentElement: of, textContent } = walk.currentNode;
      if (!textContent.trim() || !of.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const box = of.getBoundingClientRect();
      if (box.width < 2 || of.closest(".only-read, [role=grid], .bar")) continue;
      seen.push([textContent.trim(), parseFloat(getComputedStyle(of).fontSize) * of.currentCSSZoom, box.right, box.bottom]);
    }
    const rect = (id) => document.getElementById(id).getBoundingClientRect();
    return { seen, caption: parseFloat(getComputedStyle(document.getElementById("caption")).fontSize) * document.getElementById("caption").currentCSSZoom,
      below: rect("caption").top - rect("scrubber").bottom, chart: rect("chart").height, stage: rect("stage").width, sharp: document.getElementById("stage").width / rect("stage").width,
      bottom: rect("caption").bottom, page: [document.documentElement.scrollWidth, document.documentElement.scrollHeight] };
  });
  assert.ok(found.seen.length > 5);
  assert.deepEqual(found.seen.filter(([, size]) => size < 18), []);
  assert.deepEqual(found.seen.filter(([, , right, bottom]) => right > 1281 || bottom > 721), []);
  assert.ok(found.caption >= 27, `${found.caption}`);
  assert.ok(found.chart > 180 && found.stage > 1100, JSON.stringify(found));
  // The pictures have the pixels of the screen.
  assert.ok(Math.abs(found.sharp - 1) < 0.02, `${found.sharp}`);
  assert.ok(found.bottom <= 720 && found.below >= 0, `the sentence begins ${found.below} below the scrubber`);
  assert.deepEqual(found.page, [1280, 720]);
});

visit("a remote control goes from step to step, plays to the next one, and blanks the screen", scenario, projector, async (page) => {
  await page.locator("body").press("p");
  await page.locator(".presenting").waitFor();
  const first = await step(page);
  await page.keyboard.press("PageDown");
  const second = (await state(page)).moment_ms;
  assert.ok(second > 0);
  assert.notEqual(await step(page), first);
  await page.keyboard.press("PageDown");
  const third = (await state(page)).moment_ms;
  await page.keyboard.press("PageUp");
  assert.equal((await state(page)).moment_ms, second);
  // Playing pauses by itself where the next step is.
  await page.keyboard.press(".");
  assert.equal((await state(page)).playing, true);
  await page.waitForFunction(() => window.rollscope.state().playing === false);
  assert.equal((await state(page)).moment_ms, third);
  await page.keyboard.press("b");
  await page.locator("#blank").waitFor();
  const black = await page.evaluate(() => { const { width, height } = document.getElementById("blank").getBoundingClientRect(); return width >= innerWidth && height >= innerHeight; });
  assert.ok(black);
  await page.keyboard.press("b");
  await page.locator("#blank").waitFor({ state: "detached" });
});

visit("the pointer hides when it rests, and shows the player when it moves", scenario, projector, async (page) => {
  await page.locator("body").press("p");
  await page.mouse.move(300, 300);
  await page.locator(".presenting.at-rest").waitFor({ timeout: 6000 });
  await page.waitForFunction(() => Number(getComputedStyle(document.querySelector(".bar.player")).opacity) === 0);
  await page.mouse.move(340, 320);
  await page.locator(".presenting:not(.at-rest)").waitFor();
  await page.locator("#play").click();
  assert.equal((await state(page)).playing, true);
});

visit("a pointer finds the task and the moment that it is on", scenario, projector, async (page) => {
  await page.locator("body").press("p");
  await page.locator(".presenting").waitFor();
  await page.waitForTimeout(200);
  const track = await page.locator("#scrubber").boundingBox();
  const to = async (part) => {
    await page.mouse.click(track.x + track.width * part, track.y + 8);
    return (await state(page)).moment_ms;
  };
  const [early, late] = [await to(0.3), await to(0.6)];
  const { end_ms: end } = await state(page);
  assert.ok(early > 0.15 * end && early < 0.4 * end, `${early} of ${end}`);
  assert.ok(late > 0.45 * end && late < 0.75 * end, `${late} of ${end}`);
});

visit("leaving brings the Studio back at the same moment", scenario, projector, async (page) => {
  const before = await page.evaluate(() => document.getElementById("stage").getBoundingClientRect().width);
  await present(page);
  await page.keyboard.press("PageDown");
  const { moment_ms: moment } = await state(page);
  await page.keyboard.press("p");
  await page.locator(".presenting").waitFor({ state: "detached" });
  await page.waitForTimeout(300);
  assert.equal((await state(page)).moment_ms, moment);
  assert.equal(await page.evaluate(() => document.getElementById("stage").getBoundingClientRect().width), before);
  assert.ok(await page.locator("#settings").isVisible());
});
