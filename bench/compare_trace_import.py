#!/usr/bin/env python3
"""Reads one large trace with Ridgeline and with Python's json.load, in one go.

    bench/compare_trace_import.py [TRACE.json] [path of the built ridgeline]

Without a trace, one of 1 GB is made (bench/make_torch_trace.py). Both are run several
times and take turns. Ridgeline imports the trace: it reads it, sums it up and prints what
it found. Python only loads it.
"""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 3
LOAD = "import json, sys; json.load(open(sys.argv[1], 'rb'))"


def compare(trace, program):
    megabytes = os.path.getsize(trace) / 1e6
    measure.into_page_cache(trace)
    ours, python = [], []
    for _ in range(ROUNDS):
        ours.append(measure.run([program, "import", trace]))
        python.append(measure.run([sys.executable, "-c", LOAD, trace]))
    measure.show("ridgeline import", ours)
    measure.show("json.load", python)
    processor = statistics.median(cost.processor for cost in ours)
    print(f"{megabytes:.0f} MB, {megabytes / processor:.0f} MB per second of one core")
    measure.show_ratio("Ridgeline is", ours, python)


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
