#!/usr/bin/python3
"""Our recorder against Python's torch profiler, on the same model in one process.

    bench/compare_torch_profiler.py [--build DIR] [--rounds N] [OVERRIDE...]

Needs Debian's python3-torch (the same libtorch that the model uses) and a build with
    cmake -S . -B DIR -DRIDGELINE_BENCH=ON -DRIDGELINE_BENCH_PYTHON=ON \\
          -DCMAKE_BUILD_TYPE=RelWithDebInfo
Overrides are those of `ridgeline run`; without any it is the demo.

First it checks that both see the same: names of operators, and how often each was
called. Then it times a page unwatched, under ours and under Python's, by turns, and
prints the medians as ratios. Ends with 1 if the two did not see the same.
"""
import argparse
import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch

ROOT = pathlib.Path(__file__).resolve().parent.parent


def load(build):
    lib = ctypes.CDLL(str(build / "bench" / "libprofiled_model.so"))
    lib.ridgeline_error.restype = ctypes.c_char_p
    lib.ridgeline_open.restype = ctypes.c_void_p
    lib.ridgeline_open.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    for name in ("ridgeline_read", "ridgeline_read_recorded"):
        getattr(lib, name).restype = ctypes.c_double
    lib.ridgeline_read.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64]
    lib.ridgeline_read_recorded.argtypes = [
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int64, ctypes.c_char_p]
    return lib


def check(lib, seconds):
    if seconds < 0:
        sys.exit(lib.ridgeline_error().decode())
    return seconds


def python_profiler(record_shapes=False, profile_memory=False):
    return torch.autograd.profiler.profile(
        record_shapes=record_shapes, profile_memory=profile_memory)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(ROOT / "build/bench"))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--image", default=str(ROOT / "datasets/samples/page_1.png"))
    parser.add_argument("--tokens", type=int, default=32)
    parser.add_argument("overrides", nargs="*")
    arguments = parser.parse_args()
    build = pathlib.Path(arguments.build)
    lib = load(build)
    scratch = pathlib.Path(tempfile.mkdtemp())
    overrides = arguments.overrides or ["+preset=demo"]
    config = subprocess.run(
        [str(build / "src/app/ridgeline"), "run", *overrides, "--cfg", "job", "--resolve"],
        cwd=ROOT, check=True, capture_output=True).stdout
    (scratch / "config.yaml").write_bytes(config)
    model = lib.ridgeline_open(str(scratch / "config.yaml").encode(), str(ROOT).encode())
    if not model:
        sys.exit(lib.ridgeline_error().decode())
    image, tokens = arguments.image.encode(), arguments.tokens

    def read():
        return check(lib, lib.ridgeline_read(model, image, tokens))

    def recorded(profile=None):
        return check(lib, lib.ridgeline_read_recorded(model, image, tokens, profile))

    def under_python():
        profiler = python_profiler()
        with profiler:
            seconds = read()
        return seconds

    for _ in range(3):
        read()

    # What both see.
    profile_file = scratch / "profile.json"
    recorded(str(profile_file).encode())
    ours = json.loads(profile_file.read_text())
    our_calls = {row["name"]: row["calls"] for row in ours["operators"]}
    profiler = python_profiler()
    with profiler:
        read()
    their_calls = {}
    # Its events as they came. Its table has a few less: it takes an operator that seems to
    # lie in one of the same name for the same call, by times in microseconds, so that
    # which are merged differs from run to run.
    for event in profiler.kineto_results.events():
        if event.name() != "[memory]":
            their_calls[event.name()] = their_calls.get(event.name(), 0) + 1
    differences = [
        (name, our_calls.get(name), their_calls.get(name))
        for name in sorted(set(our_calls) | set(their_calls))
        if our_calls.get(name) != their_calls.get(name)]
    print(f"operators: {len(our_calls)} names, {sum(our_calls.values())} calls; "
          f"Python: {len(their_calls)} names, {sum(their_calls.values())} calls; "
          f"{len(differences)} differ")
    for name, mine, theirs in differences[:20]:
        print(f"  {name}: ours {mine}, Python's {theirs}")
    self_s = sum(row["time_self_ns"] for row in ours["operators"]) * 1e-9
    print(f"self times: {self_s / ours['wall_s']:.4f} of the pass")

    # What both cost. Python's time ends before it turns events into its table.
    times = {"unwatched": [], "ours": [], "python": []}
    for _ in range(arguments.rounds):
        times["unwatched"].append(read())
        times["ours"].append(recorded())
        times["unwatched"].append(read())
        times["python"].append(under_python())
    base = statistics.median(times["unwatched"])
    print(f"unwatched: {base * 1e3:.2f} ms (median of {len(times['unwatched'])})")
    for name in ("ours", "python"):
        median = statistics.median(times[name])
        least = min(times[name]) / min(times["unwatched"])
        print(f"{name}: {median / base:.3f} times by medians, {least:.3f} by least times")
    begin = time.perf_counter()
    profiler = python_profiler()
    with profiler:
        read()
    profiler.key_averages()
    print(f"python with its table: {(time.perf_counter() - begin) / base:.2f} times")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
