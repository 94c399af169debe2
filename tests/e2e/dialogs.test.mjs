// Dialogs, and what comes into the page from elsewhere: pasted, typed, chosen or dropped.

import assert from "node:assert/strict";
import { test } from "node:test";
import { HALF, computed, focused, state, until, visits } from "./run.mjs";

const { visit, openRun } = visits();

const service = (name, desired, maximum) => ({
  serviceName: name,
  desiredCount: desired,
  deploymentConfiguration: { maximumPercent: maximum, minimumHealthyPercent: 100 },
});
const described = (...services) => JSON.stringify({ services }, null, 2);

/** What a hand drags: a file, or a text of a type. */
const transfer = (page, what) => page.evaluateHandle(({ file, type, text }) => {
  const data = new DataTransfer();
  if (file) data.items.add(new File([text], file, { type: "application/json" }));
  else data.setData(type, text);
  return data;
}, what);

visit("the examples: one is opened, and undo brings back what was there", HALF, async (page) => {
  await page.locator("#open-presets").click();
  const rows = page.locator("#presets button");
  assert.ok(await rows.count() >= 8);
  await page.locator("#preset-stop-all-first").click();
  await page.locator("dialog").waitFor({ state: "detached" });
  await until(page, (s) => s?.complete && s.limits.floor === 0);
  await page.locator("#undo").click();
  await until(page, (s) => s?.complete && s.limits.floor === 4 && s.limits.ceiling === 6);
  assert.equal(await page.locator("h1").textContent(), "half");
  // By keys.
  await page.locator("#open-presets").press("Enter");
  await page.locator("#preset-all-at-once").press("Enter");
  await until(page, (s) => s?.complete && s.limits.ceiling === 8);
  await page.goBack();
  await until(page, (s) => s?.complete && s.limits.ceiling === 6);
});

test("every example opens and runs", async () => {
  const opened = await openRun(HALF);
  const { page } = opened;
  await page.locator("#open-presets").click();
  const ids = await page.locator("#presets button[id^='preset-']").evaluateAll((list) => list.map(({ id }) => id));
  await page.keyboard.press("Escape");
  for (const id of ids) {
    await page.locator("#open-presets").click();
    const title = await page.locator(`#${id} strong`).textContent();
    await page.locator(`#${id}`).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => window.rollscope.state() === null || window.rollscope.state().complete);
    const now = await state(page);
    const verdict = await page.locator("#verdict h3").textContent();
    // One of them is what the service refuses: nothing is simulated then.
    if (now === null) assert.equal(verdict, "Not accepted", title);
    else assert.equal(now.invariants_broken, 0, title);
  }
  opened.assertClean();
  await opened.close();
});

visit("a described service is pasted, one of two is chosen by name", "", async (page) => {
  const text = described(service("web", 9, 150), service("api", 3, 200));
  await page.locator("#open-paste").click();
  await focused(page, "#paste-text");
  assert.ok(await page.locator("#paste-read").isDisabled(), "nothing to read yet");
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
});

const TEMPLATE = `Parameters:
  Count: {Type: Number, Default: 5}
Resources:
  Web:
    Type: AWS::ECS::Service
    Properties:
      ServiceName: web
      DesiredCount: !Ref Count
      DeploymentConfiguration: {MaximumPercent: 150, MinimumHealthyPercent: !ImportValue least}
  Worker:
    Type: AWS::ECS::Service
    Properties: {DesiredCount: 3}
`;

visit("a template is pasted, one of its services is chosen, each value says where it comes from", "", async (page) => {
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(TEMPLATE);
  await page.locator("#paste-read").click();
  await page.locator("#paste-kind").getByText("CloudFormation template").waitFor();
  await page.locator("#paste-services").getByRole("button", { name: "Web" }).click();
  const row = (name) => page.locator("#paste-rows tr").filter({ hasText: name }).textContent();
  assert.match(await row("desiredCount"), /5default of a parameter, line 8/);
  assert.match(await row("maximumPercent"), /150given, line 9/);
  assert.match(await row("minimumHealthyPercent"), /filled in elsewhere, line 9/);
  assert.match(await page.locator("dialog .notes").first().textContent(), /minimumHealthyPercent, which !ImportValue least stands for/);
  await page.locator("#paste-open").click();
  await until(page, (s) => s?.complete && s.limits.desired === 5 && s.limits.ceiling === 7);
  await page.locator("#undo").click();
  await until(page, (s) => s.limits.desired === 4);
});

