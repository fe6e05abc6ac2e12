// Generated text per page.
import {button, el} from "../../shared/dom";
import {counted, type MakeSection, type Report} from "../report";

// Only embedded images; any other address would be loaded.
function pictureOf({data, pictures}: Report, row: string): string|null {
  const key = data.text(`${row}/thumbnail`);
  const address = Object.hasOwn(pictures, key) ? pictures[key] : null;
  return typeof address === "string" && address.startsWith("data:image/") ? address :
                                                                            null;
}

function facts({data}: Report, row: string): HTMLElement {
  return el(
    "p", {className: "muted"}, data.show(`${row}/stage`, "text"),
    data.number(`${row}/generated_tokens`) !== null &&
      [" \u00B7 ", counted(data, `${row}/generated_tokens`, "token", "tokens")],
    data.number(`${row}/boxes`) !== null &&
      [" \u00B7 ", counted(data, `${row}/boxes`, "box", "boxes")],
    data.at(`${row}/text_truncated`) === true && " \u00B7 truncated");
}

function enlarge(report: Report, row: string): void {
  const {data} = report;
  const picture = pictureOf(report, row);
  const dialog = el(
    "dialog", {className: "lightbox"},
    el(
      "div", {className: "lightbox-head"},
      el("strong", {}, data.show(`${row}/image`, "text")),
      el("span", {className: "spring"}), button("Close", "Close", () => dialog.close())),
    facts(report, row),
    el(
      "div", {className: "lightbox-body"},
      picture && el("img", {src: picture, alt: data.text(`${row}/image`)}),
      data.show(`${row}/text`, "text", {tag: "pre"})));
  dialog.onclose = () => dialog.remove();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  document.body.append(dialog);
  dialog.showModal();
}

function card(report: Report, row: string): HTMLElement {
  const {data} = report;
  const picture = pictureOf(report, row);
  return el(
    "article", {className: "card prediction"},
    picture &&
      button(
        "Enlarge",
        el("img", {src: picture, alt: data.text(`${row}/image`), loading: "lazy"}),
        () => enlarge(report, row), "picture"),
    el(
      "div", {className: "prediction-body"},
      el(
        "p", {className: "prediction-name", title: data.text(`${row}/image`)},
        data.show(`${row}/image`, "last_segment")),
      facts(report, row), data.show(`${row}/text`, "text", {tag: "pre"}),
      button("Enlarge image and text", "Enlarge", () => enlarge(report, row))));
}

export const predictions: MakeSection = (report) => {
  const rows = report.data.items("/predictions");
  if (rows.length === 0) return null;
  return {
    id: "predictions",
    title: "Predictions",
    content: el("div", {className: "gallery"}, rows.map((row) => card(report, row)))
  };
};
