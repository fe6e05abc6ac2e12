// Whole reports for tests. Everything is computed, and the same every time.
import {poor, rich as richWithoutTimeline} from "./metrics.mjs";
import {kernelNames} from "./metrics_gpu.mjs";
import {timelineOf} from "./timeline.mjs";

export {poor};

export function rich() {
  const fixture = richWithoutTimeline();
  fixture.timeline.timelines = [
    timelineOf("nsys/run.sqlite", kernelNames(), 40),
    timelineOf("torch_profiler/trace.json.gz", kernelNames(), 4)
  ];
  return fixture;
}

// As large as a report gets: 60,000 blocks that stand for a million events, and full
// tables.
export function big() {
  const fixture = richWithoutTimeline();
  const {metrics} = fixture;
  const many = (list, count) =>
    Array.from({length: count}, (_, i) => ({
                                  ...list[i % list.length],
                                  name: `${list[i % list.length].name} #${i}`,
                                  total_s: 1 / (i + 1)
                                }));
  metrics.kernels = many(metrics.kernels, 200);
  metrics.operators = many(metrics.operators, 200);
  metrics.api_calls = many(metrics.api_calls, 50);
  metrics.memory.operators = many(metrics.memory.operators, 200);
  metrics.ncu = many(metrics.ncu, 100);
  metrics.regions = Array.from(
    {length: 400},
    (_, i) =>
      ({...metrics.regions[i % 12], path: `page/layer${i / 20 | 0}/op${i % 20}`}));
  metrics.config = Array.from(
    {length: 300}, (_, i) => ({key: `group${i % 9}.key_${i}`, value: String(i)}));
  const timeline = timelineOf("nsys/run.sqlite", kernelNames(), 1540);
  timeline.events = 1_000_000;
  timeline.merged = 940_000;
  timeline.resolution_ns = 20_000;
  for (const lane of timeline.lanes) {
    if (lane.group !== "gpu") continue;
    lane.count = lane.start.map((_, i) => 1 + (i % 40));
    lane.busy = lane.duration.map((ns) => Math.floor(ns * 0.8));
  }
  fixture.timeline.timelines = [timeline];
  return fixture;
}

export const hostileText =
  `</script><img src=x onerror="window.hacked=1"><!--'"&amp;\u202Eevil\u0007\n${
  "x".repeat(10_000)}`;

// Words that the page reads as such stay as they are; every other text becomes the worst
// one.
const keptKeys =
  new Set(["group", "thumbnail", "parity", "evidence", "state", "section"]);

function poisoned(value, key) {
  if (typeof value === "string") return keptKeys.has(key) ? value : hostileText;
  if (Array.isArray(value)) return value.map((each) => poisoned(each, key));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, poisoned(each, name)]));
}

export function hostile() {
  const fixture = rich();
  const metrics = poisoned(fixture.metrics, "");
  metrics.environment[hostileText] = {[hostileText]: hostileText};
  metrics.sources = fixture.metrics.sources;
  return {metrics, timeline: poisoned(fixture.timeline, ""), pictures: fixture.pictures};
}
