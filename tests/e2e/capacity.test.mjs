// The panel at the left: strategy, hooks, capacity and requests. What the form does not show stays in the document.

import assert from "node:assert/strict";
import { HALF, computed, state, until, visits } from "./run.mjs";

const { visit } = visits();

const section = (page, name) => page.locator("details.section").filter({ has: page.locator("summary .name", { hasText: name }) });
async function opened(page, name) {
  const found = section(page, name);
  if (await found.getAttribute("open") === null) await found.locator("summary").click();
  await found.locator(".body").waitFor();
  return found;
}
const headingSays = (page, name, text) => section(page, name).locator("summary .value").getByText(text, { exact: true }).waitFor();
/** A field by its name, whether its value stands in the scenario or not. */
const field = (page, name) => page.getByRole("textbox", { name: new RegExp(`^${name}( \\(set in this scenario\\))?$`) });
const addressHas = (page, text) => page.waitForFunction((text) => decodeURIComponent(location.hash).includes(text), text);

visit("places: a number, and later changes", HALF, async (page) => {
  await headingSays(page, "Capacity", "no limit");
  const room = await opened(page, "Capacity");
  await page.getByLabel("Tasks run").selectOption("in a number of places");
  await headingSays(page, "Capacity", "8 tasks");
  await page.locator("#room").fill("5");
  await headingSays(page, "Capacity", "5 tasks");
  await until(page, (s) => s.complete && s.peak_tasks === 5);
  await room.getByRole("button", { name: "Add a later change" }).click();
  await headingSays(page, "Capacity", "5 tasks, 1 change");
  await field(page, "Change 2: from").fill("30s");
  await field(page, "Change 2: tasks that find a place").fill("6");
  await until(page, (s) => s.complete && s.peak_tasks === 6);
  await room.getByRole("button", { name: "Remove: 30s, 6 tasks" }).click();
  await until(page, (s) => s.complete && s.peak_tasks === 5);
  // An emptied field is refused, and the last good run stays.
  await page.locator("#room").fill("");
  await room.locator(".problem").waitFor();
  await page.getByLabel("Tasks run").selectOption("wherever, without limit");
  await headingSays(page, "Capacity", "no limit");
  await until(page, (s) => s.complete && s.peak_tasks === 6);
});

visit("instances: size, number, zones and what others use decide the room; undo takes the choice back", HALF, async (page) => {
  const room = await opened(page, "Capacity");
  await page.getByLabel("Tasks run").selectOption("on EC2 instances");
  await headingSays(page, "Capacity", "3 × 2 vCPU, 3 zones");
  await room.getByText("3 × 2 vCPU / 4 GiB in 3 zones, each with room for 8 tasks.").waitFor();
  await addressHas(page, "s.launchType=EC2");
  // Room for five: the ceiling of six is not reached.
  await field(page, "Instances: Number").fill("1");
  await field(page, "Instances: CPU units").fill("1536");
  await field(page, "Instances: memory in MiB").fill("8192");
  await field(page, "Instances: CPU units others use").fill("256");
  await room.getByText("1 × 1.5 vCPU / 8 GiB in zone a, with room for 5 tasks.").waitFor();
  await until(page, (s) => s.complete && s.peak_tasks === 5);
  await page.getByLabel("Zones").selectOption("zone c");
  await room.getByText("in zone c, with room for 5 tasks.").waitFor();
  await room.getByRole("button", { name: "Add another kind" }).click();
  await headingSays(page, "Capacity", "2 instances, 2 zones");
  await until(page, (s) => s.complete && s.peak_tasks === 6);
  await room.getByRole("button", { name: "Remove: Instances, kind 2" }).click();
  await until(page, (s) => s.complete && s.peak_tasks === 5);
  // A fixed host port: a second task finds no place on the one instance, and four do not fit at the start.
  await field(page, "Fixed host ports").fill("80, 81");
  await room.locator(".problem").first().waitFor();
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await until(page, (s) => s.complete && s.peak_tasks === 6);
  for (let step = 0; step < 20 && !(await page.locator("#undo").isDisabled()); step += 1) await page.locator("#undo").click();
  await headingSays(page, "Capacity", "no limit");
});

visit("a cluster has a provider, an order of placement and daemons", HALF, async (page) => {
  const room = await opened(page, "Capacity");
  await page.getByLabel("Tasks run").selectOption("on EC2 instances");
  await field(page, "Instances: Number").fill("4");
  await room.getByLabel("A capacity provider brings instances").check();
  await field(page, "Most instances").fill("9");
  await field(page, "Most instances").fill("");
  assert.ok(await room.getByLabel("A capacity provider brings instances").isChecked(), "without a number it is there all the same");
  await page.getByLabel("Placement").selectOption("zones, then binpack by memory");
  await addressHas(page, "s.placementStrategy");
  await room.getByLabel("Each on an instance of its own (distinctInstance)").check();
  await addressHas(page, "distinctInstance");
  await room.getByLabel("Each on an instance of its own (distinctInstance)").uncheck();
  await room.getByLabel("One task on each instance (DAEMON)").check();
  await until(page, (s) => s.complete && s.limits.desired === 4 && s.limits.floor === 0);
  await room.getByLabel("One task on each instance (DAEMON)").uncheck();
  await until(page, (s) => s.complete && s.limits.desired === 4 && s.limits.floor === 4);
  await page.getByLabel("Tasks run").selectOption("on Fargate");
  await headingSays(page, "Capacity", "Fargate");
  await room.getByLabel("No capacity for a while").check();
  await headingSays(page, "Capacity", "Fargate, for a while none");
  await until(page, (s) => s.complete && s.completed_at_ms > 600_000);
  await page.locator("#undo").click();
  await until(page, (s) => s.complete && s.completed_at_ms < 600_000);
});

