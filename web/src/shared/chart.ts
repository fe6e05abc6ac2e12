// Apache ECharts charts: created when they come near the screen, redrawn in the colours
// of the theme, all of them before the page is printed.
import {BarChart, CustomChart, LineChart, ScatterChart} from "echarts/charts";
import {DataZoomComponent, GridComponent, LegendComponent, TooltipComponent} from "echarts/components";
import {LabelLayout} from "echarts/features";
import {init, use, type ECharts, type EChartsCoreOption} from "echarts/core";
import {CanvasRenderer, SVGRenderer} from "echarts/renderers";
import {el} from "./dom";
import {colour, onThemeChange} from "./theme";

use([
  BarChart, CustomChart, LineChart, ScatterChart, DataZoomComponent, GridComponent,
  LabelLayout, LegendComponent, TooltipComponent, CanvasRenderer, SVGRenderer
]);

export interface Palette {
  text: string;
  muted: string;
  line: string;
  surface: string;
  raised: string;
  accent: string;
}

export interface ChartOptions {
  name: string;
  height: number;
  renderer?: "svg"|"canvas"; // SVG prints sharply; a canvas handles thousands of marks.
  option: (palette: Palette) => EChartsCoreOption;
  besides?: number; // Width in pixels of other content next to it in print.
  onmade?: (chart: ECharts) => void;
}

// A mark of a chart with the pointers of its values, if they are values of the document:
// `pointers[i]` belongs to `value[i]`.
export interface Mark {
  value: number|(number|null)[];
  pointers: (string|null)[];
}

export function palette(): Palette {
  return {
    text: colour("text"),
    muted: colour("muted"),
    line: colour("line"),
    surface: colour("surface"),
    raised: colour("raised"),
    accent: colour("accent"),
  };
}

class LazyChart {
  chart: ECharts|null = null;

  constructor(readonly options: ChartOptions, readonly element: HTMLElement) {}

  render(): void {
    if (this.chart || this.element.clientWidth === 0) return;
    this.chart = init(this.element, null, {renderer: this.options.renderer ?? "svg"});
    this.draw();
    this.options.onmade?.(this.chart);
    sizes.observe(this.element);
  }

  draw(): void {
    this.chart?.setOption(withDefaults(this.options.option(palette())), {notMerge: true});
  }

  resize(sheet?: number): void {
    if (!this.chart) return;
    this.chart.resize(
      sheet === undefined ? {width: "auto"} :
                            {width: sheet - (this.options.besides ?? 0)});
  }
}

const charts = new Map<HTMLElement, LazyChart>();

const nearby = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    nearby.unobserve(entry.target);
    charts.get(entry.target as HTMLElement)?.render();
  }
}, {rootMargin: "300px"});

// While printing, the width of the sheet determines that of charts.
let isOnPaper = false;

const sizes = new ResizeObserver((entries) => {
  if (isOnPaper) return;
  for (const entry of entries) {
    const chart = charts.get(entry.target as HTMLElement);
    if (chart?.chart && Math.round(entry.contentRect.width) !== chart.chart.getWidth())
      chart.resize();
  }
});

function withDefaults(option: EChartsCoreOption): EChartsCoreOption {
  const colours = palette();
  return {
    animation: false,
    textStyle: {fontFamily: colour("font"), color: colours.text, fontSize: 12},
    ...option,
    tooltip: {
      confine: true,
      transitionDuration: 0,
      backgroundColor: colours.raised,
      borderColor: colours.line,
      textStyle: {color: colours.text, fontSize: 12},
      extraCssText: "max-width:28rem;white-space:normal",
      ...(option.tooltip as object | undefined),
    },
  };
}

export function chart(options: ChartOptions): HTMLElement {
  const element = el("div", {
    className: "chart",
    role: "img",
    "aria-label": options.name,
    "data-chart": options.name
  });
  element.style.height = `${options.height}px`;
  charts.set(element, new LazyChart(options, element));
  nearby.observe(element);
  return element;
}

export function renderAll(): void {
  for (const each of charts.values()) each.render();
}

// Resizes to the width of a sheet of paper, or back to that of the page.
export function resizeAll(sheet?: number): void {
  isOnPaper = sheet !== undefined;
  for (const each of charts.values()) each.resize(sheet);
}

// The charts drawn so far, by name.
export function drawnCharts(): Record<string, ECharts> {
  const drawn: Record<string, ECharts> = {};
  for (const each of charts.values()) {
    if (each.chart) drawn[each.options.name] = each.chart;
  }
  return drawn;
}

onThemeChange(() => charts.forEach((each) => each.draw()));
