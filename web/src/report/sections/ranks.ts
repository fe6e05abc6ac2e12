// Ranks of a workload: outcome and files of each.
import {el} from "../../shared/dom";
import {table} from "../../shared/table";
import type {MakeSection} from "../report";

export const ranks: MakeSection = ({data}) => {
  const rows = data.items("/ranks");
  if (rows.length === 0) return null;
  const state = (row: string) => el(
    "span", {
      className: `badge ${
        data.text(`${row}/state`) === "done" ? "good" :
          data.text(`${row}/state`) === "stopped" ? "plain" :
                                                    "bad"}`
    },
    data.show(`${row}/state`, "text"));
  const files = (row: string) =>
    data.items(`${row}/files`)
      .map((file) => el("div", {}, data.show(file, "text", {tag: "code"})));
  return {
    id: "ranks",
    title: "Ranks",
    content: [
      el(
        "p", {className: "hint"},
        "Of the last command of each stage that ran the workload. Start delay: after the ",
        "first rank; the largest is the start-up skew. Stopped: ended from outside, ",
        "because another rank failed or the time was up."),
      table({
        name: "ranks",
        data,
        rows,
        columns: [
          {title: "Stage", key: "stage", format: "text"},
          {title: "Rank", key: "rank", format: "id"},
          {title: "Host", key: "host", format: "text"},
          {title: "State", key: "state", format: "text", cell: state},
          {title: "Outcome", key: "outcome", format: "text", optional: true},
          {title: "Profiled", key: "profiled", format: "yes_no"},
          {title: "Exit code", key: "exit_code", format: "id", optional: true},
          {title: "Time", key: "wall_s", format: "seconds"},
          {title: "Start delay", key: "start_delay_s", format: "seconds"},
          {title: "Peak RSS", key: "peak_rss_bytes", format: "bytes", optional: true},
          {title: "Last line", key: "last_line", format: "text", optional: true}, {
            title: "Files",
            key: "files",
            format: "text",
            value: (row) =>
              data.items(`${row}/files`).map((file) => data.text(file)).join(" "),
            cell: files
          }
        ]
      })
    ]
  };
};
