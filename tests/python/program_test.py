"""Programs that do unusual things end, print and fail exactly as without the agent."""
import os
import re
import signal
import subprocess
import sys
import time
import unittest

from agent_case import AGENT, EVERYTHING, AgentCase

NET = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return self.fc(x)
torch.manual_seed(0)
net = Net()
x = torch.ones(1, 2)
"""

MULTIPROCESSING = (
    NET
    + """
import multiprocessing
def work(queue):
    queue.put(net(x).tolist())
if __name__ == "__main__":
    context = multiprocessing.get_context("%s")
    queue = context.Queue()
    child = context.Process(target=work, args=(queue,))
    child.start()
    print(queue.get())
    child.join()
    print(child.exitcode, net(x).tolist())
"""
)

# What is run, and the lines of each process: start/torch/model/call/profile/end.
PROGRAMS = {
    "os.fork in the middle of a program": NET
    + """
import os, sys
net(x)
child = os.fork()
if child == 0:
    net(x)
    sys.exit(5)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) if hasattr(os, "waitstatus_to_exitcode") else 5)
net(x)
""",
    "os.fork inside of forward": NET
    + """
import os
class Forks(Net):
    def forward(self, x):
        self.child = os.fork()
        return self.fc(x)
forks = Forks()
forks(x)
if forks.child == 0:
    forks.fc(x)
    os._exit(0)
os.waitpid(forks.child, 0)
""",
    "multiprocessing, fork": MULTIPROCESSING % "fork",
    "multiprocessing, spawn": MULTIPROCESSING % "spawn",
    "multiprocessing, forkserver": MULTIPROCESSING % "forkserver",
    "a pool of processes": NET
    + """
import multiprocessing
def work(i):
    return net(x * i).tolist()
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, range(4)))
""",
    "os._exit": NET + "import os\nnet(x)\nprint('gone', flush=True)\nos._exit(7)\n",
    "an uncaught exception": NET + "net(torch.ones(3, 3, 3))\n",
    "an uncaught exception of a deep module": NET
    + """
class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.inner = Deep(depth - 1) if depth else None
    def forward(self, x):
        return self.inner(x) if self.inner is not None else self.no_such_thing
Deep(4)(x)
""",
    "an exception with a cause, caught and printed": NET
    + """
import traceback
class Wraps(Net):
    def forward(self, x):
        try:
            return self.fc(x.reshape(2, 1))
        except RuntimeError as error:
            raise ValueError("bad shape") from error
try:
    Wraps()(x)
except ValueError:
    traceback.print_exc()
""",
    "sys.exit in forward": NET
    + """
import sys
net.fc.forward = lambda x: sys.exit(9)
net(x)
""",
    "sys.exit in atexit": NET
    + "import atexit, sys\natexit.register(sys.exit, 6)\nnet(x)\nprint('done')\n",
    "threads that still run": NET
    + """
import threading, time
def work():
    # PyTorch itself aborts now and then where Python ends a thread inside of it.
    for _ in range(20):
        net(x)
    threading.Event().wait()
threading.Thread(target=work, daemon=True).start()
late = threading.Thread(target=lambda: (time.sleep(0.2), net(x), print("late")))
print(net(x).tolist())
late.start()
""",
    "threads that share a model": NET
    + """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(len([r for r in pool.map(lambda i: net(x * i), range(100))]))
""",
    "its own profiler before ours": NET
    + """
from torch.autograd.profiler import profile
with profile() as p:
    net(x)
print(len([e for e in p.function_events if e.name == "aten::linear"]))
net(x)
""",
    "its own profiler inside of a call": NET
    + """
from torch.autograd.profiler import profile
class Profiles(Net):
    def forward(self, x):
        with profile() as p:
            y = self.fc(x)
        print(sorted(e.name for e in p.function_events))
        return self.fc(y)
Profiles()(x)
net(x)
""",
    "its own profiler after ours": NET
    + """
net(x)
from torch.profiler import ProfilerActivity, profile
with profile(activities=[ProfilerActivity.CPU]) as p:
    net(x)
print(len([e for e in p.events() if e.name == "aten::linear"]))
""",
    "sys.setprofile": NET
    + """
