"""Runs programs with and without the agent, and reads what the agent wrote.

RIDGELINE_PYTHON_AGENT is the agent's folder, RIDGELINE_NVTX_LIBRARY the library that
lists NVTX ranges; tests of ranges are skipped without it.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from warm import WarmPython

AGENT = os.environ["RIDGELINE_PYTHON_AGENT"]
NVTX_LIBRARY = os.environ.get("RIDGELINE_NVTX_LIBRARY")
TESTS = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(TESTS)), "examples", "python")

AGENT_VARIABLES = ("RIDGELINE_AGENT", "RIDGELINE_NVTX_DIR", "NVTX_INJECTION64_PATH")

EVERYTHING = {
    "describe": True,
    "calls": True,
    "ranges": {},
    "generate": True,
    "profile": {"activities": ["cpu"], "record_shapes": True, "warmup_calls": 1},
}


class Run:
    """What a program printed, how it ended, and the lines of the agent."""

    def __init__(self, process, output, folder):
        self.returncode = process.returncode
        self.stdout, self.stderr = output
        self.processes = {}  # pid: list of lines
        self.traces = {}
        for path in glob.glob(os.path.join(folder, "out", "process-*.jsonl")):
            pid = int(os.path.basename(path)[8:-6])
            with open(path, encoding="utf-8") as file:
                self.processes[pid] = [json.loads(line) for line in file]
        for path in glob.glob(os.path.join(folder, "out", "trace-*.json")):
            with open(path, encoding="utf-8") as file:
                self.traces[os.path.basename(path)] = json.load(file)
        self.main = self.processes.get(process.pid, [])
        self.ranges = {}
        for path in glob.glob(os.path.join(folder, "nvtx", "*.json")):
            with open(path, encoding="utf-8") as file:
                listing = json.load(file)
            self.ranges.update(_paths_of(listing["ranges"]))
            self.listing = listing

    def lines(self, event):
        return [line for line in self.main if line["event"] == event]

    def problems(self):
        return [(line["name"], line["text"]) for line in self.lines("problem")]

    def annotations(self):
        """Names of the annotations of the last trace, in the order of their begin."""
        events = []
        for trace in self.traces.values():
            for event in trace["traceEvents"] if isinstance(trace, dict) else trace:
                if event.get("cat") == "user_annotation":
                    events.append((event["ts"], -event["dur"], event["name"]))
        return [name for _, _, name in sorted(events)]


def _paths_of(ranges):
    """{"forward/GPT/blocks.0": (opened, closed)} of a listing of NVTX ranges."""
    names = []
    found = {}
    for one in ranges:
        parent = one.get("parent")
        name = one["label"] if parent is None else names[parent] + "/" + one["label"]
        names.append(name)
        opened, closed = found.get(name, (0, 0))
        found[name] = (opened + one["opened"], closed + one["closed"])
    return found


class AgentCase(unittest.TestCase):
    maxDiff = None
    needs_new_interpreter = False  # For tests of how Python starts and imports PyTorch.
    _warm = None

    @classmethod
    def tearDownClass(cls):
        if cls._warm is not None:
            cls._warm.stop()
            cls._warm = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="ridgeline-agent-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def environment(self, request, agent=True, extra=None):
        """The environment of a program; a new output directory."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("RIDGELINE", "PYTHON", "TORCH", "NVTX"))
        }
        environment.update(OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1", PYTHONHASHSEED="0")
        environment.update(TORCHINDUCTOR_CACHE_DIR=os.path.join(self.folder, "inductor"))
        environment.update(extra or {})
        for name in ("out", "nvtx"):
            shutil.rmtree(os.path.join(self.folder, name), ignore_errors=True)
            os.mkdir(os.path.join(self.folder, name))
        paths = [environment.get("PYTHONPATH"), self.folder, EXAMPLES]
        if agent:
            request = dict(request, schema_version=1)
            request.setdefault("output", os.path.join(self.folder, "out"))
            path = self.write("request.json", json.dumps(request))
            environment["RIDGELINE_AGENT"] = path
            paths.insert(0, AGENT)
            if NVTX_LIBRARY and request.get("ranges") is not None:
                environment["NVTX_INJECTION64_PATH"] = NVTX_LIBRARY
                environment["RIDGELINE_NVTX_DIR"] = os.path.join(self.folder, "nvtx")
        environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        return environment

    def run_program(self, program, request=None, agent=True, extra=None, command=None):
        """Runs Python source text (or a command) to its end."""
        environment = self.environment(request or {}, agent, extra)
        if command is None:
            path = self.write("program.py", program)
            if not self.needs_new_interpreter and not extra:
                return self._run_warm(path, environment)
            command = [sys.executable, path]
        process = subprocess.Popen(
            command,
            env=environment,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            errors="replace",
        )
        return Run(process, process.communicate(timeout=500), self.folder)

    def _run_warm(self, program, environment):
        if self._warm is None:
            plain = dict(environment, PYTHONPATH="")
            type(self)._warm = WarmPython(
                {name: value for name, value in plain.items() if name not in AGENT_VARIABLES}
            )
        process = self._warm.run(program, environment, self.folder)
        output = []
        for name in ("stdout", "stderr"):
            with open(os.path.join(self.folder, name), errors="replace") as file:
                output.append(file.read())
        return Run(process, output, self.folder)

    def run_well(self, program, request=None, extra=None):
        """Runs a program that must succeed and give the agent no problem."""
        run = self.run_program(program, request, extra=extra)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.problems(), [])
        return run


def needs_nvtx(test):
    return unittest.skipUnless(NVTX_LIBRARY, "no library that lists NVTX ranges")(test)


def torch_version():
    import torch

    return tuple(int(word) for word in torch.__version__.split("+")[0].split(".")[:2])


def needs_torch_2(test):
    return unittest.skipUnless(torch_version() >= (2, 0), "needs PyTorch 2")(test)


def has_transformers():
    from importlib.util import find_spec

    return find_spec("transformers") is not None


def needs_transformers(test):
    return unittest.skipUnless(has_transformers(), "transformers is not installed")(test)