visit("the strategy is chosen, steps have their counterpart, and what was there comes back", HALF, async (page) => {
  const choose = (name) => page.locator("#strategy").selectOption(name);
  const before = await state(page);
  await choose("Amazon ECS, canary");
  await headingSays(page, "Traffic shift", "5 % for 10 min, bake 3 min");
  await until(page, (s) => s.complete && s.limits.ceiling === 8);
  await field(page, "Canary").fill("12.5");
  await field(page, "Wait after it").fill("7");
  await headingSays(page, "Traffic shift", "12.5 % for 7 min, bake 3 min");
  await field(page, "Canary").fill("0.01");
  await section(page, "Traffic shift").getByRole("alert").getByText(/0.1 to 100/).waitFor();
  await field(page, "Canary").fill("12.5");
  await choose("Amazon ECS, linear");
  await headingSays(page, "Traffic shift", "12.5 % every 7 min, bake 3 min");
  await page.locator("#shift-sum").getByText("8 shifts: 12.5 %, 25 %, … 100 %. 52 minutes are spent waiting.").waitFor();
  await choose("Amazon ECS, blue/green");
  await headingSays(page, "Traffic shift", "all at once, bake 5 min");
  await field(page, "Bake time").fill("0");
  await until(page, (s) => s.complete && s.outcome === "completed");
  // Each choice is undone as one.
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await headingSays(page, "Traffic shift", "12.5 % every 7 min, bake 3 min");
  await choose("Amazon ECS, rolling update");
  await section(page, "Traffic shift").waitFor({ state: "detached" });
  await until(page, (s) => s.complete && s.limits.floor === 4 && s.limits.ceiling === 6);
  assert.equal((await state(page)).peak_tasks, before.peak_tasks);
});

visit("hooks are added, answer, and are taken out again", HALF, async (page) => {
  await page.locator("#strategy").selectOption("Amazon ECS, blue/green");
  const hooks = await opened(page, "Lifecycle hooks");
  await hooks.getByRole("button", { name: "Add a function" }).click();
  await headingSays(page, "Lifecycle hooks", "1 function");
  await until(page, (s) => s.complete && s.outcome === "completed");
  await hooks.getByLabel("It answers").selectOption("FAILED at once");
  await until(page, (s) => s.complete && s.outcome === "rolled_back");
  await hooks.getByRole("button", { name: "Add a pause" }).click();
  await headingSays(page, "Lifecycle hooks", "1 pause, 1 function");
  await hooks.getByRole("button", { name: "Remove: Function 1" }).click();
  await headingSays(page, "Lifecycle hooks", "1 pause");
  await field(page, "Pause 1: Times out after, min").fill("30");
  await hooks.getByLabel("and then").selectOption("goes on");
  await until(page, (s) => s.complete && s.outcome === "completed" && s.completed_at_ms > 1_800_000);
});

visit("requests and target tracking change the count", HALF, async (page) => {
  const requests = await opened(page, "Requests");
  await page.getByLabel("Checked by").waitFor({ state: "detached" });
  await field(page, "Requests a second").fill("40");
  await headingSays(page, "Requests", "40 a second");
  await opened(page, "Health checks");
  await page.locator("#check-kind").selectOption("target group");
  await requests.getByLabel("Target tracking changes the count").check();
  await headingSays(page, "Requests", "40 a second, tracked");
  await field(page, "Requests a minute each").fill("300");
  await until(page, (s) => s.complete && s.peak_tasks > 6);
  await requests.getByRole("button", { name: "Add a later change" }).click();
  await headingSays(page, "Requests", "40 a second, 1 change, tracked");
  await requests.getByRole("button", { name: "Remove: From 2m on" }).click();
  await headingSays(page, "Requests", "40 a second, tracked");
});

visit("what the form does not show stays as it was", "", async (page) => {
  const kept = {
    service: { desiredCount: 4, taskDefinition: "web:8", volumeConfigurations: [{ name: "data" }], placementStrategy: [{ type: "random" }] },
    capacity: { instances: [{ count: 3, interfaces: 4 }], provider: { unavailable: [{ from: "1m", until: "2m" }] } },
  };
  await page.evaluate((document) => window.rollscope.open(document), kept);
  await computed(page);
  await opened(page, "Capacity");
  assert.equal(await page.locator("#placement").evaluate((select) => select.selectedOptions[0].textContent), "as in the document");
  await field(page, "Instances: Number").fill("4");
  await page.locator("#strategy").selectOption("Amazon ECS, blue/green");
  for (const text of ["web:8", "data", "random", "interfaces=4", "unavailable.0.from=1m", "count=4"]) await addressHas(page, text);
});
