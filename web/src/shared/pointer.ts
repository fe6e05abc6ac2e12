// JSON pointers (RFC 6901): pages use them to refer to the values they show.

export function resolve(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of tokens(pointer)) {
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, token))
      return undefined;
    value = (value as Record<string, unknown>)[token];
  }
  return value;
}

export function tokens(pointer: string): string[] {
  if (pointer === "") return [];
  return pointer.slice(1).split("/").map(
    (token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function child(pointer: string, key: string|number): string {
  return `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

// Pointers to all leaves below (neither object nor list), in document order.
export function leaves(value: unknown, pointer: string): string[] {
  if (value === null || typeof value !== "object") return [pointer];
  return Object.entries(value).flatMap(
    ([key, inner]) => leaves(inner, child(pointer, key)));
}
