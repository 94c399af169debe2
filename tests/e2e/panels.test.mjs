// The panel at the right: why, the list of events, guards, and the selected task.

import assert from "node:assert/strict";
import { HALF, at, clockMs, computed, focused, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

const rows = (page) => page.locator("#events button.event");
/** How many lines the list has, in the page or not. */
const lines = (page) => page.evaluate(() => Number(document.querySelector("#events li")?.ariaSetSize ?? 0));
const hasLines = (page, condition) => page.waitForFunction(([least, most]) => {
  const size = Number(document.querySelector("#events li")?.ariaSetSize ?? 0);
  return size >= least && size <= most;
}, condition);
const chosenTab = (page, id) => page.locator(`#${id}[aria-selected=true]`).waitFor();
/** A run with many moments: every task takes its own time. */
const spread = (desired) => ({
  service: { desiredCount: desired, deploymentConfiguration: { minimumHealthyPercent: 100, maximumPercent: 150 } },
  timing: { pull: { uniform: ["5s", "60s"] } },
  quotas: "none",
});

visit("the tabs: by click, by arrow keys, by 1, 2, 3 and 4", HALF, async (page) => {
  const panel = page.getByRole("tabpanel");
  await chosenTab(page, "tab-why");
  await page.locator("#tab-events").click();
  await chosenTab(page, "tab-events");
  assert.equal(await panel.getAttribute("aria-labelledby"), "tab-events");
  await page.locator("#events").waitFor();
  await page.keyboard.press("ArrowRight");
  await focused(page, "#tab-api");
  await chosenTab(page, "tab-api");
  await page.keyboard.press("ArrowRight");
  await focused(page, "#tab-guards");
  await chosenTab(page, "tab-guards");
  await page.keyboard.press("ArrowRight");
  await focused(page, "#tab-why");
  await page.keyboard.press("End");
  await focused(page, "#tab-guards");
  await page.keyboard.press("Home");
  await focused(page, "#tab-why");
  await page.keyboard.press("ArrowLeft");
  await focused(page, "#tab-guards");
  // One stop for the keyboard.
  const stops = await page.getByRole("tab").evaluateAll((tabs) => tabs.filter(({ tabIndex }) => tabIndex === 0).map(({ id }) => id));
  assert.deepEqual(stops, ["tab-guards"]);
  for (const [key, id] of [["2", "tab-events"], ["1", "tab-why"], ["3", "tab-api"], ["4", "tab-guards"]]) {
    await page.keyboard.press(key);
    await chosenTab(page, id);
  }
  assert.match(await page.locator("#tab-guards").textContent(), /all hold/);
});

visit("Why: the two sums are right at every step", HALF, async (page) => {
  for (let step = 0; step < 4; step += 1) {
    const { counts, limits } = await state(page);
    const sums = await page.locator(".why .sum-card dd").allTextContents();
    const [ceiling, counted, room, healthy, floor, spare] = sums.map((text) => Number(text.replace("−", "").trim()));
    assert.deepEqual([ceiling, counted, healthy, floor], [limits.ceiling, counts.counted, counts.healthy, limits.floor]);
    assert.deepEqual([room, spare], [ceiling - counted, healthy - floor], `step ${step}`);
    await stepOn(page);
  }
  const rule = page.locator(".rule a");
  assert.match(await rule.getAttribute("href"), /^https:\/\//);
  assert.match(await rule.getAttribute("rel"), /noopener/);
});

visit("a line of the list leads to its moment, by click and by Enter", HALF, async (page) => {
  await page.locator("#tab-events").click();
  const line = rows(page).filter({ hasText: "healthy" }).last();
  const moment = clockMs(await line.locator(".at").textContent());
  await line.click();
  await at(page, (now) => Math.abs(now - moment) < 1000);
  assert.equal(await page.locator("#events [aria-current]").count(), 1);
  // Lines behind the playhead are marked as later.
  const later = await page.locator("#events button.later .at").allTextContents();
  assert.ok(later.every((text) => clockMs(text) > moment));
  await line.focus();
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.activeElement?.dataset.row === "0");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.dataset.row === "1");
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement?.dataset.row === "0");
  await page.keyboard.press("Enter");
  await at(page, 0);
  await page.keyboard.press("End");
  await page.waitForFunction((last) => document.activeElement?.dataset.row === String(last), await lines(page) - 1);
  await page.keyboard.press("Enter");
  await at(page, (now, s) => now === s.end_ms);
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.activeElement?.dataset.row === "0");
});

visit("the list is filtered and searched", HALF, async (page) => {
  await page.keyboard.press("/");
  await focused(page, "#find");
  await chosenTab(page, "tab-events");
  const all = await lines(page);
  await page.keyboard.type("8·1");
  await hasLines(page, [1, all - 1]);
  for (const text of await rows(page).allTextContents()) assert.match(text, /8·1/);
  assert.match(await page.locator(".find [role=status]").textContent(), /^\d+ lines? found$/);
  // From the field into the list.
  await page.keyboard.press("ArrowDown");
  await focused(page, "#events [data-row]");
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await at(page, (now) => now > 0);
  await page.locator("#find").fill("nobody");
  await page.getByText("No event matches.").waitFor();
  assert.equal(await rows(page).count(), 0);
  await page.getByRole("button", { name: "Show all events" }).click();
  await hasLines(page, [all, all]);
  assert.equal(await page.locator("#find").inputValue(), "");
  const filter = (name) => page.getByRole("group", { name: "Which events" }).getByRole("button", { name });
  await filter("Decisions").click();
  await hasLines(page, [1, all - 1]);
  assert.equal(await filter("Decisions").getAttribute("aria-pressed"), "true");
  await filter("Failures").press("Enter");
  await page.getByText("No event of this kind in this run.").waitFor();
  await filter("All").press("Enter");
  await hasLines(page, [all, all]);
});

