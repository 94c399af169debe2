// The second program: fetched when it is first needed and not before, and told in words when it does not come.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launchBrowser, openPage, subFolderUrl } from "./harness.mjs";

let browser;
before(async () => { browser = await launchBrowser(); });
after(() => browser?.close());

const DESCRIBED = JSON.stringify({
  services: [{
    serviceName: "web",
    desiredCount: 9,
    runningCount: 9,
    deploymentConfiguration: { maximumPercent: 150, minimumHealthyPercent: 100 },
    deployments: [{ status: "PRIMARY", desiredCount: 9, runningCount: 9, rolloutState: "COMPLETED" }],
  }],
}, null, 2);

/** Opens the page, and the list of what it asked for under lazy/. */
async function openRun(options = {}) {
  const asked = [];
  const opened = await openPage(browser, options.fragment ?? "v1&title=half&desired=4&min=100&max=150", {
    ...options,
    before: async (page) => {
      page.on("request", (request) => {
        if (request.url().includes("/lazy/")) asked.push(request.url());
      });
      await options.before?.(page);
    },
  });
  await opened.settled();
  await opened.page.waitForFunction(() => window.rollscope?.state()?.complete);
  return { ...opened, asked };
}

async function read(page, text) {
  await page.locator("#open-paste").click();
  await page.locator("#paste-text").fill(text);
  await page.locator("#paste-read").click();
}

test("nothing of the second program is fetched before it is needed, and then each file once", async () => {
  const opened = await openRun({ url: subFolderUrl() });
  const { page, asked } = opened;
  await page.waitForLoadState("networkidle");
  assert.deepEqual(asked, []);
  await read(page, DESCRIBED);
  await page.locator("#paste-open").click();
  await page.waitForFunction(() => window.rollscope.state()?.limits.desired === 9);
  assert.deepEqual(asked.map((url) => url.replace(/^.*-[0-9a-f]{16}/, "")).toSorted(), [".js", ".wasm"]);
  assert.ok(asked.every((url) => url.startsWith(`${subFolderUrl()}lazy/`)), "from the folder of the page");
  await read(page, DESCRIBED);
  await page.locator("#paste-rows").waitFor();
  assert.equal(asked.length, 2, "and not again");
  opened.assertClean();
  await opened.close();
});

test("a pasted link needs no second program", async () => {
  const opened = await openRun();
  await read(opened.page, "v1&desired=7&min=100&max=200");
  await opened.page.waitForFunction(() => window.rollscope.state()?.limits.desired === 7);
  assert.deepEqual(opened.asked, []);
  opened.assertClean();
  await opened.close();
});

for (const [what, pattern] of [["script", "**/lazy/*.js*"], ["program", "**/lazy/*.wasm*"]]) {
  test(`a second program whose ${what} is gone is told in words, and can be asked for again`, async () => {
    const opened = await openRun();
    const { page } = opened;
    await page.route(pattern, (route) => route.fulfill({ status: 404, body: "gone" }));
    await read(page, DESCRIBED);
    const failed = page.locator("#paste-failed");
    await failed.filter({ hasText: "could not be loaded" }).waitFor();
    assert.equal(await failed.getAttribute("role"), "alert");
    assert.equal(await page.locator("#paste-text").inputValue(), DESCRIBED, "the text stays");
    await page.unroute(pattern);
    await failed.getByRole("button", { name: "Try again" }).click();
    await page.locator("#paste-open").click();
    await page.waitForFunction(() => window.rollscope.state()?.limits.desired === 9);
    // The refused answer is all there is to see in the console.
    assert.deepEqual(opened.notes.filter((note) => !/404|request failed: .*\/lazy\//.test(note)), []);
    await opened.close();
  });
}

test("a picture is a PNG file of twice the size it has in CSS pixels", async () => {
  const opened = await openRun();
  const { page, asked } = opened;
  const download = page.waitForEvent("download");
  await page.locator("#save-picture").click();
  const file = await download;
  assert.equal(file.suggestedFilename(), "rollscope.png");
  const chunks = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  assert.equal(bytes.subarray(1, 4).toString("latin1"), "PNG");
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1920, 640]);
  assert.ok(bytes.length > 5_000, "something is drawn on it");
  assert.equal(asked.length, 2);
  opened.assertClean();
  await opened.close();
});

test("a picture of a run with requests has the chart of the traffic below that of the tasks", async () => {
  const opened = await openRun({ fragment: "v1&desired=4&min=100&max=200&traffic.requests_per_second=100" });
  const { page } = opened;
  const download = page.waitForEvent("download");
  await page.locator("#save-picture").click();
  const chunks = [];
  for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1920, 1020]);
  // Both halves of it are drawn: neither is the plain ground.
  const drawn = await page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    const colours = (y, height) => new Set(new Uint32Array(context.getImageData(0, y, image.width, height).data.buffer)).size;
    return [colours(0, 640), colours(640, 380)];
  }, bytes.toString("base64"));
  assert.ok(drawn.every((colours) => colours > 10), `${drawn} colours`);
  opened.assertClean();
  await opened.close();
});

test("scripts of an embedding page open a configuration, and hear why not", async () => {
  const opened = await openRun();
  const { page } = opened;
  assert.deepEqual(await page.evaluate((text) => window.rollscope.open(text), DESCRIBED), []);
  await page.waitForFunction(() => window.rollscope.state()?.limits.desired === 9);
  const faults = await page.evaluate(() => window.rollscope.open('{ "service": { "desiredCount": -1 } }'));
  assert.match(faults.join(" "), /desiredCount/);
  // It is shown with what is wrong with it: in place of the run, at its field, and beside the empty panels.
  await page.locator("#refused").getByText(/desiredCount/).waitFor();
  await page.locator("#settings [aria-invalid=true]").first().waitFor();
  assert.equal(await page.evaluate(() => window.rollscope.state()), null, "nothing runs");
  // A link that is cut is told as such.
  const cut = await page.evaluate(() => window.rollscope.open("v1.60.00000000&desired=4"));
  assert.match(cut.join(" "), /missing/);
  await page.locator("#broken-link").waitFor();
  opened.assertClean();
  await page.route("**/lazy/**", (route) => route.abort());
  await opened.close();
});
