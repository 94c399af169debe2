// The page from the link to the end of a run, as a visitor uses it.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, viewports } from "./harness.mjs";

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

/** A link written by hand: no length, no checksum. */
const HALF = "v1&title=half&desired=4&min=100&max=150";
const STUCK = "v1&title=one&desired=1&min=100&max=150";

/** Opens the page and waits until the run is computed. */
async function openRun(fragment = "", options = {}) {
  const opened = await openPage(browser, fragment, options);
  await opened.settled();
  await opened.page.waitForFunction(() => window.rollscope?.state()?.complete);
  return opened;
}

const state = (page) => page.evaluate(() => window.rollscope.state());

/** Waits until the run's state satisfies a condition; the policy forbids to evaluate it in the page. */
async function until(page, condition) {
  const deadline = Date.now() + 30_000;
  let last;
  while (Date.now() < deadline) {
    last = await state(page);
    if (condition(last)) return;
    await page.waitForTimeout(20);
  }
  assert.fail(`never came to ${condition}; last: ${JSON.stringify(last)}`);
}

/** The text of the address's fragment contains this, once the page has written it. */
const addressHas = (page, text) => page.waitForFunction((part) => location.hash.includes(part), text);

test("a link opens its scenario, with the whole run computed at rest", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const now = await state(page);
  assert.deepEqual([now.limits.desired, now.limits.floor, now.limits.ceiling], [4, 4, 6]);
  assert.equal(now.moment_ms, 0);
  assert.equal(now.outcome, "completed");
  assert.ok(now.completed_at_ms > 0);
  assert.equal(await page.locator("h1").textContent(), "half");
  await page.locator("#verdict").getByText("It can move").waitFor();
  opened.assertClean();
  await opened.close();
});

test("play goes to the end and stops there", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.locator("#speed").selectOption({ label: "600×" });
  await page.locator("#play").click();
  await until(page, (s) => s.playing || s.moment_ms > 0);
  await until(page, (s) => !s.playing && s.moment_ms >= s.end_ms);
  const end = await state(page);
  assert.deepEqual(end.counts.healthy_by_lane, [0, 4, 0]);
  await page.getByText("r8 COMPLETED").waitFor();
  opened.assertClean();
  await opened.close();
});

test("steps go on and back, and the same moment is the same state", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const seen = [await state(page)];
  for (let step = 0; step < 3; step += 1) {
    await page.getByRole("button", { name: "Next step" }).click();
    await until(page, (s) => s.moment_ms > seen.at(-1).moment_ms);
    seen.push(await state(page));
  }
  for (let step = 2; step >= 0; step -= 1) {
    await page.keyboard.press("ArrowLeft");
    await until(page, (s) => s.moment_ms === seen[step].moment_ms);
    assert.deepEqual(await state(page), seen[step]);
  }
  opened.assertClean();
  await opened.close();
});

test("the scrubber seeks by pointer and by keys", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const box = await page.locator("#scrubber").boundingBox();
  await page.mouse.click(box.x + box.width / 2, box.y + 12);
  await until(page, (s) => s.moment_ms > s.end_ms * 0.3 && s.moment_ms < s.end_ms * 0.7);
  await page.locator("#scrubber").focus();
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  const slider = page.getByRole("slider", { name: "Moment of the run" });
  assert.match(await slider.getAttribute("aria-valuetext"), /\d+ (second|minute)s? .*of/);
  await page.keyboard.press("Home");
  await until(page, (s) => s.moment_ms === 0);
  await page.keyboard.press("PageDown");
  await until(page, (s) => s.moment_ms > 0);
  opened.assertClean();
  await opened.close();
});

test("a line of the event list leads to its moment", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.locator("#tab-events").click();
  const line = page.locator("#events button").filter({ hasText: "is healthy" }).first();
  await line.click();
  await until(page, (s) => s.moment_ms > 0);
  const now = page.locator("#events [aria-current]");
  assert.equal(await now.count(), 1);
  await page.keyboard.press("Home");
  await until(page, (s) => s.moment_ms === 0);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  await page.waitForFunction(() => {
    const line = document.querySelector("#events [aria-current]").getBoundingClientRect();
    return line.top >= 0 && line.bottom <= innerHeight;
  });
  opened.assertClean();
  await opened.close();
});

