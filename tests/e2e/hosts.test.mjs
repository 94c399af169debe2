// The stage by instance: frames with their tasks, what an instance holds, and what is done to one by hand.

import assert from "node:assert/strict";
import { addressHas, computed, phone, pixels, repainted, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

/** Four tasks on three instances in three zones, two to an instance at most. */
const THREE = "v1&title=three&desired=4&s.launchType=EC2&start.deploy=false&capacity.instances.0.count=3&capacity.task.cpu=1024";
/** Four tasks on two instances: no room for one more. */
const FULL = "v1&title=full&desired=4&s.launchType=EC2&capacity.instances.0.count=2&capacity.task.cpu=1024";
/** Four new tasks wait for two instances that a capacity provider brings. */
const BROUGHT = `${FULL}&capacity.provider.max=4`;
const MANY = "v1&title=many&desired=600&max=125&s.launchType=EC2&capacity.instances.0.count=200";

const order = (page) => page.locator("#group [aria-pressed=true]").textContent();
const by = (page, name) => page.locator("#group button", { hasText: name }).click();
const rows = (page) => page.locator("#grid [role=row]");
const headers = (page) => page.locator("#grid [role=rowheader]").allTextContents();
const instance = (page, number) => page.locator(`#grid [data-cell="i-${number}"]`);
const card = (page) => page.locator("#host");

visit("a run on instances begins by instance, and the order that is chosen goes into the link", THREE, async (page) => {
  assert.equal(await order(page), "by instance");
  assert.deepEqual(await page.locator("#group button").allTextContents(), ["by slot", "by zone", "by instance"]);
  const said = await headers(page);
  assert.equal(said.length, 3);
  assert.equal(said[0], "Instance 1, zone a, ACTIVE, 2 tasks, no room");
  assert.equal(said[1], "Instance 2, zone b, ACTIVE, 1 task, room for 1");
  // Every task stands once, on its own instance.
  const tasks = await page.locator("#grid [role=gridcell]").allTextContents();
  assert.deepEqual(tasks.map((task) => task.split(/[,:]/)[0]).sort(), ["7·1", "7·2", "7·3", "7·4"]);
  const framed = await pixels(page, "#stage");
  await by(page, "by zone");
  await repainted(page, "#stage", framed);
  await addressHas(page, "group=zone");
  await by(page, "by slot");
  await addressHas(page, "group=slot");
  assert.equal(await page.locator("#grid [role=rowheader]").count(), 0);
  assert.equal((await state(page)).branches, 1, "looking is no act");
});

visit("a link opens in its order with its instance", `${THREE}&group=zone&sel=i2`, async (page) => {
  assert.equal(await order(page), "by zone");
  assert.equal(await page.locator("#host-title").textContent(), "Instance 2");
});

visit("a run without instances has slots, whatever the link says", "v1&desired=4&group=instance", async (page) => {
  assert.equal(await page.locator("#group").count(), 0);
  assert.equal(await page.locator("#grid [role=rowheader]").count(), 0);
  assert.equal(await page.locator("#grid [role=gridcell]").count(), 8);
});

visit("an instance is drained by hand, and undo takes it back", `${THREE}&at=5000`, async (page) => {
  const before = await state(page);
  const stage = await page.locator("#stage").boundingBox();
  // The head of the first frame.
  await page.mouse.click(stage.x + 20, stage.y + 18);
  await card(page).waitFor();
  assert.match(await card(page).textContent(), /Instance 1.*zone a.*ACTIVE.*No: it lacks CPU \(1,024 units short\)/);
  await addressHas(page, "sel=i1");
  await page.locator("#host-drain").click();
  const drained = await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal(drained.lowest_healthy, 4, "inside floor and ceiling");
  assert.match(await instance(page, 1).textContent(), /DRAINING/);
  assert.match(await card(page).textContent(), /DRAINING and takes no more tasks/);
  assert.equal(await page.locator("#host-drain").isDisabled(), true);
  await addressHas(page, "acts");
  assert.match(await page.locator("#branches [aria-pressed=true]").textContent(), /drain instance 1/);
  // Its tasks go to the other instances.
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.last_change_at_ms);
  assert.match(await instance(page, 1).textContent(), /DRAINING, 0 tasks/);
  assert.match(await instance(page, 3).textContent(), /2 tasks, no room/);
  await page.keyboard.press("Control+z");
  const back = await until(page, (s) => s.complete && s.last_change_at_ms === before.last_change_at_ms);
  assert.equal(back.peak_tasks, 4);
  assert.match(await instance(page, 1).textContent(), /ACTIVE, 2 tasks/);
});

