// One panel per measurement. Profiled times are drawn differently and on a separate
// scale, because they include profiling overhead.
import type {CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams} from "echarts";
import {chart, type Mark, type Palette} from "../../shared/chart";
import {el, type Child} from "../../shared/dom";
import {table} from "../../shared/table";
import {barFrame, barOf} from "../bars";
import {plain} from "../plain";
import {sampleUnit, tip, type MakeSection, type Report} from "../report";

interface Panel {
  source: string;
  profiled: boolean;
  rows: string[];
}

// Measured prefill includes vision, if any.
export function inclVision({data}: Report, row: string): string {
  const hasVision = data.items("/phases").some(
    (other) => data.text(`${other}/phase`) === "vision" &&
      data.text(`${other}/source`) === data.text(`${row}/source`));
  return hasVision && data.text(`${row}/phase`) === "prefill" ? " (incl. vision)" : "";
}

// Pages need no unit.
function phaseName(report: Report, row: string): Child {
  const unit = sampleUnit(report, row);
  return [
    report.data.show(`${row}/phase`, "text"), inclVision(report, row),
    unit !== "page" && ` (per ${unit})`
  ];
}

// ", per page" if all rows have the same unit.
function perUnit(report: Report, rows: string[]): string {
  const units = new Set(rows.map((row) => sampleUnit(report, row)));
  return units.size === 1 ? `, per ${[...units][0]!}` : "";
}

// How much longer the one profiled page or call took.
function overhead({data}: Report): Child {
  const factor = data.number("/profiling_overhead/factor") ?? null;
  if (factor === null) return null;
  return el(
    "p", {className: "note"}, "Profiling overhead: ",
    factor < 1 ? "below the noise" : data.show("/profiling_overhead/factor", "factor"),
    " (", data.show("/profiling_overhead/profiled_s", "seconds"), " profiled, ",
    data.show("/profiling_overhead/unprofiled_s", "seconds"), " unprofiled).");
}

function panelsOf({data}: Report): Panel[] {
  const panels: Panel[] = [];
  for (const row of data.items("/phases")) {
    const source = data.text(`${row}/source`);
    const profiled = data.at(`${row}/profiled`) === true;
    let panel =
      panels.find((each) => each.source === source && each.profiled === profiled);
    if (!panel) panels.push((panel = {source, profiled, rows: []}));
    panel.rows.push(row);
  }
  return panels;
}

// The interval of a mean: a line with caps.
function whisker(stroke: string) {
  return (_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) => {
    const at = api.value(0);
    const [x1, y] = api.coord([api.value(1), at]) as [number, number];
    const [x2] = api.coord([api.value(2), at]) as [number, number];
    const line = (shape: object) =>
      ({type: "line" as const, shape, style: {stroke, lineWidth: 1.5}});
    return {
      type: "group" as const,
      children: [
        line({x1, y1: y, x2, y2: y}), line({x1, y1: y - 4, x2: x1, y2: y + 4}),
        line({x1: x2, y1: y - 4, x2, y2: y + 4})
      ]
    };
  };
}

function option(report: Report, panel: Panel, most: number, colours: Palette) {
  const {data} = report;
  const labels = panel.rows.map(
    (row) => plain(data.text(`${row}/phase`), 24) + inclVision(report, row));
  const means = panel.rows.map((row) => barOf(data, `${row}/mean_s`));
  const intervals: Mark[] = panel.rows.flatMap(
    (row, i) => Array.isArray(data.at(`${row}/mean_ci95_s`)) ? [{
      value:
        [i, data.number(`${row}/mean_ci95_s/0`), data.number(`${row}/mean_ci95_s/1`)],
      pointers: [null, `${row}/mean_ci95_s/0`, `${row}/mean_ci95_s/1`]
    }] :
                                                               []);
  const dashed = {
    color: colours.surface,
    borderColor: colours.muted,
    borderWidth: 1,
    borderType: "dashed"
  };
  return {
    ...barFrame(colours, {labels, format: "seconds", max: most}),
    tooltip: {
      trigger: "item",
      formatter: (point: {dataIndex: number}) =>
        phaseTip(report, panel.rows[point.dataIndex]!)
    },
    series: [
      {
        id: "mean",
        type: "bar",
        data: means,
        barMaxWidth: 14,
        itemStyle: panel.profiled ? dashed : {color: colours.accent}
      },
      {
        id: "interval",
        type: "custom",
        renderItem: whisker(colours.text),
        encode: {x: [1, 2], y: 0},
        data: intervals,
        silent: true,
        z: 5
      },
    ],
  };
}

