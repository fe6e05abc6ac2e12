"""What programs cost: for the comparisons of this folder.

A machine is seldom quiet, so everything is run several times; the median counts, and the
spread is shown beside it.
"""
import os
import statistics
import sys
import tempfile
import time
from typing import NamedTuple


class Cost(NamedTuple):
    elapsed: float    # Seconds on the clock.
    processor: float  # Seconds of all processors, with those of children.
    megabytes: float  # Peak memory, of the largest process.


def run(command, must_print=""):
    """The cost of one run. Ends this program if the other fails, or does not print what
    it must: some tools end with 0 all the same."""
    with tempfile.TemporaryFile() as output:
        actions = [(os.POSIX_SPAWN_DUP2, output.fileno(), 1),
                   (os.POSIX_SPAWN_DUP2, output.fileno(), 2)]
        start = time.perf_counter()
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(child, 0)
        elapsed = time.perf_counter() - start
        output.seek(0)
        text = output.read().decode(errors="replace")
    if status != 0 or must_print not in text:
        sys.exit(f"{' '.join(command)} failed:\n{text[:2000]}")
    return Cost(elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1.024 / 1e3)


def into_page_cache(path):
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


def _spread(values):
    return f"{statistics.median(values):8.2f} s ({min(values):.2f} to {max(values):.2f})"


def show(what, costs):
    print(f"{what}, {len(costs)} runs" if len(costs) > 1 else f"{what}, 1 run")
    print(f"  clock      {_spread([c.elapsed for c in costs])}")
    print(f"  processor  {_spread([c.processor for c in costs])}")
    print(f"  memory     {max(c.megabytes for c in costs):8.0f} MB", flush=True)


def show_ratio(what, ours, theirs):
    """Medians, and in brackets the worst and the best that the runs allow."""
    def ratio(of):
        a, b = [of(c) for c in ours], [of(c) for c in theirs]
        return (f"{statistics.median(b) / statistics.median(a):.1f} times as fast "
                f"({min(b) / max(a):.1f} to {max(b) / min(a):.1f})")
    share = max(c.megabytes for c in ours) / max(c.megabytes for c in theirs)
    print(f"{what}\n  by the clock: {ratio(lambda c: c.elapsed)}\n"
          f"  by processor time: {ratio(lambda c: c.processor)}\n"
          f"  with {share * 100:.0f} % of the memory", flush=True)
