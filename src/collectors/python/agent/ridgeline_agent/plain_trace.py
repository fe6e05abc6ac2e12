"""The Chrome trace of a profiler of a PyTorch built without Kineto, such as Debian's.

Its own export has neither categories nor shapes.
"""
import json
import os

_USER_SCOPE = 7  # torch.profiler.record_function
_MEMORY = "[memory]"


def is_needed(torch):
    available = getattr(torch.autograd, "kineto_available", None)
    return available is not None and not available()


def write(profiler, path):
    """Of a torch.profiler.profile that was stopped."""
    results = profiler.profiler.kineto_results
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"schemaVersion": 1, "traceEvents": [')
        separator = "\n"
        for event in results.events():
            if event.name() == _MEMORY:
                continue
            file.write(separator)
            json.dump(_chrome_event(event), file)
            separator = ",\n"
        file.write("\n]}\n")


def _chrome_event(event):
    is_annotation = event.scope() == _USER_SCOPE
    arguments = {}
    if event.shapes():
        arguments = {"Input Dims": event.shapes(), "Input type": event.dtypes()}
    return {
        "ph": "X",
        "cat": "user_annotation" if is_annotation else "cpu_op",
        "name": event.name(),
        "pid": os.getpid(),
        "tid": event.start_thread_id(),
        "ts": _microseconds(event, "start"),
        "dur": _microseconds(event, "duration"),
        "args": arguments,
    }


def _microseconds(event, what):
    """Nanoseconds since PyTorch 2.5."""
    nanoseconds = getattr(event, what + "_ns", None)
    if nanoseconds is not None:
        return nanoseconds() / 1000
    return getattr(event, what + "_us")()
