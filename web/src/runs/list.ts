// The list of runs: filter, sort, open, select runs to compare.
import type {RunList, RunSummary} from "./api";
import {reportAddress} from "./api";
import {columns, filtered, sorted} from "./columns";
import {el} from "../shared/dom";
import type {ViewState} from "./state";

export interface ListActions {
  // Called on input; does not redraw the list by itself.
  onChange: (state: ViewState) => void;
  onSideBySide: (paths: string[]) => void;
}

// A click sorts by a column, numbers in descending order; the next one reverses.
function nextSort(sort: string, id: string, isNumber: boolean): string {
  if (sort === id) return `-${id}`;
  if (sort === `-${id}`) return id;
  return isNumber || id === "started" ? `-${id}` : id;
}

export class RunsList {
  readonly element = el("section", {className: "list"});
  private readonly body = el("tbody");
  private readonly headings = el("tr");
  private readonly count = el("span", {className: "quiet", role: "status"});
  private readonly together =
    el("button", {type: "button", className: "primary", id: "side-by-side"});
  private readonly chosen = new Set<string>();

  constructor(
    private readonly list: RunList,
    private state: ViewState,
    private readonly actions: ListActions,
  ) {
    const filter = el("input", {
      type: "search",
      id: "filter",
      placeholder: "Filter by run, workload, state, host, argument",
      "aria-label": "Filter",
      autocomplete: "off",
    });
    filter.value = state.filter;
    filter.addEventListener(
      "input", () => this.change({...this.state, filter: filter.value}));
    this.together.addEventListener("click", () => actions.onSideBySide([...this.chosen]));
    this.element.append(
      el("div", {className: "tools"}, filter, this.together, this.count),
      el(
        "div",
        {className: "scroll"},
        el("table", {className: "runs"}, el("thead", {}, this.headings), this.body),
        ),
    );
    this.draw();
  }

  private change(state: ViewState): void {
    this.state = state;
    this.actions.onChange(state);
    this.draw();
  }

  private draw(): void {
    const shown = sorted(filtered(this.list.runs, this.state.filter), this.state.sort);
    this.drawHeadings();
    this.body.replaceChildren(...shown.map((run) => this.row(run)));
    if (shown.length === 0) this.body.append(this.emptyRow());
    const all = this.list.runs.length;
    this.count.textContent = shown.length === all ?
      `${all} ${all === 1 ? "run" : "runs"}` :
      `${shown.length} of ${all} runs`;
    this.drawTogether();
  }

  private drawTogether(): void {
    const count = this.chosen.size;
    this.together.disabled = count < 2;
    this.together.textContent = count < 2 ? "Side by side" : `Side by side (${count})`;
    this.together.title = count < 2 ? "Select two or more runs" : "";
  }

  private drawHeadings(): void {
    const {sort} = this.state;
    const cells = columns.map((column) => {
      const order = sort === column.id ? "ascending" :
        sort === `-${column.id}` ? "descending" :
                                   null;
      const onclick = () => this.change(
        {...this.state, sort: nextSort(sort, column.id, column.isNumber ?? false)});
      return el(
        "th",
        {
          scope: "col",
          "aria-sort": order,
          className: column.isNumber ? "number" : null,
          "data-column": column.id
        },
        el("button", {type: "button", onclick}, column.title),
      );
    });
    this.headings.replaceChildren(el("th", {className: "choice"}), ...cells);
  }

  private row(run: RunSummary): HTMLElement {
    const choice = el("input", {type: "checkbox", "aria-label": `Select ${run.id}`});
    choice.checked = this.chosen.has(run.path);
    choice.addEventListener("change", () => {
      if (choice.checked)
        this.chosen.add(run.path);
      else
        this.chosen.delete(run.path);
      this.drawTogether();
    });
    const row = el("tr", {}, el("td", {className: "choice"}, el("label", {}, choice)));
    for (const column of columns) {
      row.append(el(
        "td", {className: column.isNumber ? "number" : `column-${column.id}`},
        column.cell(run)));
    }
    const address = reportAddress(run);
    if (address !== null) {
      row.classList.add("opens");
      row.addEventListener("click", (event) => openUnlessUsed(event, address));
    }
    return row;
  }

  private emptyRow(): HTMLElement {
    const text = this.list.runs.length === 0 ?
      `No runs in ${this.list.directory} yet. Start one with ridgeline run.` :
      "No runs match the filter.";
    return el(
      "tr", {},
      el("td", {className: "empty quiet", colSpan: String(columns.length + 1)}, text));
  }
}

// A click on a row opens its report, unless it was meant for something in it, or selected
// text.
function openUnlessUsed(event: Event, address: string): void {
  const target = event.target as Element;
  if (target.closest("a, label, input") !== null) return;
  if (window.getSelection()?.toString()) return;
  window.location.href = address;
}
