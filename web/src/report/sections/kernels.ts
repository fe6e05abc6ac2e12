// Kernels, kernel kinds and operators.
import {chart, type Palette} from "../../shared/chart";
import {el, type Child} from "../../shared/dom";
import type {Shown} from "../../shared/shown";
import {table, type Column} from "../../shared/table";
import {barFrame, painted} from "../bars";
import {nameOfKind, ofKind} from "../colours";
import {plain} from "../plain";
import {bySource, counted, tip, type MakeSection, type Report} from "../report";

export function kindCell({data}: Report, pointer: string): Child {
  const dot = el("span", {className: "dot"});
  dot.style.background = `var(--${nameOfKind(data.text(pointer))})`;
  return [dot, data.show(pointer, "words")];
}

// One bar per source, kinds by time.
function kindsOption(report: Report, rows: string[], colours: Palette) {
  const {data} = report;
  const sources = [...bySource(data, rows).keys()];
  const labels = sources.map((source) => plain(source, 32));
  return {
    ...barFrame(colours, {
      labels,
      format: "seconds",
      max: "dataMax",
      hasLegend: true,
      hasLabels: sources.length > 1
    }),
    tooltip: {
      trigger: "item",
      formatter: (point: {data: {row: string}}) => kindTip(report, point.data.row)
    },
    series: rows.map((row) => {
      const kind = data.text(`${row}/kind`);
      return {
        type: "bar",
        stack: "all",
        name: plain(kind, 24),
        barMaxWidth: 22,
        itemStyle: painted(colours, ofKind(kind)),
        data: [{
          value:
            [data.number(`${row}/total_s`), sources.indexOf(data.text(`${row}/source`))],
          pointers: [`${row}/total_s`, null],
          row
        }]
      };
    }),
  };
}

function kindTip({data}: Report, row: string): HTMLElement {
  return tip(data.show(`${row}/kind`, "words"), [
    ["time", data.show(`${row}/total_s`, "seconds")],
    ["share", data.show(`${row}/share`, "percent")],
    ["kernels", data.show(`${row}/kernels`, "whole")],
    ["launches", data.show(`${row}/launches`, "whole")]
  ]);
}

function kindsPanel(report: Report, rows: string[]): Child {
  const {data} = report;
  const height = 64 + 30 * bySource(data, rows).size;
  return [
    el(
      "figure", {className: "panel", id: "kernel_kinds"},
      el("figcaption", {}, "GPU time by kind"), chart({
        name: "kernel kinds",
        height,
        option: (colours) => kindsOption(report, rows, colours)
      })),
    el("details", {className: "more"}, el("summary", {}, "As a table"), table({
         name: "kernel kinds",
         data,
         rows,
         columns: [
           {
             title: "Kind",
             key: "kind",
             format: "words",
             cell: (row) => kindCell(report, `${row}/kind`)
           },
           ...report.sourceColumn(rows),
           {title: "Total", key: "total_s", format: "seconds", bar: "column"},
           {title: "Share", key: "share", format: "percent"},
           {title: "Kernels", key: "kernels", format: "whole"},
           {title: "Launches", key: "launches", format: "whole"},
         ]
       })),
  ];
}

// The short name; the full one is in the tooltip and used by the filter.
export function kernelColumn(data: Shown): Column {
  return {
    title: "Kernel",
    key: "name",
    format: "text",
    cell: (row) => data.show(
      `${row}/${data.text(`${row}/short_name`) ? "short_name" : "name"}`, "text")
  };
}

function inAll({data}: Report, listed: number): Child {
  const all = data.number("/kernels_total/kernels");
  if (all === null) return null;
  return el(
    "p", {className: "lead"},
    counted(data, "/kernels_total/kernels", "kernel", "kernels"), ", ",
    counted(data, "/kernels_total/launches", "launch", "launches"), ", ",
    data.show("/kernels_total/total_s", "seconds"), " total",
    all > listed ? "; top ones are listed" : "",
    ". Shares of the time of all kernels in the source.");
}

