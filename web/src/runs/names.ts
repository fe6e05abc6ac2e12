// Untrusted names. Whatever they contain becomes text, never markup.
import {el} from "../shared/dom";

// Shows invisible characters, and those that change the text direction, as code points.
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// Truncated by the style sheet, in full in the title.
export function nameOf(text: string): HTMLElement {
  const shown = visible(text);
  return el("bdi", {className: "name", title: shown}, shown);
}