visit("an instance is lost, taken back, and one is added, by the keyboard alone", `${THREE}&at=5000`, async (page) => {
  await instance(page, 1).focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.dataset.cell === "i-2");
  assert.match(await page.locator("#tip").textContent(), /Instance 2 · zone b, ACTIVE.*CPU units free: 1,024 of 2,048.*Yes, there is room for 1/);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement?.dataset.cell === "7·2");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await card(page).waitFor();
  assert.equal(await instance(page, 2).getAttribute("aria-selected"), "true");
  await page.locator("#host-add").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal(await rows(page).count(), 4);
  assert.match(await instance(page, 4).textContent(), /zone b, ACTIVE, 0 tasks, room for 2/);
  await page.locator("#host-lose").press("Enter");
  await until(page, (s) => s.branches === 3 && s.complete);
  assert.match(await instance(page, 2).textContent(), /gone/);
  assert.equal((await state(page)).counts.healthy, 3, "what stood on it is lost with it");
  await page.locator("#clear-host").press("Enter");
  await card(page).waitFor({ state: "detached" });
});

visit("a zone is lost from the acts of the moment", `${THREE}&at=5000`, async (page) => {
  await page.locator("#acts-title").click();
  assert.deepEqual(await page.locator("#act-zone option").allTextContents(), ["zone a", "zone b", "zone c"]);
  await page.locator("#act-zone").selectOption("zone c");
  await page.locator("#act-lose-zone").click();
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.match(await instance(page, 3).textContent(), /gone/);
  await page.locator("#act-zone").selectOption("zone a");
  await page.locator("#act-add-instance").click();
  await until(page, (s) => s.branches === 3 && s.complete);
  assert.match(await instance(page, 4).textContent(), /zone a, ACTIVE/);
});

visit("by zone, the sign at the end of a zone adds an instance there, and undo takes it back", `${THREE}&at=5000&group=zone`, async (page) => {
  // The right end of the caption of the last zone.
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + stage.width - 13, stage.y + 16);
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.match(await page.locator("#branches [aria-pressed=true]").textContent(), /add 1 instance$/);
  assert.match(await instance(page, 4).textContent(), /zone c, ACTIVE/);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1);
});

visit("a full cluster shows no place, and an instance that is asked says why", FULL, async (page) => {
  assert.deepEqual(await headers(page), [
    "Instance 1, zone a, ACTIVE, 2 tasks, no room",
    "Instance 2, zone b, ACTIVE, 2 tasks, no room",
  ]);
  await instance(page, 1).focus();
  await page.keyboard.press("Enter");
  assert.match(await card(page).textContent(), /No other takes it either: both instances lack CPU\. Nearest: i-1, i-2\./);
  // Escape lets it go, as it does a task.
  await page.locator("body").press("Escape");
  await page.keyboard.press("Escape");
  await card(page).waitFor({ state: "detached" });
});

visit("tasks that wait for an instance stand in the tray until one takes them", BROUGHT, async (page) => {
  assert.equal(await rows(page).count(), 5, "four instances, two of them on their way, and the tray");
  assert.match((await headers(page))[3], /registers in \d:\d\d/);
  assert.match(await rows(page).nth(4).textContent(), /8·1.*waiting/);
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.last_change_at_ms);
  assert.equal(await rows(page).count(), 4);
});

visit("two hundred instances are squares, each of which can be pointed at and chosen", MANY, async (page) => {
  assert.equal(await page.locator("#grid").getAttribute("aria-rowcount"), "200");
  const box = await page.locator("#stage").boundingBox();
  await page.mouse.move(box.x + 14, box.y + 16);
  await page.locator("#tip").waitFor();
  assert.match(await page.locator("#tip").textContent(), /^Instance 1 · zone a, ACTIVE/);
  await page.mouse.click(box.x + 14, box.y + 16);
  assert.equal(await page.locator("#host-title").textContent(), "Instance 1");
  await page.mouse.move(2, 2);
  await page.locator("#tip").waitFor({ state: "detached" });
  await instance(page, 1).focus();
  for (const cell of ["i-11", "i-21", "i-31", "i-41", "i-51"]) {
    await page.keyboard.press("PageDown");
    await page.waitForFunction((on) => document.activeElement?.dataset.cell === on, cell);
  }
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement?.dataset.cell === "i-200");
  const before = await pixels(page, "#stage");
  await stepOn(page, 2);
  await repainted(page, "#stage", before);
  await computed(page);
});

visit("on a phone a finger on an instance opens its card", `${THREE}&at=5000`, phone, async (page) => {
  await page.locator("#stage").scrollIntoViewIfNeeded();
  const box = await page.locator("#stage").boundingBox();
  await page.touchscreen.tap(box.x + 20, box.y + 18);
  await card(page).waitFor();
  await page.locator("#host-drain").tap();
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
});
