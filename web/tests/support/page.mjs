// Makes a report the way the program does: the built page, with the blocks of data in it.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";

const web = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..");
let directory = null;

// The pages without data; built once per test file.
export function builtPage(name = "report") {
  if (directory === null) {
    directory = mkdtempSync(path.join(os.tmpdir(), "ridgeline-web-"));
    process.on("exit", () => rmSync(directory, {recursive: true, force: true}));
    execFileSync(
      process.execPath, [path.join(web, "build.mjs"), directory, "report", "sweep"]);
  }
  return readFileSync(path.join(directory, `${name}.html`), "utf8");
}

function block(id, value) {
  return `<script type="application/json" id="data-${id}">${
    JSON.stringify(value).replaceAll("<", "\\u003c")}</script>`;
}

export function reportOf({metrics, timeline, pictures}) {
  const blocks =
    block("metrics", metrics) + block("timeline", timeline) + block("pictures", pictures);
  return builtPage().replace("<!--ridgeline:data-->", () => blocks);
}

// Its address: a file, as a reader would open it.
export function writeReport(name, fixture) {
  const text = reportOf(fixture);
  const file = path.join(directory, `${name}.html`);
  writeFileSync(file, text);
  return `file://${file}`;
}

export function writeSweep(name, document) {
  const text =
    builtPage("sweep").replace("<!--ridgeline:data-->", () => block("sweep", document));
  const file = path.join(directory, `${name}-filled.html`);
  writeFileSync(file, text);
  return `file://${file}`;
}
