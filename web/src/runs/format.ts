// Numbers as in reports; unknown values are question marks.
import {format, type FormatName} from "../shared/format";

type Maybe = number|null|undefined;

function printed(name: FormatName, value: Maybe): string {
  return value === null || value === undefined ? "?" : format(name, value);
}

export const seconds = (value: Maybe) => printed("seconds", value);
export const ratio = (value: Maybe) => printed("ratio", value);
export const share = (value: Maybe) => printed("percent", value);

// "15.7 to 16.6 ms": the unit only once if it is the same.
export function interval([low, high]: [number, number]): string {
  const [from, to] = [seconds(low), seconds(high)];
  const unit = from.slice(from.indexOf(" "));
  return `${to.endsWith(unit) ? from.slice(0, -unit.length) : from} to ${to}`;
}

// "2026-11-16T12:17:43.485+00:00" -> "2026-11-16 12:17:43": local time of the machine of
// the run; the title shows its offset.
export function moment(text: string|null|undefined): string {
  if (!text) return "?";
  return text.replace("T", " ").replace(/(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/, "");
}
