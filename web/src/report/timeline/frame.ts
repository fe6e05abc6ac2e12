// Frame of a timeline: time axis, slider, zooming and panning.
import type {Palette} from "../../shared/chart";
import {format} from "../../shared/format";

export const axisHeight = 52;  // The slider and the time labels below it.
export const leastWindow = 20; // ns; captures have no finer resolution.

export interface Frame {
  span: number;                      // ns
  height: number;                    // Of the lanes, px.
  window: [number, number];          // ns
  windowNow: () => [number, number]; // At the time labels are formatted.
}

// As many digits as needed to distinguish adjacent labels.
function timeLabel(ns: number, [from, to]: [number, number]): string {
  if (ns === 0) return format("nanoseconds", 0);
  const units: [number, string][] = [[1e9, "s"], [1e6, "ms"], [1e3, "us"]];
  const [unit, name] = units.find(([each]) => to - from >= each) ?? units[2]!;
  const behind = Math.max(0, Math.ceil(-Math.log10((to - from) / unit / 10)));
  return `${(ns / unit).toFixed(Math.min(6, behind))} ${name}`;
}

function slider(colours: Palette) {
  return {
    type: "slider",
    top: 2,
    height: 16,
    left: 8,
    right: 8,
    showDataShadow: false,
    brushSelect: false,
    showDetail: false,
    moveHandleSize: 0,
    borderColor: colours.line,
    backgroundColor: "transparent",
    fillerColor: `${colours.accent}33`,
    handleStyle: {color: colours.raised, borderColor: colours.muted},
  };
}

export function frameOf(frame: Frame, colours: Palette) {
  const [startValue, endValue] = frame.window;
  const zoom = {filterMode: "none", throttle: 16, startValue, endValue};
  return {
    grid: {left: 0, right: 0, top: axisHeight, bottom: 0, outerBoundsMode: "none"},
    xAxis: {
      type: "value",
      min: 0,
      max: frame.span,
      position: "top",
      axisLine: {show: false},
      axisTick: {show: false},
      axisLabel: {
        color: colours.muted,
        fontSize: 11,
        hideOverlap: true,
        formatter: (ns: number) => timeLabel(ns, frame.windowNow()),
        showMinLabel: false,
        showMaxLabel: false,
      },
      splitLine: {lineStyle: {color: colours.line}},
    },
    yAxis: {type: "value", inverse: true, min: 0, max: frame.height, show: false},
    dataZoom: [
      {type: "inside", minValueSpan: Math.min(leastWindow, frame.span), ...zoom},
      {...slider(colours), ...zoom},
    ],
  };
}

// The wheel zooms, unless the page was being scrolled when the pointer got here, or the
// view is already zoomed out completely.
export function leaveScrollingAlone(element: HTMLElement, isWhole: () => boolean): void {
  let scrolled = -Infinity;
  addEventListener("scroll", () => (scrolled = performance.now()), {passive: true});
  const decide = (event: WheelEvent) => {
    const isScrolling = performance.now() - scrolled < 250;
    if (isScrolling || (event.deltaY > 0 && isWhole())) event.stopPropagation();
  };
  element.addEventListener("wheel", decide, {capture: true, passive: true});
}
