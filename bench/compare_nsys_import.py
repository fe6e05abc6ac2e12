#!/usr/bin/env python3
"""Sums one large export up with Ridgeline and with `nsys stats`, in one go.

    bench/compare_nsys_import.py [EXPORT.sqlite] [--program PATH] [--rounds N]
                                 [--range-rounds N]

Without an export, one of 312 MB is made (bench/make_nsys_export.py). Compared are

  kernels    `ridgeline top-kernels` with the kernel summary of nsys
  by range   `ridgeline import` with the kernels by NVTX range of nsys, which takes long:
             --range-rounds 0 leaves it out. Ridgeline does more: kernels, copies,
             regions with what lies in them, devices and launch delays at once.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import measure

ROOT = pathlib.Path(__file__).resolve().parent.parent


def reports_of_this_nsys():
    text = subprocess.run(["nsys", "stats", "--help-reports"], capture_output=True,
                          text=True).stdout
    is_new = "cuda_gpu_kern_sum" in text
    return ("cuda_gpu_kern_sum", "nvtx_kern_sum") if is_new else ("gpukernsum",
                                                                   "nvtxkernsum")


def compare(what, ours, theirs, rounds, range_rounds):
    """Each a title and a command; they take turns."""
    our_costs, their_costs = [], []
    for i in range(rounds):
        our_costs.append(measure.run(ours[1]))
        if i < range_rounds:
            # An unknown report is no failure to nsys.
            their_costs.append(measure.run(theirs[1], must_print="Total Time"))
    measure.show(ours[0], our_costs)
    if not their_costs:
        return
    measure.show(theirs[0], their_costs)
    measure.show_ratio(what, our_costs, their_costs)


def compare_all(export, options):
    print(f"{os.path.getsize(export) / 1e6:.0f} MB")
    measure.into_page_cache(export)
    has_nsys = shutil.which("nsys") is not None
    if not has_nsys:
        print("nsys is not installed: nothing to compare with")
    kernels, ranges = reports_of_this_nsys() if has_nsys else ("", "")
    stats = ["nsys", "stats", "--format", "csv", "--report"]
    rounds = options.rounds
    compare("Kernels: Ridgeline is",
            ("ridgeline top-kernels", [options.program, "top-kernels", export]),
            (f"nsys stats --report {kernels}", stats + [kernels, export]),
            rounds, rounds if has_nsys else 0)
    compare("Kernels by range: Ridgeline is",
            ("ridgeline import", [options.program, "import", export]),
            (f"nsys stats --report {ranges}", stats + [ranges, export]),
            rounds, min(rounds, options.range_rounds) if has_nsys else 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("export", nargs="?")
    parser.add_argument("--program", default=str(ROOT / "build/bench/src/app/ridgeline"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--range-rounds", type=int, default=2)
    options = parser.parse_args()
    if options.export:
        compare_all(options.export, options)
        return
    with tempfile.TemporaryDirectory() as directory:
        export = os.path.join(directory, "export.sqlite")
        subprocess.run([sys.executable, str(ROOT / "bench/make_nsys_export.py"), export,
                        "312"], check=True)
        compare_all(export, options)


if __name__ == "__main__":
    main()
