// The table used on all pages: sortable by clicking a heading, filterable, copyable.
import {copyButton} from "./clipboard";
import {el, type Child} from "./dom";
import {isNumberFormat, type FormatName} from "./format";
import {derived, type Shown} from "./shown";

export interface Column {
  title: string;
  key: string; // Pointer of the value within a row: "total_s",
               // "roofline/roofline_slowdown"; "": the row itself.
  format: FormatName;
  bar?: "share"|"percent"|"column"; // Relative to 1, 100, or the column's max.
  optional?: boolean;               // Omitted if all rows are empty or 0.
  cell?: (row: string) => Child;    // Shown instead of the plain value.
  value?: (row: string) =>
    unknown; // For sorting, filtering and copying, if not that of the key.
  hint?: string;
  label?: () => Child; // The heading, if it is a value of the document.
}

export interface TableOptions {
  name: string; // For screen readers and tests.
  data: Shown;
  rows: string[]; // Pointers.
  columns: Column[];
  tools?: boolean; // Filter and copy button; default: from eight rows on.
  toolbar?: Child;
}

interface Row {
  element: HTMLTableRowElement;
  values: unknown[];
  text: string; // Searched by the filter.
}

export function hasValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== 0 && value !== "";
}

function pointerOf(column: Column, row: string): string {
  return column.key === "" ? row : `${row}/${column.key}`;
}

export function valueOf(data: Shown, column: Column, row: string): unknown {
  return column.value ? column.value(row) : data.at(pointerOf(column, row));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a).toLowerCase(), String(b).toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

// Missing values stay at the end, whatever the direction.
function order(a: unknown, b: unknown, direction: number): number {
  const missing =
    Number(a === null || a === undefined) - Number(b === null || b === undefined);
  return missing !== 0            ? missing :
    a === null || a === undefined ? 0 :
                                    direction * compare(a, b);
}

export function tsvLine(values: unknown[]): string {
  return values.map((value) => String(value ?? "").replaceAll(/[\t\r\n]+/g, " "))
    .join("\t");
}

export function barStyle(cell: HTMLElement, share: number): void {
  cell.classList.add("bar");
  cell.style.setProperty("--share", String(Math.max(0, Math.min(1, share))));
}

export function dataCell(
  options: TableOptions, column: Column, row: string,
  largest: number): HTMLTableCellElement {
  const isNumber = isNumberFormat(column.format);
  const value = valueOf(options.data, column, row);
  const pointer = pointerOf(column, row);
  const own = () =>
    value === undefined ? null : options.data.show(pointer, column.format);
  const content = column.cell ? column.cell(row) : own();
  const cell = el("td", {className: isNumber ? "number" : "text"}, content);
  if (!isNumber && typeof value === "string" && value.length > 24) cell.title = value;
  if (column.bar && typeof value === "number") {
    const whole = {share: 1, percent: 100, column: largest}[column.bar];
    if (whole > 0) barStyle(cell, value / whole);
  }
  return cell;
}

export function largestOf(data: Shown, rows: string[], key: string): number {
  return rows.reduce((most, row) => Math.max(most, data.number(`${row}/${key}`) ?? 0), 0);
}

export function usedColumns(data: Shown, rows: string[], columns: Column[]): Column[] {
  return columns.filter(
    (column) =>
      !column.optional || rows.some((row) => hasValue(valueOf(data, column, row))));
}

function rowOf(
  options: TableOptions, columns: Column[], largest: number[], row: string): Row {
  const values = columns.map((column) => valueOf(options.data, column, row));
  const texts = values.filter((_, i) => !isNumberFormat(columns[i]!.format));
  const cells = columns.map((column, i) => dataCell(options, column, row, largest[i]!));
  const text = texts.map((value) => String(value ?? "")).join("\n").toLowerCase();
  return {element: el("tr", {}, cells), values, text};
}

export function table(options: TableOptions): HTMLElement {
  const {data, rows} = options;
  const columns = usedColumns(data, rows, options.columns);
  const largest = columns.map(
    (column) => (column.bar === "column" ? largestOf(data, rows, column.key) : 0));
  const made = rows.map((row) => rowOf(options, columns, largest, row));
  const body = el("tbody", {}, made.map((row) => row.element));
  const headings = headingsOf(columns, (column, direction) => {
    made.sort((a, b) => order(a.values[column], b.values[column], direction));
    body.append(...made.map((row) => row.element));
  });
  const grid = el(
    "table", {"aria-label": options.name}, el("thead", {}, el("tr", {}, headings)), body);
  const element = el("div", {
    className: columns.length <= 5 ? "table narrow" : "table",
    "data-table": options.name
  });
  if (options.tools ?? rows.length >= 8) element.append(toolbar(options, columns, made));
  element.append(el(
    "div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": options.name},
    grid));
  return element;
}

function headingsOf(
  columns: Column[], sort: (column: number, direction: number) => void): HTMLElement[] {
  const headings = columns.map((column, i) => {
    const press = el(
      "button", {
        type: "button",
        className: "sort",
        title: column.hint ?? `Sort by ${column.title}`
      },
      column.label?.() ?? column.title);
    const heading = el(
      "th", {
        scope: "col",
        className: isNumberFormat(column.format) ? "number" : "text",
        "aria-sort": "none"
      },
      press);
    press.onclick = () => {
      // Users look for the largest number and for the first name.
      const first = isNumberFormat(column.format) ? "descending" : "ascending";
      const second = first === "ascending" ? "descending" : "ascending";
      const next = heading.getAttribute("aria-sort") === first ? second : first;
      for (const each of headings) each.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", next);
      sort(i, next === "ascending" ? 1 : -1);
    };
    return heading;
  });
  return headings;
}

function toolbar(options: TableOptions, columns: Column[], rows: Row[]): HTMLElement {
  const count = derived("count", `${rows.length} rows`, "count");
  let visible = rows;
  const filter = filterBox(options.name, (needle) => {
    visible = rows.filter((row) => row.text.includes(needle));
    const chosen = new Set(visible);
    for (const row of rows) row.element.hidden = !chosen.has(row);
    count.textContent =
      needle === "" ? `${rows.length} rows` : `${visible.length} of ${rows.length}`;
  });
  // The rows in the current order, with all digits.
  const text =
    () => [tsvLine(columns.map((column) => column.title)),
           ...rows.filter((row) => !row.element.hidden).map((row) => tsvLine(row.values))]
            .join("\n") +
    "\n";
  return el(
    "div", {className: "toolbar"}, filter, count, el("span", {className: "spring"}),
    options.toolbar ?? null,
    copyButton(`Copy ${options.name} as tab-separated values`, text));
}

export function filterBox(
  name: string, onchange: (needle: string) => void,
  placeholder = "Filter"): HTMLInputElement {
  const input = el("input", {
    type: "search",
    className: "filter",
    placeholder,
    spellcheck: false,
    "aria-label": `${placeholder} ${name}`
  });
  input.oninput = () => onchange(input.value.trim().toLowerCase());
  return input;
}
