// Advice with its evidence.
import {el, pointOut, type Child} from "../../shared/dom";
import type {FormatName} from "../../shared/format";
import {child, tokens} from "../../shared/pointer";
import {derived} from "../../shared/shown";
import {counted, formatOf, type MakeSection, type Report} from "../report";
import {exclVision} from "./ledger";
import {inclVision} from "./phases";

// The nearest named object around the value: "decode" for /ledger/phases/2/mbu.
// Launch latencies have no name: their table is named by lastWord.
function ownerOf({data}: Report, pointer: string): string|null {
  if (tokens(pointer)[0] === "launch_latency") return null;
  for (let above = pointer; above !== "";
       above = above.slice(0, above.lastIndexOf("/"))) {
    for (const key of ["name", "phase", "path", "model", "measure", "kind", "key"]) {
      const candidate = `${above}/${key}`;
      if (candidate !== pointer && data.text(candidate)) return candidate;
    }
  }
  return null;
}

// The same value in its section; otherwise another value of the same row.
function shownElsewhere(pointer: string): HTMLElement|null {
  const first =
    (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)].find(
      (each) => !each.closest("#advice, .tiles, .tip, dialog"));
  const around = pointer.slice(0, pointer.lastIndexOf("/") + 1);
  return first(`[data-path="${CSS.escape(pointer)}"]`) ??
    first(`[data-path^="${CSS.escape(around)}"]`) ?? null;
}

// Keys that are worded differently from the field (src/report/document.h).
const words: Record<string, string> = {
  mfu: "MFU (executed FLOPs)",
  mbu: "MBU",
  mfu_useful: "MFU (useful FLOPs)",
  flops_useful: "useful FLOPs",
  roofline_s: "roofline time",
  roofline_slowdown: "vs roofline",
  flops: "executed FLOPs",
  bytes: "bytes",
  mean_ci95_s: "95 % CI",
  samples: "n",
  cpu_s: "duration on the CPU",
  gpu_s: "GPU time",
  gpu_idle_s: "GPU idle time",
  gpu_span_s: "GPU span",
  gpu_exclusive_s: "self time on the GPU",
  idle_gap_max_s: "longest gap",
  memory_s: "copies",
  exposed_copy_s: "exposed copies",
  exposed_communication_s: "exposed communication",
  tokens_per_s: "tokens/s",
  compute_flops_per_s: "peak FLOP/s",
  memory_bytes_per_s: "peak bandwidth",
  sm_percent: "SM throughput",
  memory_percent: "memory throughput",
  dram_percent: "DRAM throughput",
  occupancy_percent: "achieved occupancy",
  peak_rounds_ratio: "fastest over slowest round of the peak",
  bandwidth_rounds_ratio: "fastest over slowest round of the bandwidth",
};

// Name of a value: "GPU idle time" for /regions/7/gpu_idle_s.
function lastWord(pointer: string): string {
  const all = tokens(pointer);
  const key = all.filter((token) => !/^\d+$/.test(token)).at(-1) ?? "";
  const word =
    Object.hasOwn(words, key) ? words[key]! : key.replace(/_s$/, "").replaceAll("_", " ");
  if (all[0] === "launch_latency" && all.length > 1) return `launch latency ${word}`;
  // Both ends of an interval are cited.
  if (key !== "mean_ci95_s") return word;
  return `${word} ${all.at(-1) === "0" ? "lower" : "upper"} bound`;
}

// Several stages time the same phases.
function stageOf({data}: Report, pointer: string): Child {
  const [list, row] = tokens(pointer);
  const source = `/phases/${row}/source`;
  return list === "phases" && data.text(source) !== "" &&
    el("span", {}, data.show(source, "first_segment"), ":");
}

// Measured prefill includes vision, that of the ledger does not.
function ofVision(report: Report, owner: string): string {
  const row = owner.slice(0, owner.lastIndexOf("/"));
  if (row.startsWith("/ledger/phases/")) return exclVision(report, row);
  return row.startsWith("/phases/") ? inclVision(report, row) : "";
}

// Values with which a verdict can be checked: tables show "< 0.1 %".
function preciseFormatOf(pointer: string, value: unknown): FormatName {
  if (pointer.endsWith("/class")) return "hyphens";
  const name = formatOf(pointer, value);
  if (name === "percent") return "precise_percent";
  return name === "hundredths" ? "precise_hundredths" : name;
}

// A pointer may also refer to a whole list, which has a section but no value.
function chip(report: Report, pointer: string, section: string): HTMLElement {
  const value = report.data.at(pointer);
  const isValue = value !== null && typeof value !== "object";
  const list = tokens(pointer)[0] ?? "";
  const owner = isValue ? ownerOf(report, pointer) : null;
  const link = el(
    "a", {className: "chip", href: `#${isValue ? section : list}`},
    owner && stageOf(report, pointer), owner && report.data.show(owner, "text"),
    owner && ofVision(report, owner), derived("place", lastWord(pointer), "chip-key"),
    isValue &&
      report.data.show(pointer, preciseFormatOf(pointer, value), {tag: "strong"}));
  link.onclick = (event) => {
    const target = isValue ? shownElsewhere(pointer) : null;
    if (!target) return; // The link leads to the section.
    event.preventDefault();
    pointOut(target);
  };
  return link;
}

function evidence(report: Report, card: string, section: string): Child {
  const pointers =
    report.data.items(`${card}/evidence`)
      .map((each) => report.data.text(each))
      .filter(
        (pointer) => pointer.startsWith("/") && report.data.at(pointer) !== undefined);
  return pointers.length > 0 &&
    el("div", {className: "chips"},
       pointers.map((pointer) => chip(report, pointer, section)));
}

// The ledger sums over all samples.
function ofWhat({data}: Report, section: string): Child {
  return section === "ledger" &&
    [" over ", counted(data, "/ledger/samples", "sample", "samples")];
}

function card(report: Report, row: string): HTMLElement {
  const {data} = report;
  const section = data.text(`${row}/section`);
  const gain = data.number(`${row}/potential_saving_s`);
  return el(
    "article", {className: "card advice"},
    el(
      "p", {className: "advice-text"},
      data.at(`${row}/doubt`) === true &&
        [el("span", {className: "tag"}, "Warning"), " "],
      data.show(child(row, "verdict"), "sentence")),
    data.text(`${row}/action`) &&
      el(
        "p", {className: "advice-try"}, el("span", {className: "eyebrow"}, "Action"),
        data.show(`${row}/action`, "sentence")),
    gain !== null &&
      el(
        "p", {className: "advice-gain"}, "Potential saving: up to ",
        data.show(`${row}/potential_saving_s`, "seconds", {tag: "strong"}),
        ofWhat(report, section)),
    evidence(report, row, section));
}

export const advice: MakeSection = (report) => {
  const rows = report.data.items("/advice");
  if (rows.length === 0) return null;
  return {
    id: "advice",
    title: "Advice",
    content: el("div", {className: "cards"}, rows.map((row) => card(report, row)))
  };
};
