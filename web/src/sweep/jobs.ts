// All jobs in a table: parameters, outcome, measurements.
import {el, type Child} from "../shared/dom";
import type {Shown} from "../shared/shown";
import {table, type Column} from "../shared/table";
import {addressOf, measured, metricsOf, parametersOf} from "./sweep";

function jobLink(data: Shown, row: string): Child {
  const number = data.show(`${row}/job`, "id");
  const report = data.text(`${row}/report`);
  return report === "" ?
    number :
    el("a", {href: addressOf(report), title: "Report of the job"}, number);
}

function stateOf(data: Shown, row: string): Child {
  return [
    data.show(`${row}/state`, "text"),
    data.text(`${row}/outcome`) !== "" &&
      [" (", data.show(`${row}/outcome`, "text"), ")"],
    data.text(`${row}/parity`) === "failed" && " (parity failed)"
  ];
}

function columnsOf(data: Shown): Column[] {
  return [
    {title: "Job", key: "job", format: "id", cell: (row) => jobLink(data, row)},
    {title: "State", key: "state", format: "text", cell: (row) => stateOf(data, row)},
    {title: "Time", key: "wall_s", format: "seconds", optional: true},
    ...parametersOf(data).map(
      ({index, pointer}): Column => ({
        title: data.text(`${pointer}/key`),
        label: () => data.show(`${pointer}/key`, "text"),
        key: `parameters/${index}/value`,
        format: "text",
        value: (row) => data.number(`${row}/parameters/${index}/number`) ??
          data.at(`${row}/parameters/${index}/value`)
      })),
    ...metricsOf(data).map(
      (metric): Column => ({
        title: data.text(`${metric.pointer}/title`),
        label: () => data.show(`${metric.pointer}/title`, "text"),
        key: `metrics/${metric.index}/value`,
        format: metric.format,
        cell: (row) => measured(data, metric, row),
        hint: `Sort; ${metric.isLower ? "lower" : "higher"} is better`
      })),
    {title: "Host", key: "host", format: "text", optional: true},
    {title: "Slurm id", key: "slurm_id", format: "text", optional: true},
    ...(
      data.items("/jobs").some((row) => (data.number(`${row}/attempts`) ?? 0) > 1) ?
        [{title: "Attempts", key: "attempts", format: "whole"} as Column] :
        []),
    {title: "Reason", key: "reason", format: "text", optional: true},
  ];
}

export function jobs(data: Shown): Child {
  return [
    el(
      "p", {className: "lead"},
      "Means with their 95 % CI. best: no other CI overlaps; tied: it does; min, max: no " +
        "CI of at least 5 samples to compare. Only jobs that are done, with the right " +
        "output, are ranked."),
    table({name: "jobs", data, rows: data.items("/jobs"), columns: columnsOf(data)})
  ];
}