import sys
seen = []
sys.setprofile(lambda frame, event, argument: seen.append(frame.f_code.co_name))
net(x)
sys.setprofile(None)
print(seen.count("forward"), sys.getprofile())
""",
    "PyTorch imported late": "print('first')\ndef late():\n    import torch\n    return torch\n"
    "t = late()\nprint(t.nn.Linear(2, 2)(t.ones(1, 2)).shape)\n",
    "PyTorch never imported": "import sys\nprint('torch' in sys.modules, 'ctypes' in sys.modules,"
    " 'json' in sys.modules, 'importlib.util' in sys.modules)\n",
    "asyncio": NET
    + """
import asyncio
async def serve(i):
    await asyncio.sleep(0)
    return net(x * i)
async def main():
    return len(await asyncio.gather(*[serve(i) for i in range(10)]))
print(asyncio.run(main()))
""",
    "exec of another program": NET
    + """
import os, sys
net(x)
os.execv(sys.executable, [sys.executable, "-c", "print('replaced')"])
""",
    "a subprocess with its own environment": NET
    + """
import subprocess, sys
net(x)
subprocess.run([sys.executable, "-c", "import os; print(sorted(os.environ)[:0], 'child')"], env={"LC_ALL": "C"})
""",
    "closed standard output": NET + "import os\nos.close(1)\nnet(x)\n",
    "closed descriptors": NET
    + """
import os
net(x)
os.closerange(3, 1000)
mine = os.open("mine.txt", os.O_RDWR | os.O_CREAT | os.O_TRUNC)
for _ in range(3):
    net(x)
print(mine, os.fstat(mine).st_size)
""",
    "recursion": NET
    + """
class Endless(Net):
    def forward(self, x):
        return self(x)
try:
    Endless()(x)
except RecursionError as error:
    print(type(error).__name__)
print(net(x).tolist())
""",
    "a module deleted while in use": NET
    + """
import gc
class Deletes(Net):
    def forward(self, x):
        fc = self.fc
        del self.fc
        gc.collect()
        return fc(x)
print(Deletes()(x).shape)
""",
    "a class with its own __call__": NET
    + """
class Own(Net):
    def __call__(self, x):
        return self.forward(x) + 1
class Super(Net):
    def __call__(self, *args):
        return super().__call__(*args) + 1
print(Own()(x).shape, Super()(x).shape)
""",
    "the model is copied and pickled": NET
    + """
import copy, io, pickle
net(x)
again = pickle.loads(pickle.dumps(copy.deepcopy(net)))
print(again(x).equal(net(x)), sorted(again.__dict__) == sorted(net.__dict__))
buffer = io.BytesIO()
torch.save(net.state_dict(), buffer)
print(len(buffer.getvalue()) > 0)
""",
    "a model in a folder with a name in Unicode": NET
    + "class Größe(Net):\n    pass\nm = Größe()\nm.blöcke = nn.ModuleList([nn.Linear(2, 2)])\n"
    "m.add_module('日本', nn.Linear(2, 2))\nprint(m(x).shape, __file__ != '')\n",
    "a signal handler that raises": NET
    + """
import signal, time
def ring(number, frame):
    raise TimeoutError
signal.signal(signal.SIGALRM, ring)
rang = 0
for i in range(100):
    end = time.monotonic() + 5
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001 + i * 1e-5)
        while time.monotonic() < end:
            net(x)
    except TimeoutError:
        rang += 1
print(rang)
""",
    "warnings": NET
    + """
import warnings
class Warns(Net):
    def forward(self, x):
        warnings.warn("once", stacklevel=2)
        return self.fc(x)
warns = Warns()
for _ in range(3):
    warns(x)
