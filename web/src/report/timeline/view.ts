// The drawn timeline: a custom series whose items are slots. Their contents are computed
// whenever ECharts draws a window, so that zooming draws once and only what is visible.
import type {CustomSeriesRenderItemAPI, CustomSeriesRenderItemParams} from "echarts";
import type {ECharts} from "echarts/core";
import {chart, type Palette} from "../../shared/chart";
import {colour} from "../../shared/theme";
import {nameByHash, nameOfKind} from "../colours";
import {plain} from "../plain";
import {blocksToDraw, type Block} from "./detail";
import {axisHeight, frameOf, leastWindow, leaveScrollingAlone} from "./frame";
import type {Timeline} from "./lanes";
import type {Layout, Placed} from "./layout";

export interface Drawn extends Block {
  placed: Placed;
}

export interface ViewOptions {
  name: string;
  timeline: Timeline;
  layout: Layout;
  tooltip: (drawn: Drawn) => HTMLElement;
  onwindow: (from: number, to: number) => void;
}

const pixelsToMerge = 1.5;
const labelWidth = 34;
const spareSlots = 1.5;

// The part of ECharts' option with the current window.
interface Zoomed {
  dataZoom: {startValue: number; endValue: number}[];
}

interface Area {
  x: number;
  y: number;
  width: number;
}

export class TimelineView {
  readonly element: HTMLElement;
  drawn: Drawn[] = [];
  private chart: ECharts|null = null;
  private from = 0;
  private to: number;
  private slots = 0;
  private highlighted: Set<number>|null = null;
  private scale = 1; // Pixels per ns, and the time at the left edge, in the last drawing.
  private left = 0;
  private paints: string[] = []; // By name.
  private outline = "";
  private ink = ""; // For labels on blocks.

  constructor(private readonly options: ViewOptions) {
    this.to = options.timeline.span;
    this.element = chart({
      name: options.name,
      height: options.layout.height + axisHeight,
      renderer: "canvas",
      besides: 130,
      option: (colours) => this.option(colours),
      onmade: (made) => this.listen(made),
    });
    leaveScrollingAlone(this.element, () => this.to - this.from >= options.timeline.span);
  }

  get window(): [number, number] {
    return [this.from, this.to];
  }

  // Around a point of the window (0 to 1); a factor below 1 zooms in.
  zoom(factor: number, around = 0.5): void {
    const middle = this.from + around * (this.to - this.from);
    const least = Math.min(this.options.timeline.span, leastWindow);
    const width = Math.max(least, factor * (this.to - this.from));
    this.show(middle - around * width, middle + (1 - around) * width);
  }

  pan(share: number): void {
    const step = share * (this.to - this.from);
    const {span} = this.options.timeline;
    const allowed = Math.max(-this.from, Math.min(span - this.to, step));
    this.show(this.from + allowed, this.to + allowed);
  }

  show(from: number, to: number): void {
    const {span} = this.options.timeline;
    this.chart?.dispatchAction({
      type: "dataZoom",
      dataZoomIndex: 0,
      startValue: Math.max(0, from),
      endValue: Math.min(span, to)
    });
  }

  // Dims blocks with other names; null: none.
  highlight(needle: string): number {
    const {names} = this.options.timeline;
    const chosen =
      names.flatMap((name, i) => (name.toLowerCase().includes(needle) ? [i] : []));
    this.highlighted = needle === "" ? null : new Set(chosen);
    this.refresh();
    return chosen.length;
  }

  private listen(made: ECharts): void {
    this.chart = made;
    made.on("datazoom", () => {
      const zoom = (made.getOption() as unknown as Zoomed).dataZoom[0]!;
      [this.from, this.to] = [zoom.startValue, zoom.endValue];
      this.options.onwindow(this.from, this.to);
    });
    this.options.onwindow(this.from, this.to);
  }

  private refresh(): void {
    this.chart?.setOption({series: [{id: "blocks"}]});
  }

