// What holds of every report: each value shown is that of its JSON path, each mark of a
// chart, too, and nothing else has digits.
import assert from "node:assert/strict";

import {load} from "./source.mjs";

const {format} = await load("shared/format.ts");
const {resolve} = await load("shared/pointer.ts");

// Text with digits that is neither a value nor derived: headings and names of licences.
const fixedTexts = ["95 % CI", "p99", "Charts by Apache ECharts (Apache License 2.0)."];

function textsWithoutOrigin(allowed) {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const {parentElement, data} = walker.currentNode;
    if (
      !/\d/.test(data) ||
      parentElement.closest(
        "[data-path], [data-derived], script, style, noscript, canvas, svg"))
      continue;
    if (!allowed.some((text) => data.includes(text))) found.push(data);
  }
  return found;
}

function shownValues() {
  return [...document.querySelectorAll("[data-path]")].map(
    (each) => ({
      path: each.dataset.path,
      format: each.dataset.format,
      block: each.dataset.block ?? "metrics",
      text: each.textContent
    }));
}

function drawnCharts() {
  return Object.entries(window.ridgeline.charts)
    .map(
      ([name, chart]) => ({
        name,
        drawn: chart.getDom().querySelectorAll("svg path").length +
          (chart.getDom().querySelector("canvas") ?
             chart.getOption().series[0].data.length :
             0),
        marks: chart.getOption().series.flatMap(
          (series) =>
            series.data.filter((item) => item.pointers)
              .map((item) => ({values: [item.value].flat(), pointers: item.pointers}))),
      }));
}

// How many values there are.
export async function assertValues(page, blocks) {
  const shown = await page.evaluate(shownValues);
  for (const {path, format: how, block, text} of shown) {
    const value = resolve(blocks[block], path);
    assert.notEqual(value, undefined, path);
    assert.equal(text, format(how, value), path);
  }
  assert.deepEqual(await page.evaluate(textsWithoutOrigin, fixedTexts), []);
  return shown.length;
}

// The names of the charts.
export async function assertCharts(page, metrics) {
  const charts = await page.evaluate(drawnCharts);
  for (const {name, drawn, marks} of charts) {
    assert.ok(drawn > 0, `${name}: ${drawn}`);
    if (!name.startsWith("timeline")) assert.ok(marks.length > 0, name);
    for (const {values, pointers} of marks) {
      pointers.forEach((pointer, i) => {
        if (pointer !== null) assert.equal(values[i], resolve(metrics, pointer), pointer);
      });
    }
  }
  return charts.map((chart) => chart.name);
}
