// What somebody does in the middle of a run: each act branches the future, and both are kept.

import assert from "node:assert/strict";
import { HALF, addressHas, computed, focused, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

/** Both limits are reached at this moment, and the page offers what would change that. */
const WAITING = `${HALF}&at=5000`;

const chips = (page) => page.locator("#branches button");
const active = (page) => page.locator("#branches [aria-pressed=true]").textContent();
/** Opens what can be done at this moment. */
const openActs = (page) => page.locator("#acts-title").click();
const outcome = ({ branches, ...rest }) => rest;

visit("Try makes a branch and keeps both; the chips switch between them", WAITING, async (page) => {
  const planned = await state(page);
  const way = page.locator(".ways button").first();
  const words = await way.getAttribute("aria-label");
  assert.match(words, /^Try it: .*now$/);
  await way.click();
  const tried = await until(page, (s) => s.branches === 2 && s.complete);
  assert.equal(tried.moment_ms, planned.moment_ms, "the cursor stays");
  assert.notDeepEqual(tried.limits, planned.limits);
  assert.equal(await chips(page).count(), 2);
  assert.equal(await chips(page).first().textContent(), "as planned");
  assert.match(await active(page), /^\d+:\d\d \S/);
  await addressHas(page, "acts");
  // By click to the run as planned, by key to the other.
  await chips(page).first().click();
  await until(page, (s) => s.limits.ceiling === planned.limits.ceiling && s.limits.floor === planned.limits.floor);
  assert.deepEqual(outcome(await computed(page)), outcome(planned));
  assert.equal(await active(page), "as planned");
  await chips(page).last().press("Enter");
  await until(page, (s) => JSON.stringify(s.limits) === JSON.stringify(tried.limits));
  assert.deepEqual(await computed(page), tried);
  // A second try at another moment is a third future.
  await stepOn(page);
  await openActs(page);
  await page.locator("#act-desired").fill("5");
  await page.locator("#act-desired").press("Enter");
  await until(page, (s) => s.branches === 3 && s.limits.desired === 5);
  assert.equal(await chips(page).count(), 3);
});

visit("the verdict tells of the branch that is looked at", `v1&desired=4&min=100&max=125&at=5000`, async (page) => {
  const verdict = page.locator("#verdict > p").first();
  const planned = await verdict.textContent();
  assert.match(planned, /^First step: start 1, stop 0\. One at a time, at full strength, about/);
  await openActs(page);
  await page.locator("#act-maximum").fill("200");
  await page.locator("#act-maximum").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.match(await verdict.textContent(), /^First step: start 1, stop 0\. With what is done later: at full strength, at most 8 at once/);
  await chips(page).first().click();
  await until(page, (s) => s.limits.ceiling === 5);
  assert.equal(await verdict.textContent(), planned);
});

visit("acts are taken back and made again, by button and by key", WAITING, async (page) => {
  const before = await state(page);
  await page.locator(".ways button").first().click();
  const tried = await until(page, (s) => s.branches === 2 && s.complete);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.complete);
  assert.deepEqual(await state(page), before);
  assert.equal(await page.locator("#branches").count(), 0, "one future needs no chip");
  await page.keyboard.press("Control+Shift+Z");
  await until(page, (s) => s.branches === 2 && s.complete);
  assert.deepEqual(await state(page), tried);
  await page.keyboard.press("Control+z");
  await until(page, (s) => s.branches === 1 && s.complete);
  await page.locator("#redo").click();
  await until(page, (s) => s.branches === 2 && s.complete);
  // Also while the other future is looked at.
  await chips(page).first().click();
  await until(page, (s) => s.limits.ceiling === before.limits.ceiling);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.complete);
  assert.deepEqual(await state(page), before);
});

