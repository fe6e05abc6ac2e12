// The report in a browser: opens from a file, shows what the data say and nothing else.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {big, hostile, hostileText, poor, rich} from "./support/fixtures.mjs";
import {writeReport} from "./support/page.mjs";
import {load} from "./support/source.mjs";
import {assertCharts, assertValues} from "./support/walk.mjs";

const {format} = await load("shared/format.ts");
const {resolve} = await load("shared/pointer.ts");
const fixtures = {
  rich: rich(),
  poor: poor(),
  hostile: hostile(),
  big: big()
};
const addresses = {};
let browser;

before(async () => {
  browser = await launch();
  for (const [name, fixture] of Object.entries(fixtures))
    addresses[name] = writeReport(name, fixture);
});
after(() => browser?.close());

async function opened(name, use, options) {
  const {page, errors, close} = await open(browser, addresses[name], options);
  await page.evaluate(() => window.ridgeline.renderAll());
  await use(page);
  await page.evaluate(
    () =>
      new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.deepEqual(errors, []);
  await close();
}

const everySection = [
  "advice", "phases", "timeline", "regions", "kernels", "operators", "devices",
  "api_calls", "roofline", "ledger", "memory", "ncu", "predictions", "stages", "ranks",
  "commands", "config", "environment", "sources"
];

test(
  "every section that has data is there and in the navigation",
  () => opened("rich", async (page) => {
    assert.deepEqual(
      await page.$$eval("main > section", (all) => all.map((each) => each.id)),
      everySection);
    assert.deepEqual(
      await page.$$eval(
        "nav a:not(.brand)", (all) => all.map((each) => each.getAttribute("href"))),
      everySection.map((id) => `#${id}`));
  }));

test(
  "a report of nearly nothing says so and leaves the rest out",
  () => opened("poor", async (page) => {
    assert.deepEqual(
      await page.$$eval("main > section", (all) => all.map((each) => each.id)),
      ["kernels", "sources"]);
    assert.match(await page.textContent("#kernels"), /No GPU kernels/);
    assert.equal(await page.$(".tiles"), null);
  }));

test("a document without any member opens", async () => {
  const {errors, close} =
    await open(browser, writeReport("empty", {metrics: {}, timeline: {}, pictures: {}}));
  assert.deepEqual(errors, []);
  await close();
});

test(
  "the verdict names state, validity, completeness and notes",
  () => opened("rich", async (page) => {
    assert.deepEqual(
      await page.$$eval("#verdict .badge", (all) => all.map((each) => each.textContent)),
      ["done", "parity passed", "not complete", "3 notes"]);
  }));

for (const name of Object.keys(fixtures)) {
  test(
    `every value of the ${name} report is that of its JSON path`,
    () => opened(name, async (page) => {
      const values = await assertValues(page, fixtures[name]);
      assert.ok(values > (name === "poor" ? 5 : 500), String(values));
    }));
}

test(
  "quotients are those of the values they name",
  () => opened("rich", async (page) => {
    const shown = await page.$$eval(
      "[data-derived=quotient]", (all) => all.map((each) => ({
                                                    of: each.dataset.of.split(" "),
                                                    how: each.dataset.format,
                                                    text: each.textContent
                                                  })));
    assert.ok(shown.length > 10);
    for (const {of: [above, below], how, text} of shown) {
      assert.equal(
        text,
        format(
          how,
          resolve(fixtures.rich.metrics, above) / resolve(fixtures.rich.metrics, below)));
    }
  }));

test(
  "every chart has marks, and each mark the value of its JSON path",
  () => opened("rich", async (page) => {
    const charts = await assertCharts(page, fixtures.rich.metrics);
    assert.deepEqual(charts.sort(), [
      "devices", "kernel kinds", "ledger", "Peak activations", "Peak RSS", "phases 0",
      "phases 1", "phases 2", "phases 3", "roofline 0", "roofline 1", "timeline 0"
    ].sort());
  }));

test(
  "hostile names are text wherever they are shown",
  () => opened("hostile", async (page) => {
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$("img[src=x]"), null);
    assert.equal(
      await page.$eval("#kernels tbody td bdi", (each) => each.textContent), hostileText);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      "the page must not become wider than the screen");
    await page.locator("[data-chart=\"roofline 0\"]").scrollIntoViewIfNeeded();
    await page.evaluate(
      () => window.ridgeline.charts["roofline 0"].dispatchAction(
        {type: "showTip", seriesIndex: 3, dataIndex: 0}));
    assert.equal(
      await page.$eval(
        "[data-chart=\"roofline 0\"] .tip bdi", (each) => each.textContent),
      hostileText);
    assert.equal(await page.evaluate(() => window.hacked), undefined);
  }));

test(
  "tooltips show values with their paths",
  () => opened("rich", async (page) => {
    await page.evaluate(
      () => window.ridgeline.charts["phases 0"].dispatchAction(
        {type: "showTip", seriesIndex: 0, dataIndex: 0}));
    assert.equal(
      await page.$eval("[data-chart=\"phases 0\"] .tip dd", (each) => each.textContent),
      "812 ms");
  }));

test(
  "evidence leads to the value it names and lights it up",
  () => opened("rich", async (page) => {
    await page.click("#advice .chip >> nth=0");
    assert.equal(
      await page.$eval(".pointed-out", (each) => each.dataset.path),
      "/ledger/phases/2/mbu");
    assert.ok(await page.$eval(".pointed-out", (each) => {
      const box = each.getBoundingClientRect();
      return box.top > 0 && box.bottom < innerHeight;
    }));
  }));

test(
  "evidence in a closed table opens it, and a whole list is a link to its section",
  () => opened("rich", async (page) => {
    await page.click("#advice .chip >> nth=-1");
    assert.equal(
      await page.$eval(".pointed-out", (each) => each.dataset.path),
      "/kernel_kinds/5/share");
    assert.ok(await page.isVisible(".pointed-out"));
    assert.equal(
      await page.getAttribute("#advice .chip >> nth=-2", "href"), "#kernel_kinds");
  }));
