// Small pictures of pages, as data: addresses.
import {deflateSync} from "node:zlib";

import {crc32} from "./crc32.mjs";

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

// A grey PNG; `ink(x, y)` is 0 (black) to 255.
function png(width, height, ink) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) rows[y * (width + 1) + 1 + x] = ink(x, y);
  }
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))
  ]);
}

// Lines of words on paper.
export function pagePicture(seed) {
  const [width, height] = [120, 156];
  const ink = (x, y) => {
    const inside = x > 12 && x < width - 12 && y > 12 && y < height - 12;
    const isLine = y % 7 < 3 && (x * 7 + seed * 31 + (y / 7 | 0) * 53) % 41 > 5 &&
      x < width - 14 - ((y / 7 | 0) * 13 + seed * 7) % 30;
    return inside && isLine ? 70 : 248;
  };
  return `data:image/png;base64,${png(width, height, ink).toString("base64")}`;
}
