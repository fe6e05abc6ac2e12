#!/usr/bin/env python3
"""Overhead of the Python agent: python3 bench/python_agent.py build/release/src/app/ridgeline-python

Each mode runs in a process of its own with the agent loaded. Forwards of a GPT alternate
between PyTorch's own Module.__call__ and the agent's, so that both see the same machine;
the ratio of their medians is the overhead. Times are CPU times of the one thread that
computes: other programs on the machine do not count. The price of a module call is the
shortest time of a module that calls nn.Identity 1000 times.
"""
import json
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
ROUNDS = 21


def alternate(run, module_class, wrapped, original, rounds, pick=statistics.median):
    """CPU seconds of run() with the agent's call and with the original."""
    times = {wrapped: [], original: []}
    for _ in range(rounds):
        for call in (wrapped, original):
            module_class.__call__ = call
            start = time.thread_time()
            run()
            times[call].append(time.thread_time() - start)
    module_class.__call__ = wrapped
    return pick(times[wrapped]), pick(times[original])


def measure():
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
    original = sys.modules["ridgeline_agent.modules"].original
    wrapped = nn.Module.__call__
    model = GPT(Config(n_layer=12, n_embd=256, n_head=8)).eval()
    ids = torch.arange(64).repeat(4, 1)
    many = Many()
    with torch.no_grad():
        model(ids)
        many(ids)
        forward = alternate(lambda: model(ids), nn.Module, wrapped, original, ROUNDS)
        calls = alternate(lambda: many(ids), nn.Module, wrapped, original, 300, min)
    print(
        json.dumps(
            {
                "torch": torch.__version__,
                "forward_s": forward[1],
                "modules": sum(1 for _ in model.modules()),
                "ratio": forward[0] / forward[1],
                "ns_per_call": (calls[0] - calls[1]) * 1e6,
                "plain_ns_per_call": calls[1] * 1e6,
            }
        )
    )


def main():
    agent = os.path.abspath(sys.argv[1])
    examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/python")
    print("%-7s %10s %8s %12s" % ("mode", "forward", "ratio", "module call"))
    for mode, request in MODES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "request.json")
            with open(path, "w") as file:
                json.dump(dict(request, schema_version=1, output=folder), file)
            environment = dict(os.environ, RIDGELINE_AGENT=path)
            environment["PYTHONPATH"] = os.pathsep.join([agent, examples])
            command = [sys.executable, os.path.abspath(__file__), "--measure"]
            output = subprocess.run(
                command, env=environment, check=True, stdout=subprocess.PIPE
            ).stdout
            row = json.loads(output)
        print(
            "%-7s %7.1f ms %8.4f %+9.0f ns  (plain %.0f ns; PyTorch %s, %d modules)"
            % (
                mode,
                row["forward_s"] * 1e3,
                row["ratio"],
                row["ns_per_call"],
                row["plain_ns_per_call"],
                row["torch"],
                row["modules"],
            )
        )


if __name__ == "__main__":
    if sys.argv[1:] == ["--measure"]:
        measure()
    else:
        main()
