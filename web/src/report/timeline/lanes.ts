// A timeline in memory: lanes of blocks in typed arrays, in order and without overlap.

export interface Lane {
  index: number; // Index of the lane in the document.
  group: string;
  title: string;
  depth: number;
  start: Float64Array; // ns from the start
  end: Float64Array;
  name: Uint32Array;
  count: Float64Array;
  busy: Float64Array; // ns
}

export interface Timeline {
  span: number; // ns
  names: string[];
  kindOf: Map<string, string>; // Of kernels, by name.
  lanes: Lane[];
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text) : [];
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? (value as number[]) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// Starts are stored as differences, which are short; converts them to times.
function laneOf(source: Record<string, unknown>, index: number): Lane {
  const starts = numbers(source.start);
  const durations = numbers(source.duration);
  const counts = numbers(source.count);
  const busy = numbers(source.busy);
  const size = Math.min(starts.length, durations.length);
  const lane: Lane = {
    index,
    group: text(source.group),
    title: text(source.title),
    depth: Number(source.depth) || 0,
    start: new Float64Array(size),
    end: new Float64Array(size),
    name: Uint32Array.from(numbers(source.name).slice(0, size)),
    count: new Float64Array(size).fill(1),
    busy: new Float64Array(size),
  };
  let at = 0;
  for (let i = 0; i < size; ++i) {
    at += starts[i]!;
    lane.start[i] = at;
    lane.end[i] = at + durations[i]!;
    lane.busy[i] = busy[i] ?? durations[i]!;
    if (counts.length > 0) lane.count[i] = counts[i] ?? 1;
  }
  return lane;
}

// Regions explain operators and operators explain kernels: causes are on top.
const order = ["regions", "operators", "gpu"];

export function timelineOf(source: Record<string, unknown>): Timeline {
  const raw =
    Array.isArray(source.lanes) ? (source.lanes as Record<string, unknown>[]) : [];
  const lanes = raw.map(laneOf).filter((lane) => lane.start.length > 0);
  const rank = (lane: Lane) =>
    (order.indexOf(lane.group) + order.length + 1) % (order.length + 1);
  lanes.sort((a, b) => rank(a) - rank(b));
  const last = lanes.reduce((most, lane) => Math.max(most, lane.end.at(-1)!), 0);
  const names = texts(source.names);
  const kinds = texts(source.kinds);
  const kindOf = new Map(
    names.map((name, i) => [name, kinds[i] ?? ""] as const).filter(([, kind]) => kind));
  return {span: Math.max(Number(source.span_ns) || 0, last, 1), lanes, names, kindOf};
}
