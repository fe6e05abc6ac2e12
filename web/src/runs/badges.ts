// Outcome of a run and its stages, as a word and a colour.
import type {RunSummary, StageSummary} from "./api";
import {el} from "../shared/dom";

const tones = new Map<string, string>([
  ["done", "good"],
  ["parity passed", "good"],
  ["imported", "plain"],
  ["running", "busy"],
  ["pending", "plain"],
  ["skipped", "plain"],
  ["disabled", "plain"],
  ["interrupted", "warn"],
  ["failed", "bad"],
  ["parity failed", "bad"],
  ["broken", "bad"],
]);

function badge(word: string, why: string|null): HTMLElement {
  return el("span", {className: `badge ${tones.get(word) ?? "plain"}`, title: why}, word);
}

export function badgesOf(run: RunSummary): HTMLElement {
  const badges = el("span", {className: "badges"});
  badges.append(
    badge(run.state ?? "broken", run.reason ?? (run.problems.join("\n") || null)));
  if (run.parity !== "not_checked") badges.append(badge(`parity ${run.parity}`, null));
  return badges;
}

export function stageText(stage: StageSummary): string {
  const how = [stage.outcome, stage.reason].filter((text) => text !== null).join(": ");
  return how === "" ? stage.state : `${stage.state} (${how})`;
}

// A small mark for each requested stage.
export function stageMarks(run: RunSummary): HTMLElement {
  const marks = el("span", {className: "stages"});
  for (const stage of run.stages) {
    if (stage.state === "disabled") continue;
    const text = `${stage.name}: ${stageText(stage)}`;
    const tone = tones.get(stage.state) ?? "plain";
    marks.append(el(
      "span", {className: `mark ${tone}`, title: text, role: "img", "aria-label": text}));
  }
  return marks;
}
