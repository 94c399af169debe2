// Stage and timeline: what is drawn can be pointed at, chosen and read, by the pointer and by keys.

import assert from "node:assert/strict";
import { HALF, STUCK, at, clockMs, colours, drag, pixels, repainted, state, stepOn, visits } from "./run.mjs";

const { visit } = visits();

const FORTY = "v1&title=forty&desired=40&min=100&max=150";
const selectedTask = (page) => page.locator("section").filter({ has: page.locator("#selected-title") }).locator("dt b");
const cell = (page, task) => page.locator(`#grid [data-task="${task}"]`);
/** A point inside the first card. */
async function firstCard(page) {
  const stage = await page.locator("#stage").boundingBox();
  return { x: stage.x + 40, y: stage.y + 40 };
}

/** A height of the timeline at which the middle of it is a task's row (true) or not. */
async function timelineAt(page, wantsRow) {
  const box = await page.locator("#chart").boundingBox();
  const x = box.x + box.width / 2;
  for (let y = box.height - 4; y > 0; y -= 7) {
    await page.mouse.move(x, box.y + y);
    await page.waitForFunction(() => document.querySelector("#tip, #readout"));
    // Well inside the chart: what stands above it may move it by a line.
    if ((await page.locator("#tip").count() > 0) === wantsRow) return { x, y: box.y + y - (wantsRow ? 0 : 20), box };
  }
  return assert.fail("no such height");
}

visit("a card is chosen by click, and let go by a second one and by Escape", HALF, async (page) => {
  const { x, y } = await firstCard(page);
  const before = await pixels(page, "#stage");
  await page.mouse.click(x, y);
  assert.equal(await selectedTask(page).textContent(), "7·1");
  await repainted(page, "#stage", before);
  assert.equal(await cell(page, "7·1").getAttribute("aria-selected"), "true");
  await page.mouse.click(x, y);
  await selectedTask(page).waitFor({ state: "detached" });
  await page.mouse.click(x, y);
  await selectedTask(page).waitFor();
  await page.mouse.move(0, 0);
  await page.keyboard.press("Escape");
  await selectedTask(page).waitFor({ state: "detached" });
  assert.equal(await page.locator("#grid [aria-selected=true]").count(), 0);
});

visit("the pointer on a task tells of it, and marks it in all pictures", HALF, async (page) => {
  const { x, y } = await firstCard(page);
  const [stage, chart] = [await pixels(page, "#stage"), await pixels(page, "#chart")];
  await page.mouse.move(x, y);
  const tip = page.locator("#tip");
  await tip.waitFor();
  const told = await tip.textContent();
  for (const part of [/^7·1/, /slot 1/, /healthy/, /since 0:00/, /until|at \d+:\d\d/]) assert.match(told, part);
  await repainted(page, "#stage", stage);
  await repainted(page, "#chart", chart);
  await page.mouse.move(x, 5);
  await tip.waitFor({ state: "detached" });
});

visit("the grid is the stage for the keyboard", HALF, async (page) => {
  assert.equal(await page.locator("#grid [role=gridcell]").count(), 6);
  assert.equal(await page.locator("#grid [tabindex='0']").count(), 1, "one stop");
  await page.locator("#grid [tabindex='0']").focus();
  const on = (task) => page.waitForFunction((name) => document.activeElement?.dataset.task === name, task);
  await on("7·1");
  await page.keyboard.press("ArrowRight");
  await on("7·2");
  assert.match(await page.locator("#tip").textContent(), /^7·2.*slot 2/, "what a pointer would show");
  await page.keyboard.press("ArrowLeft");
  await on("7·1");
  await page.keyboard.press("End");
  await on("8·2");
  await page.keyboard.press("Home");
  await on("7·1");
  assert.equal((await state(page)).moment_ms, 0, "the arrows are the grid's own");
  await page.keyboard.press("Enter");
  assert.equal(await selectedTask(page).textContent(), "7·1");
  assert.equal(await cell(page, "7·1").getAttribute("aria-selected"), "true");
  await page.keyboard.press("ArrowRight");
  await on("7·2");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector("#grid [aria-selected=true]")?.dataset.task === "7·2");
  await page.keyboard.press("Space");
  await selectedTask(page).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await page.locator("#tip").waitFor({ state: "detached" });
});

visit("the grid says what the stage shows, at every step", HALF, async (page) => {
  for (;;) {
    const { counts, moment_ms, end_ms } = await state(page);
    const cells = await page.locator("#grid [role=gridcell]").allTextContents();
    assert.equal(cells.length, 6);
    const healthy = cells.filter((text) => /, healthy/.test(text)).length;
    assert.equal(healthy, counts.healthy, `${moment_ms}: ${cells}`);
    for (const text of cells) assert.match(text, /^\d+·\d+, [a-z ]+(, \d+:\d\d(\.\d)? left)?$|^no task, slot \d$/);
    if (moment_ms === end_ms) break;
    await stepOn(page);
  }
});

