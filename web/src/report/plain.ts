// A name for a place without markup, such as a canvas: one line, without characters that
// change the text direction, and not longer than `most`.
export function plain(text: string, most = 120): string {
  const clean =
    text.slice(0, 4 * most)
      .replaceAll(
        /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]+/g,
        " ");
  return clean.length <= most ? clean : `${clean.slice(0, most - 1)}\u2026`;
}
