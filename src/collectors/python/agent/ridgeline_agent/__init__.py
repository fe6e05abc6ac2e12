"""Ridgeline's agent: observes a PyTorch program from inside, without changing it.

sitecustomize.py calls start() in every Python process of the workload. The agent reads
its request (RIDGELINE_AGENT), writes a start line and waits for PyTorch to be imported;
only then it loads the rest of this package.

    output.py       the lines it writes          imports.py    notices imports
    modules.py      wraps nn.Module.__call__     names.py      paths of modules
    calls.py        calls: timed and profiled    describe.py   module tree and tensors
    generation.py   phases of generate()         regions.py    functions of the request
    marks.py        NVTX ranges, annotations     profiling.py  torch.profiler
    dynamo.py       stays out of torch.compile   tracebacks.py stays out of tracebacks
    wrapping.py     wraps functions              signals.py    handlers that raise
"""
import os
import sys

OLDEST_PYTHON = (3, 8)


def start():
    from .output import Output, read_json

    request = read_json(os.environ["RIDGELINE_AGENT"])
    output = Output(request["output"])
    output.start()
    if sys.implementation.name != "cpython" or sys.version_info < OLDEST_PYTHON:
        output.problem(
            "UnsupportedPython",
            "%s %d.%d: the agent needs CPython %d.%d or newer"
            % ((sys.implementation.name,) + sys.version_info[:2] + OLDEST_PYTHON),
        )
        return
    from .agent import Agent

    Agent(request, output).watch()
