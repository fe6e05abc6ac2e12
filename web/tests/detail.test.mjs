// The level of detail of the timeline, without a browser.
import assert from "node:assert/strict";
import test from "node:test";

import {load} from "./support/source.mjs";

const {timelineOf} = await load("report/timeline/lanes.ts");
const {blocksToDraw} = await load("report/timeline/detail.ts");
const {layoutOf} = await load("report/timeline/layout.ts");

function lane(blocks, more = {}) {
  let last = 0;
  const start = blocks.map(([at]) => {
    const step = at - last;
    last = at;
    return step;
  });
  const [made] = timelineOf({
                   span_ns: 1000,
                   names: ["a", "b"],
                   lanes: [{
                     group: "gpu",
                     title: "t",
                     depth: 0,
                     start,
                     duration: blocks.map((each) => each[1]),
                     name: blocks.map((each) => each[2]),
                     ...more
                   }]
                 }).lanes;
  return made;
}

test("blocks that are wide enough are drawn as they are", () => {
  const drawn = blocksToDraw(lane([[0, 10, 0], [20, 10, 1]]), 0, 1000, 5);
  assert.deepEqual(
    drawn.map(({start, end, name, blocks}) => [start, end, name, blocks]),
    [[0, 10, 0, 1], [20, 30, 1, 1]]);
});

test("only what touches the window is drawn", () => {
  const all = lane([[0, 10, 0], [20, 10, 1], [40, 10, 0], [60, 10, 1]]);
  assert.deepEqual(blocksToDraw(all, 25, 45, 1).map((each) => each.start), [20, 40]);
  assert.deepEqual(blocksToDraw(all, 10, 20, 1), []);
  assert.deepEqual(blocksToDraw(all, 500, 900, 1), []);
});

test(
  "short neighbours become one block that keeps count, busy time and the name with most time",
  () => {
    const [first, second, ...rest] = blocksToDraw(
      lane(
        [[0, 2, 0], [3, 3, 1], [7, 2, 0], [50, 2, 1]],
        {count: [1, 5, 1, 1], busy: [2, 1, 2, 2]}),
      0, 1000, 10);
    assert.deepEqual(first, {start: 0, end: 9, name: 0, count: 7, busy: 5, blocks: 3});
    assert.equal(second.start, 50);
    assert.equal(rest.length, 0);
  });

test("a long block ends what was merged before it", () => {
  const drawn =
    blocksToDraw(lane([[0, 1, 0], [2, 30, 1], [33, 1, 0], [35, 1, 0]]), 0, 1000, 10);
  assert.deepEqual(
    drawn.map(({start, end, blocks}) => [start, end, blocks]),
    [[0, 1, 1], [2, 32, 1], [33, 36, 2]]);
});

test("no more blocks are drawn than the window has room for", () => {
  const many = lane(Array.from({length: 60_000}, (_, i) => [i * 100, 90, i % 2]));
  assert.ok(blocksToDraw(many, 0, 6_000_000, 6_000_000 / 1200).length <= 1201 * 2);
  const total = blocksToDraw(many, 0, 6_000_000, 6_000_000 / 1200)
                  .reduce((sum, each) => sum + each.count, 0);
  assert.equal(total, 60_000);
});

test(
  "regions stand above operators and these above the GPU; nested rows belong to one track",
  () => {
    const row = (group, title, depth) =>
      ({group, title, depth, start: [0], duration: [1], name: [0]});
    const {lanes} = timelineOf({
      span_ns: 1,
      names: ["a"],
      lanes: [
        row("gpu", "s", 0), row("regions", "t", 0), row("regions", "t", 1),
        row("operators", "t", 0)
      ]
    });
    const {tracks, placed} = layoutOf(lanes);
    assert.deepEqual(
      tracks.map((track) => track.lane.group), ["regions", "operators", "gpu"]);
    assert.ok(placed[1].height < placed[0].height);
  });

test("what is missing or broken gives an empty timeline, not an error", () => {
  assert.deepEqual(timelineOf({}).lanes, []);
  assert.deepEqual(timelineOf({lanes: [{}]}).lanes, []);
});
