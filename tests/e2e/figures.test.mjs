// Where figures, limits and examples come from, and what stays in its place: rules of figures, the example of a scenario,
// settings that start a deployment, notes over the page, one live region.

import assert from "node:assert/strict";
import { viewports } from "./harness.mjs";
import { HALF, STUCK, at, computed, phone, state, until, visits } from "./run.mjs";

const { visit } = visits();

visit("each figure leads to its moment and to its own rule", HALF, async (page) => {
  await computed(page);
  const rules = { "Done after": /Done when all/, "Fewest healthy": /Floor:/, "Most at once": /Ceiling:/, "Both versions serve": /Healthy is what/, "Extra capacity": /A stopping task counts/ };
  assert.equal(await page.locator("button.figure").count(), Object.keys(rules).length, "each of them can be asked");
  for (const [name, rule] of Object.entries(rules)) {
    const figure = page.locator("button.figure").filter({ hasText: name });
    await figure.click();
    const cited = page.locator("#cited");
    await cited.filter({ hasText: name }).waitFor();
    assert.match(await cited.locator(".rule").textContent(), rule, name);
    assert.match(await cited.locator(".rule a").getAttribute("href"), /^https:\/\/docs\.aws\.amazon\.com\//, name);
    const title = await figure.getAttribute("title");
    const [minutes, seconds] = title.match(/(\d+):(\d+)$/).slice(1).map(Number);
    await at(page, (minutes * 60 + seconds) * 1_000);
  }
  // It is the rule of that figure at its moment: elsewhere it is not shown.
  await page.locator("#scrubber").press("Home");
  await page.locator("#scrubber").press(".");
  await page.locator("#cited").waitFor({ state: "detached" });
});

visit("a figure opens its rule on a phone", HALF, phone, async (page) => {
  await computed(page);
  await page.locator("button.figure").first().scrollIntoViewIfNeeded();
  await page.locator("button.figure").first().tap();
  await page.locator("#details.open #cited").filter({ hasText: "Done after" }).waitFor();
});

visit("an example says that it was changed, and leads back to itself", "", async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#preset-half-at-a-time").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  const origin = page.locator(".origin");
  await origin.getByText("From the examples", { exact: true }).waitFor();
  await page.locator(".chips button").first().click();
  await origin.filter({ hasText: "From the example “Half at a time” · changed · " }).waitFor();
  // A link to it tells the same.
  await page.waitForFunction(() => location.hash.includes("title=") && !location.hash.includes("max=150"));
  assert.deepEqual(await page.evaluate(() => window.rollscope.open(location.href)), []);
  await until(page, (s) => s?.complete && s.limits.ceiling === 8);
  await origin.filter({ hasText: "changed · " }).waitFor();
  await page.locator("#reset-example").click();
  await origin.getByText("From the examples", { exact: true }).waitFor();
  await until(page, (s) => s.limits.ceiling === 6);
});

visit("a scenario of one's own comes from no example", HALF, async (page) => {
  await computed(page);
  assert.equal(await page.locator(".origin").count(), 0);
});

visit("percentages that cannot move say from how many tasks on they do", STUCK, async (page) => {
  const works = page.locator("#works-from");
  await works.waitFor();
  assert.equal(await works.textContent(),
    "100 % and 150 % do work for 2 tasks and more. For one task every maximum from 100 % to 199 % is the same.");
  await page.getByRole("button", { name: "One task more" }).click();
  await works.waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.outcome === "completed");
});

const SETTINGS = {
  "a service behind a load balancer, guarded": {
    service: {
      desiredCount: 4, healthCheckGracePeriodSeconds: 5,
      deploymentConfiguration: {
        bakeTimeInMinutes: 5, deploymentCircuitBreaker: { enable: true, rollback: true },
        alarms: { alarmNames: ["errors"], enable: true, rollback: true },
        earlySuccessCriteria: { enable: true, healthyPercent: 100, sourceServiceRevisionCleanup: "BLOCKING" },
      },
    },
    targetGroups: [{}], containers: [{ stopTimeout: 20, healthCheck: { interval: 10 } }],
  },
  "a canary with a hook": {
    service: {
      desiredCount: 4,
      deploymentConfiguration: {
        strategy: "CANARY", canaryConfiguration: { canaryPercent: 10, canaryBakeTimeInMinutes: 5 },
        lifecycleHooks: [{ targetType: "PAUSE", lifecycleStages: ["PRE_PRODUCTION_TRAFFIC_SHIFT"] }],
      },
    },
    targetGroups: [{}],
  },
};

