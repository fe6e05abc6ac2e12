// The list of runs in a browser, served by the program (RIDGELINE) as a user starts it.
import assert from "node:assert/strict";
import {spawn} from "node:child_process";
import {mkdtemp, rm} from "node:fs/promises";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, afterEach, before, beforeEach, describe, test} from "node:test";

import {launch} from "./support/browser.mjs";
import {writeRun} from "./support/made_up_runs.mjs";

const program = process.env.RIDGELINE;
const skip = program ? false : "RIDGELINE names no program";

const hostile = "<img src=x onerror=alert(1)>\u202e,%&#";

const runs = [
  {
    path: "20261116-100000",
    started: "2026-11-16T10:00:00.000+00:00",
    end_to_end_s: 0.02,
    parity: "passed",
    arguments: ["infer.max_new_tokens=16"],
    kernels: [["gemm", 0.004], ["only_first", 0.001]],
    config: [{key: "device", value: "cuda"}, {key: "infer.seed", value: "0"}],
  },
  {
    path: "sweep/0",
    started: "2026-11-16T11:00:00.000+00:00",
    end_to_end_s: 0.0205,
    host: "gpu-box",
    kernels: [["gemm", 0.002]],
    config: [{key: "device", value: "cuda"}, {key: "infer.seed", value: "1"}],
  },
  {
    path: hostile,
    started: "2026-11-16T09:00:00.000+00:00",
    end_to_end_s: 0.04,
    state: "failed",
    workload: hostile,
    kernels: [[hostile, 0.01]]
  },
  {path: "broken", broken: true},
];

// Starts the server; resolves with its address.
async function serve(directory) {
  const child = spawn(
    program, ["serve", directory, "--port", "0"], {stdio: ["ignore", "pipe", "inherit"]});
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (bytes) => resolve(String(bytes).trim()));
    child.once("exit", (code) => reject(new Error(`ridgeline serve ended with ${code}`)));
  });
  const end = () => new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.once("exit", resolve);
    child.kill("SIGTERM");
  });
  return {url, end};
}

describe("the list of runs", {skip}, () => {
  let root, server, browser, page, complaints;

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), "ridgeline-runs-"));
    for (const run of runs) await writeRun(root, run);
    server = await serve(root);
    browser = await launch();
  });
  after(async () => {
    await browser?.close();
    assert.equal(await server?.end(), 0);
    await rm(root, {recursive: true});
  });
  beforeEach(async () => {
    complaints = [];
    page = await browser.newPage();
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("dialog", (dialog) => {
      complaints.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.goto(server.url);
    await page.waitForSelector("table.runs");
  });
  afterEach(async () => {
    assert.deepEqual(complaints, []);
    await page.close();
  });

  const names = () =>
    page.locator("tbody .run > a, tbody .run > .name").allTextContents();
  const shownHostile = hostile.replace("\u202e", "\\u202e");

  test("shows all runs, the last one first, hostile names as text", async () => {
    assert.deepEqual(await names(), ["0", "20261116-100000", shownHostile, "broken"]);
    const first = page.locator("tbody tr").nth(1);
    assert.match(await first.innerText(), /done\s+parity passed/);
    assert.match(await first.innerText(), /20\.0 ms\s+19\.0 to 21\.0 ms/);
    assert.match(await first.innerText(), /3200/);
    assert.match(
      await page.locator("tbody tr").nth(3).innerText(), /broken[^]*manifest\.json/);
    assert.equal(await page.locator("tbody img").count(), 0);
  });

  test("filters by words, and the address keeps them", async () => {
    const filter = page.locator("#filter");
    await filter.fill("GPU-box");
    assert.deepEqual(await names(), ["0"]);
    await filter.fill("max_new_tokens=16 passed");
    assert.deepEqual(await names(), ["20261116-100000"]);
    await filter.fill("nothing like it");
    assert.match(await page.locator("tbody").innerText(), /No runs match/);
    await filter.fill("failed");
    await page.reload();
    await page.waitForSelector("table.runs");
    assert.deepEqual(await names(), [shownHostile]);
  });

  test("sorts by a column, both ways, with what has no value last", async () => {
    const heading = page.locator("th[data-column=\"end_to_end\"]");
    await heading.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "descending");
    assert.deepEqual(await names(), [shownHostile, "0", "20261116-100000", "broken"]);
    await heading.getByRole("button").click();
    assert.equal(await heading.getAttribute("aria-sort"), "ascending");
    assert.deepEqual(await names(), ["20261116-100000", "0", shownHostile, "broken"]);
  });

  test("shows reports without an origin, with their pictures", async () => {
    await page.goto(new URL("runs/sweep/0/report.html", server.url).href);
    assert.equal(await page.evaluate(() => window.origin), "null");
    assert.deepEqual(
      await page.$$eval("img", (all) => all.map((each) => each.naturalWidth)), [1]);
  });

  test("opens reports, whose scripts run, by their name and by their row", async () => {
    for (const at of [0, 1, 2]) {
      await page.goto(server.url);
      await page.locator("tbody .run > a").nth(at).click();
      assert.equal(await page.locator("#report").textContent(), "script ran");
    }
    await page.goto(server.url);
    await page.locator("tbody tr").nth(0).locator("td").nth(4).click();
    await page.waitForURL(/runs\/sweep\/0\/report\.html$/);
  });

  test("puts runs side by side, and the address can be passed on", async () => {
    const button = page.locator("#side-by-side");
    assert.equal(await button.isDisabled(), true);
    await page.getByLabel("Select 20261116-100000").check();
    await page.getByLabel("Select 0", {exact: true}).check();
    await button.click();
    await page.waitForSelector("#phases");
    assert.match(page.url(), /#side=20261116-100000,sweep%2F0$/);
    await page.reload();
    const phases = page.locator("#phases > .scroll tbody tr");
    assert.match(
      await phases.nth(0).innerText(),
      /end_to_end[^]*20\.0 ms[^]*20\.5 ms\s+1\.02x[^]*CIs overlap/);
    assert.equal(await phases.count(), 2);
    const gemm = page.locator("#kernels tbody tr", {hasText: "gemm"});
    assert.match(await gemm.innerText(), /4\.00 ms\s+2\.00 ms\s+0\.50x/);
    assert.match(
      await page.locator("#kernels tbody tr", {hasText: "only_first"}).innerText(),
      /1\.00 ms\s+–/);
    assert.match(await page.locator("#operators tbody").innerText(), /aten::bmm/);
    const differing = await page.locator("#differences tbody th").allInnerTexts();
    assert.deepEqual(differing, ["parity", "host", "arguments", "infer.seed"]);
    await page.getByText("← All runs").click();
    await page.waitForSelector("table.runs");
  });

  test("puts hostile runs side by side, and says which are not there", async () => {
    await page.goto(`${server.url}#side=${
        ["20261116-100000", hostile, "gone"].map(encodeURIComponent).join(",")}`);
    await page.waitForSelector("#phases");
    assert.match(
      await page.locator("#phases > .scroll tbody tr").nth(0).innerText(),
      /2\.00x[^]*CIs do not overlap/);
    assert.ok((await page.locator("#kernels tbody").innerText()).includes(shownHostile));
    assert.match(await page.getByRole("alert").innerText(), /No such run: gone/);
    assert.equal(await page.locator("main img").count(), 0);
  });
});
