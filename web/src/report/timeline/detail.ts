// Level of detail: selects what to draw of a lane in a window of this many pixels.
import type {Lane} from "./lanes";

export interface Block {
  start: number; // ns
  end: number;
  name: number;   // The one with the most time.
  count: number;  // Events.
  busy: number;   // ns
  blocks: number; // Number of merged blocks of the file.
}

// The first block that ends after `time`.
export function firstEndingAfter(lane: Lane, time: number): number {
  let low = 0;
  let high = lane.end.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (lane.end[middle]! > time)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Finds the name with the most time in a merged block. Usually there are one or two.
class Names {
  private readonly times = new Map<number, number>();

  constructor(private readonly wanted: ReadonlySet<number>|null) {}

  // A highlighted name counts more than any other, so that it is never hidden.
  add(name: number, time: number): void {
    const known =
      this.times.get(name) ?? (this.wanted?.has(name) ? Number.MAX_SAFE_INTEGER : 0);
    this.times.set(name, known + time);
  }

  // Also resets.
  takeLongest(): number {
    let longest = 0;
    let most = -1;
    for (const [name, time] of this.times) {
      if (time > most) [longest, most] = [name, time];
    }
    this.times.clear();
    return longest;
  }
}

// Blocks shorter than `least` are merged with their short neighbours, as long as the
// result stays about that short: a pixel shows only one colour anyway.
export function blocksToDraw(
  lane: Lane, from: number, to: number, least: number,
  wanted: ReadonlySet<number>|null = null): Block[] {
  const drawn: Block[] = [];
  const names = new Names(wanted);
  let open: Block|null = null;
  const close = () => {
    if (!open) return;
    if (open.blocks > 1) open.name = names.takeLongest();
    drawn.push(open);
    open = null;
  };
  for (let i = firstEndingAfter(lane, from); i < lane.start.length && lane.start[i]! < to;
       ++i) {
    const [start, end] = [lane.start[i]!, lane.end[i]!];
    const isShort = end - start < least;
    const whole = open as Block | null;
    if (whole && isShort && end - whole.start <= least) {
      if (whole.blocks === 1) names.add(whole.name, whole.busy);
      names.add(lane.name[i]!, lane.busy[i]!);
      whole.end = end;
      whole.count += lane.count[i]!;
      whole.busy += lane.busy[i]!;
      whole.blocks += 1;
      continue;
    }
    close();
    open = {
      start,
      end,
      name: lane.name[i]!,
      count: lane.count[i]!,
      busy: lane.busy[i]!,
      blocks: 1
    };
    if (!isShort) close();
  }
  close();
  return drawn;
}
