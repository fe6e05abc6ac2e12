// The list of runs, or some of them side by side, depending on the address.
import type {RunList, RunSummary} from "./api";
import {fetchMetrics, fetchRuns, noMetrics} from "./api";
import {el} from "../shared/dom";
import {nameOf} from "./names";
import type {Loaded} from "./joined";
import {RunsList} from "./list";
import {sideBySide} from "./side";
import type {ViewState} from "./state";
import {parseState, printState} from "./state";

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function header(list: RunList): HTMLElement {
  const top = el(
    "header", {}, el("h1", {}, el("a", {href: "#"}, "Ridgeline")),
    nameOf(list.directory));
  for (const problem of list.problems)
    top.append(el("p", {className: "problem", role: "alert"}, problem));
  return top;
}

async function load(run: RunSummary): Promise<Loaded> {
  try {
    return {run, metrics: await fetchMetrics(run), problem: null};
  } catch (error) {
    return {run, metrics: noMetrics, problem: textOf(error)};
  }
}

async function sideView(list: RunList, state: ViewState): Promise<HTMLElement> {
  const byPath = new Map(list.runs.map((run) => [run.path, run]));
  const paths = [...new Set(state.side)];
  const runs = paths.map((path) => byPath.get(path)).filter((run) => run !== undefined);
  return sideBySide(
    await Promise.all(runs.map(load)),
    paths.filter((path) => !byPath.has(path)),
  );
}

function listView(list: RunList, state: ViewState): HTMLElement {
  return new RunsList(list, state, {
           // Typing adds no history entries.
           onChange: (changed) => history.replaceState(null, "", printState(changed)),
           onSideBySide: (side) => {
             window.location.hash =
               printState({...parseState(window.location.hash), side});
           },
         })
    .element;
}

let latest = 0;

// The list is fetched again each time: runs may have finished meanwhile.
async function show(): Promise<void> {
  const main = document.getElementById("runs");
  if (main === null) return;
  const turn = ++latest;
  const state = parseState(window.location.hash);
  try {
    const list = await fetchRuns();
    const view =
      state.side.length > 0 ? await sideView(list, state) : listView(list, state);
    if (turn !== latest) return; // The address has changed meanwhile.
    main.replaceChildren(header(list), view);
  } catch (error) {
    main.replaceChildren(
      el(
        "p", {className: "problem", role: "alert"},
        `Cannot load the runs: ${textOf(error)}. Is ridgeline serve still running?`),
    );
  }
}

window.addEventListener("hashchange", () => void show());
void show();
