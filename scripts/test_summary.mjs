// Summarizes a test run: passed, failed and skipped tests, with reasons. Usage: node
// scripts/test_summary.mjs tests.xml (from `ctest --output-junit`).
import {readFileSync} from 'node:fs';

const MAX_LINES = 7;  // With the two around them, fewer than ten.

const text = readFileSync(process.argv[2], 'utf8');
const decode = (xml) => xml.replace(/&lt;/g, '<')
                            .replace(/&gt;/g, '>')
                            .replace(/&quot;/g, '"')
                            .replace(/&amp;/g, '&');

const tests =
    text.split('<testcase ')
        .slice(1)
        .map((body) => ({
               name: decode(/name="([^"]*)"/.exec(body)[1]),
               status: /status="([^"]*)"/.exec(body)[1],
               seconds: Number(/time="([^"]*)"/.exec(body)[1]),
               output:
                   decode(/<system-out>([\s\S]*?)<\/system-out>/.exec(body)?.[1] ?? ''),
             }));

const isSkipped = (test) => test.status === 'notrun' || test.status === 'disabled';
const failed = tests.filter((test) => test.status === 'fail');
const skipped = tests.filter(isSkipped);
const passed = tests.length - failed.length - skipped.length;

// GoogleTest prints "file:line: Skipped" and the reason on the next line.
function reasonOf(test) {
  const reason =
      /: Skipped\n([^\n]+)/.exec(test.output) ?? /\bSkipped: ([^\n]+)/i.exec(test.output);
  return reason ? reason[1].trim() : 'no reason given';
}

const lines = failed.map((test) => `failed   ${test.name}`);
const byReason = new Map();
for (const test of skipped) {
  const reason = reasonOf(test);
  byReason.set(reason, [...(byReason.get(reason) ?? []), test.name]);
}
for (const [reason, names] of byReason) {
  lines.push(
      `skipped  ${names.length === 1 ? names[0] : `${names.length} tests`}: ${reason}`);
}
const seconds = tests.reduce((sum, test) => sum + test.seconds, 0);
console.log(`\n${tests.length} tests, ${seconds.toFixed(0)} s of test time`);
for (const line of lines.slice(0, MAX_LINES)) console.log(line);
if (lines.length > MAX_LINES)
  console.log(`and ${lines.length - MAX_LINES} more; see ${process.argv[2]}`);
console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
