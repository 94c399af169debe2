// axe-core looks at the page in every state a visitor can meet, and finds nothing.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, viewports } from "./harness.mjs";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const HALF = "v1&title=half&desired=4&min=100&max=150";
const STUCK = "v1&title=one&desired=1&min=100&max=150";
const THOUSAND = "v1&desired=1000&min=90&max=125";
const PAUSED = "v1&desired=4&dc.strategy=LINEAR&dc.bakeTimeInMinutes=15&dc.linearConfiguration.stepPercent=50&quotas=none"
  + "&dc.lifecycleHooks.0.targetType=PAUSE&dc.lifecycleHooks.0.lifecycleStages.0=PRE_PRODUCTION_TRAFFIC_SHIFT"
  + "&tg.0.healthCheckIntervalSeconds=10&traffic.requests_per_second=100&new.bad_responses.0=1&new.bad_responses.1=20";
const phone = { viewport: viewports.phone, context: { isMobile: true, hasTouch: true, deviceScaleFactor: 2 } };

/** Opens the page with axe-core in it, which comes as an init script since the content policy allows no other. */
async function open(fragment, options = {}) {
  const opened = await openPage(browser, fragment, {
    ...options,
    async before(page) {
      await page.addInitScript({ path: AXE });
      await options.before?.(page);
    },
  });
  await opened.settled();
  return opened;
}

/** Opens a scenario and waits until its run is computed. */
async function openRun(fragment, options) {
  const opened = await open(fragment, options);
  await opened.page.waitForFunction(() => window.rollscope?.state()?.complete);
  return opened;
}

