// The player: what it shows at rest, plays, steps and seeks, by the pointer and by keys.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HALF, addressHas, at, clock, clockMs, computed, drag, focused, holdFrames, state, stepOn, until, visits } from "./run.mjs";

const { visit, open } = visits();

const button = (page, name) => page.getByRole("group", { name: "Player" }).getByRole("button", { name, exact: true });
const scrubber = (page) => page.getByRole("slider", { name: "Moment of the run" });

visit("a link opens its scenario, with the whole run computed at rest", HALF, async (page) => {
  const now = await state(page);
  assert.deepEqual([now.limits.desired, now.limits.floor, now.limits.ceiling], [4, 4, 6]);
  assert.equal(now.moment_ms, 0);
  assert.equal(now.outcome, "completed");
  assert.equal(now.playing, false);
  assert.ok(now.completed_at_ms > 0);
  assert.equal(await page.locator("h1").textContent(), "half");
  await page.locator("#verdict").getByText("It can move").waitFor();
  // The five figures are complete before anyone plays.
  const figures = await page.locator(".figures li").allTextContents();
  assert.equal(figures.length, 5);
  assert.deepEqual(figures.filter((text) => /…|computing/.test(text)), []);
  // Nothing to go back to.
  for (const name of ["To the start", "Previous step"]) assert.ok(await button(page, name).isDisabled(), name);
  assert.ok(await button(page, "Next step").isEnabled());
});

visit("play goes to the end and stops there, and starts over from there", HALF, async (page) => {
  const play = page.locator("#play");
  assert.equal(await play.getAttribute("aria-label"), "Play");
  await play.click();
  await until(page, (s) => s.playing);
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = await until(page, (s) => !s.playing);
  assert.ok(paused.moment_ms < paused.end_ms, "it stopped on the way");
  await page.keyboard.press("End");
  const end = await at(page, (moment, s) => moment === s.end_ms);
  assert.deepEqual(end.counts.healthy_by_lane, [0, 4, 0]);
  assert.ok(await button(page, "Next step").isDisabled());
  // From the end it starts over; as fast as it goes it is there again.
  await play.click();
  await until(page, (s) => s.playing && s.moment_ms < s.end_ms);
  await page.locator("#speed").click();
  await page.locator("#speed-slider").press("End");
  await until(page, (s) => !s.playing && s.moment_ms === s.end_ms);
  assert.equal(await play.getAttribute("aria-label"), "Play");
});

visit("steps go on and back, and the same moment is the same state", HALF, async (page) => {
  const seen = [await state(page)];
  for (let step = 0; step < 3; step += 1) seen.push(await stepOn(page));
  for (let step = 2; step >= 0; step -= 1) {
    await (step % 2 ? page.keyboard.press("ArrowLeft") : button(page, "Previous step").click());
    await at(page, seen[step].moment_ms);
    assert.deepEqual(await state(page), seen[step]);
  }
  await button(page, "To the end").click();
  await at(page, (moment, s) => moment === s.end_ms);
  await button(page, "To the start").click();
  await at(page, 0);
});

visit("a step is a decision, an event or a second", HALF, async (page) => {
  const units = page.getByRole("group", { name: "Step by" });
  const unit = (name) => units.getByRole("button", { name, exact: true });
  const stepped = async (name) => {
    await page.keyboard.press("Home");
    await at(page, 0);
    await unit(name).click();
    assert.equal(await unit(name).getAttribute("aria-pressed"), "true");
    return (await stepOn(page)).moment_ms;
  };
  const [decision, event, second] = [await stepped("decision"), await stepped("event"), await stepped("second")];
  assert.equal(second, 1000);
  assert.ok(event <= decision, "a decision is an event");
  // The keyboard chooses as well, and the number of steps follows.
  const steps = await scrubber(page).getAttribute("aria-valuetext");
  await unit("event").focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction((before) => document.getElementById("scrubber").ariaValueText !== before, steps);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  await at(page, event);
});

