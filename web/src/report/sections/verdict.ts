// Workload, validity and headline numbers.
import {button, el, type Child} from "../../shared/dom";
import {derived} from "../../shared/shown";
import {themeButton} from "../../shared/theme";
import {counted, experiment, sampleUnit, type Report} from "../report";
import {boundOf, costedPhase} from "./ledger";

type Tone = "good"|"bad"|"plain"|"warn";

function badge(tone: Tone, ...content: Child[]): HTMLElement {
  return el("span", {className: `badge ${tone}`}, ...content);
}

function badges({data}: Report): Child {
  const state = data.text("/run/state");
  const tones: Record<string, Tone> = {done: "good", imported: "plain"};
  const parity = data.text("/verdict/parity");
  const complete = data.at("/verdict/complete");
  const notes = data.number("/verdict/notes") ?? 0;
  return [
    state &&
      badge(
        Object.hasOwn(tones, state) ? tones[state]! : "bad",
        data.show("/run/state", "text")),
    // References exist for built-in models only.
    state !== "imported" &&
      (["passed", "failed"].includes(parity) ||
       data.text("/run/workload").includes("built-in model")) &&
      badge(
        parity === "passed"   ? "good" :
          parity === "failed" ? "bad" :
                                "plain",
        data.show("/verdict/parity", "parity")),
    typeof complete === "boolean" &&
      badge(complete ? "good" : "warn", data.show("/verdict/complete", "completeness")),
    notes > 0 &&
      el(
        "a", {className: "badge warn", href: "#stages"},
        counted(data, "/verdict/notes", "note", "notes")),
  ];
}

export function header(report: Report): HTMLElement {
  const {data} = report;
  const name = experiment(report);
  const facts =
    ["workload", "host", "started", "ended"].filter((key) => data.text(`/run/${key}`));
  const words:
    Record<string, string> = {workload: "", host: "on ", started: "from ", ended: "to "};
  return el(
    "header", {className: "verdict", id: "verdict"},
    el(
      "div", {className: "verdict-line"},
      el(
        "h1", {},
        // Jobs of a sweep have numbers.
        /^\d+$/.test(data.text("/run/id")) && "job ",
        data.text("/run/id") ? data.show("/run/id", "text", {className: "run-id"}) :
                               "Profiles"),
      el("div", {className: "badges"}, badges(report)), el("span", {className: "spring"}),
      button("Print", "Print", () => print()), themeButton()),
    facts.length > 0 &&
      el(
        "p", {className: "facts"},
        name && el("span", {className: "fact"}, `experiment ${name}`),
        facts.map(
          (key) => el(
            "span", {className: "fact"}, words[key]!, data.show(`/run/${key}`, "text")))),
    data.text("/run/reason") &&
      el("p", {className: "reason"}, data.show("/run/reason", "text")));
}

interface Tile {
  label: Child;
  section: string;
  value: Child;
  unit?: string;
  below: Child;
}

// Unprofiled times if there are any.
function bestPhases(report: Report): Map<string, string> {
  const {data} = report;
  const rank = (row: string) => (data.at(`${row}/profiled`) === true ? 2 : 0) +
    (data.text(`${row}/source`).startsWith("direct_inference") ? 0 : 1);
  const best = new Map<string, string>();
  for (const row of data.items("/phases")) {
    const phase = data.text(`${row}/phase`);
    const known = best.get(phase);
    if (known === undefined || rank(row) < rank(known)) best.set(phase, row);
  }
  return best;
}

// Bootstrapped intervals of fewer samples are too narrow to be called a 95 % CI.
const minForInterval = 5;

