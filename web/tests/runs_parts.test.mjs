// The parts of the list of runs that need no browser.
import assert from "node:assert/strict";
import {test} from "node:test";

import {load} from "./support/source.mjs";

test("numbers are printed as the program prints them", async () => {
  const {interval, moment, ratio, seconds, share} = await load("runs/format.ts");
  const cases = [
    [null, "?"],
    [undefined, "?"],
    [0, "0 us"],
    [1.5e-8, "0.01 us"],
    [1.5422e-5, "15.4 us"],
    [0.000999, "999 us"],
    [0.0202, "20.2 ms"],
    [0.4321, "432 ms"],
    [1, "1.00 s"],
    [43.21, "43.2 s"],
    [1792.4, "1792 s"],
  ];
  for (const [value, want] of cases) assert.equal(seconds(value), want);
  assert.equal(ratio(0.994), "0.99");
  assert.equal(ratio(2164.3), "2164");
  assert.equal(share(0.18204), "18 %");
  assert.equal(interval([0.0157, 0.0166]), "15.7 to 16.6 ms");
  assert.equal(interval([0.0009, 0.0011]), "900 us to 1.10 ms");
  assert.equal(interval([0.5, 1.5]), "500 ms to 1.50 s");
  assert.equal(moment("2026-11-16T12:17:43.485+00:00"), "2026-11-16 12:17:43");
});

test("the address keeps what is shown", async () => {
  const {firstState, parseState, printState} = await load("runs/state.ts");
  const states = [
    firstState,
    {filter: "a b&c=%#,", sort: "end_to_end", side: []},
    {filter: "", sort: "-started", side: ["a,b", "sweep/0", "."]},
  ];
  for (const state of states) assert.deepEqual(parseState(printState(state)), state);
  for (const typed of ["", "#", "#nonsense", "#side=", "#&&=", "#filter"]) {
    assert.deepEqual(parseState(typed), firstState);
  }
  assert.equal(parseState("#filter=50%").filter, "50%");
});

test("intervals overlap, do not overlap, or are unknown", async () => {
  const {overlap, ratioTo} = await load("runs/joined.ts");
  assert.equal(overlap([1, 2], [2, 3]), true);
  assert.equal(overlap([1, 4], [2, 3]), true);
  assert.equal(overlap([1, 2], [2.1, 3]), false);
  assert.equal(overlap([2.1, 3], [1, 2]), false);
  assert.equal(overlap(null, [1, 2]), null);
  assert.equal(ratioTo(2, 3), 1.5);
  assert.equal(ratioTo(0, 3), null);
  assert.equal(ratioTo(null, 3), null);
});

test("of metrics, what is not as it should be is left out", async () => {
  const {metricsOf, noMetrics} = await load("runs/api.ts");
  for (const answer of
         [null, 3, [], {},
          {phases: {}, kernels: "x", operators: [null, 3, {}], config: [{key: 1}]}]) {
    assert.deepEqual(metricsOf(answer), noMetrics);
  }
  const phase = {source: "s", phase: "end_to_end", mean_s: 1};
  assert.deepEqual(
    metricsOf({
      run: {ridgeline_version: "1"},
      phases: [{...phase, mean_ci95_s: [1]}, {...phase, mean_s: "1"}]
    }),
    {
      ...noMetrics,
      ridgelineVersion: "1",
      phases: [{...phase, profiled: false, mean_ci95_s: null}],
    });
});

test(
  "rows are joined by source and name, devices added up, runs without metrics kept",
  async () => {
    const {differences, joinKernels} = await load("runs/joined.ts");
    const {metricsOf} = await load("runs/api.ts");
    const run = {
      state: "done",
      parity: "not_checked",
      workload: "w",
      host: "h",
      stages: [],
      arguments: []
    };
    const kernel = (source, name, total_s) => ({source, name, total_s});
    const loaded = [
      {
        run,
        metrics: metricsOf({
          kernels:
            [kernel("nsys", "a", 1), kernel("nsys", "a", 2), kernel("torch", "a", 9)]
        })
      },
      {
        run,
        metrics: metricsOf(
          {kernels: [kernel("nsys", "b", 20)], config: [{key: "k", value: "1"}]})
      },
      {run: {...run, host: "g"}, metrics: metricsOf({config: [{key: "k", value: "2"}]})},
    ];
    assert.deepEqual(joinKernels(loaded), [
      {source: "nsys", name: "b", cells: [null, 20, null]},
      {source: "torch", name: "a", cells: [9, null, null]},
      {source: "nsys", name: "a", cells: [3, null, null]},
    ]);
    assert.deepEqual(differences(loaded), [
      {what: "host", values: ["h", "h", "g"]},
      {what: "k", values: [null, "1", "2"]},
    ]);
  });