visit("only the events of the selected task", HALF, async (page) => {
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  await page.locator("#tab-events").click();
  assert.ok(await page.locator("#events button.chosen").count() > 0, "its lines are marked");
  await page.getByRole("button", { name: "Only 7·1" }).click();
  await page.waitForFunction(() => {
    const lines = [...document.querySelectorAll("#events button.event")];
    return lines.length > 0 && lines.every((line) => line.classList.contains("chosen"));
  });
  await page.locator("h1").click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Only 7·1" }).waitFor({ state: "detached" });
  assert.equal(await page.locator("#events button.chosen").count(), 0);
});

visit("the list follows the playhead, stays where it is scrolled to, and comes back", HALF, async (page) => {
  assert.deepEqual(await page.evaluate((document) => window.rollscope.open(document), spread(60)), []);
  await until(page, (s) => s?.complete && s.limits.desired === 60);
  await page.locator("#tab-events").click();
  const inView = () => page.waitForFunction(() => {
    const line = document.querySelector("#events [aria-current]")?.getBoundingClientRect();
    const list = document.getElementById("events").getBoundingClientRect();
    return line && line.top >= list.top - 1 && line.bottom <= list.bottom + 1;
  });
  await inView();
  await page.locator("h1").click();
  await page.keyboard.press("End");
  await at(page, (now, s) => now === s.end_ms);
  await inView();
  await page.keyboard.press("Home");
  await at(page, 0);
  await inView();
  await page.locator("#events").hover();
  await page.mouse.wheel(0, 20_000);
  const back = page.getByRole("button", { name: "Back to the playhead" });
  await back.waitFor();
  await stepOn(page);
  assert.equal(await page.locator("#events [aria-current]").count(), 0, "it stays where it was scrolled to");
  await back.click();
  await inView();
  await back.waitFor({ state: "detached" });
});

visit("a list of thousands of lines keeps only the rows in view in the page", HALF, async (page) => {
  assert.deepEqual(await page.evaluate((document) => window.rollscope.open(document), spread(1000)), []);
  await until(page, (s) => s?.complete && s.limits.desired === 1000);
  await page.locator("#tab-events").click();
  await rows(page).first().waitFor();
  const size = await lines(page);
  assert.ok(size > 1000, `${size} lines`);
  const few = async (place) => {
    const there = await rows(page).count();
    assert.ok(there > 0 && there < 120, `${there} rows in the page ${place}`);
  };
  await few("at the start");
  for (const share of [0.25, 0.5, 1]) {
    await page.locator("#events").evaluate((list, part) => { list.scrollTop = list.scrollHeight * part; }, share);
    await page.waitForFunction(([part, of]) => {
      const list = document.getElementById("events").getBoundingClientRect();
      const seen = [...document.querySelectorAll("#events [data-row]")].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.bottom > list.top && box.top < list.bottom;
      });
      const row = Number(seen[0]?.dataset.row ?? -1);
      return seen.length > 5 && Math.abs(row / of - part) < 0.1;
    }, [share, size]);
    await few(`at ${share}`);
  }
  await rows(page).last().focus();
  await page.keyboard.press("End");
  await page.waitForFunction((last) => document.activeElement?.dataset.row === String(last), size - 1);
  await page.keyboard.press("PageUp");
  await page.waitForFunction((last) => Number(document.activeElement?.dataset.row) < last, size - 1);
  await few("after keys");
});

visit("guards: each with its worst value, which leads to its moment", HALF, async (page) => {
  await page.keyboard.press("4");
  const guards = page.locator(".guards li");
  assert.ok(await guards.count() >= 7);
  assert.equal(await page.locator(".guards li.broken").count(), 0);
  const worst = page.locator(".guards button.worst");
  assert.ok(await worst.count() > 0);
  for (const [index, button] of (await worst.all()).entries()) {
    await page.locator("#scrubber").press("End");
    await at(page, (now, s) => now === s.end_ms);
    const moment = clockMs((await button.getAttribute("aria-label")).split("Go to ")[1]);
    await (index % 2 ? button.press("Enter") : button.click());
    await at(page, (now) => Math.abs(now - moment) < 1000);
  }
});

visit("the selected task: its life leads to its moments", HALF, async (page) => {
  await page.keyboard.press("End");
  await at(page, (now, s) => now === s.end_ms);
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  const card = page.locator("section").filter({ has: page.locator("#selected-title") });
  const spans = card.locator("button.moment");
  assert.ok(await spans.count() >= 3, "it was made, ran and is there");
  for (const span of await spans.all()) {
    const moment = clockMs((await span.getAttribute("aria-label")).split("Go to ")[1]);
    await span.click();
    await at(page, (now) => Math.abs(now - moment) < 1000);
    assert.equal(await span.getAttribute("aria-current"), "true");
  }
  await page.locator("#clear-selection").press("Enter");
  await card.waitFor({ state: "detached" });
  await computed(page);
});
