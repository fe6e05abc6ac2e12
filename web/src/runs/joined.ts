// Joins the metrics of several runs by name; no DOM.
import type {Interval, Metrics, Phase, RunSummary} from "./api";
import {stageText} from "./badges";

// A run and its metrics; `metrics` is empty if they could not be loaded.
export interface Loaded {
  run: RunSummary;
  metrics: Metrics;
  problem: string|null;
}

export interface JoinedRow<T> {
  source: string;
  name: string;
  cells: (T|null)[]; // One per run; null: not in that run's list.
}

// Rows with the same source and name, in order of first appearance.
function join<T>(
  lists: {source: string; name: string; value: T}[][],
  add: (a: T, b: T) => T): JoinedRow<T>[] {
  const rows = new Map<string, JoinedRow<T>>();
  lists.forEach((list, column) => {
    for (const {source, name, value} of list) {
      const key = JSON.stringify([source, name]);
      const row: JoinedRow<T> =
        rows.get(key) ?? {source, name, cells: lists.map(() => null)};
      const before = row.cells[column] ?? null;
      row.cells[column] = before === null ? value : add(before, value);
      rows.set(key, row);
    }
  });
  return [...rows.values()];
}

function largest(row: JoinedRow<number>): number {
  return Math.max(...row.cells.map((cell) => cell ?? 0));
}

// Times by name, the longest in any run first. Times of the same name on several devices
// are added; those from several tools are not.
export function joinTimes(lists: {source: string; name: string; value: number}[][]):
  JoinedRow<number>[] {
  return join(lists, (a, b) => a + b).sort((a, b) => largest(b) - largest(a));
}

export function joinKernels(runs: Loaded[]): JoinedRow<number>[] {
  return joinTimes(
    runs.map(
      ({metrics}) => metrics.kernels.map(
        ({source, name, total_s}) => ({source, name, value: total_s})),
      ),
  );
}

export function joinOperators(runs: Loaded[]): JoinedRow<number>[] {
  return joinTimes(
    runs.map(
      ({metrics}) => metrics.operators.map(
        ({source, name, self_s}) => ({source, name, value: self_s})),
      ),
  );
}

// Phases measured with or without a profiler, those of direct_inference first.
export function joinPhases(runs: Loaded[], profiled: boolean): JoinedRow<Phase>[] {
  const rows = join(
    runs.map(
      ({metrics}) =>
        metrics.phases.filter((phase) => phase.profiled === profiled)
          .map((phase) => ({source: phase.source, name: phase.phase, value: phase})),
      ),
    (first) => first,
  );
  const order = (row: JoinedRow<Phase>) =>
    (row.source.startsWith("direct_inference/") ? 0 : 1);
  return rows.sort((a, b) => order(a) - order(b));
}

// null: one of them has no interval.
export function overlap(a: Interval|null, b: Interval|null): boolean|null {
  if (a === null || b === null) return null;
  return a[0] <= b[1] && b[0] <= a[1];
}

// Ratio to the first; null: undefined.
export function ratioTo(first: number|null, value: number|null): number|null {
  return first === null || value === null || first === 0 ? null : value / first;
}

export interface Difference {
  what: string;
  values: (string|null)[];
}

// Outcome and arguments, without the configuration.
function settingsOf({run, metrics}: Loaded): Map<string, string> {
  const settings = new Map<string, string>();
  const set = (key: string, value: string|null|undefined) => {
    if (value !== null && value !== undefined) settings.set(key, value);
  };
  set("state", run.state ?? "broken");
  set("parity", run.parity === "not_checked" ? "not checked" : run.parity);
  set("workload", run.workload);
  set("host", run.host);
  set("ridgeline", metrics.ridgelineVersion);
  for (const stage of run.stages) set(`stage ${stage.name}`, stageText(stage));
  set("arguments", run.arguments.join(" "));
  return settings;
}

// null: unknown.
function configOf({metrics}: Loaded): Map<string, string>|null {
  if (metrics.config.length === 0) return null;
  return new Map(metrics.config.map(({key, value}) => [key, value]));
}

// Keys whose values differ between the existing maps.
function differing(maps: (Map<string, string>|null)[]): Difference[] {
  const known = maps.filter((map) => map !== null);
  const keys = new Set(known.flatMap((map) => [...map.keys()]));
  return [...keys]
    .filter((key) => known.some((map) => map.get(key) !== known[0]?.get(key)))
    .map((what) => ({what, values: maps.map((map) => map?.get(what) ?? null)}));
}

// Differences between runs, in the order of the first run that has the key.
export function differences(runs: Loaded[]): Difference[] {
  return [...differing(runs.map(settingsOf)), ...differing(runs.map(configOf))];
}
