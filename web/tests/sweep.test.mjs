// The report of a sweep in a browser: opens from a file, shows what the data say and
// nothing else.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {writeSweep} from "./support/page.mjs";
import {hostileSweep, sweep} from "./support/sweeps.mjs";
import {assertCharts, assertValues} from "./support/walk.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function opened(document, use, options) {
  const {page, errors, close} =
    await open(browser, writeSweep("sweep", document), options);
  await page.evaluate(() => window.ridgeline.renderAll());
  await use(page);
  assert.deepEqual(errors, []);
  await close();
}

test("every value and mark is that of its JSON path", async () => {
  const document = sweep();
  await opened(document, async (page) => {
    assert.ok(await assertValues(page, {metrics: document}) > 100);
    assert.deepEqual((await assertCharts(page, document)).sort(), [
      "metric 0 by parameter 0", "metric 0 by parameter 2", "metric 1 by parameter 0",
      "metric 1 by parameter 2", "metric 2 by parameter 0", "metric 2 by parameter 2",
      "parallel coordinates"
    ]);
    assert.deepEqual(
      await page.$$eval("main > section", (all) => all.map((each) => each.id)),
      ["jobs", "parallel", "multiples"]);
  });
});

test(
  "jobs have their overrides, outcome, best values and a link to their report",
  () => opened(sweep(), async (page) => {
    const headings = await page.$$eval(
      "[data-table=jobs] th", (all) => all.map((each) => each.textContent));
    assert.deepEqual(headings, [
      "Job", "State", "Time", "model.batch", "dtype", "threads", "End to end",
      "Decode tokens/s", "Peak RSS", "Reason"
    ]);
    const row = (i) => page.$$eval(
      `[data-table=jobs] tbody tr:nth-child(${i + 1}) td`,
      (all) => all.map((each) => each.textContent));
    assert.equal((await row(6))[1], "failed (Timeout)");
    assert.equal((await row(6))[9], "no answer within 60 s");
    assert.match((await row(8))[6], /best$/);
    assert.match((await row(8))[7], /tied$/);
    assert.match((await row(8))[8], /min$/);
    assert.deepEqual(
      await page.$$eval(
        "[data-table=jobs] tbody tr:nth-child(-n+2) a",
        (all) => all.map((each) => each.getAttribute("href"))),
      ["./0/report.html", "./1/report.html"]);
    // Numbers sort as numbers.
    await page.click("[data-table=jobs] th:nth-child(4) button");
    const batches = await page.$$eval(
      "[data-table=jobs] tbody tr td:nth-child(4)",
      (all) => all.map((each) => Number(each.textContent)));
    assert.deepEqual(batches, [...batches].sort((a, b) => a - b));
  }));

test("hostile texts are texts", async () => {
  const document = hostileSweep();
  await opened(document, async (page) => {
    await assertValues(page, {metrics: document});
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.equal(await page.$("main img"), null);
    for (const href of await page.$$eval(
           "[data-table=jobs] a", (all) => all.map((each) => each.getAttribute("href"))))
      assert.match(href, /^\.\/[^<>"]*$/);
  });
});

test("a sweep in which nothing was measured has its jobs", async () => {
  const document = sweep(3);
  document.metrics = [];
  document.parameters = [];
  for (const job of document.jobs) Object.assign(job, {metrics: [], parameters: []});
  await opened(document, async (page) => {
    assert.deepEqual(
      await page.$$eval("main > section", (all) => all.map((each) => each.id)), ["jobs"]);
    assert.equal(await page.$(".tiles"), null);
  });
  await opened({}, async (page) => assert.ok(await page.$("#jobs")));
});

test("500 jobs are all in the table and in the chart", async () => {
  const document = sweep(500);
  await opened(document, async (page) => {
    assert.equal((await page.$$("[data-table=jobs] tbody tr")).length, 500);
    assert.equal(
      await page.evaluate(
        () => window.ridgeline.charts["parallel coordinates"]
                .getOption()
                .series[0]
                .data.length),
      document.counts[0].jobs);
  });
});

for (const theme of ["light", "dark"]) {
  test(`the page can be looked at in the ${theme}`, async () => {
    const directory = process.env.RIDGELINE_SCREENSHOTS;
    if (!directory) return;
    await opened(sweep(36), async (page) => {
      await page.evaluate(
        () => new Promise(
          (done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot({path: `${directory}/sweep-${theme}.png`, fullPage: true});
    }, {colorScheme: theme});
  });
}
