// Times our drawing beside a measure that draws the same, by turns in one run, so that a slow
// moment of the machine meets both. tests/e2e/bench-drawing.mjs asks for the figures.

import init, { Scene } from "./drawing.js";

/* global uPlot */

const WIDTH = 756;
const CHART = { width: WIDTH, height: 240 };
const ROUNDS = 15;
/** A batch lasts about so long: the clock's step is a tenth of a millisecond. */
const BATCH_MS = 30;

const loaded = init();

function canvas() {
  const element = document.createElement("canvas");
  document.body.append(element);
  return element;
}

/** Milliseconds of one call; `pixels` also waits until they are there. */
function time(work, times, context, pixels) {
  const began = performance.now();
  work(times);
  if (pixels) context.getImageData(0, 0, 1, 1);
  const took = (performance.now() - began) / times;
  // What is recorded and not yet drawn must not be drawn in the other one's time.
  if (!pixels) context.getImageData(0, 0, 1, 1);
  return took;
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

/** Both sides by turns: median times and the median of the ratios. */
function compare(ours, measure, pixels) {
  const count = ({ work, context }) => Math.max(1, Math.ceil(BATCH_MS / Math.max(0.05, time(work, 3, context, pixels))));
  const times = [ours, measure].map(count);
  const taken = [[], []];
  const ratios = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [a, b] = [ours, measure].map(({ work, context }, side) => time(work, times[side], context, pixels));
    taken[0].push(a);
    taken[1].push(b);
    ratios.push(a / b);
  }
  return { ours: median(taken[0]), measure: median(taken[1]), ratio: median(ratios) };
}

const both = (ours, measure) => ({ script: compare(ours, measure, false), pixels: compare(ours, measure, true) });

/** Every rectangle of a picture, by colour, in the order in which colours first come. */
function record(context, paint) {
  const groups = new Map();
  let waiting = [];
  const put = (colour) => {
    if (!groups.has(colour)) groups.set(colour, []);
    groups.get(colour).push(...waiting);
    waiting = [];
  };
  const real = CanvasRenderingContext2D.prototype;
  context.rect = (...place) => { waiting.push(place); real.rect.apply(context, place); };
  context.fill = (...given) => { put(context.fillStyle); real.fill.apply(context, given); };
  context.stroke = (...given) => { put(context.strokeStyle); real.stroke.apply(context, given); };
  paint();
  for (const name of ["rect", "fill", "stroke"]) delete context[name];
  return [...groups].filter(([, places]) => places.length > 0);
}

/** The bare loop: one path a colour. */
function fillAll(context, groups) {
  for (const [colour, places] of groups) {
    context.fillStyle = colour;
    context.beginPath();
    for (const [x, y, w, h] of places) context.rect(x, y, w, h);
    context.fill();
  }
}

const repeat = (work) => (times) => { for (let turn = 0; turn < times; turn += 1) work(); };

async function boxes(desired) {
  await loaded;
  const [element, other] = [canvas(), canvas()];
  const scene = Scene.new(element, desired, WIDTH);
  const slots = scene.prepare_stage();
  other.width = element.width;
  other.height = element.height;
  const [context, bare] = [element, other].map((one) => one.getContext("2d"));
  const groups = record(context, () => scene.paint_stage(1));
  const rectangles = groups.reduce((sum, [, places]) => sum + places.length, 0);
  const result = both(
    { work: (times) => scene.paint_stage(times), context },
    { work: repeat(() => fillAll(bare, groups)), context: bare },
  );
  scene.free();
  element.remove();
  other.remove();
  return { ...result, slots, rectangles, colours: groups.length };
}

/** The series as uPlot stacks them: accumulated, each filled down to the one below. */
function plot(data) {
  const { stepped } = uPlot.paths;
  const colours = ["#0b827c", "#3236b6", "#d8f0ed", "#e3e4f9", "#93d2cc", "#b3b5ee", "#e8c87c", "#faeccb", "#b97d00"];
  const line = { stroke: "#12151b", width: 2, dash: [8, 5], points: { show: false }, paths: stepped({ align: 1 }) };
  const area = (_, index) => ({
    stroke: "#ffffff", width: 1.5, fill: colours[index % colours.length], points: { show: false }, paths: stepped({ align: 1 }),
  });
  const edges = data.length - 3;
  return new uPlot({
    ...CHART,
    pxAlign: 1,
    legend: { show: false },
    cursor: { show: false },
    scales: { x: { time: false } },
    series: [{}, line, line, ...Array.from({ length: edges }, area)],
    bands: Array.from({ length: edges - 1 }, (_, index) => ({ series: [index + 4, index + 3] })),
    axes: [{}, {}],
  }, data, document.body);
}

async function chart(desired) {
  await loaded;
  const element = canvas();
  const scene = Scene.new(element, desired, WIDTH);
  scene.prepare_chart(CHART.width, CHART.height);
  const [series, samples] = [scene.series(), scene.samples()];
  const data = Array.from({ length: series.length / samples }, (_, index) => series.subarray(index * samples, (index + 1) * samples));
  const other = plot(data);
  const uplot = { work: repeat(() => other.batch(() => other.setData(data))), context: other.ctx };
  const context = element.getContext("2d");
  const one = both({ work: (times) => scene.paint_chart(times, false), context }, uplot);
  const two = both({ work: (times) => scene.paint_chart(times, true), context }, uplot);
  other.destroy();
  scene.free();
  element.remove();
  return { one, two, samples, series: data.length - 1 };
}

window.drawing = { boxes, chart };
