// Metrics by parameter: parallel coordinates of all keys, and a small plot for each
// numeric key and metric.
import type {CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams} from "echarts";
import {ParallelChart} from "echarts/charts";
import {ParallelComponent} from "echarts/components";
import {use} from "echarts/core";
import {plain} from "../report/plain";
import {tip} from "../report/report";
import {chart, type Mark, type Palette} from "../shared/chart";
import {el, type Child} from "../shared/dom";
import {format, type FormatName} from "../shared/format";
import type {Shown} from "../shared/shown";
import {countingJobs, measured, metricsOf, parametersOf, type Metric, type Parameter} from "./sweep";

use([ParallelChart, ParallelComponent]);

// More categories would not be distinguishable on one axis.
const mostCategories = 24;
const mostParameters = 3;
const mostMetrics = 4;

interface Axis {
  name: string;
  pointer: (row: string) => string;
  format: FormatName|null; // null: categories.
}

function axesOf(data: Shown): Axis[] {
  const ofParameters =
    parametersOf(data)
      .filter(
        (each) => each.values > 1 && (each.isNumeric || each.values <= mostCategories))
      .map(({index, pointer, isNumeric}): Axis => ({
             name: plain(data.text(`${pointer}/key`), 28),
             pointer: (row) =>
               `${row}/parameters/${index}/${isNumeric ? "number" : "value"}`,
             format: isNumeric ? "id" : null
           }));
  const ofMetrics =
    metricsOf(data).map((metric): Axis => ({
                          name: plain(data.text(`${metric.pointer}/title`), 28),
                          pointer: (row) => `${row}/metrics/${metric.index}/value`,
                          format: metric.format
                        }));
  return [...ofParameters, ...ofMetrics];
}

function isBest(data: Shown, row: string): boolean {
  return data.items(`${row}/metrics`)
    .some((value) => data.text(`${value}/rank`) === "best");
}

function jobTip(data: Shown, row: string): HTMLElement {
  return tip(
    ["job ", data.show(`${row}/job`, "id"), " ", data.show(`${row}/overrides`, "text")],
    metricsOf(data)
      .filter((metric) => data.number(`${row}/metrics/${metric.index}/value`) !== null)
      .map(
        (metric): [string, Child] =>
          [plain(data.text(`${metric.pointer}/title`), 40),
           measured(data, metric, row)]));
}

// Labels have three digits: ticks that are closer would have the same.
function leastInterval(data: Shown, pointers: string[]): number {
  return Math.max(...pointers.map((pointer) => Math.abs(data.number(pointer) ?? 0))) /
    100;
}

function parallelOption(data: Shown, axes: Axis[], rows: string[], colours: Palette) {
  const line = (row: string) => ({
    value: axes.map((axis) => data.at(axis.pointer(row))),
    pointers: axes.map((axis) => axis.pointer(row)),
    row,
    lineStyle: isBest(data, row) ? {width: 3, opacity: 1, color: colours.accent} :
                                   {width: 1.2, opacity: 0.45, color: colours.muted}
  });
  return {
    parallel: {left: 90, right: 90, top: 42, bottom: 14, axisExpandable: false},
    parallelAxis: axes.map((axis, dim) => ({
                             dim,
                             name: axis.name,
                             nameTextStyle: {color: colours.text, fontSize: 12},
                             axisLine: {lineStyle: {color: colours.muted}},
                             ...(
                               axis.format === null ?
                                 {
                                   type: "category",
                                   data: [...new Set(rows.map(
                                     (row) => String(data.at(axis.pointer(row)))))],
                                   axisLabel: {
                                     color: colours.muted,
                                     fontSize: 11,
                                     formatter: (text: string) => plain(text, 20)
                                   }
                                 } :
                                 {
                                   type: "value",
                                   scale: true,
                                   splitNumber: 4,
                                   minInterval: leastInterval(
                                     data, rows.map((row) => axis.pointer(row))),
                                   axisLabel: {
                                     color: colours.muted,
                                     fontSize: 11,
                                     formatter: (value: number) =>
                                       (value === 0 ? "0" : format(axis.format!, value))
                                   }
                                 })
                           })),
    tooltip: {
      trigger: "item",
      formatter: (point: {data: {row?: string}}) =>
        (point.data.row ? jobTip(data, point.data.row) : "")
    },
    series: [{type: "parallel", smooth: false, data: rows.map(line)}]
  };
}