  // Fills the slots for the window about to be drawn.
  private fill(area: Area, api: CustomSeriesRenderItemAPI): void {
    const scale = (api.size!([this.options.timeline.span, 0]) as number[])[0]! /
      this.options.timeline.span;
    const from = (area.x - api.coord([0, 0])[0]!) / scale;
    const least = pixelsToMerge / scale;
    this.scale = scale;
    this.left = from;
    this.drawn = [];
    for (const placed of this.options.layout.placed) {
      for (const block of blocksToDraw(
             placed.lane, from, from + area.width / scale, least, this.highlighted))
        this.drawn.push({...block, placed});
    }
    if (this.drawn.length > this.slots) requestAnimationFrame(() => this.addSlots());
  }

  private addSlots(): void {
    this.chart?.setOption({series: [{id: "blocks", data: this.emptySlots()}]});
  }

  private emptySlots(): number[][] {
    this.slots = Math.max(this.slots, 512, Math.ceil(this.drawn.length * spareSlots));
    return Array.from({length: this.slots}, () => [0, 0, 0]);
  }

  private paintsOf(): string[] {
    const made = new Map<string, string>();
    const paint = (name: string) => {
      if (!made.has(name)) made.set(name, colour(name));
      return made.get(name)!;
    };
    return this.options.timeline.names.map((name) => {
      const kind = this.options.timeline.kindOf.get(name);
      return paint(kind === undefined ? nameByHash(name) : nameOfKind(kind));
    });
  }

  private option(colours: Palette) {
    const {span} = this.options.timeline;
    this.paints = this.paintsOf();
    this.outline = colours.text;
    this.ink = colour("on-colour");
    const frame = {
      span,
      height: this.options.layout.height,
      window: this.window,
      windowNow: () => this.window,
    };
    return {
      ...frameOf(frame, colours),
      tooltip: {
        trigger: "item",
        formatter: (point: {dataIndex: number}) => {
          const block = this.drawn[point.dataIndex];
          return block ? this.options.tooltip(block) : "";
        }
      },
      series: [{
        id: "blocks",
        type: "custom",
        clip: true,
        emphasis: {disabled: true},
        progressive: 0,
        encode: {x: [0, 2], y: 1},
        data: this.emptySlots(),
        renderItem:
          (params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) =>
            this.block(params, api)
      }],
    };
  }

  private block(params: CustomSeriesRenderItemParams, api: CustomSeriesRenderItemAPI) {
    const area = params.coordSys as unknown as Area;
    // ECharts creates a new context for every drawing.
    if (!params.context.filled) this.fill(area, api);
    params.context.filled = true;
    const block = this.drawn[params.dataIndex];
    if (!block) return null;
    const left = Math.max(area.x - 1, area.x + (block.start - this.left) * this.scale);
    const right =
      Math.min(area.x + area.width + 1, area.x + (block.end - this.left) * this.scale);
    const width = Math.max(0.75, right - left - (right - left > 3 ? 0.5 : 0));
    const dimmed = this.highlighted !== null && !this.highlighted.has(block.name);
    const share = block.busy / Math.max(1, block.end - block.start);
    // Opacity shows how full a block is.
    const opacity = dimmed ? 0.12 : 0.45 + 0.55 * Math.min(1, share);
    const shape = {
      x: left,
      y: area.y + block.placed.top,
      width,
      height: block.placed.height,
      r: width > 6 ? 2 : 0
    };
    const rect = {
      type: "rect" as const,
      shape,
      style: {fill: this.paints[block.name] ?? this.outline, opacity}
    };
    if (width < labelWidth || dimmed) return rect;
    // A group, not a rectangle with a label: slots are reused, and only an element of
    // another type makes ECharts drop the previous label.
    const text = plain(this.options.timeline.names[block.name] ?? "", 60);
    const label = {
      type: "text" as const,
      silent: true,
      x: left + 4,
      y: shape.y + shape.height / 2,
      style: {
        text,
        fill: this.ink,
        opacity: 1,
        width: width - 8,
        overflow: "truncate" as const,
        ellipsis: "",
        verticalAlign: "middle" as const,
        fontSize: block.placed.lane.depth === 0 ? 11 : 10
      }
    };
    return {type: "group" as const, children: [rect, label]};
  }
}
