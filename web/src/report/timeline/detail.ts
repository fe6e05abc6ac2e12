// The level of detail: what of a lane is worth drawing in a window of so many pixels.
import type {Lane} from "./lanes";

export interface Block {
  start: number; // ns
  end: number;
  name: number;   // The one with most time in it.
  count: number;  // Events.
  busy: number;   // ns
  blocks: number; // Of the file that this one stands for.
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

// Which of the names in a merged block has most time. Mostly there are one or two.
class Names {
  private readonly times = new Map<number, number>();

  constructor(private readonly wanted: ReadonlySet<number>|null) {}

  // A name that is looked for counts more than any other: nothing may hide it.
  add(name: number, time: number): void {
    const known =
      this.times.get(name) ?? (this.wanted?.has(name) ? Number.MAX_SAFE_INTEGER : 0);
    this.times.set(name, known + time);
  }

  // And begins anew.
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

// What is shorter than `least` is drawn together with its short neighbours, as long as
// the whole stays about that short: a pixel shows one colour anyway.
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
