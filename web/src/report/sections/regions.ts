// One tree of regions per source.
import {copyButton} from "../../shared/clipboard";
import {button, el} from "../../shared/dom";
import {derived} from "../../shared/shown";
import {dataCell, filterBox, largestOf, tsvLine, usedColumns, valueOf, type Column} from "../../shared/table";
import {bySource, type MakeSection, type Report} from "../report";

interface Node {
  row: string;
  path: string;
  parent: Node|null;
  children: Node[];
  depth: number;
  open: boolean;
  element?: HTMLTableRowElement;
}

// The parent of a region is the nearest measured one around it.
function treeOf({data}: Report, rows: string[]): Node[] {
  const byPath = new Map<string, Node>();
  const nodes = rows.map((row): Node => ({
                           row,
                           path: data.text(`${row}/path`),
                           parent: null,
                           children: [],
                           depth: 0,
                           open: true
                         }));
  for (const node of nodes)
    if (!byPath.has(node.path)) byPath.set(node.path, node);
  for (const node of nodes) {
    for (let cut = node.path.lastIndexOf("/"); cut > 0 && !node.parent;
         cut = node.path.lastIndexOf("/", cut - 1)) {
      node.parent = byPath.get(node.path.slice(0, cut)) ?? null;
    }
    node.parent?.children.push(node);
  }
  const ordered: Node[] = [];
  const visit = (node: Node, depth: number) => {
    node.depth = depth;
    ordered.push(node);
    for (const inner of node.children) visit(inner, depth + 1);
  };
  for (const node of nodes)
    if (!node.parent) visit(node, 0);
  return ordered;
}

function refresh(nodes: Node[], needle: string): number {
  const matching = new Set<Node>();
  let count = 0;
  for (const node of nodes) {
    if (!node.path.toLowerCase().includes(needle)) continue;
    ++count;
    for (let each: Node|null = node; each; each = each.parent) matching.add(each);
  }
  for (const node of nodes) {
    let hidden = !matching.has(node);
    // Matches inside collapsed regions are shown, too.
    for (let each = node.parent; each && needle === ""; each = each.parent)
      hidden ||= !each.open;
    node.element!.hidden = hidden;
    const twist = node.element!.querySelector<HTMLElement>(".twist");
    twist?.setAttribute("aria-expanded", String(node.open));
  }
  return count;
}

function columnsOf({data}: Report): Column[] {
  const gapShare = (row: string) =>
    data.quotient(`${row}/gpu_idle_s`, `${row}/gpu_span_s`, "percent");
  const ofOne =
    "GPU span (start of the first to end of the last GPU activity launched in the instance), or the duration on the CPU if it launched none";
  return [
    {title: "Instances", key: "instances", format: "whole"},
    {
      title: "Duration (CPU)",
      key: "cpu_s",
      format: "seconds",
      bar: "column",
      hint: "Inclusive time from start to end"
    },
    {
      title: "Launches",
      key: "launches",
      format: "whole",
      optional: true,
      hint: "Kernels and graphs"
    },
    {
      title: "GPU time",
      key: "gpu_s",
      format: "seconds",
      bar: "column",
      optional: true,
      hint: "Inclusive time of kernels and graphs launched inside, without copies"
    },
    {
      title: "GPU self",
      key: "gpu_exclusive_s",
      format: "seconds",
      optional: true,
      hint: "Without nested regions"
    },
    {title: "GPU idle", key: "gpu_idle_s", format: "seconds", optional: true},
    {
      title: "Idle share",
      key: "gpu_idle_s",
      format: "percent",
      optional: true,
      cell: gapShare,
      value: (row) => data.quotientOf(`${row}/gpu_idle_s`, `${row}/gpu_span_s`),
      hint: "Gaps divided by the GPU span"
    },
    {
      title: "Median each",
      key: "per_instance/median_s",
      format: "seconds",
      optional: true,
      hint: ofOne
    },
    {
      title: "p99 each",
      key: "per_instance/p99_s",
      format: "seconds",
      optional: true,
      hint: ofOne
    },
    {title: "Copied", key: "memcpy_bytes", format: "bytes", optional: true},
    {
      title: "Operators",
      key: "operators",
      format: "whole",
      optional: true,
      hint: "Calls"
    },
    {
      title: "Self (CPU)",
      key: "cpu_self_s",
      format: "seconds",
      optional: true,
      hint: "Without nested regions"
    },
    {
      title: "FLOPs",
      key: "flops",
      format: "flops",
      optional: true,
      hint: "Of the operators in it, from their shapes"
    },
    {
      title: "FLOP/s",
      key: "flops_per_s",
      format: "flops_per_s",
      optional: true,
      hint:
        "FLOPs divided by GPU time, or by the duration on the CPU in traces without kernels"
    },
    {title: "MFU", key: "mfu", format: "percent", optional: true},
    {
      title: "Executed FLOP/s",
      key: "roofline/flops_per_s",
      format: "flops_per_s",
      optional: true,
      hint: "Closed-form executed FLOPs divided by the time of the region"
    },
    {
      title: "Bytes/s",
      key: "roofline/bytes_per_s",
      format: "bytes_per_s",
      optional: true,
      hint: "Compulsory bytes divided by the time of the region"
    },
    {
      title: "vs roofline",
      key: "roofline/roofline_slowdown",
      format: "factor",
      optional: true,
      hint: "Roofline times use useful FLOPs, without padding and masked ones"
    },
  ];
}

