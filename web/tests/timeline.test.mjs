// The timeline in a browser: zoom, pan, highlight, level of detail.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";

import {launch, open} from "./support/browser.mjs";
import {big, rich} from "./support/fixtures.mjs";
import {writeReport} from "./support/page.mjs";

const large = big();
let browser;
const addresses = {};

before(async () => {
  browser = await launch();
  addresses.rich = writeReport("rich", rich());
  addresses.big = writeReport("big", large);
});
after(() => browser?.close());

async function withTimeline(name, use) {
  const {page, errors, close} = await open(browser, addresses[name]);
  await page.locator("[data-timeline=\"0\"]").scrollIntoViewIfNeeded();
  await page.evaluate(() => window.ridgeline.renderAll());
  await page.waitForTimeout(
    300); // Until the wheel no longer belongs to the scrolling before.
  await use(page);
  assert.deepEqual(errors, []);
  await close();
}

const frames = (page) => page.evaluate(
  () => new Promise(
    (done) =>
      setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 60)));
const shown = async (page) => {
  await frames(page);
  return page.evaluate(() => window.ridgeline.views[0].window);
};
const drawn = async (page) => {
  await frames(page);
  return page.evaluate(
    () => window.ridgeline.views[0].drawn.map(
      ({start, end, count, name, blocks}) => ({start, end, count, name, blocks})));
};

test(
  "buttons and keys zoom, pan and show all again",
  () => withTimeline("rich", async (page) => {
    const whole = await shown(page);
    await page.click("[aria-label=\"Zoom in\"]");
    const half = await shown(page);
    assert.ok(Math.abs((half[1] - half[0]) / (whole[1] - whole[0]) - 0.5) < 0.01);
    await page.focus(".timeline-box");
    await page.keyboard.press("ArrowRight");
    const right = await shown(page);
    assert.ok(
      right[0] > half[0] && Math.abs(right[1] - right[0] - (half[1] - half[0])) < 1000);
    await page.keyboard.press("+");
    assert.ok((await shown(page))[1] - (await shown(page))[0] < right[1] - right[0]);
    await page.keyboard.press("0");
    assert.deepEqual(await shown(page), whole);
  }));

test(
  "the wheel zooms where the pointer is and dragging pans",
  () => withTimeline("rich", async (page) => {
    const box = await page.locator("[data-chart=\"timeline 0\"]").boundingBox();
    const whole = await shown(page);
    const [x, y] = [box.x + box.width * 0.25, box.y + 100];
    await page.mouse.move(x, y);
    for (let i = 0; i < 5; ++i) {
      await page.mouse.wheel(0, -240);
      await frames(page);
    }
    const [from, to] = await shown(page);
    assert.ok(to - from < (whole[1] - whole[0]) * 0.8, `${from} ${to}`);
    assert.ok(
      Math.abs((whole[1] * 0.25 - from) / (to - from) - 0.25) < 0.03,
      "what was under the pointer is there still");
    await page.mouse.down();
    await page.mouse.move(x + 100, y, {steps: 5});
    await page.mouse.up();
    const panned = await shown(page);
    assert.ok(
      panned[0] < from &&
      Math.abs(panned[1] - panned[0] - (to - from)) < (to - from) * 0.01);
  }));

test(
  "60,000 blocks are drawn as no more than the screen can show, and all when near",
  () => withTimeline("big", async (page) => {
    const far = await drawn(page);
    const width =
      await page.evaluate(() => window.ridgeline.charts["timeline 0"].getWidth());
    assert.ok(
      far.length < width * large.timeline.timelines[0].lanes.length, String(far.length));
    assert.ok(far.some((block) => block.blocks > 1));
    for (let i = 0; i < 10; ++i) {
      await page.click("[aria-label=\"Zoom in\"]");
      await frames(page);
    }
    const near = await drawn(page);
    assert.ok(near.length > 5 && near.every((block) => block.blocks === 1));
  }));

test(
  "a name is highlighted and counted",
  () => withTimeline("rich", async (page) => {
    await page.fill("[data-timeline=\"0\"] .filter", "decode");
    assert.equal(
      await page.textContent("[data-timeline=\"0\"] [data-derived=count]"), "1 name");
  }));

test(
  "hovering tells name, start, duration and how many events",
  () => withTimeline("big", async (page) => {
    const block = await page.evaluate(() => {
      const view = window.ridgeline.views[0];
      const i = view.drawn.findIndex((each) => each.count > 1);
      window.ridgeline.charts["timeline 0"].dispatchAction(
        {type: "showTip", seriesIndex: 0, dataIndex: i});
      return view.drawn[i];
    });
    const text = await page.textContent("[data-chart=\"timeline 0\"] .tip");
    assert.ok(text.includes(large.timeline.timelines[0].names[block.name]));
    assert.match(text, new RegExp(`${block.count} events, \\d+(\\.\\d)? % busy`));
    assert.match(text, /start.*duration/);
  }));

test(
  "what the file itself has merged is said",
  () => withTimeline("big", async (page) => {
    assert.match(
      await page.textContent("[data-timeline=\"0\"] > .muted"),
      /1,000,000 events; 940,000 of them are shorter than 20\.0 us and merged/);
  }));

test(
  "with several timelines one is chosen",
  () => withTimeline("rich", async (page) => {
    await page.selectOption("#timeline select", {index: 1});
    assert.ok(await page.isHidden("[data-timeline=\"0\"]"));
    await page.waitForFunction(() => window.ridgeline.charts["timeline 1"] !== undefined);
  }));
