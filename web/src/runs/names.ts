// Names of somebody else's. Whatever they hold becomes text, never markup.
import {el} from "../shared/dom";

// Characters that nobody sees, or that turn round what is beside them, by their numbers.
function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

// Cut by the style sheet, whole in its title.
export function nameOf(text: string): HTMLElement {
  const shown = visible(text);
  return el("bdi", {className: "name", title: shown}, shown);
}
