// What is shown, as the part of the address behind "#", so that it can be passed on:
//   #filter=demo&sort=-end_to_end    the list, filtered, the slowest first
//   #side=a,sweep%2F0          two runs side by side

export interface ViewState {
  filter: string;
  sort: string;   // A column; "-" before it: from large to small.
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
    return text; // Typed by hand: a "%" that is none.
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