visit("many boxes have rows in the grid, and up and down go between them", FORTY, async (page) => {
  const rows = page.locator("#grid [role=row]");
  assert.ok(await rows.count() >= 2);
  assert.equal(await page.locator("#grid [role=gridcell]").count(), 60);
  await page.locator("#grid [tabindex='0']").focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => {
    const row = document.activeElement?.closest("[role=row]");
    return row && [...row.parentElement.children].indexOf(row) === 1;
  });
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => document.activeElement?.dataset.task === "7·1");
});

visit("boxes are ordered by slot, revision and zone, by click and key", FORTY, async (page) => {
  const order = page.getByRole("group", { name: "Order of the boxes" });
  const button = (name) => order.getByRole("button", { name });
  const pressed = (name) => page.waitForFunction(
    (wanted) => document.querySelector("#group [aria-pressed=true]")?.textContent === wanted, name);
  await pressed("by slot");
  await stepOn(page, 2);
  const bySlot = await pixels(page, "#stage");
  await button("by revision").click();
  await pressed("by revision");
  const byRevision = await repainted(page, "#stage", bySlot);
  await button("by zone").press("Enter");
  await pressed("by zone");
  await repainted(page, "#stage", byRevision);
  await button("by slot").press("Space");
  await pressed("by slot");
});

visit("few boxes can be read one by one and need no order", HALF, async (page) => {
  assert.equal(await page.locator("#group").count(), 0);
});

visit("a click on the chart goes to its moment, and dragging goes on", HALF, async (page) => {
  const { x, y, box } = await timelineAt(page, false);
  await page.mouse.click(x, y);
  const clicked = await at(page, (now, s) => now > s.end_ms * 0.2 && now < s.end_ms * 0.8);
  await drag(page, { x, y }, { x: x + 80, y: box.y + box.height + 60 });
  await at(page, (now) => now > clicked.moment_ms);
  await page.mouse.move(box.x - 50, y, { steps: 4 });
  await at(page, 0);
  await page.mouse.up();
});

visit("a row is its task: the pointer tells of it, a click chooses it", HALF, async (page) => {
  const { x, y } = await timelineAt(page, true);
  const told = await page.locator("#tip").textContent();
  await page.mouse.click(x, y);
  const task = await selectedTask(page).textContent();
  assert.ok(told.startsWith(`${task} `), `${told} is about ${task}`);
  await drag(page, { x, y }, { x: x + 60, y: y - 2 }, 4);
  await page.mouse.up();
  assert.equal((await state(page)).moment_ms, 0, "a row chooses and does not seek, also with an unsteady hand");
});

visit("the chart is read by the pointer and by arrow keys", HALF, async (page) => {
  await timelineAt(page, false);
  const readout = page.locator("#readout");
  assert.match(await readout.textContent(), /^\d+:\d\d(\.\d)?: healthy \d new, \d old; not serving \d; \d in all; floor 4, ceiling 6$/);
  await page.mouse.move(5, 5);
  await readout.waitFor({ state: "detached" });
  await page.locator("#chart").focus();
  await page.keyboard.press("ArrowRight");
  await readout.waitFor();
  const first = clockMs(await readout.textContent());
  assert.ok(first > 0);
  const press = async (key) => {
    const before = await readout.textContent();
    await page.keyboard.press(key);
    await page.waitForFunction((text) => document.getElementById("readout").textContent !== text, before);
    return clockMs(await readout.textContent());
  };
  assert.ok(await press("ArrowRight") > first);
  assert.equal(await press("ArrowLeft"), first);
  assert.equal((await state(page)).moment_ms, 0, "reading moves nothing");
  await page.keyboard.press("Enter");
  await at(page, (now) => Math.abs(now - first) < 1000 && now > 0);
  await page.keyboard.press("Escape");
  await readout.waitFor({ state: "detached" });
});

visit("the chart has a name, a sentence and a table", HALF, async (page) => {
  const chart = page.getByRole("img", { name: /never fewer than 4 healthy \(floor 4\), never more than 6 at once \(ceiling 6\)/ });
  assert.equal(await chart.getAttribute("id"), "chart");
  const summary = page.getByText("Chart as a table");
  await summary.focus();
  await page.keyboard.press("Enter");
  const rows = page.locator(".chart-table tbody tr");
  await rows.first().waitFor();
  const numbers = await rows.evaluateAll((list) => list.map((row) => [...row.cells].slice(1).map((cell) => Number(cell.textContent))));
  for (const [fresh, old, rest, total, floor, ceiling] of numbers) {
    assert.equal(fresh + old + rest, total);
    assert.deepEqual([floor, ceiling], [4, 6]);
    assert.ok(fresh + old >= floor && total <= ceiling);
  }
  const last = rows.last().getByRole("button");
  const moment = clockMs(await last.textContent());
  await last.click();
  await at(page, (now) => Math.abs(now - moment) < 1000);
  await page.locator(".chart-table tr[aria-current=true]").waitFor();
});

