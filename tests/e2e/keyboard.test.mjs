// The whole page by keys: where Tab goes, what single keys do, and how to switch them off.

import assert from "node:assert/strict";
import { HALF, addressHas, at, computed, focused, pixels, repainted, state, stepOn, until, visits } from "./run.mjs";

const { visit } = visits();

const theme = (page) => page.evaluate(() => document.documentElement.dataset.theme ?? "system");
/** A run with two failures, opened without a link. */
const failing = {
  service: { desiredCount: 4, deploymentConfiguration: { minimumHealthyPercent: 100, maximumPercent: 150 } },
  new: { by_start: { 1: "never_running", 4: "never_running" } },
};

visit("Tab goes through the page in the order of its parts", HALF, async (page) => {
  const seen = [];
  await page.keyboard.press("Tab");
  for (let press = 0; press < 80; press += 1) {
    const part = await page.evaluate(() => {
      const element = document.activeElement;
      const parts = [".skips", "header", "#settings", "#compare-copy", "#branches", ".figures", "#grid", "#chart", "#scrubber", ".chart-table", ".player", "[role=tablist]", "#tab-panel"];
      return parts.find((selector) => element.closest(selector)) ?? element.tagName;
    });
    if (part === "BODY") break;
    if (seen.at(-1) !== part) seen.push(part);
    await page.keyboard.press("Tab");
  }
  assert.deepEqual(seen, [".skips", "header", "#settings", "#compare-copy", ".figures", "#grid", "#chart", "#scrubber", ".chart-table", ".player", "[role=tablist]", "#tab-panel"]);
});

visit("skip links lead to the parts of the page, and leave the address alone", HALF, async (page) => {
  await addressHas(page, "v1.");
  const hash = await page.evaluate(() => location.hash);
  for (const [presses, name, target] of [[1, "Skip to the player", "#play"], [2, "Skip to the settings", "#settings"], [3, "Skip to the details", "#details"]]) {
    await page.evaluate(() => document.activeElement?.blur());
    await page.getByRole("button", { name: "Skip to the player" }).focus();
    for (let press = 1; press < presses; press += 1) await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), name);
    const box = await page.getByRole("button", { name }).boundingBox();
    assert.ok(box.y >= 0, `${name} is seen while it has the focus`);
    await page.keyboard.press("Enter");
    await focused(page, target);
  }
  assert.equal(await page.evaluate(() => location.hash), hash);
});

visit("the player by keys: K, Space, arrows, comma, dot, Home and End", HALF, async (page) => {
  for (const key of ["k", "Space"]) {
    await page.keyboard.press(key);
    await until(page, (s) => s.playing);
    await page.keyboard.press(key);
    await until(page, (s) => !s.playing);
  }
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.keyboard.press("ArrowRight");
  const decision = await at(page, (now) => now > 0);
  await page.keyboard.press("ArrowLeft");
  await at(page, 0);
  await page.keyboard.press("Shift+ArrowRight");
  const event = await at(page, (now) => now > 0);
  assert.ok(event.moment_ms <= decision.moment_ms);
  await page.keyboard.press("Shift+ArrowLeft");
  await at(page, 0);
  await page.keyboard.press(".");
  await at(page, 1000);
  await page.keyboard.press(".");
  await at(page, 2000);
  await page.keyboard.press(",");
  await at(page, 1000);
  await page.keyboard.press("End");
  await at(page, (now, s) => now === s.end_ms);
  // Space on a button presses the button.
  await page.getByRole("button", { name: "To the start" }).focus();
  await page.keyboard.press("Space");
  const start = await at(page, 0);
  assert.equal(start.playing, false);
});

visit("E goes to the next failure, Shift + E back", HALF, async (page) => {
  assert.deepEqual(await page.evaluate((document) => window.rollscope.open(document), failing), []);
  await computed(page);
  await page.locator("h1").click();
  await page.keyboard.press("e");
  const first = await at(page, (now) => now > 0);
  await page.keyboard.press("e");
  const second = await at(page, (now) => now > first.moment_ms);
  await page.keyboard.press("E");
  await at(page, first.moment_ms);
  assert.ok(second.moment_ms > first.moment_ms);
});