/** What axe-core finds: one text a rule, with the elements and what is wrong with each. */
async function findings(page) {
  // It would fetch the style sheets again, which nothing here needs.
  const { violations } = await page.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ["violations"] }));
  return violations.map(({ id, help, nodes }) =>
    [`${id}: ${help}`, ...nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 160)}\n    ${failureSummary.replace(/\s+/g, " ")}`)].join("\n"));
}

async function assertNothing(page, place) {
  const found = await findings(page);
  assert.equal(found.length, 0, `${place}:\n${found.join("\n")}`);
}

/** A test of one state: `reach(page)` brings the page there. */
function state(name, fragment, options = {}, reach = async () => {}) {
  test(`nothing is found: ${name}`, async () => {
    const opened = await openRun(fragment, options);
    await reach(opened.page);
    await assertNothing(opened.page, name);
    opened.assertClean();
    await opened.close();
  });
}

state("the first state", "");
state("in dark colours", HALF, { colorScheme: "dark" });
state("on a laptop", HALF, { viewport: viewports.laptop });
state("in forced colours", HALF, { context: { forcedColors: "active" } });
state("on a phone", HALF, phone);
state("on a phone in dark colours", STUCK, { ...phone, colorScheme: "dark" });
state("what cannot move", STUCK);
state("what cannot move, in dark colours", STUCK, { colorScheme: "dark" });
state("a thousand tasks", THOUSAND);
for (const [name, options] of [["the map of two settings", {}], ["the map in dark colours on a laptop", { colorScheme: "dark", viewport: viewports.laptop }]]) {
  state(name, HALF, options, async (page) => {
    await page.locator("#to-explore").click();
    await page.locator("#compare[data-state=ready]").waitFor();
  });
}
state("the map on a phone", HALF, phone, async (page) => {
  await page.locator("#menu").tap();
  await page.locator("#menu-explore").tap();
  await page.locator("#compare[data-state=ready]").waitFor();
});
for (const [name, options] of [["a pause between two walls", {}], ["two walls on a phone in dark colours", { ...phone, colorScheme: "dark" }]]) {
  state(name, PAUSED, options, async (page) => {
    for (let step = 0; step < 20 && await page.locator("#stage-continue-1").count() === 0; step += 1) {
      const before = await page.evaluate(() => window.rollscope.state().moment_ms);
      await page.getByRole("button", { name: "Next step" }).click();
      await page.waitForFunction((ms) => window.rollscope.state().moment_ms > ms, before);
    }
    await page.locator("#chart-of button").last().click();
    await page.locator("#stage-continue-1").waitFor();
  });
}
state("no task at all", "v1&desired=0");
state("in the middle of a run", HALF, {}, async (page) => {
  for (let step = 0; step < 3; step += 1) await page.getByRole("button", { name: "Next step" }).click();
  await page.waitForFunction(() => window.rollscope.state().moment_ms > 0);
});
state("a selected task", HALF, {}, async (page) => {
  const stage = await page.locator("#stage").boundingBox();
  await page.mouse.click(stage.x + 40, stage.y + 40);
  await page.locator("#act-kill").waitFor();
});
const ON_INSTANCES = "v1&desired=4&s.launchType=EC2&capacity.instances.0.count=2&capacity.task.cpu=1024&capacity.provider.max=4&sel=i1";
state("instances with one selected", ON_INSTANCES);
state("instances by zone in dark colours", `${ON_INSTANCES}&group=zone`, { colorScheme: "dark" });
state("instances on a phone", ON_INSTANCES, phone);
state("two hundred instances", "v1&desired=600&max=125&s.launchType=EC2&capacity.instances.0.count=200");
for (const [kind, link] of [["StatefulSet", "v1&platform=statefulset&s.replicas=4&new.fate=never_passes"], ["DaemonSet", "v1&platform=daemonset&nodes=4"]]) {
  for (const [name, options] of [["", {}], [" in dark colours on a phone", { ...phone, colorScheme: "dark" }]]) {
    state(`a ${kind} with a selected Pod${name}`, link, options, async (page) => {
      await page.locator('#grid [role="gridcell"][data-task]').first().dispatchEvent("click");
      await page.locator("#selected h3").waitFor({ state: "attached" });
    });
  }
}
state("a setting that is refused", HALF, {}, async (page) => {
  await page.getByLabel("Maximum", { exact: true }).fill("many");
  await page.locator(".problem").first().waitFor();
});

/** A run whose tasks never pass a check, with a breaker, an alarm and early success, at its end. */
const FAILS = "v1&desired=4&dc.deploymentCircuitBreaker.enable=true&dc.deploymentCircuitBreaker.rollback=true"
  + "&dc.alarms.alarmNames.0=errors&dc.alarms.enable=true&dc.alarms.rollback=true"
  + "&dc.earlySuccessCriteria.enable=true&dc.earlySuccessCriteria.healthyPercent=100"
  + "&dc.earlySuccessCriteria.sourceServiceRevisionCleanup=BLOCKING"
  + "&tg.0.healthCheckIntervalSeconds=10&new.fate=never_passes&new.expects=2&schema.0.at=0s&schema.0.version=2";

for (const [name, options] of [["in light colours", {}], ["in dark colours", { colorScheme: "dark" }], ["on a phone", phone]]) {
  test(`nothing is found: a run that fails, ${name}`, async () => {
    const { page, ...opened } = await openRun(FAILS, options);
    await page.waitForFunction(() => window.rollscope.state()?.outcome === "rolled_back");
    for (const key of ["1", "3"]) {
      await page.keyboard.press("Home");
      await page.keyboard.press(key);
      await page.keyboard.press("End");
      await page.evaluate(() => document.querySelectorAll("details").forEach((section) => { section.open = true; }));
      await assertNothing(page, `tab ${key}`);
    }
    opened.assertClean();
    await opened.close();
  });
}

test("nothing is found: every tab", async () => {
  for (const options of [{}, { colorScheme: "dark" }]) {
    const opened = await openRun(HALF, options);
    const { page } = opened;
    const tabs = page.getByRole("tab");
    const names = await tabs.allTextContents();
    assert.ok(names.some((name) => name.startsWith("Events")), `tabs: ${names}`);
    for (let index = 0; index < names.length; index += 1) {
      await tabs.nth(index).click();
      await assertNothing(page, `tab ${names[index]}`);
    }
    opened.assertClean();
    await opened.close();
  }
});

test("nothing is found: every sheet of a phone", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const opened = await openRun(HALF, { ...phone, colorScheme });
    const { page } = opened;
    const names = await page.locator("nav.bottom button:visible").allTextContents();
    assert.ok(names.length >= 3, `buttons of the bar: ${names}`);
    for (const [index, name] of names.entries()) {
      await page.locator("nav.bottom button").nth(index).click();
      await page.locator(".sheet.open").first().waitFor();
      await assertNothing(page, `sheet ${name}`);
    }
    opened.assertClean();
    await opened.close();
  }
});

test("nothing is found: sections that are opened", async () => {
  for (const options of [{}, phone]) {
    const opened = await openRun(HALF, options);
    const { page } = opened;
    await page.evaluate(() => document.querySelectorAll("details").forEach((section) => { section.open = true; }));
    await assertNothing(page, "sections");
    opened.assertClean();
    await opened.close();
  }
});

test("nothing is found: every dialog of the header", async () => {
  for (const options of [{}, { colorScheme: "dark" }, phone]) {
    const opened = await openRun(HALF, {
      ...options,
      // Without a clipboard the link is shown instead of copied.
      before: (page) => page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined })),
    });
    const { page } = opened;
    // Where the page is narrow most of them wait behind the button of a menu. Those that lead to another screen open no dialog.
    const ids = await page.locator("header button:enabled[id]:not(#menu, #save-picture, #menu-section, #menu-explore, #present, .section-link)").evaluateAll((list) => list.map(({ id }) => id));
    const dialogs = [];
    for (const id of ids) {
      const button = page.locator(`#${id}`);
      if (!(await button.isVisible())) await page.locator("#menu").click();
      await button.click();
      // A dialog opens in the frame after the click, if at all.
      await page.waitForTimeout(150);
      if (await page.locator("dialog[open]").count() === 0) continue;
      dialogs.push(id);
      await assertNothing(page, `dialog of ${id}`);
      await page.keyboard.press("Escape");
      await page.locator("dialog[open]").waitFor({ state: "detached" });
    }
    for (const id of ["open-paste", "share", "open-presets", "open-help"]) assert.ok(dialogs.includes(id), `${id}: ${dialogs}`);
    opened.assertClean();
    await opened.close();
  }
});

