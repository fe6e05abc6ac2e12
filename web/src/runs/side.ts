// Runs side by side, with ratios to the first one. No verdict on regressions: that
// requires a comparison that corrects for multiple tests.
import type {Phase} from "./api";
import {reportAddress} from "./api";
import {badgesOf, stageMarks} from "./badges";
import {el} from "../shared/dom";
import {nameOf} from "./names";
import {interval, moment, ratio, seconds} from "./format";
import type {JoinedRow, Loaded} from "./joined";
import {differences, joinKernels, joinOperators, joinPhases, overlap, ratioTo} from "./joined";

const rowsAtFirst = 25;

const none = () => el("span", {className: "quiet"}, "–");

function runHeading({run}: Loaded): HTMLElement {
  const address = reportAddress(run);
  const name = nameOf(run.id);
  return el(
    "th",
    {scope: "col"},
    el("div", {className: "quiet small"}, moment(run.started)),
    address === null ? name : el("a", {href: address}, name),
    el("div", {className: "status"}, badgesOf(run), stageMarks(run)),
  );
}

function table(title: string, runs: Loaded[], rows: HTMLElement[]): HTMLElement {
  const headings = el("tr", {}, el("th", {scope: "col"}, title), ...runs.map(runHeading));
  return el(
    "div",
    {className: "scroll"},
    el("table", {className: "side"}, el("thead", {}, headings), el("tbody", {}, ...rows)),
  );
}

function rowName(name: string, source: string|null): HTMLElement {
  const cell = el("th", {scope: "row"}, nameOf(name));
  if (source !== null) cell.append(el("div", {className: "quiet small"}, nameOf(source)));
  return cell;
}

function ratioTag(first: number|null, value: number|null): HTMLElement|null {
  const times = ratioTo(first, value);
  return times === null ?
    null :
    el("span", {className: "ratio", title: "vs the first run"}, `${ratio(times)}x`);
}

// Whether the two 95 % CIs overlap.
function overlapTag(first: Phase|null, phase: Phase): HTMLElement|null {
  const together = overlap(first?.mean_ci95_s ?? null, phase.mean_ci95_s);
  if (together === null) return null;
  return el(
    "span",
    {
      className: `badge ${together ? "plain" : "busy"}`,
      title: "95 % CI of the two means"
    },
    together ? "CIs overlap" : "CIs do not overlap",
  );
}

function phaseCell(row: JoinedRow<Phase>, column: number): HTMLElement {
  const phase = row.cells[column] ?? null;
  if (phase === null) return el("td", {}, none());
  const first = row.cells[0] ?? null;
  const cell = el("td", {}, el("b", {}, seconds(phase.mean_s)));
  if (column > 0) cell.append(" ", ratioTag(first?.mean_s ?? null, phase.mean_s) ?? "");
  if (phase.mean_ci95_s !== null) {
    const range = el("span", {className: "quiet small"}, interval(phase.mean_ci95_s));
    cell.append(el(
      "div", {className: "status"}, range, column > 0 ? overlapTag(first, phase) : null));
  }
  return cell;
}

function phaseRow(row: JoinedRow<Phase>): HTMLElement {
  return el(
    "tr", {}, rowName(row.name, row.source),
    ...row.cells.map((_, column) => phaseCell(row, column)));
}

function timeRow(row: JoinedRow<number>): HTMLElement {
  const cells = row.cells.map((value, column) => {
    if (value === null) return el("td", {}, none());
    const times = column > 0 ? ratioTag(row.cells[0] ?? null, value) : null;
    return el("td", {}, seconds(value), " ", times);
  });
  return el("tr", {}, rowName(row.name, row.source), ...cells);
}

function section(
  id: string, title: string, text: string, ...content: HTMLElement[]): HTMLElement {
  return el(
    "section", {id}, el("h2", {}, title), el("p", {className: "quiet"}, text),
    ...content);
}

function timesSection(
  id: string, title: string, text: string, runs: Loaded[],
  rows: JoinedRow<number>[]): HTMLElement {
  if (rows.length === 0) return section(id, title, "Not measured in any of these runs.");
  const shown = table(title, runs, rows.slice(0, rowsAtFirst).map(timeRow));
  const parts = [shown];
  if (rows.length > rowsAtFirst) {
    const more = el("button", {type: "button"}, `Show all ${rows.length}`);
    more.addEventListener("click", () => {
      shown.querySelector("tbody")?.append(...rows.slice(rowsAtFirst).map(timeRow));
      more.remove();
    });
    parts.push(el("p", {}, more));
  }
  return section(id, title, text, ...parts);
}

function differencesSection(runs: Loaded[]): HTMLElement {
  const rows = differences(runs).map(
    ({what, values}) => el(
      "tr", {}, rowName(what, null),
      ...values.map(
        (value) => el("td", {}, value === null ? none() : el("bdi", {}, value)))),
  );
  if (rows.length === 0) return section("differences", "Differences", "None.");
  return section(
    "differences",
    "Differences",
    "Outcome, arguments and configuration, where they differ.",
    table("Setting", runs, rows),
  );
}

function phasesSection(runs: Loaded[]): HTMLElement {
  const plain = joinPhases(runs, false);
  const profiled = joinPhases(runs, true);
  if (plain.length + profiled.length === 0)
    return section("phases", "Phases", "Not measured in any of these runs.");
  const parts = [table("Phase", runs, plain.map(phaseRow))];
  if (profiled.length > 0) {
    const under = table("Phase", runs, profiled.map(phaseRow));
    parts.push(el(
      "details", {}, el("summary", {}, "Profiled (includes profiling overhead)"), under));
  }
  return section(
    "phases", "Phases", "Mean with 95 % CI, and ratio to the first run.", ...parts);
}

export function sideBySide(runs: Loaded[], missing: string[]): HTMLElement {
  const page = el(
    "div", {className: "side-by-side"}, el("p", {}, el("a", {href: "#"}, "← All runs")));
  for (const path of missing)
    page.append(
      el("p", {className: "problem", role: "alert"}, "No such run: ", nameOf(path)));
  for (const {run, problem} of runs) {
    if (problem !== null)
      page.append(
        el("p", {className: "problem", role: "alert"}, nameOf(run.id), `: ${problem}`));
  }
  if (runs.length === 0) return page;
  page.append(
    phasesSection(runs),
    differencesSection(runs),
    timesSection(
      "kernels", "Kernels", "GPU time. A dash: not among the top kernels of that run.",
      runs, joinKernels(runs)),
    timesSection(
      "operators", "Operators",
      "Self time. A dash: not among the top operators of that run.", runs,
      joinOperators(runs)),
  );
  return page;
}
