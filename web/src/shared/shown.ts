// A JSON document, and elements that show its values with their pointers.
import {el} from "./dom";
import {format, isNumberFormat, type FormatName} from "./format";
import {child, resolve} from "./pointer";

export interface ShowOptions {
  tag?: "span"|"bdi"|"code"|"pre"|"strong"|"option";
  className?: string;
}

export class Shown {
  // `block`: name of the JSON block in the page, unless it is the main one.
  constructor(readonly root: unknown, private readonly block?: string) {}

  at(pointer: string): unknown {
    return resolve(this.root, pointer);
  }

  number(pointer: string): number|null {
    const value = this.at(pointer);
    return typeof value === "number" ? value : null;
  }

  text(pointer: string): string {
    const value = this.at(pointer);
    return typeof value === "string" ? value : "";
  }

  // Pointers to the elements of a list; empty if it is missing.
  items(pointer: string): string[] {
    const value = this.at(pointer);
    return Array.isArray(value) ? value.map((_, i) => child(pointer, i)) : [];
  }

  // The value, formatted for people. Texts are isolated: right-to-left text must not
  // affect its surroundings.
  show(pointer: string, name: FormatName, options: ShowOptions = {}): HTMLElement {
    const text = format(name, this.at(pointer));
    const tag = options.tag ?? (isNumberFormat(name) ? "span" : "bdi");
    const element = el(
      tag,
      {className: options.className ?? "", "data-path": pointer, "data-format": name},
      text);
    if (this.block) element.dataset.block = this.block;
    return element;
  }

  // Quotient of two values, which is not in the document itself.
  quotient(above: string, below: string, name: FormatName): HTMLElement {
    return el(
      "span", {
        "data-derived": "quotient",
        "data-of": `${above} ${below}`,
        "data-format": name,
      },
      format(name, this.quotientOf(above, below)));
  }

  quotientOf(above: string, below: string): number|null {
    const [a, b] = [this.number(above), this.number(below)];
    return a !== null && b !== null && b > 0 ? a / b : null;
  }
}

// A text with digits that are not a value of a document; `word` describes them.
export function derived(word: string, text: string, className = ""): HTMLElement {
  return el("span", {className, "data-derived": word}, text);
}