""",
}

ABOUT_IMPORTS = ("PyTorch imported late", "PyTorch never imported")

# Before Python 3.11 one frame of the agent remains.
HIDES_FRAMES = sys.version_info >= (3, 11)


class ProgramTest(AgentCase):
    def same(self, program, **options):
        plain = self.run_program(program, agent=False, **options)
        run = self.run_program(program, EVERYTHING, **options)
        self.assertEqual(run.returncode, plain.returncode, run.stderr)
        self.assertEqual(run.stdout, plain.stdout)
        if HIDES_FRAMES:
            self.assertEqual(masked(run.stderr), masked(plain.stderr))
        return run

    def events(self, lines):
        return [line["event"] for line in lines]

    def check_lines(self, run):
        """Every process wrote whole lines, the start first, and no failure of ours."""
        self.assertTrue(run.processes)
        for lines in run.processes.values():
            self.assertEqual(lines[0]["event"], "start")
            self.assertLessEqual(self.events(lines).count("start"), 2)
            for line in lines:
                # At the recursion limit there is no frame left for us.
                if "RecursionError" not in line.get("text", ""):
                    self.assertNotEqual(line.get("name"), "AgentFailed", line)


def _add(name, program):
    def test(self):
        self.needs_new_interpreter = name in ABOUT_IMPORTS
        run = self.same(program)
        self.check_lines(run)
        check = CHECKS.get(name)
        if check is not None:
            check(self, run)

    test.__doc__ = name
    setattr(ProgramTest, "test_" + re.sub(r"\W+", "_", name), test)


def _children(run):
    return [lines for lines in run.processes.values() if lines is not run.main]


def _check_fork(self, run):
    (child,) = _children(run)
    self.assertEqual([l["index"] for l in run.lines("call")], [1, 2])
    self.assertEqual([l["index"] for l in child if l["event"] == "call"], [1])
    self.assertEqual([l["exit"] for l in child if l["event"] == "end"], ["atexit"])


def _check_fork_inside(self, run):
    self.assertEqual([l["name"] for l in run.lines("call")], ["Forks.forward"])
    (child,) = _children(run)
    self.assertEqual([l["name"] for l in child if l["event"] == "call"], ["Linear.forward"])


def _check_child_call(how):
    def check(self, run):
        calls = [[l for l in lines if l["event"] == "call"] for lines in _children(run)]
        self.assertIn(1, [len(lines) for lines in calls])
        ends = [l["exit"] for lines in _children(run) for l in lines if l["event"] == "end"]
        self.assertIn(how, ends)

    return check


def _check_no_end(self, run):
    self.assertEqual(len(run.lines("call")), 1)
    self.assertEqual(run.lines("end"), [])


def _check_error(name):
    def check(self, run):
        self.assertEqual([l["error"] for l in run.lines("call")], [name])
        self.assertEqual(len(run.lines("end")), 1)

    return check


def _check_busy(calls):
    def check(self, run):
        names = {name for name, _ in run.problems()}
        self.assertEqual(names, {"ProfilerBusy"})
        self.assertEqual([l["profiled"] for l in run.lines("call")], calls)

    return check


def _check_never(self, run):
    self.assertEqual(self.events(run.main), ["start", "end"])


CHECKS = {
    "os.fork in the middle of a program": _check_fork,
    "os.fork inside of forward": _check_fork_inside,
    "multiprocessing, fork": _check_child_call("multiprocessing"),
    "multiprocessing, spawn": _check_child_call("atexit"),
    "multiprocessing, forkserver": _check_child_call("multiprocessing"),
    "os._exit": _check_no_end,
    "an uncaught exception": _check_error("RuntimeError"),
    "an exception with a cause, caught and printed": _check_error("ValueError"),
    "sys.exit in forward": _check_error("SystemExit"),
    "its own profiler before ours": _check_busy([False, True]),
    "its own profiler inside of a call": _check_busy([False, True]),
    "PyTorch never imported": _check_never,
}

for _name, _program in PROGRAMS.items():
    _add(_name, _program)


# What the agent needs of PyTorch, for interpreters that have none.
FAKE_TORCH = {
    "torch/__init__.py": "from . import _C, cuda, nn, version\n",
    "torch/version.py": "__version__ = '2.9.0'\ncuda = None\n",
    "torch/_C.py": "def _get_tracing_state():\n    return None\n",
    "torch/cuda.py": "def is_initialized():\n    return False\n",
    "torch/nn/__init__.py": "from .modules.module import Module\n",
    "torch/nn/modules/__init__.py": "",
    "torch/nn/modules/module.py": """
class Module(object):
    _compiled_call_impl = None
    def __init__(self):
        self._modules, self._parameters, self._buffers = {}, {}, {}
    def _wrapped_call_impl(self, *args, **kwargs):
        return self.forward(*args, **kwargs)
    __call__ = _wrapped_call_impl
""",
}
FAKE_PROGRAM = """
import sys, traceback
from torch.nn import Module
class Weight(object):
    device, dtype, shape, requires_grad = "cpu", "torch.float32", (2,), False
    def numel(self):
        return 2
    def element_size(self):
        return 4
class Leaf(Module):
    def forward(self, x):
        return 1 // x
class Root(Module):
    def forward(self, x):
        return self._modules["leaf"](x)
root = Root()
root._modules["leaf"] = Leaf()
root._parameters["weight"] = Weight()
root(1)
try:
    root(0)
except ZeroDivisionError:
    sys.stdout.write("called %d\\n" % traceback.format_exc().count("ridgeline_agent"))
