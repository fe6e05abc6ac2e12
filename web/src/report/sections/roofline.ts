// Rooflines: achieved FLOP/s under the ceilings of the device.
import {chart, type Palette} from "../../shared/chart";
import {el, type Child} from "../../shared/dom";
import {format} from "../../shared/format";
import {table} from "../../shared/table";
import {legend} from "../bars";
import {ofKind} from "../colours";
import {plain} from "../plain";
import {costedLabel, costedPhase} from "./ledger";
import {tip, type MakeSection, type Report} from "../report";

interface Ceilings {
  from: number; // FLOP/byte at the left and right end of the chart.
  to: number;
  top: number; // The highest compute ceiling, where the slopes end; 0: unknown.
}

const symbols: Record<string, string> = {
  phase: "circle",
  region: "diamond",
  kernel: "triangle"
};

function positive(report: Report, rows: string[], key: string): number[] {
  return rows.map((row) => report.data.number(`${row}/${key}`) ?? 0)
    .filter((value) => value > 0);
}

function ceilingsOf(report: Report, entry: string): Ceilings {
  const {data} = report;
  const intensities = positive(report, data.items(`${entry}/points`), "flops_per_byte");
  const tops = positive(report, data.items(`${entry}/compute`), "flops_per_s");
  const bandwidths = positive(report, data.items(`${entry}/memory`), "bytes_per_s");
  const top = Math.max(0, ...tops);
  // The chart includes the ridge points.
  const ridges = tops.flatMap((flops) => bandwidths.map((bytes) => flops / bytes));
  const all = [...intensities, ...ridges];
  return {
    from: 10 ** Math.floor(Math.log10(Math.min(1, ...all) / 2)),
    to: 10 ** Math.ceil(Math.log10(Math.max(10, ...all) * 2)),
    top
  };
}

function ceilingSeries(
  report: Report, entry: string, ceilings: Ceilings, colours: Palette) {
  const {data} = report;
  const line = (name: string, marks: object[], type: string) => ({
    type: "line",
    name,
    silent: true,
    symbol: "none",
    z: 1,
    data: marks,
    lineStyle: {color: colours.muted, width: 1.5, type},
    endLabel: {
      show: true,
      color: colours.muted,
      fontSize: 11,
      formatter: name,
      offset: [-6, -9],
      align: "right"
    }
  });
  const fastest =
    Math.max(0, ...positive(report, data.items(`${entry}/memory`), "bytes_per_s"));
  const slopes = data.items(`${entry}/memory`).map((row) => {
    const bytes = data.number(`${row}/bytes_per_s`) ?? 0;
    const end =
      ceilings.top > 0 ? Math.min(ceilings.to, ceilings.top / bytes) : ceilings.to;
    const made = line(
      `${plain(data.text(`${row}/name`), 16)} ${format("bytes_per_s", bytes)}`,
      [
        {value: [ceilings.from, ceilings.from * bytes], pointers: [null, null]},
        {value: [end, end * bytes], pointers: [null, null]}
      ],
      "solid");
    return {...made, endLabel: {...made.endLabel, offset: [-16, -8]}};
  });
  const flats = data.items(`${entry}/compute`).map((row) => {
    const flops = data.number(`${row}/flops_per_s`) ?? 0;
    const begin = fastest > 0 ? Math.max(ceilings.from, flops / fastest) : ceilings.from;
    return line(
      `${plain(data.text(`${row}/name`), 16)} ${format("flops_per_s", flops)}`,
      [begin, ceilings.to].map(
        (x) => ({value: [x, flops], pointers: [null, `${row}/flops_per_s`]})),
      "dashed");
  });
  return [...slopes, ...flats];
}

function pointSeries(report: Report, entry: string, colours: Palette) {
  const {data} = report;
  const rows = data.items(`${entry}/points`)
                 .filter(
                   (row) => (data.number(`${row}/flops_per_byte`) ?? 0) > 0 &&
                     (data.number(`${row}/flops_per_s`) ?? 0) > 0);
  const kinds = [...new Set(rows.map((row) => data.text(`${row}/kind`)))];
  return kinds.map(
    (kind) => ({
      type: "scatter",
      name: plain(kind, 24),
      symbol: Object.hasOwn(symbols, kind) ? symbols[kind] : "rect",
      symbolSize: kind === "phase" ? 13 : 9,
      z: kind === "phase" ? 4 : 3,
      itemStyle: {
        color: ofKind(kind),
        borderColor: colours.surface,
        borderWidth: 1,
        opacity: 0.92
      },
      label: {
        show: kind === "phase",
        position: "right",
        color: colours.text,
        fontSize: 11,
        formatter: (point: {data: {row: string}}) => costedLabel(report, point.data.row)
      },
      labelLayout: {moveOverlap: "shiftY", hideOverlap: true},
      data:
        rows.filter((row) => data.text(`${row}/kind`) === kind)
          .map(
            (row) => ({
              value:
                [data.number(`${row}/flops_per_byte`), data.number(`${row}/flops_per_s`)],
              pointers: [`${row}/flops_per_byte`, `${row}/flops_per_s`],
              row
            })),
    }));
}