visit("the speed is set by slider, choice and arrow keys", HALF, async (page) => {
  const speed = page.locator("#speed");
  const says = (text) => page.waitForFunction((wanted) => document.getElementById("speed").textContent.trim() === wanted, text);
  await says("fit 20 s");
  await speed.click();
  assert.equal(await speed.getAttribute("aria-expanded"), "true");
  const slider = page.locator("#speed-slider");
  await slider.fill("0");
  await says("1×");
  await slider.press("End");
  await says("10,000×");
  assert.equal(await slider.getAttribute("aria-valuetext"), "10,000×");
  await slider.press("ArrowLeft");
  await says("8,000×");
  const box = await slider.boundingBox();
  await page.mouse.click(box.x + 2, box.y + box.height / 2);
  await says("1×");
  // A choice closes the panel and gives the keyboard back to the button.
  await page.getByRole("button", { name: "one decision per second" }).click();
  await says("1 decision/s");
  assert.equal(await speed.getAttribute("aria-expanded"), "false");
  await focused(page, "#speed");
  // All of it by keys.
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "fit to 20 s" }).focus();
  await page.keyboard.press("Space");
  await says("fit 20 s");
  await page.keyboard.press("Enter");
  assert.equal(await speed.getAttribute("aria-expanded"), "true");
  await page.keyboard.press("Escape");
  assert.equal(await speed.getAttribute("aria-expanded"), "false");
  await focused(page, "#speed");
  await page.keyboard.press("ArrowUp");
  await says("50×");
  await page.keyboard.press("ArrowDown");
  await says("20×");
  // A click elsewhere closes it too.
  await speed.click();
  await page.locator("h1").click({ force: true });
  await page.waitForFunction(() => document.getElementById("speed").ariaExpanded === "false");
});

visit("a time that is typed leads there, by click and by G", HALF, async (page) => {
  await page.locator("#time button").click();
  await focused(page, "#go-to");
  await page.keyboard.type("0:30");
  await page.keyboard.press("Enter");
  await at(page, 30_000);
  await focused(page, "#time button");
  assert.match(await clock(page), /^0:30/);
  await page.locator("h1").click();
  await page.keyboard.press("g");
  await focused(page, "#go-to");
  await page.keyboard.type("45");
  await page.keyboard.press("Escape");
  await focused(page, "#time button");
  assert.equal((await state(page)).moment_ms, 30_000, "Escape goes nowhere");
  await page.keyboard.press("g");
  await focused(page, "#go-to");
  await page.keyboard.type("soon");
  await page.keyboard.press("Enter");
  const note = page.locator(".note").filter({ hasText: "“soon” is not a time" });
  await note.waitFor();
  assert.equal((await state(page)).moment_ms, 30_000);
  await note.getByRole("button", { name: "Close" }).click();
  await note.waitFor({ state: "detached" });
});

visit("the scrubber is clicked and dragged, also beyond its edge", HALF, async (page) => {
  const box = await page.locator("#scrubber").boundingBox();
  const y = box.y + box.height / 2;
  await page.mouse.click(box.x + box.width / 2, y);
  await at(page, (moment, s) => moment > s.end_ms * 0.3 && moment < s.end_ms * 0.7);
  // Captured: the pointer leaves the scrubber and still moves the cursor.
  await drag(page, { x: box.x + box.width / 2, y }, { x: box.x + box.width * 0.7, y: y - 300 });
  const dragged = await at(page, (moment, s) => moment > s.end_ms * 0.6);
  await page.mouse.move(box.x - 200, y - 300, { steps: 4 });
  await at(page, 0);
  await page.mouse.move(box.x + box.width + 200, y - 300, { steps: 4 });
  await at(page, (moment, s) => moment === s.end_ms);
  await page.mouse.up();
  await page.mouse.move(box.x + box.width * 0.3, y, { steps: 4 });
  const after = await state(page);
  assert.equal(after.moment_ms, after.end_ms, "let go, it moves nothing");
  assert.ok(dragged.moment_ms < after.end_ms);
});