for (const [name, settings] of Object.entries(SETTINGS)) {
  visit(`every setting of ECS says whether a change starts a deployment: ${name}`, "", async (page) => {
    const faults = await page.evaluate((document) => window.rollscope.open(document), { rollscope: 1, title: "mine", ...settings });
    assert.deepEqual(faults, []);
    await computed(page);
    await page.evaluate(() => document.querySelectorAll("#settings details.section:not([open]) > summary").forEach((summary) => summary.click()));
    await page.waitForFunction(() => [...document.querySelectorAll("#settings details.section")].every((section) => section.open));
    // Fields of ECS by the beginning of their identifiers, each with what its section says.
    const silent = await page.evaluate(() => [...document.querySelectorAll("#settings .section .body [id^='f-']")]
      .filter((field) => /^f-(service|containers|targetGroups)/.test(field.id) && !/-(problem|hint)$/.test(field.id))
      .filter((field) => ![...field.closest(".body").querySelectorAll(".effect")]
        .some((said) => field.id.startsWith(`f${said.dataset.of.replace(/[/.]/g, "-")}`)))
      .map((field) => field.id));
    assert.deepEqual(silent, []);
    for (const said of await page.locator("#settings .effect").allTextContents()) assert.match(said, /deployment|service is created/);
  });
}

for (const [name, options] of [["a desk", {}], ["a phone", phone]]) {
  visit(`a note lies over the page and moves nothing: ${name}`, HALF, options, async (page) => {
    await computed(page);
    const places = () => page.evaluate(() => ["#stage", "#chart", "#scrubber", ".verdict-line"]
      .map((part) => document.querySelector(part)?.getBoundingClientRect().top));
    const before = await places();
    // The clipboard is refused here or not: both tell it in a note or a dialog of its own.
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.resolve(); });
    await page.locator("#share").click();
    await page.locator("#copy-link").click();
    await page.locator(".note.passing").waitFor();
    assert.deepEqual(await places(), before);
    await page.locator(".note.passing button").click();
    await page.locator(".note.passing").waitFor({ state: "detached" });
  });
}

visit("one region speaks: the story at its moments, the verdict when its kind changes", "", async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#preset-breaker-trips").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.outcome === "rolled_back");
  assert.deepEqual(await page.evaluate(() => [...document.querySelectorAll(".centre [role=status], #verdict [role=status]")].map((region) => region.id)),
    ["spoken"]);
  await page.locator("#scrubber").press("Home");
  await page.locator("#chapter-on").click();
  const told = await page.locator("#narration .sentence p").textContent();
  await page.waitForFunction((sentence) => document.getElementById("spoken").textContent.startsWith(sentence), told);
  // What is told of the verdict is one short sentence, and after it what is told at the moment.
  await page.evaluate(() => {
    const region = document.getElementById("spoken");
    window.heard = [];
    new MutationObserver(() => window.heard.push(region.textContent)).observe(region, { subtree: true, childList: true, characterData: true });
  });
  await page.locator("#scrubber").press("Home");
  await page.locator("#slide-maximum").fill("120");
  await page.waitForFunction(() => window.heard.includes("It cannot move."));
});

visit("in a low window a story and the decision share one place, and the lights have names", "", { viewport: viewports.laptop }, async (page) => {
  await page.locator("#open-presets").click();
  await page.locator("#preset-breaker-trips").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.outcome === "rolled_back");
  await page.locator("#scrubber").press("Home");
  await page.locator("#chapter-on").click();
  const shown = (selector) => page.locator(selector).isVisible();
  assert.deepEqual([await shown("#narration .sentence p"), await shown("#caption")], [true, false]);
  const names = page.locator("#tale-lights .who");
  for (const name of await names.all()) assert.ok((await name.boundingBox()).width > 20, "a light has its name");
  assert.ok(await names.count() >= 3);
  await page.locator("#scrubber").press(".");
  await page.locator("#caption").waitFor();
  assert.equal(await shown("#narration .sentence p"), false);
  assert.ok((await state(page)).moment_ms > 0);
});
