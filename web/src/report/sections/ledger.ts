// FLOPs and compulsory bytes in closed form, compared with measured times.
import {chart, type Palette} from "../../shared/chart";
import {el, type Child} from "../../shared/dom";
import {table} from "../../shared/table";
import {barFrame, barOf} from "../bars";
import {plain} from "../plain";
import {counted, tip, type MakeSection, type Report, type Section} from "../report";

// Prefill in the ledger is the decoder over the prompt, without vision.
export function exclVision({data}: Report, row: string): string {
  const hasVision =
    data.items("/ledger/phases").some((other) => data.text(`${other}/name`) === "vision");
  return hasVision && data.text(`${row}/name`) === "prefill" ? " (excl. vision)" : "";
}

export function costedPhase(report: Report, row: string): Child {
  return [report.data.show(`${row}/name`, "text"), exclVision(report, row)];
}

// Below this share of the peak, overhead takes the time, not the roofline
// (src/report/value_text.h).
const overheadBound = 0.1;

// "overhead", or what bounds the roofline time, as in the terminal summary.
export function boundOf({data}: Report, row: string): Child {
  const used = data.number(
    `${row}/${data.text(`${row}/bound`) === "memory" ? "mbu" : "mfu_useful"}`);
  return used !== null && used < overheadBound ? "overhead" :
                                                 data.show(`${row}/bound`, "text");
}

// The same for the axis of a chart.
export function costedLabel(report: Report, row: string): string {
  return plain(report.data.text(`${row}/name`), 24) + exclVision(report, row);
}

// The roofline time is drawn over the measured one: the rest of a bar is the potential
// saving.
function option(report: Report, rows: string[], colours: Palette) {
  const {data} = report;
  const labels = rows.map((row) => costedLabel(report, row));
  const marks = (key: string) => rows.map((row) => barOf(data, `${row}/${key}`));
  return {
    ...barFrame(colours, {labels, format: "seconds", hasLegend: true}),
    tooltip: {
      trigger: "item",
      formatter: (point: {dataIndex: number}) => {
        const row = rows[point.dataIndex]!;
        return tip(costedPhase(report, row), [
          ["measured", data.show(`${row}/measured_s`, "seconds")],
          ["roofline time", data.show(`${row}/roofline_s`, "seconds")],
          ["vs roofline", data.show(`${row}/roofline_slowdown`, "factor")]
        ]);
      }
    },
    series: [
      {
        type: "bar",
        name: "measured",
        data: marks("measured_s"),
        barMaxWidth: 16,
        barGap: "-100%",
        itemStyle: {color: colours.accent, opacity: 0.35}
      },
      {
        type: "bar",
        name: "roofline time",
        data: marks("roofline_s"),
        barMaxWidth: 16,
        itemStyle: {color: colours.accent}
      },
    ],
  };
}

// FLOPs of one call of a Python program, counted by static_analysis.
function callFlops({data}: Report): Child {
  if ((data.number("/flops_per_call/flops") ?? null) === null) return null;
  return el(
    "p", {className: "lead"}, data.show("/flops_per_call/call", "text"), ": ",
    data.show("/flops_per_call/flops", "flops"),
    " in one call, from the shapes of its operators (",
    data.show("/flops_per_call/source", "text"),
    "). Calls with other shapes have other FLOPs.");
}

// Without a profiled call to compare them with.
function callFlopsSection(report: Report): Section|null {
  const flops = callFlops(report);
  return flops === null ? null : {
    id: "ledger",
    title: "Utilization",
    short: "Efficiency",
    content: [
      flops,
      el(
        "p", {className: "note"},
        "MFU not measured: it needs a profiled call with shapes " +
          "(pipeline.torch_profiler.record_shapes=true).")
    ]
  };
}

