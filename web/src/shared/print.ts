// Printing: light theme, everything expanded, every chart drawn at the width of the
// sheet.
import {renderAll, resizeAll} from "./chart";
import {setTheme} from "./theme";

const sheetWidth = 650; // A4 without its margins and those of a panel, in CSS px.

export function preparePrinting(): void {
  let restore: (() => void)|null = null;
  const begin = () => {
    if (restore) return;
    const chosen = document.documentElement.dataset.theme;
    const closed =
      [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    const hidden =
      [...document.querySelectorAll<HTMLElement>("[data-alternative][hidden]")];
    for (const details of closed) details.open = true;
    for (const alternative of hidden) alternative.hidden = false;
    setTheme("light");
    renderAll();
    resizeAll(sheetWidth);
    restore = () => {
      for (const details of closed) details.open = false;
      for (const alternative of hidden) alternative.hidden = true;
      setTheme(chosen === "light" || chosen === "dark" ? chosen : null);
      resizeAll();
    };
  };
  const end = () => {
    restore?.();
    restore = null;
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  matchMedia("print").addEventListener(
    "change", (event) => (event.matches ? begin() : end()));
}