visit("the legend counts what the stage shows, and L hides it", HALF, async (page) => {
  const legend = page.locator("#legend");
  await legend.waitFor();
  await stepOn(page);
  const { counts } = await state(page);
  const healthy = legend.locator("li").filter({ hasText: /^healthy/ }).locator("strong");
  assert.equal(Number(await healthy.textContent()), counts.healthy);
  await page.keyboard.press("l");
  await legend.waitFor({ state: "detached" });
  await page.keyboard.press("L");
  await legend.waitFor();
});

visit("the tasks are a list in words where the page is narrower", "v1&desired=40&min=100&max=150", { viewport: { width: 1000, height: 800 } }, async (page) => {
  const rows = page.locator(".as-list tbody tr");
  await rows.first().waitFor();
  assert.equal(await rows.count(), 25, "a page of the list");
  await rows.first().getByRole("button").click();
  assert.equal(await page.locator("#act-kill").textContent(), "Kill 7·1");
  const pager = page.locator(".as-list .pager");
  await pager.getByRole("button", { name: "Next page" }).press("Enter");
  await pager.getByText("page 2 of 3").waitFor();
  const names = await rows.locator("button").allTextContents();
  assert.ok(!names.includes("7·1") && names.length === 25);
  await pager.getByRole("button", { name: "Previous page" }).click();
  await pager.getByText("page 1 of 3").waitFor();
});

visit("the pictures follow the cursor: past and future differ", HALF, async (page) => {
  for (const canvas of ["#strip", "#stage", "#chart", "#scrubber canvas"]) assert.ok(await colours(page, canvas) > 2, canvas);
  const [chart, stage] = [await pixels(page, "#chart"), await pixels(page, "#stage")];
  await stepOn(page, 2);
  await repainted(page, "#chart", chart);
  await repainted(page, "#stage", stage);
});

visit("every control has a name", HALF, async (page) => {
  const nameless = await page.evaluate(() => [...document.querySelectorAll("button, input, select, textarea")]
    .filter((element) => !(element.textContent.trim() || element.ariaLabel || element.labels?.length))
    .map((element) => element.outerHTML));
  assert.deepEqual(nameless, []);
});

visit("a rollout that cannot move says why beside the task that finds no slot, and what each change would do", STUCK, async (page) => {
  assert.match(await page.locator("#stuck").textContent(), /150 % of 1 is 1\.5\..*rounded down to 1/);
  const box = (selector) => page.locator(selector).boundingBox();
  const [note, stage, caption] = [await box("#stuck"), await box("#stage"), await box("#caption")];
  assert.ok(note.x > stage.x + 350 && note.x + note.width <= stage.x + stage.width + 1, "at the right of the boxes");
  assert.ok(note.y >= stage.y && note.y + note.height <= caption.y + 1, "on the stage");
  for (const card of await page.locator(".change p").allTextContents()) assert.match(card, /done after \d+:\d\d\./);
  // Where there is no room beside it, the words stand below.
  await page.setViewportSize({ width: 800, height: 900 });
  await page.waitForFunction(() => {
    const [words, boxes] = ["#stuck", "#stage"].map((selector) => document.querySelector(selector).getBoundingClientRect());
    return boxes.width > 700 || words.top >= boxes.bottom - 1;
  });
});

visit("what is killed is gone at once in every picture and word", HALF, async (page) => {
  await stepOn(page);
  const { x, y } = await firstCard(page);
  await page.mouse.click(x, y);
  await page.locator("#act-kill").click();
  await page.waitForFunction(() => /failed|stopped/.test(document.querySelector(".selected dd")?.textContent ?? ""));
  const first = await page.locator("#grid [role=gridcell]").first().textContent();
  assert.doesNotMatch(first, /7·1, healthy/);
});

visit("after the undo of a higher ceiling the stage is as it was", HALF, async (page) => {
  await stepOn(page);
  const size = () => page.locator("#stage").evaluate((canvas) => [canvas.width, canvas.height]);
  const before = [await size(), await pixels(page, "#stage")];
  await page.locator("#slide-maximum").focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.rollscope.state().branches === 2 && window.rollscope.state().limits.ceiling > 6);
  await repainted(page, "#stage", before[1]);
  await page.locator("#undo").click();
  await page.waitForFunction(() => window.rollscope.state().branches === 1 && window.rollscope.state().limits.ceiling === 6);
  // The focus on the slider has moved nothing on the stage.
  const deadline = Date.now() + 30_000;
  while ((await pixels(page, "#stage")) !== before[1] && Date.now() < deadline) await page.waitForTimeout(50);
  assert.deepEqual([await size(), await pixels(page, "#stage")], before);
});
