// GPU utilization, and host API calls, copies and launches.
import {chart, type Palette} from "../../shared/chart";
import {el} from "../../shared/dom";
import {table} from "../../shared/table";
import {colour} from "../../shared/theme";
import {barFrame, barOf, painted} from "../bars";
import {plain} from "../plain";
import {tip, type MakeSection, type Report} from "../report";

// Kernels, exposed copies and idle time add up to the span.
const parts = [
  {key: "busy_kernels_s", title: "kernels", colour: "c1"},
  {key: "exposed_copy_s", title: "exposed copies", colour: "c7"},
  {key: "idle_s", title: "idle", colour: "c0"},
] as const;

function option(report: Report, rows: string[], colours: Palette) {
  const {data} = report;
  const name = (row: string) =>
    `${data.text(`${row}/model`) || "device"} ${String(data.at(`${row}/device`) ?? "")}`;
  const labels = rows.map((row) => plain(name(row), 36));
  return {
    ...barFrame(colours, {labels, format: "seconds", max: "dataMax", hasLegend: true}),
    tooltip: {
      trigger: "item",
      formatter: (point: {dataIndex: number}) => deviceTip(report, rows[point.dataIndex]!)
    },
    series: parts.map((part) => ({
                        type: "bar",
                        stack: "span",
                        name: part.title,
                        barMaxWidth: 20,
                        itemStyle: painted(colours, colour(part.colour)),
                        data: rows.map((row) => barOf(data, `${row}/${part.key}`)),
                      })),
  };
}

function deviceTip({data}: Report, row: string): HTMLElement {
  return tip(
    [data.show(`${row}/model`, "text"), " ", data.show(`${row}/device`, "whole")], [
      [
        "busy",
        [
          data.show(`${row}/busy_s`, "seconds"), " (",
          data.quotient(`${row}/busy_s`, `${row}/span_s`, "percent"), ")"
        ]
      ],
      ...parts.map(
        (part) => [part.title,
                   data.show(`${row}/${part.key}`, "seconds")] as [string, Node]),
      ["exposed communication", data.show(`${row}/exposed_communication_s`, "seconds")]
    ]);
}

export const devices: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/devices");
  if (rows.length === 0) return null;
  const busyShare = (row: string) => data.quotientOf(`${row}/busy_s`, `${row}/span_s`);
  const busy = (row: string) =>
    data.quotient(`${row}/busy_s`, `${row}/span_s`, "percent");
  return {
    id: "devices",
    title: "Devices",
    content: [
      el(
        "figure", {className: "panel"},
        el("figcaption", {}, "From the first to the last activity"), chart({
          name: "devices",
          height: 64 + 30 * rows.length,
          option: (colours) => option(report, rows, colours)
        })),
      table({
        name: "devices",
        data,
        rows,
        columns: [
          {title: "Device", key: "device", format: "whole"},
          {title: "Model", key: "model", format: "text", optional: true},
          ...report.sourceColumn(rows),
          {title: "Span", key: "span_s", format: "seconds"},
          {title: "Busy", key: "busy_s", format: "seconds"},
          {
            title: "Busy share",
            key: "busy_s",
            format: "percent",
            bar: "share",
            cell: busy,
            value: busyShare
          },
          {title: "Kernels", key: "busy_kernels_s", format: "seconds"},
          {title: "Idle", key: "idle_s", format: "seconds"},
          {title: "Idle gaps", key: "idle_gaps", format: "whole"},
          {title: "Longest gap", key: "idle_gap_max_s", format: "seconds"},
        ]
      }),
      el("h3", {}, "Overlap"),
      table({
        name: "devices in detail",
        data,
        rows,
        columns: [
          {title: "Device", key: "device", format: "whole"},
          ...report.sourceColumn(rows),
          {title: "Copies", key: "memory_s", format: "seconds"},
          {
            title: "Exposed copies",
            key: "exposed_copy_s",
            format: "seconds",
            hint: "While no kernel runs"
          },
          {
            title: "Communication",
            key: "communication_s",
            format: "seconds",
            optional: true
          },
          {
            title: "Exposed communication",
            key: "exposed_communication_s",
            format: "seconds",
            optional: true,
            hint: "While no compute kernel runs"
          },
          {title: "Streams", key: "streams", format: "whole"},
          {title: "Activities", key: "activities", format: "whole"},
          {title: "Graphs", key: "graphs", format: "whole", optional: true},
        ]
      }),
    ]
  };
};

export const host: MakeSection = (report) => {
  const {data} = report;
  const copies = data.items("/memory_ops");
  const calls = data.items("/api_calls");
  const delays = data.items("/launch_latency");
  if (copies.length + calls.length + delays.length === 0) return null;
  return {
    id: "api_calls",
    title: "API calls, copies, launches",
    content: [
      calls.length > 0 &&
        [
          el(
            "h3", {},
            "API calls: duration, summed over all threads (blocking calls include waiting)"),
          table({
            name: "calls",
            data,
            rows: calls,
            columns: [
              {title: "Call", key: "name", format: "text"},
              {title: "Kind", key: "kind", format: "words"},
              ...report.sourceColumn(calls),
              {title: "Total", key: "total_s", format: "seconds", bar: "column"},
              {title: "Calls", key: "calls", format: "whole"},
              {title: "Max", key: "max_s", format: "seconds"},
            ]
          })
        ],
      copies.length > 0 &&
        [
          el("h3", {id: "memory_ops"}, "Copies and memsets"), table({
            name: "copies",
            data,
            rows: copies,
            columns: [
              {title: "Operation", key: "name", format: "text"},
              {title: "Device", key: "device", format: "whole"},
              ...report.sourceColumn(copies),
              {title: "Total", key: "total_s", format: "seconds", bar: "column"},
              {title: "Count", key: "count", format: "whole"},
            ]
          })
        ],
      delays.length > 0 &&
        [
          el(
            "h3", {id: "launch_latency"}, "Launch to kernel start (includes queue time)"),
          table({
            name: "launch delays",
            data,
            rows: delays,
            columns: [
              {title: "Measure", key: "measure", format: "launch_measure"},
              ...report.sourceColumn(delays),
              {title: "Launches", key: "count", format: "whole"},
              {title: "Median", key: "median_s", format: "seconds", bar: "column"},
              {title: "Min", key: "min_s", format: "seconds"},
              {title: "Max", key: "max_s", format: "seconds"},
            ]
          })
        ],
    ]
  };
};