test("the address holds settings and moment: reload shows the same", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.getByRole("button", { name: "One task more" }).click();
  await until(page, (s) => s.limits.desired === 5 && s.complete);
  await page.getByRole("button", { name: "Next step" }).click();
  await until(page, (s) => s.moment_ms > 0);
  await addressHas(page, "at=");
  const before = await state(page);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  await page.waitForFunction(() => window.rollscope?.state()?.complete);
  assert.deepEqual(await state(page), before);
  opened.assertClean();
  await opened.close();
});

test("back leads to the scenario before, and forward to the next", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  assert.deepEqual(await page.evaluate(() => window.rollscope.open({ service: { desiredCount: 7 } })), []);
  await until(page, (s) => s.limits.desired === 7 && s.complete);
  await page.goBack();
  await until(page, (s) => s.limits.desired === 4 && s.complete);
  await page.goForward();
  await until(page, (s) => s.limits.desired === 7 && s.complete);
  opened.assertClean();
  await opened.close();
});

test("a setting that is refused keeps its text, and the run stays", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const field = page.getByLabel("Maximum", { exact: true });
  await field.fill("many");
  await page.locator(".problem").first().waitFor();
  assert.equal(await field.inputValue(), "many");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal((await state(page)).limits.ceiling, 6);
  await page.getByText("This is from before").waitFor();
  await field.fill("200");
  await until(page, (s) => s.limits.ceiling === 8);
  assert.equal(await page.locator(".problem").count(), 0);
  await page.getByRole("button", { name: "Undo" }).click();
  await until(page, (s) => s.limits.ceiling === 6);
  opened.assertClean();
  await opened.close();
});

test("what cannot move says so and offers the smallest changes", async () => {
  const opened = await openRun(STUCK);
  const { page } = opened;
  assert.equal((await state(page)).outcome, "stuck");
  await page.locator("#verdict").getByText("It cannot move").waitFor();
  await page.getByRole("button", { name: "Try it: Maximum 200 %" }).click();
  await until(page, (s) => s.complete && s.outcome === "completed");
  assert.equal((await state(page)).limits.ceiling, 2);
  opened.assertClean();
  await opened.close();
});

test("a task that is killed at the cursor branches the run, and undo takes it back", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const before = await state(page);
  // The first card of the stage.
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  await page.locator("#act-kill").click();
  await until(page, (s) => s.branches === 2 && s.complete);
  const after = await state(page);
  assert.ok(after.lowest_healthy < before.lowest_healthy, "a task is lost");
  await addressHas(page, "acts");
  await page.getByRole("button", { name: "Undo" }).click();
  await until(page, (s) => s.branches === 1 && s.complete);
  assert.deepEqual(await state(page), before);
  opened.assertClean();
  await opened.close();
});

test("an act made by hand and the same act from the link give the same run", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.getByRole("button", { name: "Next step" }).click();
  await until(page, (s) => s.moment_ms > 0);
  await page.locator("#acts-title").click();
  await page.locator("#act-desired").fill("6");
  await page.locator("#act-desired").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete);
  await addressHas(page, "acts");
  const { branches: byHand, ...before } = await state(page);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  await page.waitForFunction(() => window.rollscope?.state()?.complete);
  const { branches: fromLink, ...again } = await state(page);
  assert.deepEqual([byHand, fromLink], [2, 1]);
  assert.deepEqual(again, before);
  opened.assertClean();
  await opened.close();
});

test("a described service is pasted, one of two is chosen by name", async () => {
  const opened = await openRun();
  const { page } = opened;
  const service = (name, desired, maximum) => ({
    serviceName: name,
    desiredCount: desired,
    deploymentConfiguration: { maximumPercent: maximum, minimumHealthyPercent: 100 },
  });
  const text = JSON.stringify({ services: [service("web", 9, 150), service("api", 3, 200)] }, null, 2);
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(text);
  await page.locator("#paste-read").click();
  await page.locator("#paste-services").getByRole("button", { name: "api" }).click();
  const row = page.locator("#paste-rows tr").filter({ hasText: "desiredCount" });
  assert.match(await row.textContent(), /3given, line \d+/);
  assert.equal(await page.locator("#paste-text").inputValue(), text, "the text stays");
  await page.locator("#paste-open").click();
  await until(page, (s) => s.limits.desired === 3 && s.limits.ceiling === 6 && s.complete);
  await page.goBack();
  await until(page, (s) => s.limits.desired === 4);
  opened.assertClean();
  await opened.close();
});

