// The drawing alone, timed in tests/bench-page/: stage beside a bare loop, chart beside uPlot.

import { openPage } from "./harness.mjs";

const two = (value) => value.toFixed(2);

function rows(row, what, { script, pixels }, goal, measure) {
  row(what, `${two(script.ratio)} (${two(script.ours)} : ${two(script.measure)} ms)`, goal);
  row(`  with the pixels ${measure}`, `${two(pixels.ratio)} (${two(pixels.ours)} : ${two(pixels.measure)} ms)`);
}

/** Prints the rows; `url` is where the bench page is served. */
export async function benchDrawing(browser, url, row) {
  const opened = await openPage(browser, "", { url });
  const { page } = opened;
  page.setDefaultTimeout(120_000);
  await page.waitForFunction(() => window.drawing);
  for (const desired of [1_000, 10_000]) {
    const boxes = await page.evaluate((count) => window.drawing.boxes(count), desired);
    const name = desired.toLocaleString("en");
    row(`stage of ${name} tasks, all boxes`, `${boxes.slots} boxes, ${boxes.rectangles} rectangles, ${boxes.colours} colours`);
    rows(row, "  boxes : bare loop, script", boxes, "at most 1.5", "of both");
  }
  for (const desired of [24, 1_000]) {
    const chart = await page.evaluate((count) => window.drawing.chart(count), desired);
    row(`chart of ${desired.toLocaleString("en")} tasks`, `${chart.samples} moments, ${chart.series} series`);
    rows(row, "  in one tone : uPlot, script", chart.one, "at most 1.0", "of both");
    rows(row, "  in both tones, as the page : uPlot, script", chart.two, "-", "of both");
  }
  // Reading pixels back is how the bench waits for them; the browser advises against it.
  const notes = opened.notes.filter((note) => !note.includes("willReadFrequently"));
  if (notes.length) row("the bench page wrote", notes.join("; "), "nothing");
  await opened.close();
}
