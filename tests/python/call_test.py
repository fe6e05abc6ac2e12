"""Calls, profiles and regions."""
import sys
import unittest

from agent_case import EVERYTHING, AgentCase, needs_nvtx, torch_version

NET = """
import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return self.fc(x)
net = Net()
x = torch.ones(1, 2)
"""

# A module of the program with functions of every kind.
ENGINE = (
    NET
    + """
import enum
class Mode(enum.Enum):
    DECODE = 1
class Batch:
    mode = Mode.DECODE
    size = 4
class Engine:
    def step(self, batch, tokens=None):
        return net(x)
    @torch.no_grad()
    def decorated(self, batch):
        return net(x)
    @staticmethod
    def static(a):
        return a
    @classmethod
    def made(cls, a):
        return cls.__name__ + a
    async def serve(self, a):
        return net(x)
    def stream(self, n):
        for i in range(n):
            got = yield i
            if got:
                yield got
        return "end"
    async def astream(self, n):
        for i in range(n):
            yield i
def free(text, number=1.5):
    raise ValueError(text)
"""
)


def region(path, **fields):
    return dict({"target": "engine:" + path, "name": path.split(".")[-1]}, **fields)


class RegionTest(AgentCase):
    def run_engine(self, program, regions, **fields):
        self.write("engine.py", ENGINE)
        request = dict(EVERYTHING, profile=None, regions=regions, **fields)
        self.program = "from engine import *\n" + program
        plain = self.run_program(self.program, agent=False)
        run = self.run_program(self.program, request)
        self.assertEqual(run.returncode, plain.returncode, run.stderr)
        self.assertEqual((run.stdout, run.stderr), (plain.stdout, plain.stderr))
        return run

    @needs_nvtx
    def test_functions_of_every_kind(self):
        program = """
import asyncio, inspect, traceback
engine = Engine()
engine.step(Batch(), tokens=torch.ones(2, 3))
engine.decorated(Batch())
print(Engine.static(1), engine.static(2), Engine.made("x"), engine.made("y"))
print(list(engine.stream(2)), inspect.isgeneratorfunction(Engine.stream))
one = engine.stream(1); next(one); print(one.send("sent")); one.close()
def delegate():
    print((yield from engine.stream(1)))
print(list(delegate()))
async def main():
    print((await asyncio.gather(engine.serve(1), engine.serve(2)))[0].shape)
    print([i async for i in engine.astream(3)])
    async for i in engine.astream(3):
        break
asyncio.run(main())
print(inspect.iscoroutinefunction(Engine.serve), inspect.isasyncgenfunction(Engine.astream))
print(inspect.signature(Engine.step), Engine.step.__qualname__, Engine.step.__name__)
try:
    free("wrong")
except ValueError:
    traceback.print_exc(limit=-1)
"""
        run = self.run_engine(
            program,
            [
                region("Engine.step", arguments=["batch.mode", "batch.size", "tokens", "none"]),
                region("Engine.decorated", arguments=["batch.size"]),
                region("Engine.static"),
                region("Engine.made"),
                region("Engine.serve"),
                region("Engine.stream", arguments=["n"]),
                region("Engine.astream"),
                region("free", arguments=["text"]),
            ],
        )
        self.assertEqual(run.problems(), [])
        labels = {
            path: opened
            for path, (opened, closed) in run.ranges.items()
            if not path.startswith(("forward", "step", "serve/", "decorated(batch.size=4)/"))
        }
        self.assertEqual(
            labels,
            {"decorated(batch.size=4)": 1, "static": 2, "made": 2, "serve": 2, "stream(n=2)": 1, "stream(n=1)": 2,
             "astream": 2, "free(text='wrong')": 1},
        )
        step = "step(batch.mode=DECODE, batch.size=4, tokens=[2, 3])"
        self.assertEqual(run.ranges[step], (1, 1))
        self.assertEqual(run.ranges[step + "/forward/Net/fc"], (1, 1))
        for path, (opened, closed) in run.ranges.items():
            self.assertEqual(opened, closed, path)

    def test_tracebacks_have_the_frames_of_the_program_only(self):
        program = """
import asyncio, traceback
import failing
def consume(make):
    try:
        made = make()
        asyncio.run(made) if asyncio.iscoroutine(made) else next(made)
    except ValueError as error:
        frames = traceback.extract_tb(error.__traceback__)
        print(make.__name__, [f.name for f in frames if "asyncio" not in f.filename])
async def first():
    async for _ in failing.astream():
        pass
async def served():
    await failing.serve()
for make in (failing.stream, served, first):
    consume(make)
"""
        self.write(
            "failing.py",
            "import torch\n"
            "def stream():\n    yield fail()\n"
            "async def serve():\n    fail()\n"
            "async def astream():\n    yield fail()\n"
            "def fail():\n    raise ValueError\n",
        )
        regions = [
            {"target": "failing:" + name, "name": name}
            for name in ("stream", "serve", "astream", "fail")
        ]
        plain = self.run_program(program, agent=False)
        run = self.run_well(program, {"regions": regions})
        self.assertEqual(run.stdout.count("fail"), 3)
        if sys.version_info >= (3, 11):
            self.assertEqual(run.stdout, plain.stdout)

    def test_a_region_can_be_the_call(self):
        run = self.run_engine(
            "net(x)\nfor _ in range(2):\n    Engine().step(Batch())\n",
            [region("Engine.step", name="step", call=True)],
        )
        calls = [(c["kind"], c["name"], c["forwards"], c["index"]) for c in run.lines("call")]
        self.assertEqual(calls, [("region", "step", 1, 1), ("region", "step", 1, 2)])

    def test_a_call_that_does_not_exist_leaves_the_usual_ones(self):
        run = self.run_engine(
            "net(x)\nEngine().step(Batch())\n",
            [region("Engine.gone", call=True, optional=True)],
        )
        self.assertEqual([c["name"] for c in run.lines("call")], ["Net.forward"] * 2)
        self.assertEqual(
            run.problems(),
            [
                (
                    "RegionNotFound",
                    "no function with call: true was found; calls are those of generate() "
                    "and of the outermost forward()",
                )
            ],
        )

    def test_calls_before_the_region_is_imported_are_not_counted(self):
        self.write("engine.py", ENGINE)
        program = NET + (
            "for _ in range(3):\n    net(x)\n"
            "import engine\n"
            "for _ in range(3):\n    engine.Engine().step(engine.Batch())\n"
        )
        regions = [region("Engine.step", name="step", call=True)]
        run = self.run_well(program, dict(EVERYTHING, regions=regions))
        calls = [(c["kind"], c["index"], c["profiled"]) for c in run.lines("call")]
        # Two of each kind are profiled: a warm-up call and the one that counts.
        forwards = [("forward", i, i < 3) for i in (1, 2, 3)]
        self.assertEqual(calls, forwards + [("region", i, i < 6) for i in (4, 5, 6)])
        self.assertEqual(run.lines("profile")[-1]["call"], 5)

    def test_regions_that_do_not_exist_are_reported_at_the_end(self):
        run = self.run_engine(
            "net(x)\n",
            [
                region("Engine.no_such"),
                region("Nothing.at_all"),
                region("Mode"),
                {"target": "nowhere:f", "name": "f"},
                {"target": "__main__:f", "name": "f"},
                {"target": "nowhere:g", "name": "g", "optional": True},
            ],
        )
        self.assertEqual(
            [text for name, text in run.problems() if name == "RegionNotFound"],
            [
                "engine:Engine.no_such: module engine has no function Engine.no_such",
                "engine:Nothing.at_all: module engine has no function Nothing.at_all",
                "engine:Mode: module engine has no function Mode",
                "nowhere:f: module nowhere was not imported",
                "__main__:f: functions of the program's main file cannot be wrapped",
            ],
        )
        self.assertEqual(run.main[-1]["event"], "end")


