// Reports as the program writes them, in a browser. RIDGELINE is the program,
// SQLITE_FROM_SQL makes an export from SQL, RIDGELINE_MODEL says that there is a built-in
// model. RIDGELINE_PROFILES may name a folder of profiles that are opened as well.
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync} from "node:fs";
import os from "node:os";
import path from "node:path";
import {after, before, test} from "node:test";
import {fileURLToPath} from "node:url";

import {launch, open} from "./support/browser.mjs";
import {assertCharts, assertValues} from "./support/walk.mjs";

const program = process.env.RIDGELINE;
const skip = program ? false : "RIDGELINE names no program";
const repository = fileURLToPath(new URL("../../", import.meta.url));
const data = path.join(repository, "tests", "data");
const directory = mkdtempSync(path.join(os.tmpdir(), "ridgeline-program-"));
const mostBytes = 5_000_000;
let browser;

before(async () => {
  if (!skip) browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(directory, {recursive: true, force: true});
});

function run(...parameters) {
  execFileSync(
    program, parameters, {cwd: directory, stdio: ["ignore", "ignore", "pipe"]});
}

function exportOf(name) {
  const file = path.join(directory, `${name}.sqlite`);
  execFileSync(process.env.SQLITE_FROM_SQL, [file], {
    stdio: [openSync(path.join(data, "nsys", `${name}.sql`), "r"), "ignore", "inherit"]
  });
  return file;
}

// Opens the report in `folder`, checks what holds of all of them, then calls `use`.
async function opened(folder, use = () => {}) {
  const html = path.join(directory, folder, "report.html");
  assert.ok(statSync(html).size < mostBytes, String(statSync(html).size));
  const metrics =
    JSON.parse(readFileSync(path.join(directory, folder, "metrics.json"), "utf8"));
  const {page, errors, close} = await open(browser, `file://${html}`);
  await page.evaluate(() => window.ridgeline.renderAll());
  const timeline = await page.evaluate(
    () => JSON.parse(document.getElementById("data-timeline").textContent));
  assert.ok(await assertValues(page, {metrics, timeline}) > 2);
  await use(page, metrics, await assertCharts(page, metrics), timeline);
  assert.deepEqual(errors, []);
  await close();
}

test("an export of nsys: regions over kernels", {skip}, async () => {
  run("report", exportOf("small"), "-o", "small");
  await opened("small", async (page, metrics, charts, timeline) => {
    assert.ok(charts.includes("timeline 0"));
    assert.deepEqual(
      new Set(timeline.timelines[0].lanes.map((lane) => lane.group)),
      new Set(["regions", "gpu"]));
    assert.equal(metrics.kernels.length, 2);
    const {names, kinds} = timeline.timelines[0];
    assert.equal(kinds[names.indexOf("gemm")], "gemm");
    assert.equal(kinds[names.indexOf("decode")], "");
  });
});

test("a trace of PyTorch and counters of ncu in one report", {skip}, async () => {
  run(
    "report", path.join(data, "torch_trace", "small.json"),
    path.join(data, "ncu", "raw_three_launches.csv"), "-o", "joined");
  await opened("joined", async (page, metrics) => {
    assert.equal(metrics.sources.length, 2);
    assert.ok(metrics.operators.length > 0 && metrics.ncu.length === 3);
    assert.ok(await page.isVisible("#ncu"));
  });
});

test("names that would do harm are text", {skip}, async () => {
  run("report", exportOf("hostile"), "-o", "hostile");
  await opened("hostile", async (page, metrics) => {
    const shown = await page.$$eval(
      "#kernels tbody bdi", (all) => all.map((each) => each.textContent));
    for (const {name, short_name: short} of metrics.kernels) {
      assert.ok(shown.includes(short || name), name);
    }
    assert.equal(await page.evaluate(() => window.harm), undefined);
    assert.equal(await page.$("main img[src=x]"), null);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  });
});

test("a million kernels: merged, and all of them counted", {skip}, async () => {
  run("report", exportOf("million"), "-o", "million");
  await opened("million", async (page, metrics, charts, {timelines: [timeline]}) => {
    assert.equal(metrics.kernels_total.launches, 1_000_000);
    assert.equal(timeline.events, 1_001_000);
    const counts =
      timeline.lanes.flatMap((lane) => lane.count ?? lane.start.map(() => 1));
    assert.equal(counts.reduce((sum, count) => sum + count, 0), 1_001_000);
    assert.ok(counts.length <= 60_000, String(counts.length));
    assert.ok(timeline.resolution_ns > 0);
  });
});

const model = skip || !process.env.RIDGELINE_MODEL ? "built without a model" : false;

test("the demo, from static analysis to predictions", {skip: model}, async () => {
  run(
    "run", "+preset=demo", `dataset.root=${path.join(repository, "datasets/samples")}`,
    "pipeline.static_analysis.enable=true", "hydra.run.dir=demo");
  await opened("demo", async (page, metrics, charts) => {
    for (const chart of ["phases 0", "ledger", "roofline 0", "timeline 0"])
      assert.ok(charts.includes(chart), chart);
    assert.equal(metrics.verdict.complete, true);
    assert.ok(metrics.advice.length > 0);
    assert.equal(await page.locator("#predictions img").count(), 3);
    assert.ok(await page.$$eval(
      "#predictions img", (all) => all.every((each) => each.src.startsWith("data:"))));
  });
  const before = readFileSync(path.join(directory, "demo", "report.html"));
  run("report", "demo");
  assert.ok(before.equals(readFileSync(path.join(directory, "demo", "report.html"))));
});

function* profilesIn(folder) {
  for (const entry of readdirSync(folder, {withFileTypes: true})) {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory())
      yield* profilesIn(at);
    else if (/\.(sqlite|json|json\.gz|ncu-rep|csv)$/.test(entry.name))
      yield at;
  }
}

const profiles = process.env.RIDGELINE_PROFILES;
for (const profile of profiles ? profilesIn(profiles) : []) {
  test(`the profile ${path.relative(profiles, profile)}`, {skip}, async (context) => {
    try {
      run("report", profile, "-o", "profile");
    } catch (error) {
      context.skip(String(error.stderr).trim());
      return;
    }
    await opened("profile");
    rmSync(path.join(directory, "profile"), {recursive: true});
  });
}
