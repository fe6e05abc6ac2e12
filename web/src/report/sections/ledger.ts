// What the model has to compute and to read, against what was measured.
import {chart, type Palette} from "../../shared/chart";
import {el} from "../../shared/dom";
import {table} from "../../shared/table";
import {barFrame, barOf} from "../bars";
import {plain} from "../plain";
import {counted, tip, type MakeSection, type Report} from "../report";

// The least time lies in front of the measured one: what is left of a bar could be saved.
function option(report: Report, rows: string[], colours: Palette) {
  const {data} = report;
  const labels = rows.map((row) => plain(data.text(`${row}/name`), 24));
  const marks = (key: string) => rows.map((row) => barOf(data, `${row}/${key}`));
  return {
    ...barFrame(colours, {labels, format: "seconds", hasLegend: true}),
    tooltip: {
      trigger: "item",
      formatter: (point: {dataIndex: number}) => {
        const row = rows[point.dataIndex]!;
        return tip(data.show(`${row}/name`, "text"), [
          ["measured", data.show(`${row}/measured_s`, "seconds")],
          ["least", data.show(`${row}/least_s`, "seconds")],
          ["times its least", data.show(`${row}/distance`, "ratio")]
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
        name: "least",
        data: marks("least_s"),
        barMaxWidth: 16,
        itemStyle: {color: colours.accent}
      },
    ],
  };
}

export const ledger: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/ledger/phases");
  if (rows.length === 0) return null;
  const has = (key: string) => data.number(`/ledger/${key}`) !== null;
  return {
    id: "ledger",
    title: "Ledger against measurement",
    short: "Ledger",
    content: [
      el(
        "p", {className: "lead"}, data.show("/ledger/device", "text"),
        has("compute_flops_per_s") &&
          [": ", data.show("/ledger/compute_flops_per_s", "flops_per_s")],
        has("memory_bytes_per_s") &&
          [", ", data.show("/ledger/memory_bytes_per_s", "bytes_per_s")],
        has("samples") && ["; ", counted(data, "/ledger/samples", "sample", "samples")],
        "."),
      el(
        "figure", {className: "panel"},
        el("figcaption", {}, "Measured time and the least that the roofs allow"), chart({
          name: "ledger",
          height: 64 + 26 * rows.length,
          option: (colours) => option(report, rows, colours)
        })),
      table({
        name: "ledger",
        data,
        rows,
        columns: [
          {title: "Phase", key: "name", format: "text"},
          {title: "FLOPs", key: "flops", format: "flops"},
          {title: "Bytes", key: "bytes", format: "bytes"},
          {title: "Measured", key: "measured_s", format: "seconds"},
          {title: "Least", key: "least_s", format: "seconds"},
          {title: "Times its least", key: "distance", format: "ratio", bar: "column"},
          {
            title: "MFU",
            key: "mfu",
            format: "percent",
            bar: "share",
            hint: "Executed FLOPs of matrix products per second, over the peak"
          },
          {
            title: "MFU ideal",
            key: "mfu_ideal",
            format: "percent",
            bar: "share",
            optional: true,
            hint: "Only what the model needs"
          },
          {
            title: "MBU",
            key: "mbu",
            format: "percent",
            bar: "share",
            hint: "Bytes of weights and KV cache per second, over the bandwidth"
          },
          {title: "Bound by", key: "bound", format: "text"},
        ]
      }),
    ]
  };
};
