// Columns of the list: content and sort key of each cell.
import type {LongestRow, PhaseHeadline, RunSummary} from "./api";
import {reportAddress} from "./api";
import {badgesOf, stageMarks} from "./badges";
import {el} from "../shared/dom";
import {nameOf} from "./names";
import {interval, moment, ratio, seconds, share} from "./format";

export interface Column {
  id: string;
  title: string;
  isNumber?: boolean;
  value: (run: RunSummary) => string | number | null; // null sorts last.
  cell: (run: RunSummary) => Node | string;
}

const none = () => el("span", {className: "quiet"}, "–");

function runCell(run: RunSummary): Node {
  const address = reportAddress(run);
  const cell = el("div", {className: "run"});
  cell.append(
    address === null ? nameOf(run.id) : el("a", {href: address}, nameOf(run.id)));
  cell.append(el("div", {className: "status"}, badgesOf(run), stageMarks(run)));
  if (run.path !== run.id && run.path !== ".") {
    cell.append(el("div", {className: "quiet small"}, nameOf(run.path)));
  }
  for (const problem of run.problems)
    cell.append(el("div", {className: "problem small"}, problem));
  return cell;
}

function startedCell(run: RunSummary): Node {
  if (run.started === null) return none();
  const [day, time] = moment(run.started).split(" ");
  return el(
    "time", {title: run.started}, day, el("div", {className: "quiet small"}, time));
}

function phaseCell(phase: PhaseHeadline|null): Node {
  if (phase === null) return none();
  const cell = el("div", {title: phase.source}, seconds(phase.mean_s));
  if (phase.mean_ci95_s !== null) {
    cell.append(el("div", {className: "quiet small"}, interval(phase.mean_ci95_s)));
  }
  return cell;
}

function longestCell(row: LongestRow|null): Node {
  if (row === null) return none();
  const part = row.share === null ? "" : `${share(row.share)} · `;
  return el(
    "div", {}, nameOf(row.name),
    el("div", {className: "quiet small"}, part + seconds(row.time_s)));
}

function phaseColumn(id: "end_to_end"|"prefill"|"decode", title: string): Column {
  return {
    id,
    title,
    isNumber: true,
    value: (run) => run.phases[id]?.mean_s ?? null,
    cell: (run) => phaseCell(run.phases[id]),
  };
}

function tokensPerSecond(run: RunSummary): number|null {
  return run.phases.decode?.tokens_per_s ?? null;
}

export const columns: Column[] = [
  {id: "id", title: "Run", value: (run) => run.id, cell: runCell},
  {
    id: "workload",
    title: "Workload",
    value: (run) => run.workload,
    cell: (run) => run.workload === null ?
      none() :
      el(
        "div", {}, nameOf(run.workload),
        el("div", {className: "quiet small"}, nameOf(run.host ?? ""))),
  },
  {
    id: "started",
    title: "Started",
    value: (run) => run.started,
    cell: startedCell,
  },
  phaseColumn("end_to_end", "End-to-end"),
  phaseColumn("prefill", "Prefill"),
  phaseColumn("decode", "Decode"),
  {
    id: "tokens",
    title: "Tokens/s",
    isNumber: true,
    value: tokensPerSecond,
    cell: (run) => (tokensPerSecond(run) === null ? none() : ratio(tokensPerSecond(run))),
  },
  {
    id: "kernel",
    title: "Top kernel",
    value: (run) => run.kernel?.name ?? null,
    cell: (run) => longestCell(run.kernel),
  },
  {
    id: "operator",
    title: "Top operator",
    value: (run) => run.operator?.name ?? null,
    cell: (run) => longestCell(run.operator),
  },
];

// The text searched by the filter.
function wordsOf(run: RunSummary): string {
  const parity = run.parity === "not_checked" ? "" : `parity ${run.parity}`;
  return [
    run.id, run.path, run.workload, run.state ?? "broken", parity, run.host,
    ...run.arguments
  ].join("\n")
    .toLowerCase();
}

// Every word of the filter must match somewhere.
export function filtered(runs: RunSummary[], filter: string): RunSummary[] {
  const wanted = filter.toLowerCase().split(/\s+/).filter((word) => word !== "");
  return runs.filter((run) => wanted.every((word) => wordsOf(run).includes(word)));
}

export function sorted(runs: RunSummary[], sort: string): RunSummary[] {
  const column = columns.find((candidate) => candidate.id === sort.replace(/^-/, ""));
  if (column === undefined) return runs;
  const direction = sort.startsWith("-") ? -1 : 1;
  return [...runs].sort((a, b) => {
    const [left, right] = [column.value(a), column.value(b)];
    if (left === null || right === null)
      return Number(left === null) - Number(right === null);
    return left === right ? 0 : left < right ? -direction : direction;
  });
}