export const kernels: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/kernels");
  const watched =
    data.items("/sources").some((row) => data.text(`${row}/format`).startsWith("nsys"));
  if (rows.length === 0 && !watched) return null;
  if (rows.length === 0) {
    return {
      id: "kernels",
      title: "Kernels",
      content: el("p", {className: "lead"}, "No GPU kernels in the nsys capture.")
    };
  }
  const kinds =
    data.items("/kernel_kinds").filter((row) => (data.number(`${row}/total_s`) ?? 0) > 0);
  return {
    id: "kernels",
    title: "Kernels",
    content: [
      inAll(report, rows.length),
      kinds.length > 0 && kindsPanel(report, kinds),
      table({
        name: "kernels",
        data,
        rows,
        tools: true,
        columns: [
          kernelColumn(data),
          {
            title: "Kind",
            key: "kind",
            format: "words",
            cell: (row) => kindCell(report, `${row}/kind`)
          },
          ...report.sourceColumn(rows),
          {title: "Device", key: "device", format: "whole", optional: true},
          {title: "Total", key: "total_s", format: "seconds", bar: "column"},
          {title: "Share", key: "share", format: "percent"},
          {title: "Launches", key: "launches", format: "whole"},
          {title: "Mean", key: "mean_s", format: "seconds"},
          {title: "Min", key: "min_s", format: "seconds"},
          {title: "Max", key: "max_s", format: "seconds"},
        ]
      }),
    ]
  };
};

// Matrix work without FLOPs.
function uncounted({data, sourceColumn}: Report): Child {
  const rows = data.items("/operators_uncounted");
  if (rows.length === 0) return null;
  return [
    el("h3", {}, "Uncounted operators"),
    el(
      "p", {},
      "Matrix work, going by their names, without FLOPs: no rule, or the trace lacks what the rule needs."),
    table({
      name: "operators_uncounted",
      data,
      rows,
      columns: [
        {title: "Operator", key: "name", format: "text"},
        ...sourceColumn(rows),
        {title: "Time", key: "time_s", format: "seconds", bar: "column"},
        {title: "Share", key: "share", format: "percent"},
        {title: "Clock", key: "clock", format: "text"},
        {title: "Calls", key: "calls", format: "whole"},
      ]
    }),
  ];
}

export const operators: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/operators");
  if (rows.length === 0) return null;
  const all = data.number("/operators_total/operators");
  return {
    id: "operators",
    title: "Operators",
    content: [
      all !== null &&
        el(
          "p", {className: "lead"},
          counted(data, "/operators_total/operators", "operator", "operators"), ", ",
          counted(data, "/operators_total/calls", "call", "calls"), ", ",
          data.show("/operators_total/self_s", "seconds"), " self time",
          all > rows.length ? "; top ones are listed" : "",
          ". Shares of the self time of all operators in the source."),
      table({
        name: "operators",
        data,
        rows,
        tools: true,
        columns: [
          {title: "Operator", key: "name", format: "text"},
          ...report.sourceColumn(rows),
          {
            title: "Self",
            key: "self_s",
            format: "seconds",
            bar: "column",
            hint: "Without called operators"
          },
          {title: "Share", key: "share", format: "percent"},
          {title: "Total", key: "total_s", format: "seconds"},
          {title: "Calls", key: "calls", format: "whole"},
          {
            title: "GPU self",
            key: "gpu_self_s",
            format: "seconds",
            optional: true,
            hint: "Launched by the operator itself"
          },
          {
            title: "FLOPs",
            key: "flops",
            format: "flops",
            optional: true,
            hint:
              "Of matrix products, with called operators; inside another row with FLOPs they count there"
          },
          {
            title: "FLOP/s",
            key: "flops_per_s",
            format: "flops_per_s",
            optional: true,
            hint:
              "Per GPU time of what was launched, or CPU time in traces without GPU activity"
          },
          {
            title: "FLOP/byte",
            key: "flops_per_byte",
            format: "ratio",
            optional: true,
            hint: "Arithmetic intensity: inputs and outputs once each"
          },
          {title: "MFU", key: "mfu", format: "percent", optional: true},
        ]
      }),
      uncounted(report),
    ]
  };
};
