// Copying, including on file:// pages, where browsers may lack navigator.clipboard.
import {button} from "./dom";

function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

export function copyButton(
  title: string, text: () => string, label = "Copy"): HTMLButtonElement {
  const made = button(title, label, async () => {
    made.textContent = (await copyText(text())) ? "Copied" : "Not copied";
    setTimeout(() => (made.textContent = label), 1500);
  });
  made.classList.add("copy");
  return made;
}
