// The document of a sweep: pointers to its parts and their formats.
import {el, type Child} from "../shared/dom";
import type {FormatName} from "../shared/format";
import type {Shown} from "../shared/shown";

export interface Metric {
  index: number;
  pointer: string; // "/metrics/0"
  format: FormatName;
  isLower: boolean;
}

export interface Parameter {
  index: number;
  pointer: string; // "/parameters/0"
  isNumeric: boolean;
  values: number; // Number of unique values.
}

const formats: Record<string, FormatName> = {
  seconds: "seconds",
  bytes: "bytes",
  bytes_per_s: "bytes_per_s",
  flops: "flops",
  flops_per_s: "flops_per_s",
  fraction: "percent",
  percent: "hundredths",
  factor: "factor",
};

export function metricsOf(data: Shown): Metric[] {
  return data.items("/metrics").map((pointer, index) => {
    const unit = data.text(`${pointer}/unit`);
    return {
      index,
      pointer,
      format: Object.hasOwn(formats, unit) ? formats[unit]! : "ratio",
      isLower: data.text(`${pointer}/better`) !== "higher"
    };
  });
}

export function parametersOf(data: Shown): Parameter[] {
  return data.items("/parameters").map((pointer, index) => ({
                                         index,
                                         pointer,
                                         isNumeric:
                                           data.at(`${pointer}/numeric`) === true,
                                         values: data.number(`${pointer}/values`) ?? 0
                                       }));
}

// "best", "tied"; the extreme value without a confidence interval is "min" or "max".
export function rankWord(metric: Metric, rank: string): string {
  if (rank === "extreme") return metric.isLower ? "min" : "max";
  return rank === "best" || rank === "tied" ? rank : "";
}

// A value with its interval and its rank.
export function measured(data: Shown, metric: Metric, row: string): Child {
  const value = `${row}/metrics/${metric.index}`;
  if (data.number(`${value}/value`) === null) return null;
  const word = rankWord(metric, data.text(`${value}/rank`));
  return [
    data.show(`${value}/value`, metric.format),
    data.number(`${value}/ci95/0`) !== null &&
      el(
        "span", {className: "interval"}, data.show(`${value}/ci95/0`, metric.format),
        " \u2013 ", data.show(`${value}/ci95/1`, metric.format)),
    word !== "" && el("span", {className: `rank ${word}`}, word)
  ];
}

// The address of a file of the sweep: every component is escaped, so it is always a path.
export function addressOf(path: string): string {
  const address = path.split("/").map(encodeURIComponent).join("/");
  return path.startsWith("/") ? address : `./${address}`;
}

// Jobs that may be compared: done, with correct output.
export function countingJobs(data: Shown): string[] {
  return data.items("/jobs").filter(
    (row) =>
      data.text(`${row}/state`) === "done" && data.text(`${row}/parity`) !== "failed");
}