visit("the format is recognised and can be overruled, and the text stays", "", async (page) => {
  await page.locator("#open-paste").click();
  const text = "services:\n  web:\n    image: a\n    deploy: {replicas: 6, update_config: {parallelism: 2}}\n";
  await page.locator("#paste-text").fill(text);
  await page.locator("#paste-read").click();
  await page.locator("#paste-kind").getByText("Compose file").waitFor();
  // Read and computed, and not run: the page says so and opens nothing.
  assert.match(await page.locator("#paste-faults").textContent(), /it is not run/);
  assert.match(await page.locator("#paste-rows tr").filter({ hasText: "batches" }).textContent(), /3follows from the others/);
  assert.equal(await page.locator("#paste-open").count(), 0);
  await page.locator("#paste-format").selectOption({ label: "Terraform configuration (HCL)" });
  await page.locator("#paste-faults").getByText(/line 1, column \d+/).waitFor();
  assert.equal(await page.locator("#paste-text").inputValue(), text);
  await page.locator("#paste-format").selectOption({ index: 0 });
  await page.locator("#paste-kind").getByText("Compose file").waitFor();
});

visit("a command line is pasted; what it leaves out is asked for", "", async (page) => {
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill("aws ecs update-service --service web \\\n  --deployment-configuration 'maximumPercent=150,minimumHealthyPercent=50'");
  await page.locator("#paste-read").click();
  await page.locator("#paste-faults").getByText(/desiredCount/).waitFor();
  assert.match(await page.locator("dialog .notes").first().textContent(), /keeps the live number/);
  await page.locator("#paste-mend").click();
  await page.locator("#refused").waitFor();
});

visit("a link is typed into the dialog and opens at once, all by keys", "", async (page) => {
  await page.locator("#open-paste").press("Enter");
  await focused(page, "#paste-text");
  await page.keyboard.type("v1&desired=8&min=50&max=100");
  await page.locator("#paste-read").press("Enter");
  await until(page, (s) => s?.complete && s.limits.desired === 8);
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.keyboard.press("Control+z");
  await until(page, (s) => s?.complete && s.limits.desired === 4);
});

visit("what cannot be read says line and column and stays in its field", "", async (page) => {
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
});

visit("what the service refuses can be opened to be mended, and undo brings back what was there", HALF, async (page) => {
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(described(service("web", 9, 100)));
  await page.locator("#paste-read").click();
  await page.locator("#paste-faults").getByText(/maximumPercent/).waitFor();
  assert.equal(await page.locator("#paste-open").count(), 0);
  await page.locator("#paste-mend").click();
  await page.locator("#refused").waitFor();
  await focused(page, "#settings");
  await page.locator("#settings").getByRole("button", { name: /^Use 1\d\d/ }).click();
  await until(page, (s) => s?.complete && s.limits.desired === 9);
  await page.locator("#undo").click();
  await page.locator("#undo").click();
  await until(page, (s) => s?.complete && s.limits.desired === 4);
});

visit("an answer without the service says which was not found, and what to check", HALF, async (page) => {
  await page.locator("#open-paste").click();
  const arn = "arn:aws:ecs:eu-central-1:111122223333:service/ordres";
  await page.locator("#paste-text").fill(JSON.stringify({ services: [], failures: [{ arn, reason: "MISSING" }] }));
  await page.locator("#paste-read").click();
  assert.match(await page.locator("#paste-faults").textContent(), /ECS did not find ordres \(MISSING\): check --cluster/);
  assert.equal(await page.locator("#paste-open").count() + await page.locator("#paste-mend").count(), 0);
});

