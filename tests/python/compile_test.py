"""torch.compile, export, script and fx see nothing of the agent."""
import re
import unittest

from agent_case import AGENT, EVERYTHING, AgentCase, needs_torch_2, torch_version

NET = """
import hashlib, sys, torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.act = nn.GELU()
    def forward(self, x):
        return self.act(self.fc(x)) + x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.head = nn.Linear(8, 8)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
torch.manual_seed(0)
net = Net()
x = torch.randn(2, 8)
def digest(result):
    return hashlib.sha256(result.detach().numpy().tobytes()).hexdigest()[:16]
"""

COMPILE = (
    NET
    + """
import torch._dynamo as dynamo
from torch._dynamo.utils import counters
KINDS = ("stats", "frames", "graph_break", "unimplemented", "recompile_limit")
def show(what, result):
    seen = {k: dict(v) for k, v in sorted(counters.items()) if k in KINDS}
    print(what, digest(result), seen)
    dynamo.reset()
    counters.clear()
def compiled(thing, **options):
    return torch.compile(thing, backend="eager", **options)
show("eager", net(x))
for what, make in (
    ("module", lambda: compiled(net, fullgraph=True)),
    ("__call__", lambda: compiled(net.__call__, fullgraph=True)),
    ("forward", lambda: compiled(net.forward, fullgraph=True)),
    ("function", lambda: compiled(lambda t: net(t) * 2, fullgraph=True)),
    ("Linear", lambda: compiled(net.head, fullgraph=True)),
):
    callable_ = make()
    callable_(x)
    show(what, callable_(x))
if hasattr(nn.Module, "compile"):
    other = Net()
    other.compile(fullgraph=True, backend="eager")
    other(x)
    show("Module.compile", other(x))
net.blocks[1] = compiled(net.blocks[1], fullgraph=True)
net(x)
show("inner module", net(x))
class Breaks(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()
    def forward(self, x):
        y = self.net(x)
        dynamo.graph_break()
        return self.net(y)
breaks = compiled(Breaks())
for rows in (2, 3, 4, 5):
    result = breaks(torch.ones(rows, 8))
show("graph break and new shapes", result)
hook = net.register_forward_hook(lambda *_: None)
show("hook", compiled(Net())(x))
hook.remove()
"""
)

EXPORT = (
    NET
    + """
if hasattr(torch, "export"):
    for strict in (False, True):
        program = torch.export.export(net, (x,), strict=strict)
        print("export", digest(program.module()(x)), program.graph)
print("script", digest(torch.jit.script(net)(x)))
traced = torch.jit.trace(net, x)
print("trace", digest(traced(x)), traced.graph)
graph = torch.fx.symbolic_trace(net)
print("fx", digest(graph(x)), graph.code)
assert torch.fx.symbolic_trace(graph).code == graph.code
"""
)

# Compiles with Inductor. A second run with the same cache compiles nothing.
INDUCTOR = (
    NET
    + """
from torch._dynamo.utils import counters
print(digest(torch.compile(net)(x)))
print({k: v for k, v in counters["inductor"].items() if "cache" in k and "fxgraph" in k})
"""
)


class CompileTest(AgentCase):
    def same(self, program, request, extra=None):
        plain = self.run_program(program, agent=False, extra=extra)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        run = self.run_well(program, request, extra=extra)
        self.assertEqual(run.stdout, plain.stdout)
        self.assertEqual(masked(run.stderr), masked(plain.stderr))
        return run

    @needs_torch_2
    def test_no_graph_breaks_recompilations_or_warnings(self):
        logs = {"TORCH_LOGS": "recompiles"}
        for what, request in (
            ("ranges", {"calls": True, "describe": True, "ranges": {}}),
            ("profile", dict(EVERYTHING, profile={"warmup_calls": 100})),
            ("idle", {}),
        ):
            with self.subTest(what):
                self.same(COMPILE, request, logs)

    def test_export_script_trace_and_fx_are_the_same(self):
        profile = dict(EVERYTHING, profile={"warmup_calls": 100})
        run = self.same(EXPORT, profile)
        self.assertEqual(run.lines("end")[0]["compiled"], [""])

    @needs_torch_2
    def test_the_compile_cache_of_a_run_without_the_agent_hits(self):
        plain = self.run_program(INDUCTOR, agent=False)
        self.assertEqual(plain.returncode, 0, plain.stderr)
        self.assertIn("fxgraph_cache_miss", plain.stdout)
        run = self.run_well(INDUCTOR, EVERYTHING)
        self.assertEqual(run.stdout.split()[0], plain.stdout.split()[0])
        self.assertIn("fxgraph_cache_hit", run.stdout)
        self.assertNotIn("fxgraph_cache_miss", run.stdout)
        self.assertEqual(run.lines("end")[0]["compiled"], [""])

    @needs_torch_2
    def test_dynamo_takes_the_wrapper_for_the_original(self):
        self.needs_new_interpreter = True
        if torch_version() < (2, 7):
            self.skipTest("needs PyTorch 2.7")
        program = NET + (
            "from torch._dynamo import symbolic_convert, utils\n"
            "assert utils.unpatched_nn_module_call is nn.Module.__call__\n"
            "assert nn.Module.__call__.__code__.co_filename.startswith(%r)\n"
            "import torch.fx._symbolic_trace as fx\n"
            "assert fx._orig_module_call is nn.Module.__call__\n"
            "files = set()\n"
            "translator = symbolic_convert.InliningInstructionTranslator\n"
            "inline = translator.inline_call_\n"
            "def note(self):\n"
            "    files.add(self.f_code.co_filename)\n"
            "    return inline(self)\n"
            "translator.inline_call_ = note\n"
            "torch.compile(net, backend='eager', fullgraph=True)(x)\n"
            "torch.compile(lambda t: net(t), backend='eager', fullgraph=True)(x)\n"
            "assert files\n"
            "assert not [f for f in files if f.startswith(%r)], files\n" % (AGENT, AGENT)
        )
        self.run_well(program, EVERYTHING)

    @needs_torch_2
    def test_a_wrapper_that_dynamo_inlines_compiles_too(self):
        # As if PyTorch had been imported before the agent.
        program = NET + (
            "import torch._dynamo.utils as utils, torch._dynamo.variables.nn_module as v\n"
            "v.unpatched_nn_module_call = utils.unpatched_nn_module_call = None\n"
            "f = torch.compile(lambda t: net(t), backend='eager', fullgraph=True)\n"
            "assert f(x).equal(net(x))\n"
        )
        self.run_well(program, EVERYTHING)


def masked(text):
    """Without times, process numbers and addresses, which differ in every run."""
    text = re.sub(r"(?m)^[A-Z]\d{4} \d\d:\d\d:\d\d\.\d+ \d+ ", "", text)
    return re.sub(r"0x[0-9a-f]+|ridgeline-agent-\w+", "", text)


if __name__ == "__main__":
    unittest.main()