test("nothing is found: what is presented, and the tab with the code for another page", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.locator("#present").click();
  await page.locator(".presenting").waitFor();
  await assertNothing(page, "presenter");
  await page.keyboard.press("p");
  await page.locator("#share").click();
  await page.locator("#share-embed").click();
  await page.frameLocator(".share-preview").locator("#boot-message[data-rest]").waitFor({ state: "attached" });
  await assertNothing(page, "code for another page");
  opened.assertClean();
  await opened.close();
});

test("nothing is found: panels that open beside their button", async () => {
  for (const options of [{}, phone]) {
    const opened = await openRun(HALF, options);
    const { page } = opened;
    const visible = () => page.locator("button[aria-expanded]:visible").evaluateAll((list) => list.map(({ id }) => id));
    const names = await visible();
    assert.ok(names.length > 0, "there is one");
    for (const id of names) {
      await page.locator(`#${id}`).click();
      await assertNothing(page, `panel of ${id}`);
      await page.keyboard.press("Escape");
    }
    opened.assertClean();
    await opened.close();
  }
});

test("nothing is found: what pasting found, and what it could not read", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  const service = (name) => ({ serviceName: name, desiredCount: 3, deploymentConfiguration: { maximumPercent: 200, minimumHealthyPercent: 50 } });
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(JSON.stringify({ services: [service("web"), service("api")] }, null, 2));
  await page.locator("#paste-read").click();
  await page.locator("#paste-services").waitFor();
  await assertNothing(page, "two services");
  await page.locator("#paste-services button").first().click();
  await page.locator("#paste-rows").waitFor();
  await assertNothing(page, "what was read");
  await page.locator("#paste-text").fill('{ "service": { "desiredCount": 4,, } }');
  await page.locator("#paste-read").click();
  await page.locator("#paste-faults").waitFor();
  await assertNothing(page, "what could not be read");
  opened.assertClean();
  await opened.close();
});

test("nothing is found: a broken link, in both themes and on a phone", async () => {
  for (const options of [{}, { colorScheme: "dark" }, phone]) {
    const opened = await open("v1.99.00000000&desired=4", options);
    await opened.page.locator("#broken-link").waitFor();
    await assertNothing(opened.page, "broken link");
    opened.assertClean();
    await opened.close();
  }
});

test("a page with a fault is found out", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.evaluate(() => {
    document.body.append(document.createElement("button"));
    document.documentElement.lang = "";
  });
  const found = (await findings(page)).join("\n");
  assert.match(found, /button-name/);
  assert.match(found, /html-has-lang/);
  await opened.close();
});
