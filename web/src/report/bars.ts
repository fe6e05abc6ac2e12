// Shared by all horizontal bar charts.
import type {Palette} from "../shared/chart";
import {format, type FormatName} from "../shared/format";
import type {Shown} from "../shared/shown";

export interface Bars {
  labels: string[];
  format: FormatName; // For the bar lengths.
  max?: number|"dataMax";
  hasLegend?: boolean;
  hasLabels?: boolean;
}

export function barFrame(colours: Palette, bars: Bars) {
  const top = bars.hasLegend ? 30 : 4;
  return {
    grid: {left: 4, right: 16, top, bottom: 4, outerBoundsMode: "same" as const},
    xAxis: {
      type: "value",
      max: bars.max,
      splitNumber: 4,
      splitLine: {lineStyle: {color: colours.line}},
      axisLabel: {
        color: colours.muted,
        fontSize: 11,
        hideOverlap: true,
        showMaxLabel: bars.max === undefined, // The data's max, not a round number.
        formatter: (value: number) => (value === 0 ? "0" : format(bars.format, value)),
      },
    },
    yAxis: {
      type: "category",
      inverse: true,
      data: bars.labels,
      axisTick: {show: false},
      axisLine: {show: false},
      axisLabel: {show: bars.hasLabels ?? true, color: colours.text},
    },
    ...(bars.hasLegend ? {legend: {...legend(colours), icon: "roundRect"}} : {}),
  };
}

export function legend(colours: Palette) {
  return {
    type: "scroll",
    top: 0,
    left: 0,
    itemWidth: 10,
    itemHeight: 10,
    itemGap: 8,
    textStyle: {color: colours.text},
    pageTextStyle: {color: colours.muted},
  };
}

// A bar for one value; without a measurement it has no length and no pointer.
export function barOf(data: Shown, pointer: string) {
  const value = data.number(pointer);
  return {value: value ?? 0, pointers: [value === null ? null : pointer]};
}

// Adjacent parts of a stack are separated by the background colour.
export function painted(colours: Palette, color: string) {
  return {color, borderColor: colours.surface, borderWidth: 1};
}
