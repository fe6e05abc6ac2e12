// The same colour for the same kind, everywhere. The colours themselves are in the style
// sheet (--c1 ...), chosen to be distinguishable without red and green.
import {colour} from "../shared/theme";

// There are more kinds than distinguishable colours: similar kinds share one.
const ofKinds = new Map(Object.entries({
  gemm: "c1",
  gemv: "c2",
  attention: "c3",
  convolution: "c4",
  moe: "c4",
  elementwise: "c5",
  rope: "c5",
  norm: "c6",
  softmax: "c6",
  reduction: "c6",
  copy: "c7",
  index: "c9",
  sort: "c9",
  quantization: "c9",
  communication: "c8",
  other: "c0",
  phase: "c3",
  region: "c1",
  kernel: "c5", // Points in a roofline.
}));

const hashed = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"];

function hash(text: string): number {
  let value = 2166136261;
  for (let i = 0; i < text.length; ++i)
    value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}

// Names of colours in the style sheet.
export function nameOfKind(kind: string): string {
  return ofKinds.get(kind) ?? nameByHash(kind);
}

export function nameByHash(text: string): string {
  return hashed[hash(text) % hashed.length]!;
}

export function ofKind(kind: string): string {
  return colour(nameOfKind(kind));
}
