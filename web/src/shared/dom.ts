// DOM elements. Data become text only through text nodes, never through markup: names in
// a profile are untrusted.

export type Child = Node|string|null|undefined|false|Child[];

type Properties = Record<string, unknown>;

// Names with a dash and `role` are set as attributes; everything else is a property.
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag, properties: Properties = {},
  ...children: Child[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.includes("-") || name === "role") {
      element.setAttribute(name, String(value));
    } else {
      (element as unknown as Properties)[name] = value;
    }
  }
  append(element, children);
  return element;
}

export function append(parent: Node, children: Child): void {
  if (Array.isArray(children)) {
    for (const each of children) append(parent, each);
  } else if (typeof children === "string") {
    parent.appendChild(document.createTextNode(children));
  } else if (children) {
    parent.appendChild(children);
  }
}

export function button(
  title: string, label: Child, onclick: () => void,
  className = "button"): HTMLButtonElement {
  return el(
    "button", {type: "button", className, title, "aria-label": title, onclick}, label);
}

// Scrolls there and highlights it once.
export function pointOut(element: HTMLElement): void {
  for (let each: HTMLElement|null = element; each; each = each.parentElement) {
    if (each instanceof HTMLDetailsElement) each.open = true;
  }
  element.scrollIntoView({block: "center", inline: "nearest"});
  element.classList.remove("pointed-out");
  void element.offsetWidth; // Forces a layout: otherwise the animation would not restart.
  element.classList.add("pointed-out");
}