visit("the scrubber is a slider for keys", HALF, async (page) => {
  await page.locator("#scrubber").focus();
  await page.keyboard.press("End");
  const end = (await at(page, (moment, s) => moment === s.end_ms)).end_ms;
  const slider = scrubber(page);
  assert.equal(await slider.getAttribute("aria-valuemin"), "0");
  assert.equal(await slider.getAttribute("aria-valuemax"), String(end));
  await page.waitForFunction((max) => document.getElementById("scrubber").ariaValueNow === max, String(end));
  assert.match(await slider.getAttribute("aria-valuetext"), /^(\d+ (hour|minute|second)s? ?)+ of .*, step (\d+) of \3$/);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("PageDown");
  const tenth = await at(page, (moment) => moment > 0);
  assert.ok(Math.abs(tenth.moment_ms - end / 10) <= 1);
  await page.keyboard.press("PageUp");
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  await at(page, (moment) => moment > 0);
});

visit("figures, verdict and waits lead to their moments", HALF, async (page) => {
  const figures = page.locator(".figures button");
  assert.equal(await figures.count(), 5, "every figure has its moment");
  for (const figure of await figures.all()) {
    const moment = clockMs((await figure.getAttribute("title")).replace("Go to ", ""));
    await figure.click();
    await at(page, (now) => Math.abs(now - moment) < 1000);
  }
  const { completed_at_ms } = await state(page);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.locator(".figures button").filter({ hasText: "Done after" }).press("Enter");
  await at(page, completed_at_ms);
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.locator("#verdict").getByRole("button", { name: "Go to the moment that decides it" }).click();
  await at(page, completed_at_ms);
  await page.keyboard.press("Home");
  await at(page, 0);
  const wait = page.locator(".waits button").first();
  const moment = clockMs(await wait.textContent());
  await wait.click();
  await at(page, (now) => Math.abs(now - moment) < 1000 && now > 0);
});

visit("where the time goes: each part leads to its longest stretch", HALF, async (page) => {
  const parts = page.locator("#time-of-deployment button");
  assert.ok(await parts.count() >= 2);
  const shares = (await page.locator("#time-of-deployment li strong").allTextContents()).map((text) => parseInt(text, 10));
  assert.equal(shares.reduce((sum, part) => sum + part, 0), 100);
  for (const part of await parts.all()) {
    await page.keyboard.press("End");
    await at(page, (moment, s) => moment === s.end_ms);
    await part.click();
    await at(page, (moment, s) => moment < s.end_ms);
  }
});

