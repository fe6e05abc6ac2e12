// Memory: weights, KV cache, activations, RSS, operator allocations.
import {chart, type Palette} from "../../shared/chart";
import {el, type Child} from "../../shared/dom";
import type {FormatName} from "../../shared/format";
import {table} from "../../shared/table";
import {colour} from "../../shared/theme";
import {barFrame, barOf} from "../bars";
import {plain} from "../plain";
import {tip, type MakeSection, type Report} from "../report";

interface Bar {
  pointer: string; // Of the bytes.
  label: string;   // Of its name.
}

function option({data}: Report, bars: Bar[], paint: string, colours: Palette) {
  return {
    ...barFrame(
      colours,
      {labels: bars.map((bar) => plain(data.text(bar.label), 30)), format: "bytes"}),
    tooltip: {
      trigger: "item",
      formatter: (point: {dataIndex: number}) => {
        const bar = bars[point.dataIndex]!;
        return tip(
          data.show(bar.label, "text"), [["bytes", data.show(bar.pointer, "bytes")]]);
      }
    },
    series: [{
      type: "bar",
      barMaxWidth: 14,
      itemStyle: {color: colour(paint)},
      data: bars.map((bar) => barOf(data, bar.pointer))
    }],
  };
}

function panel(
  report: Report, title: string, list: string, label: string, paint: string): Child {
  const bars = report.data.items(list)
                 .filter((row) => report.data.number(`${row}/bytes`) !== null)
                 .map((row) => ({pointer: `${row}/bytes`, label: `${row}/${label}`}));
  if (bars.length === 0) return null;
  return el(
    "figure", {className: "panel"}, el("figcaption", {}, title), chart({
      name: title,
      height: 34 + 24 * bars.length,
      option: (colours) => option(report, bars, paint, colours)
    }),
    el(
      "ul", {className: "values"},
      bars.map(
        (bar) => el(
          "li", {}, report.data.show(bar.label, "text"), " ",
          report.data.show(bar.pointer, "bytes", {tag: "strong"})))));
}

export const memory: MakeSection = (report) => {
  const {data} = report;
  const facts: [string, string, FormatName][] = [
    ["Parameters", "parameters", "parameters"],
    ["Weights read per page", "weights_read_bytes", "bytes"],
    ["KV cache", "kv_cache_bytes", "bytes"],
    ["Machine memory", "host_memory_bytes", "bytes"]
  ];
  const known = facts.filter(([, key]) => data.number(`/memory/${key}`) !== null);
  const operators = data.items("/memory/operators");
  const peaks =
    data.items("/memory/activation_peaks").length + data.items("/memory/peak_rss").length;
  if (known.length + operators.length + peaks === 0) return null;
  return {
    id: "memory",
    title: "Memory",
    content: [
      known.length > 0 &&
        el(
          "dl", {className: "numbers"},
          known.map(
            ([title, key, how]) => el(
              "div", {}, el("dt", {}, title),
              el("dd", {}, data.show(`/memory/${key}`, how))))),
      peaks > 0 &&
        el(
          "div", {className: "panels"},
          panel(report, "Peak activations", "/memory/activation_peaks", "phase", "c6"),
          panel(report, "Peak RSS", "/memory/peak_rss", "source", "c4")),
      operators.length > 0 && table({
        name: "memory of operators",
        data,
        rows: operators,
        columns: [
          {title: "Operator", key: "name", format: "text"},
          {
            title: "Self allocated",
            key: "self_bytes",
            format: "signed_bytes",
            bar: "column"
          },
        ]
      }),
    ]
  };
};
