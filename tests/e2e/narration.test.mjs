// The story of an example: forward and back, gone where the numbers would be others.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { viewports } from "./harness.mjs";
import { HALF, at, phone, until, visits } from "./run.mjs";

const { visit } = visits();

const folder = new URL("../scenarios/19-threshold/", import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));
const said = read("steps.json").map((step) => step.text.en);
const moments = read("expected.json").steps_at_ms;

visit("an example tells its story, forward and back", HALF, async (page) => {
  assert.equal(await page.locator("#narration").count(), 0, "a run of one's own tells nothing");
  const scrolled = () => page.evaluate(() => document.querySelector("#settings").scrollTop);
  await page.evaluate(() => { document.querySelector("#settings").scrollTop = 60; });
  assert.ok(await scrolled() > 0);
  await page.locator("#open-presets").click();
  await page.locator("#preset-threshold").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.limits.desired === 25);
  assert.equal(await scrolled(), 0, "another scenario begins at the top");
  // The shell itself does not scroll, whatever a script does.
  assert.equal(await page.evaluate(() => {
    const shell = document.querySelector(".page");
    shell.scrollTop = 40;
    document.documentElement.scrollTop = 40;
    return shell.scrollTop + document.documentElement.scrollTop;
  }), 0);
  await page.locator("#scrubber").press("Home");
  const sentence = page.locator("#narration p");
  const says = async (i) => {
    await at(page, moments[i]);
    await sentence.filter({ hasText: said[i] }).waitFor();
  };
  await says(0);
  assert.ok(await page.locator("#chapter-back").isDisabled(), "nothing before the first sentence");
  for (let i = 1; i < said.length; i += 1) {
    await page.locator("#chapter-on").click();
    await says(i);
  }
  assert.ok(await page.locator("#chapter-on").isDisabled(), "nothing after the last one");
  for (let i = said.length - 2; i >= 0; i -= 1) {
    await page.locator("#chapter-back").click();
    await says(i);
  }
  // Between two sentences the one before holds.
  await page.locator("#chapter-on").click();
  await says(1);
  await page.locator("#scrubber").press(".");
  await at(page, (ms) => ms > moments[1] && ms < moments[2]);
  assert.equal(await sentence.textContent(), said[1]);
});

visit("another setting has other numbers: nothing is told until it is undone", HALF, async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#preset-threshold").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator("#narration").waitFor();
  await page.locator("#scrubber").press("Home");
  await page.getByRole("button", { name: "One task more" }).click();
  await page.locator("#narration").waitFor({ state: "detached" });
  await page.locator("#undo").click();
  await page.locator("#narration").waitFor();
  // The address has the whole document, so a link tells it too.
  await page.waitForFunction(() => location.hash.includes("desired=25"));
  await page.reload();
  await page.locator("#narration").waitFor();
});

/** The alarm in the bake: two rows of boxes, a strip of alarms, sentences of one line and of two. */
const BAKE = JSON.parse(readFileSync(new URL("../scenarios/26-alarm-in-bake/expected.json", import.meta.url), "utf8")).steps_at_ms;

for (const [name, options] of [["a desk", {}], ["a low window", { viewport: viewports.laptop }], ["a phone", phone]]) {
  visit(`stage and timeline stay where they are from step to step: ${name}`, HALF, options, async (page) => {
    const small = options === phone;
    if (small) await page.locator("#menu").tap();
    await page.locator("#open-presets").click();
    await page.locator("#preset-alarm-in-bake").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await until(page, (s) => s?.complete && s.outcome === "rolled_back");
    const places = () => page.evaluate(() => ["#stage", "#chart", "#scrubber"]
      .map((part) => document.querySelector(part).getBoundingClientRect().top));
    // The words of a run follow its figures by a frame or two, and may be of another height.
    await page.locator(".narration .told").waitFor();
    await page.waitForFunction(() => {
      const tops = ["#stage", "#chart", "#scrubber"].map((part) => document.querySelector(part).getBoundingClientRect().top).join();
      const same = tops === window.topsBefore ? (window.topsSame ?? 0) + 1 : 0;
      [window.topsBefore, window.topsSame] = [tops, same];
      return same >= 12;
    });
    const first = await places();
    for (const moment of BAKE.filter((ms) => ms > 0)) {
      await page.locator("#chapter-on").click();
      await at(page, moment);
      assert.deepEqual(await places(), first, `at ${moment} ms`);
    }
    await page.locator("#scrubber").press("ArrowLeft");
    await at(page, (ms) => ms < BAKE.at(-1));
    assert.deepEqual(await places(), first, "nor where only the decision is told");
    // Where the middle has a height of its own, all of it is seen; on a phone the scrubber is.
    const cut = await page.evaluate(() => {
      const body = document.querySelector(".centre-body");
      return body.scrollHeight - body.clientHeight;
    });
    if (!small) assert.equal(cut, 0, "nothing is cut");
    const [scrubber, bar] = [await page.locator("#scrubber").boundingBox(), await page.locator(".bar").boundingBox()];
    assert.ok(scrubber.y + scrubber.height <= bar.y + 1, "the scrubber stands above the player");
  });
}

for (const [name, options] of [["a desk", {}], ["a low window", { viewport: viewports.laptop }]]) {
  visit(`three lights that mislead stand in one line: ${name}`, HALF, options, async (page) => {
    await page.locator("#open-presets").click();
    await page.locator("#preset-early-relaxed").click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await until(page, (s) => s?.complete && s.outcome === "completed_then_failing");
    await page.locator("#scrubber").press("Home");
    const told = () => page.evaluate(() => {
      const [line, lights] = [".narration .told", "#tale-lights"].map((part) => document.querySelector(part));
      const box = line.getBoundingClientRect();
      return { height: box.height, cut: Math.round(lights.getBoundingClientRect().right - box.right) };
    });
    await at(page, 0);
    const first = await told();
    await page.locator("#scrubber").press("End");
    await page.waitForFunction(() => document.querySelectorAll(".tale-light.is-misleading").length === 3);
    assert.deepEqual(await told(), first);
  });
}
