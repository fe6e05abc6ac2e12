// Stages, commands, configuration, environment and sources of a run.
import {copyButton} from "../../shared/clipboard";
import {el, type Child} from "../../shared/dom";
import {format} from "../../shared/format";
import {leaves, tokens} from "../../shared/pointer";
import {derived} from "../../shared/shown";
import {largestOf, table} from "../../shared/table";
import type {MakeSection, Report} from "../report";

function stage({data}: Report, row: string, longest: number): HTMLElement {
  const state = data.text(`${row}/state`);
  const wall = data.number(`${row}/wall_s`);
  const bar = el("span", {className: "stage-bar"});
  bar.style.setProperty(
    "--share", String(wall !== null && longest > 0 ? wall / longest : 0));
  const retry = data.text(`${row}/retry_overrides`);
  return el(
    "li", {className: "stage"},
    el(
      "div", {className: "stage-head"}, data.show(`${row}/name`, "text", {tag: "strong"}),
      el(
        "span", {className: "stage-state"},
        el(
          "span", {
            className: `badge ${
              state === "done"      ? "good" :
                state === "skipped" ? "plain" :
                                      "bad"}`
          },
          data.show(`${row}/state`, "text")),
        data.text(`${row}/outcome`) &&
          el("span", {className: "tag"}, data.show(`${row}/outcome`, "text"))),
      bar, el("span", {className: "number"}, data.show(`${row}/wall_s`, "seconds"))),
    data.text(`${row}/reason`) &&
      el("p", {className: "reason"}, data.show(`${row}/reason`, "text")),
    data.items(`${row}/notes`)
      .map((note) => el("p", {className: "note"}, data.show(note, "text"))),
    retry &&
      el(
        "p", {className: "retry"}, "Run again with ",
        data.show(`${row}/retry_overrides`, "text", {tag: "code"}),
        copyButton("Copy this override", () => retry)));
}

export const stages: MakeSection = (report) => {
  const rows = report.data.items("/stages");
  if (rows.length === 0) return null;
  const longest = largestOf(report.data, rows, "wall_s");
  return {
    id: "stages",
    title: "Stages",
    content:
      el("ul", {className: "stages"}, rows.map((row) => stage(report, row, longest)))
  };
};

function runCommand({data}: Report): Child {
  const words = data.items("/run/arguments");
  if (words.length === 0) return null;
  const text =
    () => ["ridgeline run", ...words.map((word) => format("shell_word", data.at(word)))]
            .join(" ") +
    "\n";
  return el(
    "figure", {className: "command"},
    el(
      "figcaption", {}, el("strong", {}, "Whole run"), el("span", {className: "spring"}),
      copyButton("Copy this command", text)),
    el(
      "pre", {}, "ridgeline run",
      words.map((word) => [" ", data.show(word, "shell_word")])));
}

export const commands: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/commands");
  const whole = runCommand(report);
  if (rows.length === 0 && !whole) return null;
  return {
    id: "commands",
    title: "Commands to reproduce",
    short: "Reproduce",
    content: [
      whole,
      rows.map(
        (row) => el(
          "figure", {className: "command"},
          el(
            "figcaption", {}, data.show(`${row}/stage`, "text", {tag: "strong"}), " ",
            data.show(`${row}/file`, "text", {className: "muted"}),
            el("span", {className: "spring"}),
            copyButton("Copy this command", () => data.text(`${row}/text`))),
          data.show(`${row}/text`, "text", {tag: "pre"})))
    ]
  };
};

export const configuration: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/config");
  if (rows.length === 0) return null;
  return {
    id: "config",
    title: "Configuration",
    content: table({
      name: "configuration",
      data,
      rows,
      tools: true,
      columns: [
        {title: "Key", key: "key", format: "text"},
        {title: "Value", key: "value", format: "text"}
      ]
    })
  };
};

// The environment is a tree with its leaves as rows.
function environmentTable({data}: Report): HTMLElement {
  const place = (row: string) => tokens(row).slice(1).join(".");
  return table({
    name: "environment",
    data,
    rows: leaves(data.at("/environment"), "/environment"),
    tools: true,
    columns: [
      {
        title: "Name",
        key: "",
        format: "text",
        value: place,
        cell: (row) => derived("place", place(row))
      },
      {title: "Value", key: "", format: "text"}
    ]
  });
}

export const environment: MakeSection = (report) => {
  const root = report.data.at("/environment");
  if (root === null || typeof root !== "object" || Object.keys(root).length === 0)
    return null;
  return {id: "environment", title: "Environment", content: environmentTable(report)};
};

export const sources: MakeSection = (report) => {
  const {data} = report;
  const rows = data.items("/sources");
  // Without a loss there is nothing that readers need to know.
  const dropped = data.items("/dropped");
  const left = dropped.some((row) => data.at(`${row}/lost`) === true) ? dropped : [];
  if (rows.length + left.length === 0) return null;
  return {
    id: "sources",
    title: "Sources",
    content: [
      rows.length > 0 && table({
        name: "sources",
        data,
        rows,
        columns: [
          {title: "File", key: "file", format: "text"},
          {title: "Format", key: "format", format: "words"},
          {title: "Tool", key: "tool", format: "text", optional: true}
        ]
      }),
      left.length > 0 &&
        [
          el("h3", {id: "dropped"}, "Dropped records"), table({
            name: "left out",
            data,
            rows: left,
            columns: [
              {title: "Source", key: "source", format: "text"},
              {title: "Reason", key: "reason", format: "text"}, {
                title: "Lost",
                key: "lost",
                format: "yes_no",
                hint: "Measured data is missing"
              },
              {title: "Count", key: "count", format: "whole"}
            ]
          })
        ],
    ]
  };
};
