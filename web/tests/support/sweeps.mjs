// Reports of sweeps that never were.
import {hostileText} from "./fixtures.mjs";

const metrics = [
  ["end_to_end_s", "End to end", "seconds", "lower"],
  ["decode_tokens_per_s", "Decode tokens/s", "number", "higher"],
  ["peak_rss_bytes", "Peak RSS", "bytes", "lower"]
];

// Batches and threads that are numbers, and a type that is not.
export function sweep(count = 12) {
  const jobs = Array.from({length: count}, (_, i) => {
    const [batch, dtype, threads] =
      [2 ** (i % 4), ["fp32", "bf16"][i % 2], 1 + Math.floor(i / 4)];
    const failed = i % 7 === 6;
    const time = (0.8 + batch * 0.1) / threads;
    const values = [time, batch * 100 / time, 2e8 + batch * 1e7];
    return {
      job: i,
      overrides: `model.batch=${batch} dtype=${dtype} threads=${threads}`,
      state: failed ? "failed" : "done",
      outcome: failed ? "Timeout" : null,
      reason: failed ? "no answer within 60 s" : null,
      parity: "not_checked",
      exit_code: failed ? 1 : 0,
      wall_s: 3 + i,
      attempts: 1,
      host: null,
      slurm_id: null,
      directory: String(i),
      report: failed ? null : `${i}/report.html`,
      parameters: [
        {value: String(batch), number: batch}, {value: dtype, number: null},
        {value: String(threads), number: threads}
      ],
      metrics:
        values.map((value, m) => failed ? {value: null, ci95: null, rank: "none"} : {
          value,
          ci95: m < 2 ? [value * 0.98, value * 1.02] : null,
          rank: i === 8 ? ["best", "tied", "extreme"][m] : "none"
        })
    };
  });
  return {
    schema_version: 1,
    ridgeline_version: "0.1.0",
    name: "14-03-22",
    directory: "/home/ada/multirun/14-03-22",
    launcher: "local",
    created: "2026-11-18T14:03:22+01:00",
    counts: [
      {state: "done", jobs: jobs.filter((job) => job.state === "done").length},
      {state: "failed", jobs: jobs.filter((job) => job.state === "failed").length}
    ],
    metrics: metrics.map(([id, title, unit, better], m) => ({
                           id,
                           title,
                           unit,
                           better,
                           verdict: ["best", "tied", "no_ci"][m],
                           best_jobs: m === 1 ? [8, 9] : [8]
                         })),
    parameters: [
      {key: "model.batch", numeric: true, values: 4},
      {key: "dtype", numeric: false, values: 2},
      {key: "threads", numeric: true, values: 3}
    ],
    jobs,
    notes: []
  };
}

const keptKeys = new Set(["state", "rank", "verdict", "unit", "better", "parity"]);

function poisoned(value, key) {
  if (typeof value === "string") return keptKeys.has(key) ? value : hostileText;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, poisoned(each, name)]));
}

export function hostileSweep() {
  return {...poisoned(sweep(), ""), notes: [hostileText]};
}