// FLOPs of one call of a Python program: no bytes, so no roofline time.
function callSection(report: Report, rows: string[]): Section {
  const {data} = report;
  return {
    id: "ledger",
    title: "Utilization",
    content: [
      callFlops(report),
      el(
        "p", {className: "lead"}, data.show("/ledger/device", "text"),
        data.number("/ledger/compute_flops_per_s") !== null &&
          [": peak ", data.show("/ledger/compute_flops_per_s", "flops_per_s")],
        ". FLOPs of the profiled call, from the shapes of its operators; unprofiled time " +
          "of the same call (n=",
        data.show("/ledger/samples", "whole"), ", not the mean of all calls)."),
      table({
        name: "ledger",
        data,
        rows,
        columns: [
          {title: "Phase", key: "name", format: "text"},
          {title: "FLOPs", key: "flops", format: "flops"},
          {title: "Unprofiled time", key: "measured_s", format: "seconds"},
          {
            title: "FLOP/s",
            key: "flops",
            format: "flops_per_s",
            cell: (row) =>
              data.quotient(`${row}/flops`, `${row}/measured_s`, "flops_per_s"),
            value: (row) => data.quotientOf(`${row}/flops`, `${row}/measured_s`)
          },
          {
            title: "MFU",
            key: "mfu",
            format: "percent",
            bar: "share",
            hint: "Executed matrix FLOP/s over peak FLOP/s"
          },
        ]
      })
    ]
  };
}

export const ledger: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/ledger/phases");
  if (rows.length === 0) return callFlopsSection(report);
  if (data.text("/ledger/flops_source") === "operator_shapes")
    return callSection(report, rows);
  const has = (key: string) => data.number(`/ledger/${key}`) !== null;
  return {
    id: "ledger",
    title: "Measured vs roofline",
    content: [
      el(
        "p", {className: "lead"}, data.show("/ledger/device", "text"),
        has("compute_flops_per_s") &&
          [": peak ", data.show("/ledger/compute_flops_per_s", "flops_per_s")],
        has("memory_bytes_per_s") &&
          [", ", data.show("/ledger/memory_bytes_per_s", "bytes_per_s")],
        has("samples") &&
          [
            "; times are sums over ",
            counted(data, "/ledger/samples", "sample", "samples")
          ],
        ". Roofline times count useful FLOPs."),
      el(
        "figure", {className: "panel"},
        el("figcaption", {}, "Measured time and roofline time"), chart({
          name: "ledger",
          height: 64 + 26 * rows.length,
          option: (colours) => option(report, rows, colours)
        })),
      table({
        name: "ledger",
        data,
        rows,
        columns: [
          {
            title: "Phase",
            key: "name",
            format: "text",
            cell: (row) => costedPhase(report, row)
          },
          {
            title: "FLOPs",
            key: "flops",
            format: "flops",
            hint: "Executed FLOPs, with padding and masked ones"
          },
          {
            title: "Useful",
            key: "flops_useful",
            format: "flops",
            optional: true,
            hint: "Useful FLOPs, without padding and masked ones"
          },
          {
            title: "Bytes",
            key: "bytes",
            format: "bytes",
            hint: "Compulsory bytes: weights and KV cache"
          },
          {title: "Measured", key: "measured_s", format: "seconds"},
          {title: "Roofline time", key: "roofline_s", format: "seconds"},
          {
            title: "vs roofline",
            key: "roofline_slowdown",
            format: "factor",
            bar: "column"
          },
          {
            title: "MFU",
            key: "mfu",
            format: "percent",
            bar: "share",
            hint: "Executed matrix FLOP/s over peak FLOP/s"
          },
          {
            title: "MFU, useful",
            key: "mfu_useful",
            format: "percent",
            bar: "share",
            optional: true,
            hint: "Without padding and masked FLOPs"
          },
          {
            title: "MBU",
            key: "mbu",
            format: "percent",
            bar: "share",
            hint: "Bytes/s of weights and KV cache over peak bandwidth"
          },
          {
            title: "Roofline limit",
            key: "bound",
            format: "text",
            hint: "What bounds the roofline time"
          },
        ]
      }),
    ]
  };
};
