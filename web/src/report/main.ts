// Puts the report together from the blocks of data in its page.
import {drawnCharts, renderAll} from "../shared/chart";
import {append, el} from "../shared/dom";
import {preparePrinting} from "../shared/print";
import {startTheme} from "../shared/theme";
import {readReport, type MakeSection, type Report, type Section} from "./report";
import {advice} from "./sections/advice";
import {devices, host} from "./sections/devices";
import {kernels, operators} from "./sections/kernels";
import {ledger} from "./sections/ledger";
import {memory} from "./sections/memory";
import {ncu} from "./sections/ncu";
import {phases} from "./sections/phases";
import {predictions} from "./sections/predictions";
import {regions} from "./sections/regions";
import {roofline} from "./sections/roofline";
import {commands, configuration, environment, sources, stages} from "./sections/run";
import {header, tiles} from "./sections/verdict";
import {timelineSection} from "./timeline/section";
import type {TimelineView} from "./timeline/view";

const views: TimelineView[] = [];

const makers: MakeSection[] = [
  advice, phases, timelineSection(views), regions, kernels, operators, devices, host,
  roofline, ledger, memory, ncu, predictions, stages, commands, configuration,
  environment, sources
];

function sectionElement(section: Section): HTMLElement {
  return el(
    "section", {id: section.id, "aria-labelledby": `${section.id}-title`},
    el("h2", {id: `${section.id}-title`}, section.title), section.content);
}

function navigation(sections: Section[]): HTMLElement {
  const links = new Map(sections.map(
    (section) =>
      [section.id, el("a", {href: `#${section.id}`}, section.short ?? section.title)]));
  const visible = new Set<string>();
  // The first section on the screen is where the reader is.
  const watch = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (entry.isIntersecting)
        visible.add(entry.target.id);
      else
        visible.delete(entry.target.id);
    }
    const current = sections.find((section) => visible.has(section.id))?.id;
    for (const [id, link] of links) link.classList.toggle("current", id === current);
  }, {rootMargin: "-10% 0px -60% 0px"});
  queueMicrotask(
    () =>
      sections.forEach((section) => watch.observe(document.getElementById(section.id)!)));
  return el(
    "nav", {className: "navigation", "aria-label": "Sections"},
    el("a", {className: "brand", href: "#verdict"}, "Ridgeline"), [...links.values()]);
}

function footer({data}: Report): HTMLElement {
  return el(
    "footer", {}, "Made by Ridgeline ", data.show("/run/ridgeline_version", "text"),
    ". Charts by Apache ECharts (Apache License 2.0).");
}

function build(report: Report): void {
  const sections = makers.flatMap((make) => make(report) ?? []);
  const root = document.getElementById("report")!;
  root.replaceChildren();
  append(root, [
    navigation(sections),
    el(
      "main", {}, header(report), tiles(report), sections.map(sectionElement),
      footer(report))
  ]);
  document.title = `${report.data.text("/run/id") || "Profiles"} \u2013 Ridgeline`;
}

startTheme();
build(readReport());
preparePrinting();

// For tests and for whoever looks into the page.
const handle = {
  ready: true,
  renderAll,
  views,
  get charts() {
    return drawnCharts();
  }
};
Object.assign(window, {ridgeline: handle});
performance.mark("ridgeline-ready");
