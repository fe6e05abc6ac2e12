// Light or dark: like the system, unless the user chooses otherwise.
import {button} from "./dom";

export type Theme = "light"|"dark";

const key = "ridgeline-theme";
const dark = matchMedia("(prefers-color-scheme: dark)");
const listeners: (() => void)[] = [];

// file:// pages may be denied storage; the choice then lasts as long as the page.
function stored(): string|null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(theme: Theme): void {
  try {
    sessionStorage.setItem(key, theme);
  } catch {
    // Harmless: the choice is only lost for the next page.
  }
}

export function theme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return dark.matches ? "dark" : "light";
}

export function setTheme(chosen: Theme|null): void {
  if (chosen)
    document.documentElement.dataset.theme = chosen;
  else
    delete document.documentElement.dataset.theme;
  for (const listener of listeners) listener();
}

export function onThemeChange(listener: () => void): void {
  listeners.push(listener);
}

export function startTheme(): void {
  const chosen = stored();
  if (chosen === "light" || chosen === "dark")
    document.documentElement.dataset.theme = chosen;
  dark.addEventListener("change", () => listeners.forEach((listener) => listener()));
}

export function themeButton(): HTMLButtonElement {
  return button("Dark or light", "\u25D0", () => {
    const chosen = theme() === "dark" ? "light" : "dark";
    store(chosen);
    setTheme(chosen);
  }, "button icon theme-button");
}

// A colour of the style sheet, for drawing on a canvas.
export function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
