// A timeline of so many decoding steps: regions two deep, operators, and two GPU streams.

function writer(group, title, depth) {
  const lane = {group, title, depth, start: [], duration: [], name: []};
  let last = 0;
  const add = (start, duration, name) => {
    lane.start.push(start - last);
    lane.duration.push(duration);
    lane.name.push(name);
    last = start;
  };
  return {lane, add};
}

export function timelineOf(source, kernels, steps) {
  const names = [
    "page", "prefill", "decode_step", "attention", "mixture", "aten::linear", "aten::mul",
    ...kernels
  ];
  const lanes = [
    writer("regions", "thread 1", 0), writer("regions", "thread 1", 1),
    writer("regions", "thread 1", 2), writer("operators", "thread 1", 0),
    writer("gpu", "stream 7", 0), writer("gpu", "stream 13", 0)
  ];
  const [pages, inner, innermost, operators, main, copies] = lanes;
  const step = 1_000_000;
  const prefill = 4 * step;
  inner.add(1000, prefill - 2000, 1);
  for (let i = 0; i < 10; ++i) main.add(2000 + i * 380_000, 300_000 - 9000 * i, 7);
  for (let i = 0; i < steps; ++i) {
    const at = prefill + i * step;
    inner.add(at, step - 40_000, 2);
    innermost.add(at + 5000, 360_000, 3);
    innermost.add(at + 380_000, 540_000, 4);
    for (let k = 0; k < 12; ++k)
      operators.add(at + 6000 + k * 75_000, 60_000, 5 + (k % 2));
    for (let k = 0; k < 22; ++k)
      main.add(
        at + 20_000 + k * 42_000, 18_000 + ((k * 37 + i * 11) % 20) * 1000,
        7 + ((k * 5 + i) % (kernels.length - 1)));
    copies.add(at + 900_000, 30_000, 7 + 6);
  }
  const span_ns = prefill + steps * step;
  pages.add(0, span_ns, 0);
  const made = lanes.map((each) => each.lane);
  return {
    source,
    span_ns,
    events: made.reduce((sum, lane) => sum + lane.start.length, 0),
    merged: 0,
    resolution_ns: 0,
    names,
    lanes: made
  };
}
