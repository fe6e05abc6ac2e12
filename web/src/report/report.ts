// Input and output of every section.
import type {Child} from "../shared/dom";
import {el} from "../shared/dom";
import type {FormatName} from "../shared/format";
import {Shown} from "../shared/shown";
import type {Column} from "../shared/table";

export interface Section {
  id: string; // Also the section name in advice.
  title: string;
  short?: string; // For the navigation.
  content: Child;
}

export type MakeSection = (report: Report) => Section|null;

export class Report {
  constructor(
    readonly data: Shown, readonly timelines: Shown,
    readonly pictures: Record<string, unknown>) {}

  // Whether the rows of a list come from more than one source.
  hasSeveralSources(rows: string[]): boolean {
    return new Set(rows.map((row) => this.data.text(`${row}/source`))).size > 1;
  }

  // A column with the source, only if there are several.
  sourceColumn(rows: string[]): Column[] {
    return this.hasSeveralSources(rows) ?
      [{title: "Source", key: "source", format: "text"}] :
      [];
  }
}

// Of conf/config.yaml.
const defaultExperiment = "stage1";

// The run's `experiment`; empty if it has none, or not its own.
export function experiment({data}: Report): string {
  const row =
    data.items("/config").find((row) => data.text(`${row}/key`) === "experiment");
  const name = row ? data.text(`${row}/value`) : "";
  return name === "null" || name === defaultExperiment ? "" : name;
}

function block(id: string): unknown {
  const text = document.getElementById(`data-${id}`)?.textContent;
  return text ? JSON.parse(text) : {};
}

export function readReport(): Report {
  return new Report(
    new Shown(block("metrics")), new Shown(block("timeline"), "timeline"),
    block("pictures") as Record<string, unknown>);
}

// Rows by source, in the order of the sources.
export function bySource(data: Shown, rows: string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const row of rows) {
    const source = data.text(`${row}/source`);
    groups.set(source, [...(groups.get(source) ?? []), row]);
  }
  return groups;
}

// Unit of a phase's samples: a page, a call in a Python program, or a run of a program.
export function sampleUnit({data}: Report, phase: string): string {
  if (["wall", "user", "system"].includes(data.text(`${phase}/phase`))) return "run";
  const file = data.text(`${phase}/source`);
  const isOfCalls = data.items("/sources")
                      .some(
                        (source) => data.text(`${source}/file`) === file &&
                          data.text(`${source}/format`) === "call_metrics");
  return isOfCalls ? "call" : "page";
}

// Format of a value by the unit in its key, for values known only by pointer.
export function formatOf(pointer: string, value: unknown): FormatName {
  if (typeof value !== "number") return "text";
  const key = pointer.replace(/\/\d+$/, "").split("/").at(-1)!;
  const byEnd: [string, FormatName][] = [
    ["tokens_per_s", "ratio"],
    ["flops_per_s", "flops_per_s"],
    ["bytes_per_s", "bytes_per_s"],
    ["self_bytes", "signed_bytes"],
    ["_s", "seconds"],
    ["bytes", "bytes"],
    ["flops", "flops"],
    ["flops_useful", "flops"],
    ["_percent", "hundredths"],
    ["share", "percent"],
    ["roofline_fraction", "percent"],
    ["mfu", "percent"],
    ["mbu", "percent"],
    ["mfu_useful", "percent"],
    ["roofline_slowdown", "factor"],
    ["rounds_ratio", "factor"],
    ["flops_per_byte", "ratio"],
    ["parameters", "parameters"],
  ];
  return byEnd.find(([end]) => key.endsWith(end))?.[1] ??
    (Number.isInteger(value) ? "whole" : "ratio");
}

// "1 box", "2 boxes"
export function counted(data: Shown, pointer: string, one: string, many: string): Child {
  return [data.show(pointer, "whole"), ` ${data.at(pointer) === 1 ? one : many}`];
}

// A line of a tooltip: label and value.
export function tip(title: Child, lines: [string, Child][]): HTMLElement {
  return el(
    "div", {className: "tip"}, el("div", {className: "tip-title"}, title),
    el(
      "dl", {}, lines.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
}
