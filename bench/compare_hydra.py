#!/usr/bin/env python3
"""Times Ridgeline against the real Hydra on our own conf/, in one go, as ratios.

    bench/compare_hydra.py [path of the built ridgeline]

Needs a python3 that can import hydra 1.3; nothing else in the repository does.
Each side is run several times, alternating; the smallest time of each counts.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
CONF = ROOT / "conf"
OVERRIDES = ["+preset=demo", "infer.max_new_tokens=16"]
ROUNDS = 10

APP = f"""
import hydra
@hydra.main(version_base=None, config_path={str(CONF)!r}, config_name="config")
def main(config):
    pass
main()
"""
IN_PROCESS = f"""
import time
from hydra import compose, initialize_config_dir
with initialize_config_dir({str(CONF)!r}, version_base=None):
    times = []
    for _ in range({ROUNDS}):
        start = time.perf_counter()
        compose("config", overrides={OVERRIDES!r})
        times.append(time.perf_counter() - start)
print(min(times))
"""


def seconds(command):
    # posix_spawn, because subprocess itself costs a third of what is measured.
    silent = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    start = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=silent)
    _, status = os.waitpid(child, 0)
    elapsed = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{command[0]} failed")
    return elapsed


def ours_in_process(bench):
    run = [bench, "--benchmark_filter=ComposeOwnTree", "--benchmark_format=csv"]
    lines = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    row = [line for line in lines.splitlines() if line.startswith('"ComposeOwnTree"')][0]
    return float(row.split(",")[2]) / 1e3  # name, iterations, real time in ms


def show(what, hydra, ours):
    print(f"{what:<34} Hydra {hydra * 1e3:7.1f} ms   Ridgeline {ours * 1e3:6.2f} ms"
          f"   {hydra / ours:5.0f} times faster")


def main():
    build = ROOT / "build" / "bench"
    program = sys.argv[1] if len(sys.argv) > 1 else str(build / "src/app/ridgeline")
    arguments = OVERRIDES + ["--cfg", "job"]
    python = shutil.which("python3")
    with tempfile.TemporaryDirectory() as directory:
        app = os.path.join(directory, "app.py")
        pathlib.Path(app).write_text(APP)
        hydra, ours = [], []
        for _ in range(ROUNDS):
            hydra.append(seconds([python, app, *arguments]))
            ours.append(seconds([program, "run", *arguments]))
        show("process start to printed config", min(hydra), min(ours))
    peer = subprocess.run([python, "-c", IN_PROCESS], check=True, capture_output=True,
                          text=True)
    show("composing inside a process", float(peer.stdout),
         ours_in_process(str(build / "bench/ridgeline_bench")))


if __name__ == "__main__":
    main()
