// How long a report takes to open: from the begin of its navigation until everything
// above the fold is drawn and the page says that it is ready. And how long a step of
// zooming into its first timeline takes.
//
//   node bench/open_report.mjs REPORT.html [TIMES]
//
// A new browser each time, so that nothing is cached.
import {statSync} from 'node:fs';
import path from 'node:path';

import {launch} from '../web/tests/support/browser.mjs';

const [file, times = '5'] = process.argv.slice(2);
const ready = [];
const steps = [];
for (let i = 0; i < Number(times); ++i) {
  const browser = await launch();
  const page = await browser.newPage({viewport: {width: 1440, height: 900}});
  await page.goto(`file://${path.resolve(file)}`);
  await page.waitForFunction(() => window.ridgeline?.ready === true);
  // The next frame is on the screen.
  await page.evaluate(
      () => new Promise(
          (done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  ready.push(await page.evaluate(() => performance.now()));
  steps.push(...await page.evaluate(async () => {
    window.ridgeline.renderAll();
    const took = [];
    for (let i = 0; i < 10 && window.ridgeline.views[0]; ++i) {
      const begin = performance.now();
      window.ridgeline.views[0].zoom(0.8);
      await new Promise(
          (done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      took.push(performance.now() - begin);
    }
    return took;
  }));
  await browser.close();
}

function spread(all) {
  all.sort((a, b) => a - b);
  const [least, middle, most] = [0, Math.floor(all.length / 2), all.length - 1].map(
      (at) => `${all[at].toFixed(0)} ms`);
  return `${middle} (${least} to ${most}, ${all.length} times)`;
}

console.log(
    `${(statSync(file).size / 1e6).toFixed(2)} MB, ready after ${spread(ready)}` +
    (steps.length ? `, a step of zooming ${spread(steps)}` : ''));