visit("a task that is killed at the cursor branches the run, and undo takes it back", HALF, async (page) => {
  const before = await state(page);
  // The first card of the stage.
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  await page.locator("#act-kill").click();
  const after = await until(page, (s) => s.branches === 2 && s.complete);
  assert.ok(after.lowest_healthy < before.lowest_healthy, "a task is lost");
  await addressHas(page, "acts");
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.complete);
  assert.deepEqual(await state(page), before);
  // Stopped by key.
  await page.locator("#act-stop").press("Enter");
  const stopped = await until(page, (s) => s.branches === 2 && s.complete);
  assert.ok(stopped.lowest_healthy < before.lowest_healthy);
  await page.getByText("Stop 7·1").first().waitFor();
});

visit("what is done by hand: percentages, a deployment, the fate of the next tasks", HALF, async (page) => {
  await stepOn(page);
  await openActs(page);
  await page.locator("#act-maximum").fill("200");
  await page.locator("form").filter({ has: page.locator("#act-maximum") }).getByRole("button", { name: "Set" }).click();
  await until(page, (s) => s.limits.ceiling === 8 && s.branches === 2);
  await page.locator("form").filter({ has: page.locator("#act-revision") }).getByRole("button", { name: "Deploy" }).click();
  const deployed = await until(page, (s) => s.branches === 3 && s.complete);
  assert.equal(deployed.outcome, "completed");
  await page.keyboard.press("End");
  await until(page, (s) => s.moment_ms === s.end_ms);
  const end = await state(page);
  assert.deepEqual(end.counts.healthy_by_lane, [0, 0, 4], "revision 9 is all there is");
  await page.locator(".title-row").getByText("r9", { exact: true }).waitFor();
  await chips(page).first().click();
  await until(page, (s) => s.limits.ceiling === 6);
  await page.keyboard.press("Home");
  await until(page, (s) => s.moment_ms === 0);
  await page.locator("#act-fate").selectOption("fail to start");
  await page.locator("form").filter({ has: page.locator("#act-fate") }).getByRole("button", { name: "Set" }).press("Enter");
  await until(page, (s) => s.branches === 4);
  assert.equal(await chips(page).count(), 4);
});

visit("an act made by hand and the same act from the link give the same run", HALF, async (page, opened) => {
  await stepOn(page);
  await openActs(page);
  await page.locator("#act-desired").fill("6");
  await page.locator("#act-desired").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete);
  await addressHas(page, "acts");
  const byHand = await state(page);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  const fromLink = await computed(page);
  assert.deepEqual([byHand.branches, fromLink.branches], [2, 1]);
  assert.deepEqual(outcome(fromLink), outcome(byHand));
});

visit("a schedule and a template set the desired count, are taken back, and travel in the link", HALF, async (page, opened) => {
  await stepOn(page);
  await openActs(page);
  await page.locator("#act-schedule").fill("6");
  await page.locator("#act-schedule").press("Enter");
  await until(page, (s) => s.branches === 2 && s.complete && s.limits.desired === 6);
  assert.match(await active(page), /schedule 6$/);
  // A template that holds a count puts it in force with its deployment.
  await page.locator("#act-template-count").fill("2");
  await page.locator("form").filter({ has: page.locator("#act-template") }).getByRole("button", { name: "Apply" }).click();
  await until(page, (s) => s.branches === 3 && s.complete && s.limits.desired === 2);
  assert.match(await active(page), /template r9, desired 2$/);
  const byHand = await state(page);
  // Undo takes the template back, then the schedule; redo makes both again.
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 2 && s.limits.desired === 6);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 1 && s.limits.desired === 4);
  await page.locator("#redo").click();
  await page.locator("#redo").click();
  await until(page, (s) => s.branches === 3 && s.complete && s.limits.desired === 2);
  await addressHas(page, "acts=");
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  assert.deepEqual(outcome(await computed(page)), outcome(byHand));
  await page.locator("details.section").filter({ hasText: "Injected events" }).locator("summary").click();
  await page.locator(".plan .words").last().waitFor();
  assert.deepEqual(await page.locator(".plan .words").allTextContents(), [
    "The schedule sets the desired count to 6.",
    "A template is applied: it deploys r9 and sets the desired count to 2.",
  ]);
  // One that leaves the count out deploys, and the count stays.
  await openActs(page);
  await page.locator("#act-template").fill("12");
  await page.locator("#act-template").press("Enter");
  await until(page, (s) => s.branches === 2 && s.limits.desired === 2);
  assert.match(await active(page), /deploy r12$/);
});

