// Positions of lanes: tracks under the headings of their groups, nested rows thinner.
import type {Lane} from "./lanes";

export interface Placed {
  lane: Lane;
  top: number; // px below the axis
  height: number;
}

export interface Track {
  lane: Lane; // The first one, which has the title.
  top: number;
  height: number;
  beginsGroup: boolean;
}

export interface Layout {
  placed: Placed[];
  tracks: Track[];
  height: number;
}

const rowHeight = 18;
const nestedHeight = 14;
const trackGap = 6;
const groupGap = 24;

export function layoutOf(lanes: Lane[]): Layout {
  const placed: Placed[] = [];
  const tracks: Track[] = [];
  let at = 0;
  for (const lane of lanes) {
    const track = tracks.at(-1);
    const beginsGroup = track?.lane.group !== lane.group;
    if (beginsGroup || track?.lane.title !== lane.title || lane.depth === 0) {
      at += beginsGroup ? groupGap : trackGap;
      tracks.push({lane, top: at, height: 0, beginsGroup});
    }
    const height = lane.depth === 0 ? rowHeight : nestedHeight;
    placed.push({lane, top: at, height: height - 1});
    at += height;
    const last = tracks.at(-1)!;
    last.height = at - last.top;
  }
  return {placed, tracks, height: at + trackGap};
}