// Why regions of a PyTorch trace have no MFU.
function mfuNote({data}: Report, rows: string[]): HTMLElement|null {
  const known = (key: string) =>
    rows.some((row) => (data.at(`${row}/${key}`) ?? null) !== null);
  const isTrace = rows.some((row) => data.at(`${row}/kind`) === "annotation");
  if (!isTrace || known("mfu")) return null;
  return el(
    "p", {className: "note"},
    known("flops") ?
      "MFU of regions not measured: it needs GPU kernels and the peak FLOP/s of their device." :
      "FLOPs and MFU of regions not measured: set pipeline.torch_profiler.record_shapes=true");
}

function twistOf(node: Node, change: () => void): HTMLElement {
  if (node.children.length === 0) return el("span", {className: "no-twist"});
  const turn = () => {
    node.open = !node.open;
    change();
  };
  return button("Expand or collapse", "", turn, "twist");
}

function nameCell({data}: Report, node: Node, change: () => void): HTMLTableCellElement {
  // Below a visible parent, the last component of the path is enough.
  const isNextBelow =
    node.parent !== null && node.path.lastIndexOf("/") === node.parent.path.length;
  // Most are push/pop ranges or annotations; only other kinds get a tag.
  const isUsual =
    ["push_pop", "annotation"].includes(String(data.at(`${node.row}/kind`)));
  const cell = el(
    "td", {className: "text tree-name", title: node.path}, twistOf(node, change),
    data.show(`${node.row}/path`, isNextBelow ? "last_segment" : "text"),
    !isUsual && el("span", {className: "tag"}, data.show(`${node.row}/kind`, "words")));
  cell.style.setProperty("--depth", String(node.depth));
  return cell;
}

function asTsv({data}: Report, columns: Column[], nodes: Node[]): string {
  const titles = ["Region", "Kind", ...columns.map((column) => column.title)];
  const shown = nodes.filter((node) => !node.element!.hidden);
  const lines = shown.map(
    (node) =>
      [node.path,
       data.text(`${node.row}/kind`),
       ...columns.map((column) => valueOf(data, column, node.row)),
  ]);
  return [titles, ...lines].map((line) => tsvLine(line) + "\n").join("");
}

function treeTable(report: Report, rows: string[], index: number): HTMLElement {
  const {data} = report;
  const name = `regions ${index}`;
  const columns = usedColumns(data, rows, columnsOf(report));
  const nodes = treeOf(report, rows);
  const few = nodes.length <= 60;
  for (const node of nodes) node.open = few || node.depth < 1;
  let needle = "";
  const count = derived("count", `${rows.length} regions`, "count");
  const change = () => {
    const shown = refresh(nodes, needle);
    count.textContent =
      needle === "" ? `${rows.length} regions` : `${shown} of ${rows.length}`;
  };
  const largest =
    columns.map((column) => (column.bar ? largestOf(data, rows, column.key) : 0));
  for (const node of nodes) {
    node.element = el(
      "tr", {}, nameCell(report, node, change),
      columns.map(
        (column, i) =>
          dataCell({name, data, rows, columns}, column, node.row, largest[i]!)));
  }
  change();
  const all = (open: boolean) => () => {
    for (const node of nodes) node.open = open;
    change();
  };
  return el(
    "div", {className: "table", "data-table": name},
    el(
      "div", {className: "toolbar"},
      filterBox(
        "regions",
        (text) => {
          needle = text;
          change();
        }),
      count, el("span", {className: "spring"}),
      button("Expand all regions", "Expand all", all(true)),
      button("Collapse all regions", "Collapse all", all(false)),
      copyButton(
        "Copy the regions as tab-separated values", () => asTsv(report, columns, nodes))),
    el(
      "div", {className: "scroll", tabIndex: 0, role: "region", "aria-label": "regions"},
      el(
        "table", {},
        el(
          "thead", {},
          el(
            "tr", {}, el("th", {className: "text", scope: "col"}, "Region"),
            columns.map(
              (column) => el(
                "th", {
                  scope: "col",
                  className: column.format === "words" ? "text" : "number",
                  title: column.hint ?? ""
                },
                column.title)))),
        el("tbody", {}, nodes.map((node) => node.element!)))));
}

export const regions: MakeSection = (report) => {
  const rows = report.data.items("/regions");
  if (rows.length === 0) return null;
  const groups = [...bySource(report.data, rows).values()];
  return {
    id: "regions",
    title: "Regions",
    content: [
      el(
        "p", {className: "lead"},
        "Times of a region include nested ones; self times do not."),
      groups.map(
        (group, i) =>
          [el("h3", {}, report.data.show(`${group[0]!}/source`, "text")),
           treeTable(report, group, i), mfuNote(report, group)])
    ]
  };
};
