// Name of the sweep, outcomes of its jobs, and the best one for each metric.
import {button, el, type Child} from "../shared/dom";
import type {Shown} from "../shared/shown";
import {themeButton} from "../shared/theme";
import {metricsOf, rankWord} from "./sweep";

const tones: Record<string, string> = {
  done: "good",
  running: "plain",
  pending: "plain"
};

function badges(data: Shown): Child {
  return data.items("/counts").map((count) => {
    const state = data.text(`${count}/state`);
    return el(
      "span", {className: `badge ${Object.hasOwn(tones, state) ? tones[state] : "bad"}`},
      data.show(`${count}/jobs`, "whole"), " ", data.show(`${count}/state`, "text"));
  });
}

export function header(data: Shown): HTMLElement {
  const facts: [string, string][] =
    [["launcher ", "/launcher"], ["started ", "/created"], ["in ", "/directory"]];
  return el(
    "header", {className: "verdict", id: "verdict"},
    el(
      "div", {className: "verdict-line"},
      el("h1", {}, "Sweep ", data.show("/name", "text", {className: "run-id"})),
      el("div", {className: "badges"}, badges(data)), el("span", {className: "spring"}),
      button("Print", "Print", () => print()), themeButton()),
    el(
      "p", {className: "facts"},
      facts.filter(([, key]) => data.text(key) !== "")
        .map(([word,
               key]) => el("span", {className: "fact"}, word, data.show(key, "text")))));
}

// The best job for each metric.
export function tiles(data: Shown): HTMLElement|null {
  const made = metricsOf(data).flatMap((metric) => {
    const best = data.number(`${metric.pointer}/best_jobs/0`);
    const row = data.items("/jobs").find((job) => data.number(`${job}/job`) === best);
    if (best === null || row === undefined) return [];
    const verdict = data.text(`${metric.pointer}/verdict`);
    const word = verdict === "no_ci" ? rankWord(metric, "extreme") :
      verdict === "single"           ? "only" :
                                       verdict;
    return [el(
      "a", {className: "tile", href: "#jobs"},
      el("span", {className: "tile-label"}, data.show(`${metric.pointer}/title`, "text")),
      el(
        "span", {className: "tile-value"},
        data.show(`${row}/metrics/${metric.index}/value`, metric.format)),
      el(
        "span", {className: "tile-below", title: data.text(`${row}/overrides`)},
        `${word}: job `, data.show(`${metric.pointer}/best_jobs/0`, "id"), " ",
        data.show(`${row}/overrides`, "text")))];
  });
  return made.length === 0 ? null : el("div", {className: "tiles"}, made);
}
