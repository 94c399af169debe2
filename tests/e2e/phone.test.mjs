// On a phone: fingers, sheets over the lower half, and nothing wider than the screen.

import assert from "node:assert/strict";
import { viewports } from "./harness.mjs";
import { HALF, STUCK, at, computed, phone, state, until, visits } from "./run.mjs";

const { visit } = visits();

const bottom = (page, name) => page.getByRole("navigation", { name: "Panels" }).getByRole("button", { name, exact: true });
const THOUSAND = "v1&desired=1000&min=100&max=125";

/** Visible controls that are lower than a finger needs. */
const tooSmall = (page) => page.evaluate(() => [...document.querySelectorAll("button, select, summary, input:not([type=range], [type=checkbox], [type=file])")]
  .filter((element) => element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !element.closest(".only-read, .skips"))
  .map((element) => [element.id || element.ariaLabel || element.textContent.trim().slice(0, 40) || element.className, element.getBoundingClientRect(), element])
  // The frame round a field is its own by a pixel at each side.
  .filter(([, box, element]) => box.height < (element.matches("input") ? 42 : 44) )
  .map(([name, box, element]) => `${element.tagName} ${name}: ${box.width} × ${box.height}`)
  .sort());


async function assertFits(page, place) {
  assert.equal(await page.evaluate(() => innerWidth), viewports.phone.width, place);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewports.phone.width, place);
  const out = await page.evaluate(() => [...document.querySelectorAll(".sheet.open *, .bar *, .top *, .centre > *")]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 1)
    .filter((element) => !element.closest(".only-read, svg, [role=tooltip], .table-frame"))
    .map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 30)}`));
  assert.deepEqual(out, [], place);
}

for (const colorScheme of ["light", "dark"]) {
  for (const [name, fragment] of [["a run", HALF], ["what cannot move", STUCK], ["a thousand tasks", THOUSAND]]) {
    visit(`nothing is wider than the screen and every control is large enough: ${name}, ${colorScheme}`, fragment, { ...phone, colorScheme }, async (page) => {
      await assertFits(page, "at rest");
      assert.deepEqual(await tooSmall(page), []);
    });
  }
}

visit("sheets open and close by tap, and the stage stays in sight", HALF, phone, async (page) => {
  const stage = await page.locator("#stage").boundingBox();
  for (const [name, sheet] of [["Why", "#details"], ["Tasks", "#tasks"], ["Events", "#details"], ["API view", "#details"], ["Guards", "#details"]]) {
    await bottom(page, name).tap();
    await page.locator(sheet).waitFor();
    assert.equal(await bottom(page, name).getAttribute("aria-pressed"), "true");
    const box = await page.locator(sheet).boundingBox();
    assert.ok(box.y > viewports.phone.height * 0.4, `${name} covers the lower half`);
    assert.ok((await page.locator("#stage").boundingBox()).y === stage.y, "the page behind stays where it is");
    await assertFits(page, name);
    assert.deepEqual(await tooSmall(page), [], name);
    if (name === "Tasks") await page.locator(sheet).getByRole("button", { name: "Close the panel" }).tap();
    else await bottom(page, name).tap();
    await page.locator(sheet).waitFor({ state: "hidden" });
    assert.equal(await bottom(page, name).getAttribute("aria-pressed"), "false");
  }
  // From one sheet to another without closing it.
  await bottom(page, "Why").tap();
  await bottom(page, "Events").tap();
  await page.locator("#events").waitFor();
  assert.ok(await page.locator("#details").isVisible());
  await page.keyboard.press("Escape");
  await page.locator("#details").waitFor({ state: "hidden" });
});

visit("the verdict opens the settings, which act while the stage is seen", HALF, phone, async (page) => {
  await page.locator(".verdict-line").tap();
  await page.locator("#settings").waitFor();
  await assertFits(page, "settings");
  assert.deepEqual(await tooSmall(page), []);
  await page.getByRole("button", { name: "50/100", exact: true }).tap();
  await until(page, (s) => s.complete && s.limits.floor === 2);
  assert.match(await page.locator(".verdict-line").textContent(), /4 tasks, floor 2, ceiling 4/);
  await page.locator("#settings summary").first().tap();
  await page.locator("#settings details[open] .body").waitFor();
  await assertFits(page, "an open section");
  assert.deepEqual(await tooSmall(page), [], "an open section");
  await page.locator("#settings").getByRole("button", { name: "Close the panel" }).tap();
  await page.locator("#settings").waitFor({ state: "hidden" });
});

visit("a tap chooses a task, and the sheet says what can be done", HALF, phone, async (page) => {
  const stage = await page.locator("#stage").boundingBox();
  await page.touchscreen.tap(stage.x + 40, stage.y + 40);
  await page.waitForFunction(() => document.querySelector("#grid [aria-selected=true]")?.dataset.task === "7·1");
  assert.equal(await page.locator("#tip").count(), 0, "a finger does not hover");
  await bottom(page, "Why").tap();
  await page.locator("#act-kill").tap();
  await until(page, (s) => s.branches === 2);
});

visit("the player by finger: play, steps, a tap on the scrubber", HALF, phone, async (page) => {
  await page.getByRole("button", { name: "Next step" }).tap();
  await at(page, (now) => now > 0);
  await page.locator("#play").tap();
  await until(page, (s) => s.playing);
  await page.locator("#play").tap();
  await until(page, (s) => !s.playing);
  await page.locator("#scrubber").scrollIntoViewIfNeeded();
  const box = await page.locator("#scrubber").boundingBox();
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
  await at(page, (now, s) => now > s.end_ms * 0.3 && now < s.end_ms * 0.7);
  const more = page.locator("#player-more");
  await more.tap();
  await page.getByRole("button", { name: "second", exact: true }).tap();
  assert.deepEqual(await tooSmall(page), [], "the choices of the player");
  await page.keyboard.press("Escape");
});

visit("the menu of the header holds what has no room, and closes by tap", HALF, phone, async (page) => {
  const menu = page.locator("#menu");
  await menu.tap();
  await page.locator("#open-help").waitFor();
  await assertFits(page, "menu");
  assert.deepEqual(await tooSmall(page), [], "menu");
  await page.locator("#open-help").tap();
  await page.getByRole("dialog").waitFor();
  assert.equal(await menu.getAttribute("aria-expanded"), "false");
  await assertFits(page, "help");
  await page.locator("#dialog-close").tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await menu.tap();
  await page.locator("#open-presets").tap();
  assert.deepEqual(await tooSmall(page), [], "examples");
  await page.locator("#preset-all-at-once").tap();
  await until(page, (s) => s?.complete && s.limits.ceiling === 8);
  await computed(page);
  assert.equal((await state(page)).branches, 1);
});

visit("held sideways and on a small phone nothing sticks out and nothing overlaps", HALF, { ...phone, viewport: { width: 360, height: 640 } }, async (page) => {
  for (const [width, height] of [[360, 640], [640, 360], [320, 568]]) {
    await page.setViewportSize({ width, height });
    await page.waitForFunction((wanted) => innerWidth === wanted && document.documentElement.scrollWidth === wanted, width);
    const over = await page.evaluate(() => {
      const seen = [...document.querySelectorAll("#play, .player button, #time, .topbar button, .topbar-title")]
        .filter((element) => element.checkVisibility()).map((element) => [element, element.getBoundingClientRect()]);
      const crossing = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      return seen.flatMap(([one, a], index) => seen.slice(index + 1)
        .filter(([other, b]) => !one.contains(other) && !other.contains(one) && crossing(a, b))
        .map(([other]) => `${one.id || one.className} and ${other.id || other.className}`));
    });
    assert.deepEqual(over, [], `${width} × ${height}`);
  }
});

for (const [width, height] of [[390, 844], [360, 740]]) {
  visit(`stage, caption and scrubber are seen at once: ${width} by ${height}`, HALF, { ...phone, viewport: { width, height } }, async (page) => {
    const bar = await page.locator(".bar").boundingBox();
    for (const part of ["#stage", "#caption", "#scrubber"]) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= bar.y + 1, `${part}: ${box.y} to ${box.y + box.height}`);
    }
    if (height > 800) {
      const chart = await page.locator("#chart").boundingBox();
      assert.ok(chart.y + chart.height <= bar.y, "and the chart");
    }
    assert.match(await page.locator(".verdict-line").textContent(), /It can move: done after \d+:\d\d/);
  });
}

visit("the order of the boxes and the shares of traffic stand apart", "v1&desired=100&min=100&max=125&tg.0.healthCheckIntervalSeconds=10", phone, async (page) => {
  await page.getByRole("button", { name: "Next step" }).tap();
  const [group, shares] = [await page.locator("#group").boundingBox(), await page.locator(".shares").boundingBox()];
  assert.ok(group.y >= shares.y + shares.height || shares.y >= group.y + group.height, `${JSON.stringify([group, shares])}`);
});
