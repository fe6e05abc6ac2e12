// How fast a report opens, how large it is, and that it is the same every time.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {big, rich} from "./support/fixtures.mjs";
import {builtPage, reportOf, writeReport} from "./support/page.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("the largest report is ready and painted well below two seconds", async () => {
  const {page, errors, close} = await open(browser, writeReport("big", big()));
  const ready = await page.evaluate(
    () => performance.getEntriesByName("ridgeline-ready")[0].startTime);
  const painted = await page.evaluate(
    () => new Promise(
      (done) => new PerformanceObserver((list) => done(list.getEntries()[0].startTime))
                  .observe({type: "paint", buffered: true})));
  assert.deepEqual(errors, []);
  assert.ok(ready < 2000 && painted < 2000, `ready ${ready} ms, painted ${painted} ms`);
  await close();
});

test("a report stays below five megabytes", () => {
  assert.ok(Buffer.byteLength(builtPage()) < 1_000_000);
  assert.ok(Buffer.byteLength(reportOf(big())) < 5_000_000);
});

test(
  "the same data give the same bytes",
  () => assert.equal(reportOf(rich()), reportOf(rich())));

test("the page asks for nothing and evaluates nothing", () => {
  const page = builtPage();
  assert.match(
    page,
    /default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"/);
  assert.doesNotMatch(page, /\beval\(|new Function\(/);
});