visit("the instances of a daemon service are its count: no schedule and no template sets one", "v1&s.schedulingStrategy=DAEMON&capacity.instances.0.count=2", async (page) => {
  await openActs(page);
  await page.locator("#act-revision").waitFor();
  assert.equal(await page.locator("#act-schedule, #act-template").count(), 0);
});

visit("B leads to what can be done here", HALF, async (page) => {
  await stepOn(page);
  await page.keyboard.press("2");
  await page.locator("#tab-events[aria-selected=true]").waitFor();
  await page.keyboard.press("b");
  await page.locator("#tab-why[aria-selected=true]").waitFor();
  await focused(page, "#act-desired");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await until(page, (s) => s.branches === 2 && s.limits.desired === 5);
});

visit("a task without a place: more places from this moment on are one click away", `v1&desired=4&min=100&max=200&places.0.at=0s&places.0.places=4`, async (page) => {
  await page.keyboard.press("End");
  const before = await state(page);
  assert.equal(before.outcome, "waiting");
  await page.keyboard.press("Home");
  const way = page.locator(".ways button").filter({ hasText: "Try" }).last();
  assert.match(await way.getAttribute("aria-label"), /^Try it: Places for 5 tasks, /);
  await way.click();
  await until(page, (s) => s.complete && s.outcome === "completed");
  await page.locator("#undo").click();
  await until(page, (s) => s.complete && s.outcome === "waiting");
});

visit("a setting from the start ends the branches, and undo brings them and the moment back", WAITING, async (page) => {
  await page.locator(".ways button").first().click();
  await until(page, (s) => s.branches === 2 && s.complete);
  await stepOn(page);
  await openActs(page);
  await page.locator("#act-desired").fill("5");
  await page.locator("#act-desired").press("Enter");
  const before = await until(page, (s) => s.branches === 3 && s.complete);
  const names = await chips(page).allTextContents();
  await page.getByRole("button", { name: "the start", exact: true }).click();
  await page.getByRole("button", { name: "50/100", exact: true }).click();
  await until(page, (s) => s.branches === 1 && s.complete && s.limits.floor < 4);
  // A second change from the start does not come between.
  await page.getByRole("button", { name: "0/100", exact: true }).click();
  await until(page, (s) => s.limits.floor === 0 && s.complete);
  await page.locator("#undo").click();
  await until(page, (s) => s.limits.floor > 0 && s.complete);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 3);
  assert.deepEqual(await state(page), before);
  assert.deepEqual(await chips(page).allTextContents(), names);
  // The acts before it are taken back in them as before.
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 2 && s.limits.desired === 4);
  await page.locator("#redo").click();
  await until(page, (s) => s.branches === 3 && s.limits.desired === 5);
  await page.locator("#redo").click();
  await until(page, (s) => s.branches === 1 && s.limits.floor < 4 && s.complete);
  await page.locator("#undo").click();
  await until(page, (s) => s.branches === 3);
});

visit("what is in force already makes no branch, and the page says so", WAITING, async (page) => {
  await openActs(page);
  await page.locator("#act-desired").fill("4");
  await page.locator("#act-desired").press("Enter");
  await page.getByText("Nothing changes: the desired count is 4 already.").waitFor();
  assert.equal((await state(page)).branches, 1);
  assert.ok(await page.locator("#undo").isDisabled());
  // A dial that is moved back to where it was leaves nothing behind.
  const slider = page.locator("#slide-maximum");
  await slider.press("ArrowRight");
  await until(page, (s) => s.branches === 2);
  await slider.press("ArrowLeft");
  await until(page, (s) => s.branches === 1);
  assert.ok(await page.locator("#undo").isDisabled());
});
