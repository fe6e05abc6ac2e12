#!/usr/bin/env python3
"""Sums one large export up with Ridgeline and with `nsys stats`, in one go.

    bench/compare_nsys_import.py [EXPORT.sqlite] [path of the built ridgeline]

Without an export, one of 2 GB is made (bench/make_nsys_export.py). Ridgeline does all at
once: kernels, regions, devices, launch delays. nsys writes one report at a time: the
kernel summary, and the kernels by NVTX range if NVTX_RANGES=1 is set, which takes long.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(what, command):
    """Seconds on the clock; the time and the peak memory of the largest child are shown."""
    watch = ("import os, resource, sys; pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], "
             "os.environ); os.waitpid(pid, 0); r = resource.getrusage("
             "resource.RUSAGE_CHILDREN); print(r.ru_utime + r.ru_stime, r.ru_maxrss, "
             "file=sys.stderr)")
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", watch] + command,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                          check=True)
    elapsed = time.perf_counter() - start
    processor, memory = done.stderr.split("\n")[-2].split()
    print(f"{what:<34} {elapsed:8.2f} s   {float(processor):8.2f} s of the processor   "
          f"{int(memory) * 1.024 / 1e3:6.0f} MB of memory", flush=True)
    return elapsed


def reports_of_this_nsys():
    text = subprocess.run(["nsys", "stats", "--help-reports"], capture_output=True,
                          text=True).stdout
    is_new = "cuda_gpu_kern_sum" in text
    return ("cuda_gpu_kern_sum", "nvtx_kern_sum") if is_new else ("gpukernsum",
                                                                   "nvtxkernsum")


def compare(export, program):
    print(f"{os.path.getsize(export) / 1e6:.0f} MB")
    with open(export, "rb") as file:  # Into the page cache, for all.
        while file.read(1 << 24):
            pass
    ours = run("Ridgeline, everything", [program, "import", export])
    if not shutil.which("nsys"):
        print("nsys is not installed: nothing to compare with")
        return
    kernels, ranges = reports_of_this_nsys()
    stats = ["nsys", "stats", "--format", "csv", "--report"]
    theirs = run(f"nsys stats, {kernels}", stats + [kernels, export])
    print(f"Ridgeline is {theirs / ours:.1f} times as fast")
    if os.environ.get("NVTX_RANGES") != "1":
        return
    theirs = run(f"nsys stats, {ranges}", stats + [ranges, export])
    print(f"Ridgeline is {theirs / ours:.1f} times as fast")


def main():
    program = sys.argv[2] if len(sys.argv) > 2 else str(
        ROOT / "build/bench/src/app/ridgeline")
    if len(sys.argv) > 1:
        compare(sys.argv[1], program)
        return
    with tempfile.TemporaryDirectory() as directory:
        export = os.path.join(directory, "export.sqlite")
        subprocess.run([sys.executable, str(ROOT / "bench/make_nsys_export.py"), export],
                       check=True)
        compare(export, program)


if __name__ == "__main__":
    main()
