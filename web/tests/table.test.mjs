// Sorting, filtering, copying; and the tree of regions.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {big, rich} from "./support/fixtures.mjs";
import {writeReport} from "./support/page.mjs";

const fixture = rich();
const large = big();
let browser;
let address;
let largeAddress;

before(async () => {
  browser = await launch();
  address = writeReport("rich", fixture);
  largeAddress = writeReport("big", large);
});
after(() => browser?.close());

async function withPage(where, use) {
  const {page, errors, close} = await open(browser, where);
  await use(page);
  assert.deepEqual(errors, []);
  await close();
}

const column = (page, table, n) => page.$$eval(
  `[data-table="${table}"] tbody tr:not([hidden]) td:nth-child(${n})`,
  (all) => all.map((each) => each.textContent));
const heading = (table, title) => `[data-table="${table}"] th button:text-is("${title}")`;

test(
  "a click sorts by the numbers, largest first; a second one turns the order",
  () => withPage(address, async (page) => {
    const byMean = [...fixture.metrics.kernels]
                     .sort((a, b) => b.mean_s - a.mean_s)
                     .map((each) => each.name);
    await page.click(heading("kernels", "Mean"));
    assert.deepEqual(await column(page, "kernels", 1), byMean);
    assert.equal(
      await page.$eval(
        "[data-table=\"kernels\"] th[aria-sort=\"descending\"]",
        (each) => each.textContent),
      "Mean");
    await page.click(heading("kernels", "Mean"));
    assert.deepEqual(await column(page, "kernels", 1), byMean.reverse());
  }));

test(
  "the keyboard sorts too, names from the first letter",
  () => withPage(address, async (page) => {
    await page.focus(heading("operators", "Operator"));
    await page.keyboard.press("Enter");
    const names = fixture.metrics.operators.map((each) => each.name)
                    .sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
    assert.deepEqual(await column(page, "operators", 1), names);
  }));

test(
  "what is missing stays at the end whichever way is sorted",
  () => withPage(address, async (page) => {
    for (let i = 0; i < 2; ++i) {
      await page.click(heading("ledger", "MFU, useful"));
      assert.equal((await column(page, "ledger", 1)).at(-1), "postprocess");
    }
  }));

test("equal rows keep their order", () => withPage(address, async (page) => {
                                      const before = await column(page, "ncu kernels", 1);
                                      await page.click(heading("ncu kernels", "Block"));
                                      assert.deepEqual(
                                        await column(page, "ncu kernels", 1), before);
                                    }));

test(
  "the filter takes parts of names in any case and counts",
  () => withPage(largeAddress, async (page) => {
    await page.fill("[data-table=\"kernels\"] .filter", "FLASH");
    const expected =
      large.metrics.kernels.filter((each) => each.name.includes("flash")).length;
    assert.equal((await column(page, "kernels", 1)).length, expected);
    assert.equal(
      await page.textContent("[data-table=\"kernels\"] .count"), `${expected} of 200`);
    await page.fill("[data-table=\"kernels\"] .filter", "");
    assert.equal((await column(page, "kernels", 1)).length, 200);
  }));

test(
  "the environment is searched by name and by value",
  () => withPage(address, async (page) => {
    await page.fill("[data-table=\"environment\"] .filter", "gpus.devices.1");
    assert.deepEqual(
      await column(page, "environment", 1),
      ["gpus.devices.1.name", "gpus.devices.1.sm_count"]);
    await page.fill("[data-table=\"environment\"] .filter", "ryzen");
    assert.deepEqual(await column(page, "environment", 1), ["cpu.model"]);
  }));

const byClipboard = async (page) => {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return () => page.evaluate(() => navigator.clipboard.readText());
};

// Without navigator.clipboard the text is selected and the browser told to copy it.
const bySelection = async (page) => {
  await page.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", {value: undefined});
    document.addEventListener(
      "copy", () => (window.copied = document.activeElement.value));
  });
  return () => page.evaluate(() => window.copied);
};

for (const [name, way] of Object.entries({byClipboard, bySelection})) {
  test(
    `copies the rows that are shown with all digits and whole names, ${name}`,
    () => withPage(address, async (page) => {
      const read = await way(page);
      await page.fill("[data-table=\"kernels\"] .filter", "gemv");
      await page.click("[data-table=\"kernels\"] .copy");
      await page.waitForFunction(
        () => document.querySelector("[data-table=\"kernels\"] .copy").textContent !==
          "Copy");
      const [first, second, end] = (await read()).split("\n");
      const row = fixture.metrics.kernels.find((each) => each.kind === "gemv");
      assert.deepEqual(first.split("\t").slice(0, 3), ["Kernel", "Kind", "Total"]);
      assert.deepEqual(second.split("\t"), [
        row.name, row.kind, row.total_s, row.share, row.launches, row.mean_s, row.min_s,
        row.max_s
      ].map(String));
      assert.equal(end, "");
    }));
}

test(
  "regions open and close, and a filter shows what is around a match",
  () => withPage(address, async (page) => {
    const names = () => page.$$eval(
      "[data-table=\"regions 0\"] tr:not([hidden]) td:first-child > bdi",
      (all) => all.map((each) => each.textContent));
    const all = await names();
    assert.equal(all.length, 12);
    await page.click("[data-table=\"regions 0\"] .twist >> nth=0");
    assert.deepEqual(await names(), ["page", "warmup", "(no region)"]);
    await page.fill("[data-table=\"regions 0\"] .filter", "sam");
    assert.deepEqual(await names(), ["page", "prefill", "sam"]);
    await page.fill("[data-table=\"regions 0\"] .filter", "");
    await page.click("text=\"Expand all\"");
    assert.deepEqual(await names(), all);
  }));

test("regions of a trace without MFU have a note that says why", async () => {
  const cases = [
    [{flops: null, mfu: null}, "FLOPs and MFU of regions not measured: set pipeline"],
    [{flops: 12, mfu: null}, "MFU of regions not measured: it needs GPU kernels"],
    [{flops: 12, mfu: 0.5}, null],
  ];
  for (const [fields, want] of cases) {
    const traced = rich();
    traced.metrics.regions =
      [{...traced.metrics.regions[0], ...fields, kind: "annotation", operators: 3}];
    await withPage(writeReport("traced", traced), async (page) => {
      const notes = await page.$$eval(
        "[data-table=\"regions 0\"] + .note",
        (all) => all.map((each) => each.textContent));
      assert.equal(notes.length, want === null ? 0 : 1);
      if (want !== null) assert.ok(notes[0].startsWith(want), notes[0]);
    });
  }
});
