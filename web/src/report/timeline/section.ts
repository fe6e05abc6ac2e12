// The timeline with its controls, its labels and notes about what it does not show.
import {button, el, type Child} from "../../shared/dom";
import {format} from "../../shared/format";
import {child} from "../../shared/pointer";
import {derived} from "../../shared/shown";
import {filterBox} from "../../shared/table";
import {tip, type MakeSection, type Report} from "../report";
import {timelineOf} from "./lanes";
import {layoutOf, type Layout} from "./layout";
import {TimelineView, type Drawn} from "./view";

const groupTitles: Record<string, string> = {
  regions: "Regions",
  operators: "Operators",
  gpu: "GPU"
};

function time(ns: number): HTMLElement {
  return derived("time", format("nanoseconds", ns));
}

function blockTip({timelines}: Report, base: string, block: Drawn): HTMLElement {
  const lane = `${base}/lanes/${block.placed.lane.index}`;
  const lines: [string, Child][] = [
    ["start", time(block.start)], ["duration", time(block.end - block.start)],
    ["track", timelines.show(`${lane}/title`, "text")]
  ];
  if (block.count > 1) {
    const share = block.busy / Math.max(1, block.end - block.start);
    lines.push([
      "events",
      derived(
        "events",
        `${format("whole", block.count)} events, ${format("percent", share)} busy`)
    ]);
  }
  const others = block.count > 1 && el("span", {className: "muted"}, " and others");
  return tip([timelines.show(`${base}/names/${block.name}`, "text"), others], lines);
}

function labels({timelines}: Report, base: string, layout: Layout): HTMLElement {
  const column = el("div", {className: "lane-labels"});
  for (const track of layout.tracks) {
    if (track.beginsGroup) {
      const group = el(
        "div", {className: "lane-group"},
        Object.hasOwn(groupTitles, track.lane.group) ?
          groupTitles[track.lane.group]! :
          timelines.show(`${base}/lanes/${track.lane.index}/group`, "text"));
      group.style.top = `${track.top - 17}px`;
      column.append(group);
    }
    const label = el(
      "div", {className: "lane-label", title: track.lane.title},
      timelines.show(`${base}/lanes/${track.lane.index}/title`, "text"));
    label.style.top = `${track.top}px`;
    label.style.height = `${Math.min(track.height, 18)}px`;
    column.append(label);
  }
  return column;
}

// Events that were merged or are not drawn.
function honesty({timelines}: Report, base: string): Child {
  const resolution = timelines.number(`${base}/resolution_ns`) ?? 0;
  const whole = timelines.show(`${base}/events`, "whole");
  const leftOut = (timelines.number(`${base}/dropped`) ?? 0) > 0 && [
    " ", timelines.show(`${base}/dropped`, "whole"),
    " not drawn: nested too deeply or on too many tracks."
  ];
  if (resolution === 0) return [whole, " events, none merged.", leftOut];
  return [
    whole, " events; ", timelines.show(`${base}/merged`, "whole"),
    " of them are shorter than ", timelines.show(`${base}/resolution_ns`, "nanoseconds"),
    " and merged with their neighbours to limit the file size.", leftOut
  ];
}

function keys(view: TimelineView): (event: KeyboardEvent) => void {
  const actions: Record<string, () => void> = {
    "+": () => view.zoom(0.5),
    "=": () => view.zoom(0.5),
    "-": () => view.zoom(2),
    "0": () => view.zoom(Infinity),
    ArrowLeft: () => view.pan(-0.2),
    ArrowRight: () => view.pan(0.2),
    ArrowUp: () => view.zoom(0.7),
    ArrowDown: () => view.zoom(1.4),
  };
  return (event) => {
    if (
      event.ctrlKey || event.metaKey || event.altKey ||
      !Object.hasOwn(actions, event.key))
      return;
    event.preventDefault();
    actions[event.key]!();
  };
}

function highlightBox(view: TimelineView): Child {
  const found = derived("count", "", "count");
  const highlight = (needle: string) => {
    const count = view.highlight(needle);
    const words = count === 1 ? "1 name" : `${count} names`;
    found.textContent = needle === "" ? "" : words;
  };
  return [filterBox("names", highlight, "Highlight name"), found];
}

function controls(view: TimelineView, range: HTMLElement): HTMLElement {
  const icon = (title: string, label: string, act: () => void) =>
    button(title, label, act, "button icon");
  return el(
    "div", {className: "toolbar"}, highlightBox(view), el("span", {className: "spring"}),
    range, icon("Zoom in", "+", () => view.zoom(0.5)),
    icon("Zoom out", "\u2212", () => view.zoom(2)),
    icon("Earlier", "\u2190", () => view.pan(-0.5)),
    icon("Later", "\u2192", () => view.pan(0.5)),
    button("Show all", "Reset", () => view.zoom(Infinity)));
}

interface Panel {
  view: TimelineView;
  element: HTMLElement;
}

function panelOf(report: Report, base: string, index: number): Panel {
  const timeline = timelineOf(report.timelines.at(base) as Record<string, unknown>);
  const layout = layoutOf(timeline.lanes);
  const range = derived("window", "", "count");
  const view = new TimelineView({
    name: `timeline ${index}`,
    timeline,
    layout,
    tooltip: (block) => blockTip(report, base, block),
    onwindow: (...window) => (
      range.textContent = window.map((ns) => format("nanoseconds", ns)).join(" \u2013 ")),
  });
  const about = "Timeline: + and - zoom, arrows pan, 0 shows all";
  const box = el(
    "div", {
      className: "timeline-box",
      tabIndex: 0,
      role: "group",
      "aria-label": about,
      onkeydown: keys(view)
    },
    labels(report, base, layout), view.element);
  const hint = el("span", {className: "screen-only"}, " Wheel zooms, drag pans.");
  const element = el(
    "div", {className: "timeline", "data-timeline": String(index)},
    el("h3", {}, report.timelines.show(`${base}/source`, "text")), controls(view, range),
    box, el("p", {className: "muted"}, honesty(report, base), hint));
  return {view, element};
}

function hasBlocks({timelines}: Report, base: string): boolean {
  return timelines.items(`${base}/lanes`).some((lane) => {
    const starts = timelines.at(`${lane}/start`);
    return Array.isArray(starts) && starts.length > 0;
  });
}

// One of several is shown; all of them when printed.
function choiceOf(report: Report, bases: string[], panels: Panel[]): Child {
  if (panels.length < 2) return null;
  const choose = (chosen: number) =>
    panels.forEach(({element}, i) => (element.hidden = i !== chosen));
  const options = bases.map(
    (base) => report.timelines.show(child(base, "source"), "text", {tag: "option"}));
  const select = el(
    "select", {"aria-label": "Timeline", onchange: () => choose(select.selectedIndex)},
    options);
  for (const {element} of panels) element.dataset.alternative = "";
  choose(0);
  return el("div", {className: "toolbar"}, select);
}

// Every timeline created is added to `views`.
export function timelineSection(views: TimelineView[]): MakeSection {
  return (report) => {
    const bases =
      report.timelines.items("/timelines").filter((base) => hasBlocks(report, base));
    if (bases.length === 0) return null;
    const panels = bases.map((base, i) => panelOf(report, base, i));
    views.push(...panels.map((panel) => panel.view));
    const choice = choiceOf(report, bases, panels);
    const content = [choice, panels.map((panel) => panel.element)];
    return {id: "timeline", title: "Timeline", content};
  };
}