export function parallel(data: Shown): Child {
  const axes = axesOf(data);
  const rows = countingJobs(data).filter(
    (row) => axes.every((axis) => data.at(axis.pointer(row)) !== null));
  if (axes.length < 3 || rows.length < 2) return null;
  return el(
    "figure", {className: "panel"},
    el("figcaption", {}, "One line per job; jobs with a best value stand out"), chart({
      name: "parallel coordinates",
      height: 340,
      renderer: rows.length > 200 ? "canvas" : "svg",
      option: (colours) => parallelOption(data, axes, rows, colours)
    }));
}

// The interval of a mean: a line with caps.
function whisker(stroke: string) {
  return (_: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) => {
    const [x, y1] = api.coord([api.value(0), api.value(1)]) as [number, number];
    const [, y2] = api.coord([api.value(0), api.value(2)]) as [number, number];
    const line = (shape: object) =>
      ({type: "line" as const, shape, style: {stroke, lineWidth: 1.2}});
    return {
      type: "group" as const,
      children: [
        line({x1: x, y1, x2: x, y2}), line({x1: x - 3, y1, x2: x + 3, y2: y1}),
        line({x1: x - 3, y1: y2, x2: x + 3, y2})
      ]
    };
  };
}

function multipleOption(
  data: Shown, parameter: Parameter, metric: Metric, rows: string[], colours: Palette) {
  const x = (row: string) => `${row}/parameters/${parameter.index}/number`;
  const value = (row: string) => `${row}/metrics/${metric.index}`;
  const axis = (how: FormatName, minInterval = 0) => ({
    type: "value",
    scale: true,
    splitNumber: 4,
    minInterval,
    axisLabel: {
      color: colours.muted,
      fontSize: 11,
      hideOverlap: true,
      formatter: (number: number) => (number === 0 ? "0" : format(how, number))
    },
    axisLine: {show: true, lineStyle: {color: colours.line}},
    splitLine: {lineStyle: {color: colours.line, opacity: 0.7}}
  });
  const points = rows.map(
    (row) => ({
      value: [data.number(x(row)), data.number(`${value(row)}/value`)],
      pointers: [x(row), `${value(row)}/value`],
      row,
      itemStyle: {
        color: data.text(`${value(row)}/rank`) === "none" ? colours.muted : colours.accent
      }
    }));
  const intervals: Mark[] =
    rows.filter((row) => data.number(`${value(row)}/ci95/0`) !== null).map((row) => {
      const pointers = [x(row), `${value(row)}/ci95/0`, `${value(row)}/ci95/1`];
      return {value: pointers.map((pointer) => data.number(pointer)), pointers};
    });
  return {
    grid: {left: 8, right: 16, top: 10, bottom: 8, outerBoundsMode: "same" as const},
    xAxis: {
      ...axis("id"),
      name: plain(data.text(`${parameter.pointer}/key`), 40),
      nameLocation: "middle",
      nameGap: 26,
      nameTextStyle: {color: colours.muted}
    },
    yAxis:
      axis(metric.format, leastInterval(data, rows.map((row) => `${value(row)}/value`))),
    tooltip: {
      trigger: "item",
      formatter: (point: {data: {row?: string}}) =>
        (point.data.row ? jobTip(data, point.data.row) : "")
    },
    series: [
      {
        type: "custom",
        renderItem: whisker(colours.muted),
        encode: {x: 0, y: [1, 2]}, // The axis range includes both ends.
        data: intervals,
        silent: true
      },
      {type: "scatter", symbolSize: 8, data: points}
    ]
  };
}

export function multiples(data: Shown): Child {
  const parameters = parametersOf(data)
                       .filter((each) => each.isNumeric && each.values > 1)
                       .slice(0, mostParameters);
  const panels = parameters.flatMap(
    (parameter) => metricsOf(data).slice(0, mostMetrics).flatMap((metric) => {
      const rows = countingJobs(data).filter(
        (row) => data.number(`${row}/metrics/${metric.index}/value`) !== null &&
          data.number(`${row}/parameters/${parameter.index}/number`) !== null);
      if (rows.length < 2) return [];
      return [el(
        "figure", {className: "panel"},
        el(
          "figcaption", {}, data.show(`${metric.pointer}/title`, "text"),
          el(
            "span", {className: "tag"},
            metric.isLower ? "lower is better" : "higher is better")),
        chart({
          name: `metric ${metric.index} by parameter ${parameter.index}`,
          height: 220,
          option: (colours) => multipleOption(data, parameter, metric, rows, colours)
        }))];
    }));
  return panels.length === 0 ? null : el("div", {className: "multiples"}, panels);
}
