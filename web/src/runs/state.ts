// The current view, as the part of the address after "#", so that it can be shared:
//   #filter=demo&sort=-end_to_end    the list, filtered, slowest first
//   #side=a,sweep%2F0          two runs side by side

export interface ViewState {
  filter: string;
  sort: string;   // A column; with "-" in front: descending.
  side: string[]; // Paths of runs; empty: the list.
}

export const firstState: ViewState = {
  filter: "",
  sort: "-started",
  side: []
};

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // Typed by hand: a "%" that is not an escape.
  }
}

export function parseState(hash: string): ViewState {
  const state = {...firstState};
  for (const part of hash.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    const key = part.slice(0, at);
    const value = part.slice(at + 1);
    if (key === "filter") state.filter = decoded(value);
    if (key === "sort") state.sort = decoded(value);
    if (key === "side")
      state.side = value.split(",").filter((path) => path !== "").map(decoded);
  }
  return state;
}

export function printState(state: ViewState): string {
  const parts: string[] = [];
  if (state.side.length > 0)
    parts.push(`side=${state.side.map(encodeURIComponent).join(",")}`);
  if (state.filter !== "") parts.push(`filter=${encodeURIComponent(state.filter)}`);
  if (state.sort !== firstState.sort)
    parts.push(`sort=${encodeURIComponent(state.sort)}`);
  return `#${parts.join("&")}`;
}