visit("fields have their letters to themselves", HALF, async (page) => {
  await page.keyboard.press("/");
  await focused(page, "#find");
  await page.keyboard.type("kgtfl123?");
  assert.equal(await page.locator("#find").inputValue(), "kgtfl123?");
  const now = await state(page);
  assert.deepEqual([now.playing, now.moment_ms], [false, 0]);
  assert.equal(await theme(page), "system");
  assert.equal(await page.locator("dialog").count(), 0);
  await page.locator("#legend").waitFor();
});

visit("the help lists the keys; single keys can be switched off, and stay so", HALF, async (page, opened) => {
  await page.locator("#open-help").focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys and help" });
  await dialog.waitFor();
  assert.ok(await dialog.locator("#keys tr").count() > 15);
  const single = dialog.locator("#single-keys");
  assert.ok(await single.isChecked());
  // A dialog has its keys to itself.
  await page.keyboard.press("t");
  await page.keyboard.press("ArrowRight");
  assert.equal(await theme(page), "system");
  await single.focus();
  await page.keyboard.press("Space");
  assert.ok(!(await single.isChecked()));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await focused(page, "#open-help");
  const nothing = async () => {
    for (const key of ["t", "l", "2", "k", ".", "f", "g", "b", "/"]) await page.keyboard.press(key);
    await page.keyboard.press("ArrowRight");
    const now = await at(page, (moment) => moment > 0);
    assert.equal(now.playing, false);
    assert.equal(await theme(page), "system");
    await page.locator("#legend").waitFor();
    assert.equal(await page.locator("#tab-why").getAttribute("aria-selected"), "true");
    assert.equal(await page.locator("#go-to").count(), 0);
    assert.ok(await page.locator("header").isVisible());
    await page.keyboard.press("Home");
    await at(page, 0);
  };
  await nothing();
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  await computed(page);
  await nothing();
  await page.locator("#open-help").click();
  await page.locator("#single-keys").check();
  await page.locator("#dialog-close").click();
  await page.keyboard.press("l");
  await page.locator("#legend").waitFor({ state: "detached" });
});

visit("the theme goes round by button and key, and stays after a reload", HALF, { colorScheme: "light" }, async (page, opened) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const button = page.locator("#theme");
  const light = await background();
  const painted = await pixels(page, "#stage");
  assert.equal(await theme(page), "system");
  await button.click();
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  assert.equal(await button.getAttribute("aria-label"), "Theme: dark");
  await repainted(page, "#stage", painted);
  assert.notEqual(await background(), light);
  await page.waitForLoadState("networkidle");
  await page.reload();
  await opened.settled();
  await computed(page);
  assert.equal(await theme(page), "dark");
  assert.notEqual(await background(), light);
  await page.keyboard.press("t");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
  assert.equal(await background(), light);
  await page.locator("#theme").press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.theme === undefined);
  assert.equal(await background(), light);
});

visit("stage only: by F and button, left by Escape and F", HALF, async (page) => {
  const [header, stage] = [page.locator("header"), page.locator("#stage")];
  const hidden = async () => {
    await header.waitFor({ state: "hidden" });
    for (const id of ["#settings", "#details"]) assert.ok(await page.locator(id).isHidden(), id);
    for (const id of ["#stage", "#caption", "#play"]) assert.ok(await page.locator(id).isVisible(), id);
  };
  const narrow = (await stage.boundingBox()).width;
  await page.keyboard.press("f");
  await hidden();
  await page.waitForFunction((before) => document.getElementById("stage").getBoundingClientRect().width > before, narrow);
  await stepOn(page);
  await page.keyboard.press("Escape");
  await header.waitFor();
  await page.locator("#stage-only").click();
  await hidden();
  assert.equal(await page.locator("#stage-only").getAttribute("aria-pressed"), "true");
  await page.keyboard.press("f");
  await header.waitFor();
  await page.waitForFunction((before) => Math.abs(document.getElementById("stage").getBoundingClientRect().width - before) < 2, narrow);
});

visit("every dialog gives the keyboard back to where it came from", HALF, async (page) => {
  for (const id of ["open-paste", "open-presets", "open-help"]) {
    await page.locator(`#${id}`).press("Enter");
    const dialog = page.locator("dialog");
    await dialog.waitFor();
    // Focus stays inside.
    for (let press = 0; press < 40; press += 1) await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement.closest("dialog") !== null), id);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await focused(page, `#${id}`);
  }
});