// Phases of the model exclude vision from prefill; other points have their own names.
function isPhase({data}: Report, row: string): boolean {
  return data.text(`${row}/kind`) === "phase";
}

function pointName(report: Report, row: string): Child {
  return isPhase(report, row) ? costedPhase(report, row) :
                                report.data.show(`${row}/name`, "text");
}

function pointTip(report: Report, row: string): HTMLElement {
  const {data} = report;
  const optional =
    (name: string, key: string, how: "percent"|"seconds"|"text"): [string, Child][] =>
      data.at(`${row}/${key}`) == null ? [] : [[name, data.show(`${row}/${key}`, how)]];
  return tip(pointName(report, row), [
    ["arithmetic intensity", [data.show(`${row}/flops_per_byte`, "ratio"), " FLOP/byte"]],
    [
      isPhase(report, row) || data.text(`${row}/kind`) === "region" ?
        "achieved (useful FLOPs)" :
        "achieved",
      data.show(`${row}/flops_per_s`, "flops_per_s")
    ],
    ...optional("of roofline", "roofline_fraction", "percent"),
    ...optional("time", "time_s", "seconds"), ...optional("level", "level", "text"),
    ...optional("precision", "precision", "text")
  ]);
}

function option(report: Report, entry: string, colours: Palette) {
  const ceilings = ceilingsOf(report, entry);
  const axis = (name: string, how: "ratio"|"flops_per_s") => ({
    type: "log",
    name,
    nameLocation: "middle",
    nameTextStyle: {color: colours.muted},
    axisLabel: {
      color: colours.muted,
      fontSize: 11,
      hideOverlap: true,
      formatter: (value: number) => format(how, value)
    },
    axisLine: {show: true, lineStyle: {color: colours.line}},
    splitLine: {lineStyle: {color: colours.line, opacity: 0.7}}
  });
  const marks = pointSeries(report, entry, colours);
  return {
    grid: {left: 8, right: 16, top: 34, bottom: 8, outerBoundsMode: "same" as const},
    legend: {...legend(colours), data: marks.map((series) => series.name)},
    xAxis: {
      ...axis("arithmetic intensity, FLOP/byte", "ratio"),
      min: ceilings.from,
      max: ceilings.to,
      nameGap: 26
    },
    yAxis: {...axis("", "flops_per_s")},
    tooltip: {
      trigger: "item",
      formatter: (point: {data: {row?: string}}) =>
        (point.data.row ? pointTip(report, point.data.row) : "")
    },
    series: [...ceilingSeries(report, entry, ceilings, colours), ...marks],
  };
}

export const roofline: MakeSection = (report) => {
  const {data} = report;
  const entries = data.items("/roofline")
                    .filter(
                      (entry) => data.items(`${entry}/points`).length +
                          data.items(`${entry}/compute`).length >
                        0);
  if (entries.length === 0) return null;
  return {
    id: "roofline",
    title: "Roofline",
    content: entries.map((entry, i) => {
      const rows = data.items(`${entry}/points`);
      return [
        el(
          "figure", {className: "panel"},
          el(
            "figcaption", {}, data.show(`${entry}/source`, "text"),
            data.text(`${entry}/device`) &&
              el("span", {className: "tag"}, data.show(`${entry}/device`, "text"))),
          chart({
            name: `roofline ${i}`,
            height: 380,
            option: (colours) => option(report, entry, colours)
          })),
        rows.length > 0 && table({
          name: `roofline points ${i}`,
          data,
          rows,
          columns: [
            {
              title: "Point",
              key: "name",
              format: "text",
              cell: (row) => pointName(report, row)
            },
            {title: "Kind", key: "kind", format: "words"},
            {title: "Level", key: "level", format: "text", optional: true},
            {title: "Precision", key: "precision", format: "text", optional: true},
            {title: "FLOP/byte", key: "flops_per_byte", format: "ratio"},
            {
              title: "FLOP/s",
              key: "flops_per_s",
              format: "flops_per_s",
              hint:
                "Of phases and regions: useful FLOPs, without padding and masked ones, as FLOP/byte"
            },
            {
              title: "Of roofline",
              key: "roofline_fraction",
              format: "percent",
              bar: "share"
            },
            {title: "Time", key: "time_s", format: "seconds", optional: true},
          ]
        }),
      ];
    })
  };
};
