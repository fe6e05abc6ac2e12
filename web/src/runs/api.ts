// Responses of the server (src/serve/headline_cache.h) and addresses.

export type Interval = [number, number];

export interface PhaseHeadline {
  source: string;
  mean_s: number;
  mean_ci95_s: Interval|null;
  tokens_per_s: number|null;
}

export interface LongestRow {
  name: string;
  time_s: number;
  share: number|null;
}

export interface StageSummary {
  name: string;
  state: string;
  outcome: string|null;
  reason: string|null;
}

export interface RunSummary {
  id: string;
  path: string;       // "." for the served directory itself.
  state: string|null; // null: unreadable manifest; see `problems`.
  reason: string|null;
  parity: "passed"|"failed"|"not_checked";
  workload: string|null;
  host: string|null;
  started: string|null;
  ended: string|null;
  arguments: string[];
  stages: StageSummary[];
  phases: {
    end_to_end: PhaseHeadline|null; prefill: PhaseHeadline | null;
    decode: PhaseHeadline | null
  };
  kernel: LongestRow|null;
  operator: LongestRow|null;
  report: string|null;
  problems: string[];
}

export interface RunList {
  directory: string;
  runs: RunSummary[];
  problems: string[];
}

// The parts of metrics.json shown side by side. A file of another version, or of a run
// with few stages, has fewer: those lists are empty.
export interface Metrics {
  ridgelineVersion: string|null;
  phases: Phase[];
  kernels: {source: string; name: string; total_s: number}[];
  operators: {source: string; name: string; self_s: number}[];
  config: {key: string; value: string}[];
}

export interface Phase {
  source: string;
  profiled: boolean;
  phase: string;
  mean_s: number;
  mean_ci95_s: Interval|null;
}

export const noMetrics: Metrics = {
  ridgelineVersion: null,
  phases: [],
  kernels: [],
  operators: [],
  config: []
};

type Json = Record<string, unknown>;

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

// The rows of a list that have these strings and this number.
function rowsOf<T>(value: unknown, texts: string[], number: string|null): T[] {
  const isRow = (row: Json) => texts.every((key) => typeof row[key] === "string") &&
    (number === null || Number.isFinite(row[number]));
  return Array.isArray(value) ? (value.map(objectOf).filter(isRow) as T[]) : [];
}

function isInterval(value: unknown): value is Interval {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);
}

export function metricsOf(answer: unknown): Metrics {
  const metrics = objectOf(answer);
  const version = objectOf(metrics.run).ridgeline_version;
  return {
    ridgelineVersion: typeof version === "string" ? version : null,
    phases:
      rowsOf<Phase>(metrics.phases, ["source", "phase"], "mean_s")
        .map((phase) => ({
               ...phase,
               // Its name before version 2 of metrics.json.
               phase: phase.phase === "page" ? "end_to_end" : phase.phase,
               profiled: phase.profiled === true,
               mean_ci95_s: isInterval(phase.mean_ci95_s) ? phase.mean_ci95_s : null,
             })),
    kernels: rowsOf(metrics.kernels, ["source", "name"], "total_s"),
    operators: rowsOf(metrics.operators, ["source", "name"], "self_s"),
    config: rowsOf(metrics.config, ["key", "value"], null),
  };
}

function addressOf(begin: string, path: string, end: string): string {
  const parts = path === "." ? [] : path.split("/").map(encodeURIComponent);
  return [begin, ...parts, end].join("/");
}

// null: none yet.
export function reportAddress(run: RunSummary): string|null {
  return run.report === null ? null : addressOf("runs", run.path, run.report);
}

async function getJson(address: string): Promise<unknown> {
  const response = await fetch(address);
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  throw new Error(String((answer as {error?: unknown}).error ?? response.statusText));
}

export async function fetchRuns(): Promise<RunList> {
  return (await getJson("api/runs")) as RunList;
}

export async function fetchMetrics(run: RunSummary): Promise<Metrics> {
  return metricsOf(await getJson(addressOf("api/runs", run.path, "metrics")));
}