function phaseTip(report: Report, row: string): HTMLElement {
  const {data} = report;
  const has = (key: string) => data.number(`${row}/${key}`) !== null;
  return tip(phaseName(report, row), [
    ["mean", data.show(`${row}/mean_s`, "seconds")],
    ...(
      has("mean_ci95_s/0") ? [[
        "95 % CI",
        [
          data.show(`${row}/mean_ci95_s/0`, "seconds"), " to ",
          data.show(`${row}/mean_ci95_s/1`, "seconds")
        ]
      ] as [string, Node[]]] :
                             []),
    ["n", data.show(`${row}/samples`, "whole")],
    ...(
      has("tokens_per_s") ?
        [["tokens/s", data.show(`${row}/tokens_per_s`, "ratio")] as [string, Node]] :
        []),
  ]);
}

function panelOf(report: Report, panel: Panel, most: number, index: number): HTMLElement {
  return el(
    "figure", {className: "panel"},
    el(
      "figcaption", {}, report.data.show(`${panel.rows[0]!}/source`, "text"),
      el(
        "span", {className: `tag ${panel.profiled ? "profiled" : ""}`},
        panel.profiled ? "profiled" : "unprofiled")),
    chart({
      name: `phases ${index}`,
      height: 34 + 22 * panel.rows.length,
      option: (colours) => option(report, panel, most, colours)
    }));
}

// The confidence interval of a mean.
function interval({data}: Report, row: string): Child {
  return data.number(`${row}/mean_ci95_s/0`) === null ? null : [
    data.show(`${row}/mean_ci95_s/0`, "seconds"), " to ",
    data.show(`${row}/mean_ci95_s/1`, "seconds")
  ];
}

function apart(report: Report, panels: Panel[], profiled: boolean): Child {
  const {data} = report;
  const chosen = panels.filter((panel) => panel.profiled === profiled);
  const rows = chosen.flatMap((panel) => panel.rows);
  if (rows.length === 0) return null;
  const most = 1.04 *
    rows.reduce(
      (largest, row) => Math.max(
        largest, data.number(`${row}/mean_ci95_s/1`) ?? 0,
        data.number(`${row}/mean_s`) ?? 0),
      0);
  const range = (row: string) => interval(report, row);
  return [
    el(
      "h3", {},
      profiled ? `Profiled${perUnit(report, rows)} (includes profiling overhead)` :
                 `Unprofiled${perUnit(report, rows)}`),
    profiled && overhead(report),
    el(
      "div", {className: "panels"},
      chosen.map((panel) => panelOf(report, panel, most, panels.indexOf(panel)))),
    el(
      "details", {className: "more", open: !profiled}, el("summary", {}, "As a table"),
      table({
        name: profiled ? "profiled phases" : "phases",
        data,
        rows,
        columns: [
          {
            title: "Phase",
            key: "phase",
            format: "text",
            cell: (row) => phaseName(report, row)
          },
          ...report.sourceColumn(rows),
          {title: "n", key: "samples", format: "whole"},
          {title: "Mean", key: "mean_s", format: "seconds", bar: "column"},
          {title: "95 % CI", key: "mean_ci95_s/0", format: "seconds", cell: range},
          {title: "Median", key: "median_s", format: "seconds"},
          {title: "Min", key: "min_s", format: "seconds"},
          {title: "Max", key: "max_s", format: "seconds"},
          {title: "Sum of all n", key: "total_s", format: "seconds"},
          {
            title: "Tokens/s",
            key: "tokens_per_s",
            format: "ratio",
            optional: true,
            hint:
              "Tokens of all n samples over their total time: prompt tokens in prefill, decode steps in decode, generated tokens in end_to_end"
          },
        ]
      })),
  ];
}

// TTFT and ITL of the calls of a program.
function tokenLatency(report: Report): Child {
  const {data} = report;
  const rows = data.items("/token_latency");
  if (rows.length === 0) return null;
  return [
    el("h3", {}, "Token latency (unprofiled)"),
    el(
      "p", {className: "lead"},
      "ttft: time to first token, n calls; itl: inter-token latency, n tokens."),
    table({
      name: "token latency",
      data,
      rows,
      columns: [
        {title: "Latency", key: "measure", format: "text"},
        ...report.sourceColumn(rows),
        {title: "n", key: "count", format: "whole"},
        {title: "Median", key: "median_s", format: "seconds"},
        {title: "p99", key: "p99_s", format: "seconds"},
        {title: "Mean", key: "mean_s", format: "seconds"},
        {
          title: "95 % CI",
          key: "mean_ci95_s/0",
          format: "seconds",
          cell: (row) => interval(report, row)
        },
        {title: "Min", key: "min_s", format: "seconds"},
        {title: "Max", key: "max_s", format: "seconds"},
      ]
    })
  ];
}

export const phases: MakeSection = (report) => {
  if (report.data.items("/phases").length === 0) return null;
  const panels = panelsOf(report);
  return {
    id: "phases",
    title: "Phases",
    content:
      [apart(report, panels, false), tokenLatency(report), apart(report, panels, true)]
  };
};
