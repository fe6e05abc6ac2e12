// The page and the terminal use the same words, and tables fit on usual screens.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {rich} from "./support/fixtures.mjs";
import {writeReport} from "./support/page.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

// A report after `change`.
async function opened(name, change, use) {
  const fixture = rich();
  change(fixture.metrics);
  const {page, errors, close} = await open(
    browser, writeReport(name, fixture), {viewport: {width: 1400, height: 900}});
  await page.evaluate(() => window.ridgeline.renderAll());
  await use(page);
  assert.deepEqual(errors, []);
  await close();
}

const texts = (page, selector) =>
  page.$$eval(selector, (all) => all.map((each) => each.textContent));

test("a phase far below its roofline is overhead-bound", async () => {
  const longest = (metrics) => metrics.ledger.phases.find(({name}) => name === "decode");
  for (const [mbu, want] of [
         [0.09, "decode, overhead-bound"], [0.52, "decode, memory-bound"],
         [null, "decode, memory-bound"]]) {
    await opened(
      "bound", (metrics) => Object.assign(longest(metrics), {mbu}),
      async (page) => assert.equal((await texts(page, ".tile-below")).at(-1), want));
  }
});

test(
  "means of few samples have a range, no confidence interval",
  () => opened(
    "few",
    (metrics) => {
      for (const phase of metrics.phases)
        Object.assign(phase, {samples: 3, min_s: 0.5, max_s: 2});
    },
    async (page) =>
      assert.equal((await texts(page, ".tile-below"))[0], "n=3, 500 ms \u2013 2.00 s")));

test("only models with a reference are compared with it", async () => {
  for (const [workload, want] of [
         [
           "built-in model deepseek_ocr", ["done", "output not compared with a reference"]
         ],
         ["python3 generate.py", ["done"]]]) {
    await opened(
      "parity",
      (metrics) => {
        Object.assign(metrics.run, {id: "2", state: "done", workload});
        metrics.verdict.parity = "not_checked";
      },
      async (page) => {
        const badges = await texts(page, "#verdict .badge");
        assert.deepEqual(badges.slice(0, want.length), want);
        assert.equal(
          badges.some((badge) => badge.includes("reference")), want.length > 1);
        assert.equal(await page.textContent("#verdict h1"), "job 2");
      });
  }
});

test(
  "evidence of a phase names its stage, and short names have no gap",
  () => opened(
    "chips",
    (metrics) => {
      metrics.phases[0].phase = "clip";
      metrics.advice[0].evidence = ["/phases/0/mean_s"];
    },
    async (page) => {
      const [chip] = await texts(page, "#advice .chip");
      assert.match(chip, /^direct_inference:clipmean/);
      const slack = await page.$eval(".chip bdi", (each) => {
        const range = document.createRange();
        range.selectNodeContents(each);
        return each.getBoundingClientRect().width - range.getBoundingClientRect().width;
      });
      assert.ok(slack < 4, String(slack));
    }));

test(
  "launch latencies have the words of the terminal, and the busy tile names its GPU",
  () => opened(
    "measures",
    (metrics) => {
      metrics.launch_latency[0].measure = "start_to_start";
    },
    async (page) => {
      assert.ok((await texts(page, "[data-table='launch delays'] td"))
                  .includes("from API call start"));
      assert.ok((await texts(page, ".tile-label")).includes("GPU 0 of 2 busy"));
    }));

test(
  "tables fit on a screen of 1400 pixels",
  () => opened(
    "widths",
    (metrics) => {
      for (const phase of metrics.ledger.phases) phase.flops_useful = phase.flops;
    },
    async (page) => {
      for (const name of ["ledger", "kernels", "regions 0", "operators"]) {
        assert.ok(
          await page.$eval(
            `[data-table="${name}"] .scroll`,
            (each) => each.scrollWidth <= each.clientWidth),
          name);
      }
    }));

test(
  "copies and index kernels, often side by side, have different colours",
  () => opened(
    "colours",
    (metrics) => {
      metrics.kernels[0].kind = "copy";
      metrics.kernels[1].kind = "index";
    },
    async (page) => {
      const [copy, index] = await page.$$eval(
        "[data-table=kernels] .dot",
        (all) => all.map((each) => getComputedStyle(each).backgroundColor));
      assert.notEqual(copy, index);
    }));
