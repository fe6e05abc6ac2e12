// Run directories with made-up contents, of the form that the program reads.
import {mkdir, writeFile} from "node:fs/promises";
import path from "node:path";

function manifest(run) {
  return {
    schema_version: 2,
    ridgeline_version: "0.1.0",
    run_id: path.basename(run.path),
    directory: "/somewhere",
    state: run.state ?? "done",
    reason: null,
    exit_code: 0,
    parity: run.parity ?? "not_checked",
    host: run.host ?? "a-host",
    pid: 1,
    started: run.started,
    ended: null,
    arguments: run.arguments ?? [],
    cwd: "/",
    invoked: "2026-11-16T12:00:00.000000",
    workload: run.workload ?? "a program",
    config_sha256: "",
    attempts: 1,
    stages: [],
  };
}

function metrics(run) {
  const phase = (name, mean_s, profiled) => ({
    source: "direct_inference/metrics.json",
    profiled,
    phase: name,
    mean_s,
    mean_ci95_s: [mean_s * 0.95, mean_s * 1.05],
    tokens_per_s: name === "decode" ? 32 / mean_s : null,
  });
  return {
    schema_version: 3,
    run: {ridgeline_version: "0.1.0"},
    phases: [
      phase("end_to_end", run.end_to_end_s, false),
      phase("decode", run.end_to_end_s / 2, false),
      phase("end_to_end", run.end_to_end_s * 3, true),
    ],
    kernels: (run.kernels ?? [])
               .map(
                 ([name, total_s]) =>
                   ({source: "nsys/run.sqlite", device: 0, name, total_s, share: 0.5})),
    operators: [{
      source: "torch_profiler/trace.json.gz",
      name: "aten::bmm",
      self_s: run.end_to_end_s / 4,
      share: 0.25
    }],
    config: run.config ?? [],
  };
}

// run: { path, started, end_to_end_s, ... }; with `broken`, its manifest is none.
export async function writeRun(root, run) {
  const directory = path.join(root, run.path);
  await mkdir(directory, {recursive: true});
  const write = (name, text) => writeFile(path.join(directory, name), text);
  if (run.broken) return write("manifest.json", "{");
  await write("manifest.json", JSON.stringify(manifest(run)));
  await write("metrics.json", JSON.stringify(metrics(run)));
  const gif = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
  await write("report.html", `<!doctype html><title>t</title><p id="report"></p>
    <img src="data:image/gif;base64,${gif}">
    <script>document.getElementById("report").textContent = "script ran";</script>`);
}