class ProfileTest(AgentCase):
    def test_the_last_profiled_call_is_kept(self):
        program = NET + "for i in range(4):\n    net(torch.ones(i + 1, 2))\n"
        for calls, kept in ((4, 3), (2, 2)):
            with self.subTest(calls):
                request = dict(EVERYTHING, profile={"record_shapes": True, "warmup_calls": 2})
                run = self.run_well(program.replace("range(4)", "range(%d)" % calls), request)
                profiles = run.lines("profile")
                self.assertEqual([p["call"] for p in profiles], list(range(1, kept + 1)))
                self.assertEqual(list(run.traces), [profiles[-1]["trace"]])
                self.assertEqual(
                    [c["profiled"] for c in run.lines("call")], [i < 3 for i in range(calls)]
                )
                if torch_version() >= (2, 0):  # Debian's 1.13 has no Kineto.
                    self.assertEqual(run.annotations(), ["forward", "Net", "fc"])
                    trace = run.traces[profiles[-1]["trace"]]
                    shapes = [
                        e["args"]["Input Dims"][0]
                        for e in trace["traceEvents"]
                        if e.get("name") == "aten::linear"
                    ]
                    self.assertEqual(shapes, [[kept, 2]])

    def test_a_call_that_raised_is_only_kept_if_no_other_was_profiled(self):
        program = (
            NET
            + "for rows in %s:\n"
            + "    try: net(torch.ones(1, 2 if rows else 3))\n"
            + "    except RuntimeError: pass\n"
        )
        for rows, kept in (([0, 1, 1, 1], 3), ([1, 0, 1, 1], 3), ([1, 0], 1), ([0, 0], 1)):
            with self.subTest(rows):
                request = dict(EVERYTHING, profile={"warmup_calls": 1})
                run = self.run_well(program % rows, request)
                profiles = run.lines("profile")
                self.assertEqual(profiles[-1]["call"], kept)
                self.assertEqual(profiles[-1]["warmup_calls"], max(sum(rows[:kept]) - 1, 0))
                self.assertEqual(list(run.traces), [profiles[-1]["trace"]])

    def test_a_profile_is_bounded(self):
        program = NET + (
            "class Loop(Net):\n"
            "    def forward(self, x):\n"
            "        for _ in range(100):\n"
            "            x = self.fc(x)\n"
            "        return x\n"
            "import engine\n"
            "engine.run(Loop())\n"
        )
        self.write("engine.py", NET + "def run(m):\n    for _ in range(50):\n        m(x)\n")
        request = dict(
            EVERYTHING,
            regions=[region("run", call=True)],
            profile={"warmup_calls": 0, "max_events": 4000},
        )
        run = self.run_well(program, request)
        (profile,) = run.lines("profile")
        self.assertTrue(profile["truncated"])
        self.assertLess(profile["events"], 8000)
        (call,) = run.lines("call")
        self.assertEqual(call["forwards"], 50)

    def test_stacks_are_not_recorded_while_the_program_uses_setprofile(self):
        program = NET + (
            "import sys\n"
            "hook = lambda *_: None\n"
            "sys.setprofile(hook)\n"
            "net(x)\n"
            "print(sys.getprofile() is hook)\n"
        )
        request = dict(EVERYTHING, profile={"with_stack": True})
        run = self.run_program(program, request)
        self.assertEqual(run.stdout, "True\n")
        self.assertEqual([name for name, _ in run.problems()], ["ProfilerBusy"])

    def test_a_profiler_on_another_thread_makes_ours_stop(self):
        program = NET + (
            "import threading\n"
            "from torch.autograd.profiler import profile\n"
            "started, stop = threading.Event(), threading.Event()\n"
            "class Long(Net):\n"
            "    def forward(self, x):\n"
            "        started.set()\n"
            "        return self.fc(x)\n"
            "import engine\n"
            "def other():\n"
            "    started.wait()\n"
            "    with profile() as p:\n"
            "        net(x)\n"
            "    print(len([e for e in p.function_events if e.name == 'aten::linear']))\n"
            "    stop.set()\n"
            "thread = threading.Thread(target=other)\n"
            "thread.start()\n"
            "engine.run(Long(), stop)\n"
            "thread.join()\n"
        )
        self.write("engine.py", NET + "def run(m, stop):\n    while not stop.is_set():\n        m(x)\n")
        request = dict(EVERYTHING, regions=[region("run", call=True)])
        run = self.run_program(program, request)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "1\n", ""))
        self.assertEqual([name for name, _ in run.problems()], ["ProfilerBusy"])
        self.assertEqual(run.lines("profile"), [])


class RangesUnavailableTest(AgentCase):
    def test_without_the_library_ranges_are_off(self):
        import os
        import shutil

        import agent_case

        copy = os.path.join(self.folder, "agent")
        shutil.copytree(
            agent_case.AGENT, copy, ignore=shutil.ignore_patterns("*.so", "__pycache__")
        )
        original, agent_case.AGENT = agent_case.AGENT, copy
        self.addCleanup(setattr, agent_case, "AGENT", original)
        run = self.run_program(NET + "print(net(x).shape)\n", EVERYTHING)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertEqual([name for name, _ in run.problems()], ["RangesUnavailable"])
        self.assertEqual(len(run.lines("call")), 1)


if __name__ == "__main__":
    unittest.main()