function below({data}: Report, row: string): Child {
  if (data.at(`${row}/profiled`) === true) return "profiled";
  const samples = data.number(`${row}/samples`) ?? 0;
  const n = ["n=", data.show(`${row}/samples`, "whole")];
  const range = (low: string, high: string): Child =>
    [data.show(`${row}/${low}`, "seconds"), " \u2013 ",
     data.show(`${row}/${high}`, "seconds")];
  if (samples >= minForInterval && data.at(`${row}/mean_ci95_s`) !== null)
    return ["95 % CI ", range("mean_ci95_s/0", "mean_ci95_s/1"), ", ", n];
  return samples > 1 ? [n, ", ", range("min_s", "max_s")] : n;
}

function phaseTiles(report: Report): Tile[] {
  const {data} = report;
  const phases = bestPhases(report);
  const tiles: Tile[] = [];
  for (const phase of ["end_to_end", "prefill"]) {
    const row = phases.get(phase);
    if (row)
      tiles.push({
        label: `${
          phase === "end_to_end" ? "End-to-end" :
            phases.has("vision") ? "Prefill incl. vision" :
                                   "Prefill"}, per ${sampleUnit(report, row)}`,
        section: "phases",
        value: data.show(`${row}/mean_s`, "seconds"),
        below: below(report, row)
      });
  }
  const decode = phases.get("decode");
  if (decode && data.number(`${decode}/tokens_per_s`) !== null) {
    tiles.push({
      label: "Decode",
      section: "phases",
      value: data.show(`${decode}/tokens_per_s`, "ratio"),
      unit: "tokens/s",
      below:
        [data.show(`${decode}/mean_s`, "seconds"), ` per ${sampleUnit(report, decode)}`]
    });
  }
  return tiles;
}

function deviceTile(report: Report): Tile[] {
  const {data} = report;
  const devices =
    data.items("/devices")
      .filter((row) => data.quotientOf(`${row}/busy_s`, `${row}/span_s`) !== null);
  const row = devices[0];
  if (!row) return [];
  const others = devices.length - 1;
  const gpus =
    devices.filter((other) => data.text(`${other}/source`) === data.text(`${row}/source`))
      .length;
  return [{
    label: [
      "GPU ", data.show(`${row}/device`, "text"),
      gpus > 1 && [" of ", derived("count", String(gpus))], " busy"
    ],
    section: "devices",
    value: data.quotient(`${row}/busy_s`, `${row}/span_s`, "percent"),
    below: [
      data.show(`${row}/busy_s`, "seconds"), " of ",
      data.show(`${row}/span_s`, "seconds"),
      report.hasSeveralSources(devices) && [" in ", data.show(`${row}/source`, "text")],
      others > 0 && [", ", derived("count", String(others)), " more"]
    ]
  }];
}

function rooflineTile(report: Report): Tile[] {
  const {data} = report;
  // The longest phase, as in the terminal summary: a page has no single bound.
  const rows = data.items("/ledger/phases")
                 .filter(
                   (row) => data.number(`${row}/roofline_slowdown`) !== null &&
                     data.text(`${row}/name`) !== "end_to_end");
  const time = (row: string) => data.number(`${row}/measured_s`) ?? 0;
  const row = rows.reduce<string|undefined>(
    (longest, each) =>
      longest === undefined || time(each) > time(longest) ? each : longest,
    undefined);
  if (!row) return [];
  return [{
    label: "vs roofline",
    section: "ledger",
    value: data.show(`${row}/roofline_slowdown`, "factor"),
    below: [costedPhase(report, row), ", ", boundOf(report, row), "-bound"]
  }];
}

export function tiles(report: Report): HTMLElement|null {
  const all = [...phaseTiles(report), ...deviceTile(report), ...rooflineTile(report)];
  if (all.length === 0) return null;
  return el(
    "div", {className: "tiles"},
    all.map(
      (tile) => el(
        "a", {className: "tile", href: `#${tile.section}`},
        el("span", {className: "tile-label"}, tile.label),
        el(
          "span", {className: "tile-value"}, tile.value,
          tile.unit ? el("span", {className: "unit"}, ` ${tile.unit}`) : null),
        el("span", {className: "tile-below"}, tile.below))));
}
