#!/usr/bin/env python3
"""Reads one large trace with Ridgeline and with Python's json.load, in one go.

    bench/compare_trace_import.py [TRACE.json] [path of the built ridgeline]

Without a trace, one of 1 GB is made (bench/make_torch_trace.py). Both are run several
times, alternating; the smallest time of each counts, and its largest memory. Ridgeline
imports the trace: it reads it, sums it up and prints what it found. Python only loads it.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 3
LOAD = "import json, sys; json.load(open(sys.argv[1], 'rb'))"


def run(command):
    """Seconds on the clock, seconds of the processor, peak memory in MB."""
    silent = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=silent)
    _, status, usage = os.wait4(child, 0)
    elapsed = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e3 * 1.024


def show(what, megabytes, runs):
    elapsed = min(r[0] for r in runs)
    processor = min(r[1] for r in runs)
    memory = max(r[2] for r in runs)
    print(f"{what:<10} {elapsed:7.2f} s {megabytes / elapsed:7.0f} MB/s"
          f"   {processor:7.2f} s of one core {megabytes / processor:7.0f} MB/s"
          f"   {memory:7.0f} MB of memory")
    return elapsed, processor, memory


def compare(trace, program):
    megabytes = os.path.getsize(trace) / 1e6
    with open(trace, "rb") as file:  # Into the page cache, for both.
        while file.read(1 << 24):
            pass
    ours, python = [], []
    for _ in range(ROUNDS):
        ours.append(run([program, "import", trace]))
        python.append(run([sys.executable, "-c", LOAD, trace]))
    print(f"{megabytes:.0f} MB, best of {ROUNDS}")
    a = show("Ridgeline", megabytes, ours)
    b = show("json.load", megabytes, python)
    print(f"Ridgeline is {b[0] / a[0]:.1f} times as fast ({b[1] / a[1]:.1f} times by "
          f"processor time), with {a[2] / b[2] * 100:.1f} % of the memory")


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else str(
        ROOT / "build/bench/src/app/ridgeline")
    if len(sys.argv) > 1:
        compare(sys.argv[1], program)
        return
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "trace.json")
        subprocess.run([sys.executable, str(ROOT / "bench/make_torch_trace.py"), trace],
                       check=True)
        compare(trace, program)


if __name__ == "__main__":
    main()