test("what cannot be read says line and column and stays in its field", async () => {
  const opened = await openRun();
  const { page } = opened;
  await page.locator("#open-paste").click();
  const text = '{\n  "service": { "desiredCount": 4,, }\n}';
  await page.locator("#paste-text").fill(text);
  await page.locator("#paste-read").click();
  assert.match(await page.locator("#paste-faults").textContent(), /line 2, column \d+/);
  assert.equal(await page.locator("#paste-text").inputValue(), text);
  assert.equal(await page.locator("#paste-open").count(), 0);
  await page.keyboard.press("Escape");
  await page.locator("dialog").waitFor({ state: "detached" });
  assert.equal((await state(page)).limits.desired, 4);
  opened.assertClean();
  await opened.close();
});

test("a cut link says how much is missing, opens nothing, and opens what can be read on demand", async () => {
  const whole = await openRun(HALF);
  await whole.page.getByRole("button", { name: "Next step" }).click();
  await addressHas(whole.page, "at=");
  const link = (await whole.page.evaluate(() => location.hash)).slice(1);
  await whole.close();

  const opened = await openPage(browser, link.slice(0, -6));
  await opened.settled();
  const { page } = opened;
  const notice = page.locator("#broken-link");
  await notice.waitFor();
  assert.equal(await notice.getAttribute("role"), "alert");
  assert.match(await notice.textContent(), /6 characters are missing/);
  assert.equal(await state(page), null, "no example in its place");
  await page.locator("#open-readable").click();
  await until(page, (s) => s !== null && s.limits.desired === 4);
  opened.assertClean();
  await opened.close();
});

test("a link of an unknown version is told in words", async () => {
  const opened = await openPage(browser, "v9.10.00000000&x=y");
  await opened.settled();
  await opened.page.getByRole("alert").filter({ hasText: "another version" }).waitFor();
  opened.assertClean();
  await opened.close();
});

test("the link is copied, or shown selected where the clipboard is refused", async () => {
  const opened = await openRun(HALF, { context: { permissions: ["clipboard-read", "clipboard-write"] } });
  await opened.page.locator("#copy-link").click();
  await opened.page.getByText("The link is on the clipboard").waitFor();
  assert.match(await opened.page.evaluate(() => navigator.clipboard.readText()), /#v1\.\d+\.[0-9a-f]{8}&/);
  opened.assertClean();
  await opened.close();

  const refused = await openRun(HALF, {
    before: (page) => page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    }),
  });
  await refused.page.locator("#copy-link").click();
  const text = await refused.page.locator("#link-text").inputValue();
  assert.match(text, /#v1\./);
  const selected = await refused.page.evaluate(() => {
    const field = document.activeElement;
    return field.value.slice(field.selectionStart, field.selectionEnd);
  });
  assert.equal(selected, text, "the whole link is selected");
  refused.assertClean();
  await refused.close();
});

test("the chart is saved as a picture without breaking the content policy", async () => {
  const opened = await openRun(HALF);
  const download = opened.page.waitForEvent("download");
  await opened.page.getByRole("button", { name: "Save picture" }).click();
  assert.equal((await download).suggestedFilename(), "rollscope.png");
  opened.assertClean();
  await opened.close();
});

test("a thousand and ten thousand tasks are computed and drawn", async () => {
  for (const [desired, maximum] of [[1000, 125], [10000, 110]]) {
    const opened = await openPage(browser, `v1&desired=${desired}&min=90&max=${maximum}`);
    const { page } = opened;
    await opened.settled();
    await until(page, (s) => s !== null && s.end_ms > 100_000);
    await page.locator("#scrubber").focus();
    await page.keyboard.press("PageDown");
    await page.keyboard.press("PageDown");
    await until(page, (s) => s.moment_ms > 0);
    const ceiling = await page.evaluate(() => window.rollscope.state().limits.ceiling);
    assert.equal(ceiling, desired * maximum / 100);
    assert.ok(await colours(page, "#stage") > 3, "boxes of several colours");
    opened.assertClean();
    await opened.close();
  }
});

