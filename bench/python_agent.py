#!/usr/bin/env python3
"""Overhead of the Python agent: python3 bench/python_agent.py AGENT [PAIRS [MODE...]]

AGENT is the agent's folder, such as build/release/src/app/ridgeline-python. Each mode runs
in a separate process with the agent loaded, and is measured in two ways:

- Pairs of forwards of a GPT, one with PyTorch's own Module.__call__ and one with the
  agent's, in alternating order. "ratio" is the median of the ratios of all pairs, with its
  95 % confidence interval (order statistics, which assume no distribution). A limit is met
  if the interval is below it. An idle agent does not replace Module.__call__, which is
  checked: both forwards of a pair run the same code, and the interval is the noise of this
  method on this machine.
- The price of a module call: the shortest time of a module that calls nn.Identity 1000
  times, with both. "by price" is what all module calls of that forward cost by it, as a
  ratio. That is with everything in the caches: after a large matrix product the same call
  takes several times as long.

Times are CPU times of the one thread that computes: waiting for other programs does not
count, but they evict caches and share the core, so that single forwards scatter by several
percent. The half width of the interval is about 3.5 times their standard deviation over the
square root of PAIRS: 0.35 % for 2 % and 400 pairs.
"""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

MODES = {
    "idle": {},
    "calls": {"calls": True, "describe": True},
    "ranges": {"calls": True, "describe": True, "ranges": {}},
}
LAYER_WIDTH = 384  # A forward takes more than 100 ms.
LIMITS = {"idle": 1.01, "ranges": 1.05}
PAIRS = 400


def cpu_time(run):
    start = time.thread_time()
    run()
    return time.thread_time() - start


def alternate(run, module_class, calls, rounds):
    """CPU seconds of run() with each of two calls, as pairs in alternating order."""
    pairs = []
    for i in range(rounds):
        pair = [0.0, 0.0]
        for which in ((0, 1), (1, 0))[i % 2]:
            module_class.__call__ = calls[which]
            pair[which] = cpu_time(run)
        pairs.append(pair)
    module_class.__call__ = calls[0]
    return pairs


def interval(values):
    """Median, and the order statistics that contain it with 95 % confidence."""
    ordered = sorted(values)
    count = len(ordered)
    low = max(0, math.floor(count / 2 - 0.98 * math.sqrt(count)))
    high = min(count - 1, math.ceil(count / 2 + 0.98 * math.sqrt(count)))
    return statistics.median(ordered), ordered[low], ordered[high]


def measure(rounds):
    import torch
    from gpt import GPT, Config
    from torch import nn

    class Many(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Identity()
            self.weight = nn.Parameter(torch.ones(1))

        def forward(self, x):
            inner = self.inner
            for _ in range(1000):
                inner(x)
            return x

    torch.set_num_threads(1)
    modules = sys.modules.get("ridgeline_agent.modules")  # Not loaded by an idle agent.
    calls = (nn.Module.__call__, modules.original if modules else nn.Module.__call__)
    model = GPT(Config(n_layer=12, n_embd=LAYER_WIDTH, n_head=8)).eval()
    ids = torch.arange(64).repeat(4, 1)
    many = Many()
    with torch.no_grad():
        for _ in range(3):
            model(ids)
            many(ids)
        forwards = alternate(lambda: model(ids), nn.Module, calls, rounds)
        prices = alternate(lambda: many(ids), nn.Module, calls, 300)
    plain_s = statistics.median(plain for _, plain in forwards)
    plain_ns = min(plain for _, plain in prices) * 1e6
    price_ns = min(wrapped for wrapped, _ in prices) * 1e6 - plain_ns
    called = sum(1 for _ in model.modules()) - 1  # The list of blocks is not called.
    ratio, low, high = interval([wrapped / plain for wrapped, plain in forwards])
    print(
        json.dumps(
            {
                "torch": torch.__version__,
                "forward_s": plain_s,
                "modules": called,
                "is_same": calls[0] is calls[1],
                "ratio": ratio,
                "low": low,
                "high": high,
                "ns_per_call": price_ns,
                "plain_ns_per_call": plain_ns,
                "by_price": 1 + called * price_ns * 1e-9 / plain_s,
            }
        )
    )


def run_mode(agent, request, rounds):
    examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/python")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "request.json")
        with open(path, "w") as file:
            json.dump(dict(request, schema_version=1, output=folder), file)
        environment = dict(os.environ, RIDGELINE_AGENT=path)
        environment["PYTHONPATH"] = os.pathsep.join([agent, examples])
        command = [sys.executable, os.path.abspath(__file__), "--measure", str(rounds)]
        output = subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE
        ).stdout
    return json.loads(output)


def main():
    agent = os.path.abspath(sys.argv[1])
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else PAIRS
    print("%-7s %10s %8s %17s %8s %12s" % ("mode", "forward", "ratio", "95 % CI", "by price",
                                           "module call"))
    for mode in sys.argv[3:] or MODES:
        row = run_mode(agent, MODES[mode], rounds)
        limit = LIMITS.get(mode)
        verdict = ""
        if limit is not None:
            is_met = row["high"] <= limit
            is_missed = row["low"] > limit
            word = "met" if is_met else "not met" if is_missed else "not proven"
            if row["is_same"]:
                word = "met: Module.__call__ is PyTorch's own"
            verdict = "; limit %.2f %s" % (limit, word)
        print(
            "%-7s %7.1f ms %8.4f  %7.4f..%7.4f %8.4f %+9.0f ns  (plain %.0f ns; PyTorch %s, "
            "%d module calls%s)"
            % (
                mode,
                row["forward_s"] * 1e3,
                row["ratio"],
                row["low"],
                row["high"],
                row["by_price"],
                row["ns_per_call"],
                row["plain_ns_per_call"],
                row["torch"],
                row["modules"],
                verdict,
            ),
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measure(int(sys.argv[2]))
    else:
        main()