visit("one sentence is spoken a step, the last one after a run of steps, and none while it plays fast", HALF, async (page) => {
  assert.equal(await page.locator("#spoken").getAttribute("role"), "status");
  await page.evaluate(() => {
    const region = document.getElementById("spoken");
    window.spoken = [];
    new MutationObserver(() => {
      if (window.spoken.at(-1) !== region.textContent) window.spoken.push(region.textContent);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  });
  for (let step = 1; step <= 4; step += 1) {
    await stepOn(page);
    await page.waitForFunction((n) => window.spoken.length >= n, step);
    const spoken = await page.evaluate(() => window.spoken);
    assert.equal(spoken.length, step, `one more at each step: ${JSON.stringify(spoken)}`);
    assert.match(spoken.at(-1), /^\S.+\.$/);
  }
  // A cursor that is dragged is told of where it comes to rest.
  const box = await page.locator("#scrubber").boundingBox();
  const y = box.y + box.height / 2;
  await drag(page, { x: box.x + box.width * 0.9, y }, { x: box.x, y }, 12);
  await page.mouse.up();
  await at(page, 0);
  const sentence = await page.locator("#caption span").last().textContent();
  await page.waitForFunction((text) => window.spoken.at(-1) === text.trim(), sentence);
  assert.ok(await page.evaluate(() => window.spoken.length) <= 6, "not of each moment on the way");
  await page.locator("#play").click();
  await until(page, (s) => s.playing && s.moment_ms > 0);
  const before = await page.evaluate(() => window.spoken.length);
  await page.locator("#speed").click();
  await page.locator("#speed-slider").press("End");
  await until(page, (s) => !s.playing && s.moment_ms >= s.end_ms);
  await page.waitForFunction((n) => window.spoken.length > n, before);
  assert.equal(await page.evaluate(() => window.spoken.length), before + 1, "only the end");
});

visit("the address follows the cursor, and the tab of the browser is not filled with entries", HALF, async (page) => {
  const entries = await page.evaluate(() => history.length);
  await stepOn(page, 2);
  await addressHas(page, "at=");
  assert.equal(await page.evaluate(() => history.length), entries);
  await computed(page);
});

visit("a second deployment during the first: title, time account and tables know all three revisions",
  `${HALF}&acts.0.at=30s&acts.0.do=deploy&acts.0.revision=9`, async (page) => {
    const chips = page.locator(".title-revisions .revision");
    assert.deepEqual(await chips.allTextContents(), ["r7", "r8", "r9"], "at rest, before any of it is deployed");
    const { completed_at_ms } = await state(page);
    await page.locator("#verdict").getByRole("button", { name: "Go to the moment that decides it" }).click();
    await at(page, completed_at_ms);
    assert.match(await page.locator("#time-of-deployment h3").textContent(), /^Where the \d+:\d\d of r9 go, from 0:30 on$/);
    await page.locator(".chart-table summary").press("Enter");
    await page.locator(".chart-table tbody tr").first().waitFor();
    const heads = await page.locator(".chart-table th[scope=col]").allTextContents();
    assert.deepEqual(heads.slice(1, 4), ["r9 healthy", "r8 healthy", "r7 healthy"]);
    const last = await page.locator(".chart-table tbody tr").last().locator("td").allTextContents();
    assert.deepEqual(last.slice(0, 5), ["4", "0", "0", "0", "4"]);
    await page.locator("#chart").hover();
    await page.locator("#readout", { hasText: /healthy \d r9, \d r8, \d r7; not serving/ }).waitFor();
  });

/** Every new task fails its checks, so it goes on until it is cut off. */
const ENDLESS = `${HALF}&new.fate=never_passes&tg.0=(:)`;

visit("a run that is cut off ends where the notice says, and every part of the page says the same", `${ENDLESS}&until=2h`, async (page) => {
  const now = await state(page);
  assert.deepEqual([now.outcome, now.cut_off_by, now.end_ms], ["in_progress", "until", 7_200_000]);
  assert.ok(now.last_change_at_ms < now.end_ms, "nothing happens at the very end");
  assert.match(await page.locator("#cut-off").textContent(), /^This run stops at 2:00:00\./);
  assert.match(await clock(page), /^0:00 of 2:00:00/);
  assert.equal(await scrubber(page).getAttribute("aria-valuemax"), "7200000");
  await page.keyboard.press("End");
  await at(page, 7_200_000);
  await page.locator("#caption").getByText("Not done after 2 hours (the end the scenario sets)").waitFor();
  await page.locator(".title-row").getByText("r8 IN_PROGRESS").waitFor();
  assert.ok(await button(page, "To the end").isDisabled());
});

for (const [name, press, follows] of [
  ["the end is followed while the run is computed", ["End"], true],
  ["a step while the end is followed ends that", ["End", "ArrowLeft"], false],
]) {
  test(name, async () => {
    const opened = await open(ENDLESS, { before: holdFrames });
    try {
      const { page } = opened;
      // Not by `settled`, which looks at each frame of the page.
      const before = await until(page, (s) => s !== null);
      assert.equal(before.complete, false, "most of it is still to be computed");
      for (const key of press) await page.keyboard.press(key);
      const there = await at(page, (moment) => (follows ? moment > 0 : moment < before.end_ms));
      await page.evaluate(() => window.letFrames());
      const end = await computed(page);
      if (follows) {
        await at(page, end.end_ms);
        await page.waitForFunction(() => /^24:00:00 of 24:00:00(?! …)/.test(document.getElementById("time").textContent));
      } else {
        assert.equal(end.moment_ms, there.moment_ms);
      }
      opened.assertClean();
    } finally {
      await opened.close();
    }
  });
}
