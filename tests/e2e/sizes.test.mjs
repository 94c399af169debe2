// From no task to ten thousand, from a phone's width to a wall, at every pixel ratio.

import assert from "node:assert/strict";
import { HALF, STUCK, at, colours, computed, pixels, repainted, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

/** Elements that stick out of the page to the right. */
const sticksOut = (page) => page.evaluate(() => [...document.querySelectorAll("body *")]
  .filter((element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
  .filter((element) => !element.closest(".only-read, .skips, [role=tooltip], svg"))
  .filter((element) => {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.right <= innerWidth + 1) return false;
    // What scrolls by itself may be wider inside.
    for (let parent = element.parentElement; parent; parent = parent.parentElement) {
      if (getComputedStyle(parent).overflowX !== "visible" && parent.getBoundingClientRect().right <= innerWidth + 1) return false;
    }
    return true;
  })
  .map((element) => `${element.tagName}.${element.className} #${element.id}: ${element.textContent.slice(0, 30)}`));

/** Another size of the window, once the pictures have taken it over. */
async function resize(page, width, height) {
  await page.setViewportSize({ width, height });
  await page.waitForFunction(() => {
    const [frame, stage] = [".stage-frame", "#stage"].map((selector) => document.querySelector(selector).getBoundingClientRect());
    return stage.width > 0 && Math.abs(frame.width - stage.width) <= 2;
  });
}

async function assertFits(page, width, place) {
  // The words beside the pictures of a large run follow in a frame of their own.
  await page.waitForFunction((wide) => document.documentElement.scrollWidth === wide, width, { timeout: 3000 }).catch(() => {});
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${place} scrolls sideways`);
  assert.deepEqual(await sticksOut(page), [], place);
}

for (const [desired, maximum] of [[1000, 125], [5000, 120], [10000, 110]]) {
  visit(`${desired} tasks are computed and drawn`, `v1&desired=${desired}&min=90&max=${maximum}`, async (page) => {
    const { limits, end_ms, outcome } = await state(page);
    assert.deepEqual([limits.ceiling, limits.floor], [desired * maximum / 100, desired * 0.9]);
    assert.ok(end_ms > 100_000);
    assert.equal(outcome, "completed");
    const before = await pixels(page, "#stage");
    await page.locator("#scrubber").focus();
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await at(page, (now) => now > 0);
    await repainted(page, "#stage", before);
    assert.ok(await colours(page, "#stage") > 3, "boxes of several colours");
    assert.ok(await colours(page, "#chart") > 3, "bands of several colours");
    // The table says what the boxes show.
    await page.locator("#counts").waitFor();
    const { counts } = await state(page);
    await page.waitForFunction((total) => {
      const numbers = [...document.querySelectorAll("#counts td")].map((cell) => Number(cell.textContent.replace(/,/g, "")));
      return numbers.reduce((sum, n) => sum + n, 0) === total;
    }, counts.total);
    assert.equal(await page.locator("#grid").count(), 0, "cells are for stages that can be read");
    await page.keyboard.press("End");
    const end = await at(page, (now, s) => now === s.end_ms);
    assert.deepEqual(end.counts.healthy_by_lane, [0, desired, 0]);
  });
}

visit("a far square shows its hundred slots under the pointer", "v1&desired=5000&min=90&max=120", async (page) => {
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.move(stage.x + 40, stage.y + 40);
  const lens = page.locator("#tip canvas");
  await lens.waitFor();
  await page.waitForFunction(() => document.querySelector("#tip canvas").width > 100);
  await repainted(page, "#tip canvas", 0);
  assert.ok(await colours(page, "#tip canvas") > 2);
  // The hand rests while the run moves on.
  const first = await pixels(page, "#tip canvas");
  await page.keyboard.press("End");
  await at(page, (now, s) => now === s.end_ms);
  await repainted(page, "#tip canvas", first);
  await page.mouse.move(5, 5);
  await lens.waitFor({ state: "detached" });
});

visit("a dial of ten thousand tasks: the figures follow at once, the run when the hand rests", "v1&desired=10000&min=90&max=110", async (page) => {
  const slider = page.locator("#slide-maximum");
  for (let press = 0; press < 5; press += 1) await slider.press("ArrowRight");
  assert.match(await page.locator(".ruler").textContent(), /ceiling 11,500/);
  await until(page, (s) => s?.complete && s.limits.ceiling === 11_500);
});

for (const ratio of [1, 1.5, 2, 3]) {
  visit(`at ${ratio} device pixels a pixel every canvas is as sharp as the screen`, HALF, { context: { deviceScaleFactor: ratio } }, async (page) => {
    for (const canvas of ["#strip", "#stage", "#chart", "#scrubber canvas"]) {
      const size = await page.locator(canvas).evaluate((element) => {
        const box = element.getBoundingClientRect();
        return { width: element.width, height: element.height, css: [box.width, box.height] };
      });
      const off = [size.width - size.css[0] * ratio, size.height - size.css[1] * ratio];
      assert.ok(off.every((pixels) => Math.abs(pixels) <= 1), `${canvas}: ${JSON.stringify(size)}`);
      assert.ok(await colours(page, canvas) > 2, `${canvas} is drawn`);
    }
  });
}

visit("at every width nothing sticks out, and the pictures are as wide as their place", HALF, async (page) => {
  for (const [width, height] of [[320, 640], [360, 740], [720, 450], [800, 900], [900, 700], [1024, 768], [1179, 800], [1180, 720], [1280, 720], [1440, 900], [1920, 1080], [3840, 2160]]) {
    await resize(page, width, height);
    await assertFits(page, width, `${width} × ${height}`);
  }
});

for (const [name, fragment] of [["what cannot move", STUCK], ["a thousand tasks", "v1&title=a-title-that-is-rather-long-for-a-phone&desired=1000&min=100&max=125"]]) {
  visit(`nothing sticks out: ${name}`, fragment, async (page) => {
    for (const [width, height] of [[320, 640], [720, 450], [900, 700], [1180, 720], [3840, 2160]]) {
      await resize(page, width, height);
      await assertFits(page, width, `${width} × ${height}`);
    }
  });
}

// Tasks at rest and while they are replaced; the first sentence is the longest.
const FITS = ["desired=1&min=100&max=200", "desired=4&min=100&max=200", "desired=10&min=100&max=200", "desired=12&min=100&max=200",
  "desired=100&min=100&max=160", "desired=1000&min=100&max=125", "desired=2000&min=100&max=125", "desired=10000&min=100&max=200"];
for (const [width, height] of [[1440, 900], [1280, 720], [1920, 1080]]) {
  visit(`at ${width} × ${height} stage, timeline and player are seen whole, whatever the number of tasks`, HALF, { viewport: { width, height } }, async (page) => {
    for (const settings of FITS) {
      await page.evaluate((fragment) => { location.hash = fragment; }, `v1&${settings}`);
      await until(page, (s) => s?.complete && s.limits.desired === Number(/=(\d+)/.exec(settings)[1]));
      // What is measured is measured once the pictures have taken their sizes.
      const whole = () => page.waitForFunction(() => {
        const box = (selector) => document.querySelector(selector).getBoundingClientRect();
        const [body, strip, chart, scrubber, player] = [".centre-body", "#strip", "#chart", "#scrubber", ".player"].map(box);
        const lies = (upper, lower) => upper.bottom <= lower.top + 1;
        return strip.top >= body.top && lies(chart, scrubber) && lies(scrubber, player) && player.bottom <= innerHeight
          && document.querySelector(".centre-body").scrollTop === 0;
      });
      await whole();
      await stepOn(page);
      await whole();
    }
  });
}

visit("the longest times stand beside the choices of the player at every width", "v1&desired=4&min=100&max=150&t.start_up=90h&t.pull=20h", async (page) => {
  await page.keyboard.press("End");
  await at(page, (now, s) => now > 0 && now === s.end_ms);
  for (const width of [320, 360, 390, 720, 900, 1019, 1179, 1180, 1280, 1400, 1440]) {
    await resize(page, width, 800);
    const [face, more] = [await page.locator(".clock-face").boundingBox(), await page.locator(".player-more").boundingBox()];
    const moves = await page.locator(".moves").boundingBox();
    assert.ok(moves.x + moves.width <= face.x && face.x + face.width <= more.x + 0.5, `${width}: ${JSON.stringify([moves, face, more])}`);
    const cut = await page.locator(".clock-face").evaluate((element) => element.scrollWidth - element.clientWidth);
    assert.ok(cut <= 0, `${width}: ${cut} pixels are cut`);
  }
});

visit("tasks that find no row of their own share one, and every one of nine to 24 slots can be pointed at", "v1&desired=12&min=100&max=200", { viewport: { width: 1280, height: 720 } }, async (page) => {
  const chart = await page.locator("#chart").boundingBox();
  const seen = new Set();
  for (let y = chart.height - 3; y > chart.height - 50; y -= 6) {
    await page.mouse.move(chart.x + chart.width / 2, chart.y + y);
    await page.locator("#tip").waitFor();
    seen.add((await page.locator("#tip").textContent()).split(" ")[0]);
  }
  for (const task of ["7·1", "8·1"]) assert.ok(seen.has(task), `${task} in ${[...seen]}`);
});

visit("three columns, two, and one with the settings behind a button", HALF, { viewport: { width: 1180, height: 800 } }, async (page) => {
  const place = async (selector) => page.locator(selector).boundingBox();
  const [settings, stage, details] = [await place("#settings"), await place("#stage"), await place("#details")];
  assert.ok(settings.x + settings.width <= stage.x && stage.x + stage.width <= details.x, "beside each other");
  await page.setViewportSize({ width: 1000, height: 800 });
  await page.waitForFunction(() => document.getElementById("details").getBoundingClientRect().top >= document.getElementById("stage").getBoundingClientRect().bottom);
  assert.ok((await place("#settings")).x < (await place("#stage")).x);
  await page.setViewportSize({ width: 800, height: 800 });
  await page.locator("#settings").waitFor({ state: "hidden" });
  const open = page.locator(".verdict-line");
  await open.click();
  await page.locator("#settings").waitFor();
  await page.getByRole("button", { name: "One task more" }).click();
  await until(page, (s) => s.limits.desired === 5);
  await page.locator("#settings").getByRole("button", { name: "Close the panel" }).click();
  await page.locator("#settings").waitFor({ state: "hidden" });
  await open.press("Enter");
  await page.locator("#settings").waitFor();
  await page.keyboard.press("Escape");
  await page.locator("#settings").waitFor({ state: "hidden" });
  await computed(page);
});

visit("where the bar is narrow the choices of the player wait behind a button", HALF, { viewport: { width: 720, height: 900 } }, async (page) => {
  const more = page.locator("#player-more");
  if (await more.isVisible()) {
    await more.click();
    await page.getByRole("button", { name: "second", exact: true }).click();
    await page.keyboard.press("Escape");
  } else {
    await page.getByRole("button", { name: "second", exact: true }).click();
  }
  await page.getByRole("button", { name: "Next step" }).click();
  await at(page, 1000);
});

visit("in forced colours the page works, and what is chosen can be seen", HALF, { context: { forcedColors: "active" } }, async (page) => {
  await stepOn(page, 2);
  for (const canvas of ["#stage", "#chart"]) assert.ok(await colours(page, canvas) > 2, canvas);
  const unlike = await page.evaluate(() => {
    const looks = (style) => [style.content, style.outlineStyle, style.outlineWidth, style.backgroundColor, style.borderColor].join();
    const look = (element) => looks(getComputedStyle(element)) + looks(getComputedStyle(element, "::after"));
    return [".chips button", "[role=tab]"].filter((selector) => {
      const all = [...document.querySelectorAll(selector)];
      const is = (element) => element.ariaPressed === "true" || element.ariaSelected === "true";
      return look(all.find(is)) === look(all.find((element) => !is(element)));
    });
  });
  assert.deepEqual(unlike, []);
  await page.getByRole("button", { name: "100/200", exact: true }).click();
  await until(page, (s) => s.limits.ceiling === 8 && s.complete);
});