"""


class LaunchTest(AgentCase):
    """Ways of starting Python, and of ending it."""

    needs_new_interpreter = True

    def events(self, run):
        return [line["event"] for line in run.main]

    def test_python_that_ignores_the_environment(self):
        program = self.write("program.py", "import sys\nprint('sitecustomize' in sys.modules)\n")
        for flag in ("-I", "-E", "-S"):
            with self.subTest(flag):
                command = [sys.executable, flag, program]
                plain = self.run_program(None, agent=False, command=command)
                run = self.run_program(None, EVERYTHING, command=command)
                self.assertEqual((run.returncode, run.stdout), (0, plain.stdout))
                self.assertEqual(run.processes, {})

    def test_without_a_request_nothing_happens(self):
        program = "import sys\nprint([m for m in sys.modules if 'ridgeline' in m])\n"
        run = self.run_program(program, agent=False, extra={"PYTHONPATH": AGENT})
        self.assertEqual((run.stdout, run.stderr, run.processes), ("[]\n", "", {}))

    def test_the_next_sitecustomize_runs_once(self):
        self.write("site/sitecustomize.py", "print('mine', __name__)\nMARK = 1\n")
        program = "import sitecustomize, sys\nprint(sitecustomize.MARK, sitecustomize.__file__[-21:])\n"
        extra = {"PYTHONPATH": os.path.join(self.folder, "site")}
        plain = self.run_program(program, agent=False, extra=extra)
        run = self.run_program(program, EVERYTHING, extra=extra)
        self.assertEqual(run.stdout, plain.stdout)
        self.assertEqual(self.events(run), ["start", "end"])

    def test_a_sitecustomize_that_fails_is_reported_as_before(self):
        extra = {"PYTHONPATH": os.path.join(self.folder, "site")}
        for text in ("1 / 0\n", "import no_such_module\n", "import sys\nsys.exit(4)\n"):
            with self.subTest(text):
                self.write("site/sitecustomize.py", text)
                plain = self.run_program("print(1)\n", agent=False, extra=extra)
                run = self.run_program("print(1)\n", EVERYTHING, extra=extra)
                self.assertEqual(run.returncode, plain.returncode)
                self.assertEqual((run.stdout, run.stderr), (plain.stdout, plain.stderr))

    def test_an_output_directory_that_cannot_be_written(self):
        plain = self.run_program(NET + "print(net(x).tolist())\n", agent=False)
        for folder in ("/proc/self", "/no/such/folder", "/dev/full"):
            with self.subTest(folder):
                run = self.run_program(
                    NET + "print(net(x).tolist())\n", dict(EVERYTHING, output=folder)
                )
                self.assertEqual((run.returncode, run.stdout), (0, plain.stdout))
                self.assertEqual(run.stderr, plain.stderr)

    def test_a_request_that_cannot_be_read(self):
        for text in ("", "{", "[]", '{"output": 3}'):
            with self.subTest(text):
                request = self.write("bad.json", text)
                extra = {"RIDGELINE_AGENT": request, "PYTHONPATH": AGENT}
                run = self.run_program("print(1)\n", agent=False, extra=extra)
                self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "1\n", ""))

    def test_a_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small tmpfs needs root")
        small = os.path.join(self.folder, "small")
        os.mkdir(small)
        mount = ["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", small]
        if subprocess.call(mount, stderr=subprocess.DEVNULL) != 0:
            self.skipTest("cannot mount a tmpfs")
        self.addCleanup(subprocess.call, ["umount", small])
        program = NET + "for i in range(50):\n    net(x)\nprint('done')\n"
        run = self.run_program(program, dict(EVERYTHING, output=small))
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "done\n", ""))

    def test_programs_ended_by_a_signal(self):
        program = NET + (
            "import asyncio, sys\n"
            "async def main():\n"
            "    while True:\n"
            "        net(x)\n"
            "        print('up', flush=True)\n"
            "        await asyncio.sleep(0.01)\n"
            "asyncio.run(main())\n"
        )
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
            with self.subTest(number):
                environment = self.environment(EVERYTHING)
                process = subprocess.Popen(
                    [sys.executable, self.write("server.py", program)],
                    env=environment,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                )
                process.stdout.readline()
                process.stdout.readline()
                process.send_signal(number)
                # At exit, Kineto of PyTorch 2.13 may wait 5 minutes for a thread of its own
                # that was about to sleep.
                output = process.communicate(timeout=400)
                from agent_case import Run

                run = Run(process, output, self.folder)
                self.assertEqual(run.returncode, -number)
                self.assertGreaterEqual(len(run.lines("call")), 2)
                ends = 1 if number == signal.SIGINT else 0
                self.assertEqual(len(run.lines("end")), ends)

    def test_other_interpreters(self):
        versions = os.path.expanduser("~/.pyenv/versions")
        names = sorted(os.listdir(versions)) if os.path.isdir(versions) else []
        if not names:
            self.skipTest("no other Python is installed")
        for path, text in FAKE_TORCH.items():
            self.write(path, text)
        program = self.write("program.py", FAKE_PROGRAM)
        for name in names:
            with self.subTest(name):
                version = tuple(int(word) for word in name.split(".")[:2])
                python = os.path.join(versions, name, "bin", "python")
                run = self.run_program(
                    None, dict(EVERYTHING, profile=None), command=[python, program]
                )
                # Before Python 3.11 one frame of the agent remains in tracebacks.
                frames = 1 if (3, 8) <= version < (3, 11) else 0
                want = (0, "called %d\n" % frames, "")
                self.assertEqual((run.returncode, run.stdout, run.stderr), want)
                if version >= (3, 8):
                    self.assertEqual(run.problems(), [])
                    self.assertEqual(
                        self.events(run), ["start", "torch", "model", "call", "call", "end"]
                    )
                    self.assertEqual(run.main[-1]["outermost_calls"], 2)
                elif version >= (3, 0):
                    self.assertEqual(run.problems()[0][0], "UnsupportedPython")
                else:
                    self.assertEqual(run.processes, {})

    def test_the_start_line_names_the_process(self):
        command = [sys.executable, self.write("program.py", ""), "a b", "\udcff"]
        run = self.run_program(
            None, {}, command=command, extra={"RANK": "3", "LOCAL_RANK": "1"}
        )
        (start,) = run.lines("start")
        self.assertEqual(start["argv"], [command[1], "a b", "?"])
        self.assertEqual((start["rank"], start["local_rank"]), (3, 1))
        self.assertLess(abs(start["time_unix_ns"] - time.time_ns()), 3600 * 10**9)

    def test_a_worker_may_learn_its_rank_after_it_started(self):
        # As those of torch.multiprocessing.spawn: by a variable, or by an argument.
        program = NET + (
            "import os, torch.distributed as dist\n"
            "net(x)\n"
            "os.environ.update(RANK='1', LOCAL_RANK='0', WORLD_SIZE='4')\n"
            "net(x)\n"
            "net(x)\n"
            "os.environ.pop('RANK')\n"
            "net(x)\n"
            "if dist.is_available():\n"
            "    store = 'file://' + os.path.abspath('store')\n"
            "    dist.init_process_group('gloo', init_method=store, rank=0, world_size=1)\n"
            "    net(x)\n"
            "    dist.destroy_process_group()\n"
            "print(dist.is_available())\n"
        )
        run = self.run_program(program, {"calls": True})
        self.assertEqual(run.returncode, 0, run.stderr)
        lines = [l for l in run.main if l["event"] in ("rank", "call")]
        want = ["call", "rank", "call", "call", "call"]
        ranks = [(1, 0, 4)]
        if run.stdout == "True\n":
            want += ["rank", "call"]
            ranks += [(0, 0, 1)]
        self.assertEqual([l["event"] for l in lines], want)
        found = [(l["rank"], l["local_rank"], l["world_size"]) for l in run.lines("rank")]
        self.assertEqual(found, ranks)

    def test_modules_keep_their_loaders(self):
        program = (
            "import sys, torch, importlib\n"
            "m = sys.modules['torch.nn.modules.module']\n"
            "print(type(m.__loader__).__name__, type(m.__spec__.loader).__name__)\n"
            "import multiprocessing.util\n"
            "print([type(f).__module__ for f in sys.meta_path if 'ridgeline' in type(f).__module__])\n"
            "from importlib import resources\n"
            "print(importlib.reload(multiprocessing.util).__name__)\n"
        )
        plain = self.run_program(program, agent=False)
        run = self.run_program(program, {})
        self.assertEqual((run.stdout, run.stderr), (plain.stdout, plain.stderr))


def masked(text):
    # Kineto's lines about the program's own profiler are silenced with those of ours.
    text = re.sub(r"(?m)^(USDT|STAGE|INFO|ERROR: External init callback.*):?.*\n", "", text)
    return re.sub(r"ridgeline-agent-\w+|0x[0-9a-f]+", "", text)


if __name__ == "__main__":
    unittest.main()
