// Numbers for people, formatted exactly like elsewhere in the program
// (src/base/units.cc).

// Digits after the point, rounding half to even. toFixed rounds half up; otherwise it is
// right.
export function fixed(value: number, behind: number): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const magnitude = Math.abs(value);
  if (magnitude >= 1e21)
    return sign + BigInt(magnitude).toString() +
      (behind > 0 ? "." +
           "0".repeat(behind) :
                    "");
  const rounded = magnitude.toFixed(behind);
  // Scaling preserves an exact half as long as the product is exact: few numbers need all
  // digits.
  if (magnitude < 1e12 && (magnitude * 10 ** behind) % 1 !== 0.5) return sign + rounded;
  const exact = magnitude.toFixed(100);
  const rest = exact.slice(exact.indexOf(".") + 1 + behind);
  const isHalf = /^50*$/.test(rest);
  if (!isHalf) return sign + rounded;
  const cut = exact.slice(0, exact.indexOf(".") + (behind > 0 ? 1 + behind : 0));
  return sign + (Number(cut.at(-1)) % 2 === 0 ? cut : rounded);
}

// Three digits, no exponent: 4.32, 43.2, 432, 1792.
function threeDigits(value: number): string {
  if (value === 0) return "0";
  const before = Math.floor(Math.log10(Math.abs(value))) + 1;
  return fixed(value, before >= 3 ? 0 : before > 0 ? 3 - before : 2);
}

function withPrefix(value: number, prefixes: string, unit: string): string {
  let i = 0;
  while (i + 1 < prefixes.length && value >= 999.5) {
    value /= 1000;
    ++i;
  }
  return `${threeDigits(value)} ${prefixes[i]!.trim()}${unit}`;
}

const metric = " kMGTP";
const spoken = " KMBTQ";

function seconds(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude >= 1) return `${threeDigits(value)} s`;
  if (magnitude >= 1e-3) return `${threeDigits(value * 1e3)} ms`;
  return `${threeDigits(value * 1e6)} us`;
}

function signedBytes(bytes: number): string {
  if (Math.abs(bytes) < 999.5) return `${fixed(bytes, 0)} B`;
  return (bytes < 0 ? "-" : "") + withPrefix(Math.abs(bytes), metric, "B");
}

// One decimal below 10 %, none above.
function percent(value: number): string {
  if (value === 0) return "0 %";
  if (Math.abs(value) < 0.05) return value > 0 ? "< 0.1 %" : "> -0.1 %";
  return `${fixed(value, Math.abs(value) < 9.95 ? 1 : 0)} %`;
}

// "1,234,567"
export function withCommas(value: number): string {
  return BigInt(value).toString().replaceAll(/\B(?=(\d{3})+$)/g, ",");
}

// A sentence with no-break spaces in "22.8 us", "95 % CI" and "+/- 5 %".
function sentence(text: string): string {
  return text
    .replaceAll(/(?<=[\d%]) (?=%|CI\b|[kMGTP]?(?:B|FLOP)\b|(?:[mun]?s)\b)/g, "\u00A0")
    .replaceAll("+/- ", "+/-\u00A0");
}

const measures: Record<string, string> = {
  start_to_start: "from API call start",
  end_to_start: "from API call end",
};

// Three digits, also of small shares.
function precisePercent(value: number): string {
  if (value === 0) return "0 %";
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return `${fixed(value, Math.min(Math.max(2 - magnitude, 0), 9))} %`;
}

const ofNumbers = {
  whole: (value: number) => (Number.isInteger(value) ? withCommas(value) : String(value)),
  id: (value: number) =>
    String(value), // Of a job, a rank, a launch; values of parameters.
  ratio: threeDigits,
  factor: (value: number) => `${threeDigits(value)}x`,
  percent: (share: number) => percent(100 * share),
  hundredths: percent,
  precise_percent: (share: number) => precisePercent(100 * share),
  precise_hundredths: precisePercent,
  seconds,
  nanoseconds: (ns: number) => seconds(ns * 1e-9),
  flops: (value: number) => withPrefix(value, metric, "FLOP"),
  bytes: (value: number) => withPrefix(value, metric, "B"),
  flops_per_s: (value: number) => withPrefix(value, metric, "FLOP/s"),
  bytes_per_s: (value: number) => withPrefix(value, metric, "B/s"),
  parameters: (value: number) => withPrefix(value, spoken, "").trim(),
  signed_bytes: signedBytes,
} as const;

// Quoted for a shell if necessary.
function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const notCompared = "output not compared with a reference";

const ofAnything = {
  text: (value: unknown) => String(value),
  words: (value: unknown) => String(value).replaceAll("_", " "),
  hyphens: (value: unknown) => String(value).replaceAll("_", "-"),
  sentence: (value: unknown) => sentence(String(value)),
  launch_measure: (value: unknown) =>
    (Object.hasOwn(measures, String(value)) ? measures[String(value)]! : String(value)),
  first_segment: (value: unknown) => String(value).split("/")[0]!,
  last_segment: (value: unknown) => String(value).split("/").at(-1)!,
  shell_word: (value: unknown) => shellWord(String(value)),
  yes_no: (value: unknown) => (value ? "yes" : "no"),
  parity: (value: unknown) =>
    (value === "not_checked" ? notCompared : `parity ${String(value)}`),
  completeness: (value: unknown) => (value ? "complete" : "not complete"),
} as const;

export type NumberFormat = keyof typeof ofNumbers;
export type FormatName = NumberFormat|keyof typeof ofAnything;

// Values that were not measured are empty, as in the tables of report.md.
export function format(name: FormatName, value: unknown): string {
  if (value === null || value === undefined) return name === "parity" ? notCompared : "";
  if (!(name in ofNumbers)) return ofAnything[name as keyof typeof ofAnything](value);
  return typeof value === "number" ? ofNumbers[name as NumberFormat](value) :
                                     String(value);
}

export function isNumberFormat(name: FormatName): boolean {
  return name in ofNumbers;
}
