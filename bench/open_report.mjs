// How long a report takes to open: from the begin of its navigation until everything
// above the fold is drawn and the page says that it is ready.
//
//   node bench/open_report.mjs REPORT.html [TIMES]
//
// A new browser each time, so that nothing is cached.
import {statSync} from 'node:fs';
import path from 'node:path';

import {launch} from '../web/tests/support/browser.mjs';

const [file, times = '5'] = process.argv.slice(2);
const ready = [];
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
  await browser.close();
}
ready.sort((a, b) => a - b);
const [least, middle, most] = [0, Math.floor(ready.length / 2), ready.length - 1].map(
    (at) => `${ready[at].toFixed(0)} ms`);
console.log(`${(statSync(file).size / 1e6).toFixed(2)} MB, ready after ${middle} (${
    least} to ${most}, ${ready.length} times)`);
