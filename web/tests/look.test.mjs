// How the report looks and behaves: colours, paper, small screens, pictures, commands.
import assert from "node:assert/strict";
import {mkdirSync, writeFileSync} from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {rich} from "./support/fixtures.mjs";
import {writeReport} from "./support/page.mjs";

let browser;
let address;

before(async () => {
  browser = await launch();
  address = writeReport("rich", rich());
});
after(() => browser?.close());

async function opened(use, options) {
  const {page, errors, close} = await open(browser, address, options);
  await page.evaluate(() => window.ridgeline.renderAll());
  await use(page);
  assert.deepEqual(errors, []);
  await close();
}

// Kept where RIDGELINE_SCREENSHOTS says, for people to look at.
async function screenshot(page, name) {
  const picture = await page.screenshot({fullPage: true});
  const directory = process.env.RIDGELINE_SCREENSHOTS;
  if (!directory) return picture;
  mkdirSync(directory, {recursive: true});
  writeFileSync(path.join(directory, `${name}.png`), picture);
  return picture;
}

test(
  "dark and light follow the system and the button, and charts with them", async () => {
    const ground = (page) =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const axis = (page) => page.evaluate(
      () => window.ridgeline.charts.ledger.getOption().yAxis[0].axisLabel.color);
    const seen = {};
    const pictures = [];
    for (const colorScheme of ["light", "dark"]) {
      await opened(async (page) => {
        seen[colorScheme] = [await ground(page), await axis(page)];
        pictures.push(await screenshot(page, colorScheme));
        await page.click(".theme-button");
        seen[`${colorScheme} turned`] = [await ground(page), await axis(page)];
      }, {colorScheme});
    }
    assert.notDeepEqual(seen.light, seen.dark);
    assert.notDeepEqual(pictures[0], pictures[1]);
    assert.deepEqual(seen["light turned"], seen.dark);
    assert.deepEqual(seen["dark turned"], seen.light);
  });

test(
  "predictions are enlarged by a click and closed again",
  () => opened(async (page) => {
    await page.click(".picture >> nth=0");
    assert.match(
      await page.$eval("dialog[open] pre", (each) => each.textContent), /Invoice 1/);
    // Pictures are decoded, and closed dialogs removed, a little later.
    await page.waitForFunction(
      () => document.querySelector("dialog[open] img").naturalWidth > 0);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", {state: "detached"});
  }));

test(
  "commands are copied as they are",
  () => opened(async (page) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.click("#commands .copy >> nth=0");
    await page.waitForFunction(
      () => document.querySelector("#commands .copy").textContent !== "Copy");
    assert.equal(
      await page.evaluate(() => navigator.clipboard.readText()),
      "ridgeline run +preset=demo pipeline.nsys.enable=true 'note=it'\\''s quick'\n");
  }));

test(
  "paper is light, has everything and no buttons, and takes nothing from the screen",
  () => opened(async (page) => {
    const width = () => page.evaluate(() => window.ridgeline.charts.ledger.getWidth());
    const before = await width();
    await page.emulateMedia({media: "print", colorScheme: "dark"});
    await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
    assert.equal(
      await page.$$eval(
        "nav, .toolbar, .button",
        (all) => all.filter((each) => each.offsetParent !== null).length),
      0);
    await screenshot(page, "paper");
    assert.equal(await page.$$eval("details:not([open])", (all) => all.length), 0);
    assert.ok(await width() < 700);
    assert.ok(await page.isVisible("[data-chart=\"timeline 1\"] canvas"));
    await page.emulateMedia({media: "screen", colorScheme: "dark"});
    await page.waitForFunction(
      () => document.documentElement.dataset.theme === undefined);
    assert.equal(await width(), before);
    assert.ok((await page.pdf({format: "A4"})).length > 50_000);
  }));

test(
  "charts that nobody has seen yet fit on paper, too",
  () => opened(async (page) => {
    const widths = await page.evaluate(async () => {
      dispatchEvent(new Event("beforeprint"));
      // Observers of sizes are called before the second frame.
      await new Promise(
        (done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return Object.values(window.ridgeline.charts).map((chart) => chart.getWidth());
    });
    assert.ok(widths.length > 5 && widths.every((width) => width <= 680), String(widths));
  }));

test(
  "nothing is wider than a small screen",
  () => opened(async (page) => {
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }, {viewport: {width: 390, height: 800}}));