/** How many colours a canvas shows. */
const colours = (page, selector) => page.evaluate((canvas) => {
  const element = document.querySelector(canvas);
  const { data } = element.getContext("2d").getImageData(0, 0, element.width, element.height);
  const seen = new Set();
  for (let at = 0; at < data.length; at += 4 * 7) seen.add(`${data[at]},${data[at + 1]},${data[at + 2]}`);
  return seen.size;
}, selector);

test("only what changed is painted again: the rest of the canvas is not touched", async () => {
  const opened = await openRun("v1&desired=400&min=100&max=150", {
    before: (page) => page.addInitScript(() => {
      window.rects = 0;
      const { rect } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.rect = function (...place) {
        if (this.canvas.id === "stage") window.rects += 1;
        return rect.apply(this, place);
      };
    }),
  });
  const { page } = opened;
  assert.ok(await page.evaluate(() => window.rects) > 400, "the first picture is whole");
  await page.evaluate(() => { window.rects = 0; });
  await page.keyboard.press(".");
  await until(page, (s) => s.moment_ms === 1000);
  assert.equal(await page.evaluate(() => window.rects), 0, "nothing changed in that second");
  opened.assertClean();
  await opened.close();
});

test("paused, the page asks for no frames", async () => {
  const opened = await openRun(HALF, {
    before: (page) => page.addInitScript(() => {
      window.frames_asked = 0;
      const ask = window.requestAnimationFrame.bind(window);
      window.requestAnimationFrame = (work) => { window.frames_asked += 1; return ask(work); };
    }),
  });
  const { page } = opened;
  await page.waitForTimeout(300);
  const before = await page.evaluate(() => window.frames_asked);
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => window.frames_asked), before);
  opened.assertClean();
  await opened.close();
});

test("on a phone nothing is wider than the screen, and buttons are large enough", async () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const fragment of [HALF, STUCK, "v1&desired=1000&min=100&max=125"]) {
      const opened = await openPage(browser, fragment, {
        viewport: viewports.phone,
        colorScheme,
        context: { isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
      });
      await opened.settled();
      const { page } = opened;
      await until(page, (s) => s !== null);
      assert.equal(await page.evaluate(() => innerWidth), viewports.phone.width, fragment);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), viewports.phone.width, fragment);
      const small = await page.evaluate(() => [...document.querySelectorAll("button, select, summary")]
        .filter((element) => element.offsetParent !== null)
        .map((element) => [element.textContent || element.ariaLabel, element.getBoundingClientRect()])
        .filter(([, box]) => box.height < 44)
        .map(([name, box]) => `${name}: ${box.width} × ${box.height}`));
      assert.deepEqual(small, []);
      opened.assertClean();
      await opened.close();
    }
  }
});

test("at every width nothing sticks out", async () => {
  for (const width of [320, 720, 900, 1024, 1180, 1280, 1920]) {
    const opened = await openRun(HALF, { viewport: { width, height: 720 } });
    const { page } = opened;
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, `${width}`);
    const out = await page.evaluate(() => [...document.querySelectorAll(".bar *, .top *, .settings *")]
      .filter((element) => element.offsetParent !== null && element.getBoundingClientRect().right > innerWidth + 0.5)
      .map((element) => element.className || element.tagName));
    assert.deepEqual(out, [], `${width}`);
    const overlap = await page.evaluate(() => {
      const bar = document.querySelector(".choices").getBoundingClientRect();
      const centre = document.querySelector(".centre").getBoundingClientRect();
      return bar.right - centre.right;
    });
    assert.ok(overlap <= 0.5, `the player's bar is ${overlap} px too wide at ${width}`);
    await opened.close();
  }
});

test("every control has a name, and the stage has a grid in words", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea")]
    .filter((element) => !(element.textContent.trim() || element.ariaLabel || element.labels?.length))
    .map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
  const cells = page.locator("#grid [role=gridcell]");
  assert.equal(await cells.count(), 6);
  assert.equal(await cells.first().textContent(), "7·1, healthy");
  await cells.first().focus();
  await page.keyboard.press("Enter");
  await page.locator("#act-kill").waitFor();
  assert.equal(await page.locator("#act-kill").textContent(), "Kill 7·1");
  opened.assertClean();
  await opened.close();
});