visit("a file is chosen, and read at once", "", async (page) => {
  await page.locator("#open-paste").click();
  await page.locator("#paste-file").setInputFiles({ name: "service.json", mimeType: "application/json", buffer: Buffer.from(described(service("web", 6, 200))) });
  await page.locator("#paste-rows").waitFor();
  await page.getByRole("heading", { name: /service\.json/ }).waitFor();
  // What the text cannot say stands above what was read, and the next key opens it.
  const [needs, rows] = [await page.locator("dialog .notes").first().boundingBox(), await page.locator("#paste-rows").boundingBox()];
  assert.ok(needs.y < rows.y, "what is missing comes first");
  await focused(page, "#paste-open");
  await page.keyboard.press("Enter");
  await until(page, (s) => s?.complete && s.limits.desired === 6);
});

visit("a file is dropped anywhere on the page", "", async (page) => {
  const data = await transfer(page, { file: "service.json", text: described(service("web", 5, 200)) });
  await page.dispatchEvent("#settings", "dragover", { dataTransfer: data });
  await page.locator("#drop-zone").waitFor();
  await page.dispatchEvent("#settings", "drop", { dataTransfer: data });
  await page.locator("#drop-zone").waitFor({ state: "detached" });
  await page.locator("#paste-rows").waitFor();
  assert.match(await page.locator("#paste-text").inputValue(), /"desiredCount": 5/);
  assert.equal((await state(page)).limits.desired, 4, "nothing is opened before it is wanted");
  await page.locator("#paste-open").click();
  await until(page, (s) => s?.complete && s.limits.desired === 5);
  await page.locator("#undo").click();
  await until(page, (s) => s?.complete && s.limits.desired === 4);
});

visit("a text is dropped: a link opens at once", "", async (page) => {
  const data = await transfer(page, { type: "text/plain", text: "https://example.org/#v1&desired=6&min=100&max=150" });
  await page.dispatchEvent("#chart", "dragover", { dataTransfer: data });
  await page.dispatchEvent("#chart", "drop", { dataTransfer: data });
  await until(page, (s) => s?.complete && s.limits.desired === 6 && s.limits.ceiling === 9);
  assert.equal(await page.locator("dialog").count(), 0);
});

visit("a drag that leaves the page leaves nothing behind", "", async (page) => {
  const data = await transfer(page, { type: "text/plain", text: "x" });
  await page.dispatchEvent("body", "dragover", { dataTransfer: data });
  await page.locator("#drop-zone").waitFor();
  await page.dispatchEvent("body", "dragleave", { dataTransfer: data });
  await page.locator("#drop-zone").waitFor({ state: "detached" });
  assert.equal(await page.locator("dialog").count(), 0);
});

visit("the link is copied", HALF, { context: { permissions: ["clipboard-read", "clipboard-write"] } }, async (page) => {
  await page.locator("#share").press("Enter");
  await page.locator("#copy-link").press("Enter");
  const note = page.getByText("The link is on the clipboard");
  await note.waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#v1\.\d+\.[0-9a-f]{8}&/);
  await page.getByRole("button", { name: "Close" }).click();
  await note.waitFor({ state: "detached" });
});

visit("where the clipboard is refused the link is shown, selected", HALF, {
  before: (page) => page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined })),
}, async (page) => {
  await page.locator("#share").click();
  await page.locator("#copy-link").click();
  await page.getByText("The browser does not let this page use the clipboard").waitFor();
  const text = await page.locator("#link-text").inputValue();
  assert.match(text, /#v1\./);
  const selection = await page.evaluate(() => {
    const area = document.activeElement;
    return area.value.slice(area.selectionStart, area.selectionEnd);
  });
  assert.equal(selection, text, "the whole link is selected");
  await page.locator("#dialog-close").click();
  await page.locator("dialog").waitFor({ state: "detached" });
});

visit("the chart is saved as a picture without breaking the content policy", HALF, async (page) => {
  const download = page.waitForEvent("download");
  await page.locator("#save-picture").press("Enter");
  assert.equal((await download).suggestedFilename(), "rollscope.png");
  await computed(page);
});
