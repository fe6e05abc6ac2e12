// Kernels profiled with Nsight Compute, and its rules.
import {el} from "../../shared/dom";
import {derived} from "../../shared/shown";
import {table} from "../../shared/table";

import {kernelColumn} from "./kernels";

import type {MakeSection, Report} from "../report";

interface KernelRules {
  row: string; // The first launch of the kernel with these rules.
  launches: number;
}

// Launches of a kernel often have the same rules, which are shown once.
function rulesByKernel({data}: Report, rows: string[]): KernelRules[] {
  const known = new Map<string, KernelRules>();
  for (const row of rows) {
    if (data.items(`${row}/rules`).length === 0) continue;
    const key = JSON.stringify([data.text(`${row}/name`), data.at(`${row}/rules`)]);
    const found = known.get(key);
    if (found)
      ++found.launches;
    else
      known.set(key, {row, launches: 1});
  }
  return [...known.values()];
}

export const ncu: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/ncu");
  if (rows.length === 0) return null;
  const rulesOf = rulesByKernel(report, rows);
  return {
    id: "ncu",
    title: "Kernels under ncu",
    content: [
      table({
        name: "ncu kernels",
        data,
        rows,
        columns: [
          kernelColumn(data),
          ...report.sourceColumn(rows),
          {title: "Class", key: "class", format: "hyphens"},
          {title: "Launch", key: "launch", format: "id", optional: true},
          {title: "Grid", key: "grid", format: "text", optional: true},
          {title: "Block", key: "block", format: "text", optional: true},
          {title: "Duration", key: "duration_s", format: "seconds", bar: "column"},
          {
            title: "SM",
            key: "sm_percent",
            format: "hundredths",
            bar: "percent",
            hint: "SM throughput, percent of peak"
          },
          {
            title: "Memory",
            key: "memory_percent",
            format: "hundredths",
            bar: "percent",
            optional: true,
            hint:
              "Throughput of the busiest memory unit (DRAM, cache, shared memory), percent of peak"
          },
          {
            title: "DRAM",
            key: "dram_percent",
            format: "hundredths",
            bar: "percent",
            hint: "DRAM throughput, percent of peak"
          },
          {
            title: "Occupancy",
            key: "occupancy_percent",
            format: "hundredths",
            bar: "percent"
          },
        ]
      }),
      rulesOf.length > 0 &&
        [
          el("h3", {}, "ncu rules"),
          rulesOf.map(
            ({row, launches}) => el(
              "details", {className: "rules"},
              el(
                "summary", {}, kernelColumn(data).cell!(row),
                launches > 1 && derived("count", ` (${launches} launches)`, "muted")),
              el(
                "ul", {},
                data.items(`${row}/rules`)
                  .map(
                    (rule) => el(
                      "li", {},
                      el("span", {className: "tag"}, data.show(`${rule}/kind`, "words")),
                      " ", data.show(`${rule}/text`, "text"),
                      data.number(`${rule}/speedup_percent`) !== null &&
                        el(
                          "span", {className: "muted"}, " (est. ",
                          data.text(`${rule}/speedup_kind`) &&
                            [data.show(`${rule}/speedup_kind`, "text"), " "],
                          "speedup ", data.show(`${rule}/speedup_percent`, "hundredths"),
                          ")"))))))
        ],
    ]
  };
};
