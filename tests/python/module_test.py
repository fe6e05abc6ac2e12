"""Ranges and descriptions of modules: paths, calls, tensors."""
import unittest

from agent_case import EVERYTHING, AgentCase, needs_nvtx, torch_version

RANGES = {"calls": True, "describe": True, "ranges": {}}

# A root with blocks; `root`, `x` and `nn` for the lines that follow.
NET = """
import torch
from torch import nn
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 4)
        self.act = nn.ReLU()
    def forward(self, x):
        return self.act(self.fc(x))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block(), Block()])
        self.head = nn.Linear(4, 2)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
torch.manual_seed(0)
root = Net()
x = torch.ones(1, 4)
"""


class Labels:
    """Checks of the ranges of a run, by the labels below a range."""

    def labels(self, run, counted=True):
        found = {}
        for path, (opened, closed) in run.ranges.items():
            self.assertEqual(opened, closed, path)
            found[path.replace("forward/", "", 1) if path != "forward" else path] = opened
        return found


@needs_nvtx
class RangesTest(AgentCase, Labels):
    def test_ranges_are_the_module_tree(self):
        program = NET + "root(x)\nroot(x)\nprint([n for n, m in root.named_modules()])\n"
        run = self.run_well(program, RANGES)
        called = [name for name in eval(run.stdout) if name not in ("", "blocks")]
        want = {"forward": 2, "Net": 2}
        for name in called:
            parents = [p for p in called if name.startswith(p + ".")]
            want["/".join(["Net"] + parents + [name])] = 2
        self.assertEqual(self.labels(run), want)

    def test_which_modules_are_marked(self):
        cases = [
            ({"max_depth": 1}, ["Net"]),
            ({"max_depth": 3}, ["Net", "Net/blocks.0", "Net/blocks.1", "Net/head"]),
            ({"include": [r"\.fc$"]}, ["blocks.0.fc", "blocks.1.fc"]),
            (
                {"exclude": [r"blocks\.\d+\.", "^$"]},
                ["blocks.0", "blocks.1", "head"],
            ),
        ]
        for wanted, want in cases:
            with self.subTest(wanted):
                run = self.run_well(NET + "root(x)\n", dict(RANGES, ranges=wanted))
                self.assertEqual(sorted(self.labels(run)), sorted(["forward"] + want))

    def test_an_expression_that_is_refused_is_ignored(self):
        ranges = {"include": ["(?P<a>.)(?P<a>.)", "head"]}
        run = self.run_program(NET + "root(x)\n", dict(RANGES, ranges=ranges))
        ((name, text),) = run.problems()
        self.assertEqual(name, "InvalidExpression")
        self.assertIn("pipeline.workload.python.ranges.include: '(?P<a>.)(?P<a>.)': ", text)
        self.assertEqual(sorted(self.labels(run)), ["forward", "head"])

    def test_wrappers_are_not_part_of_paths(self):
        program = NET + (
            "class DataParallel(nn.Module):\n"
            "    def __init__(self, module):\n"
            "        super().__init__()\n"
            "        self.module = module\n"
            "    def forward(self, x):\n"
            "        return self.module(x)\n"
            "class Holder(nn.Module):\n"
            "    def __init__(self, module):\n"
            "        super().__init__()\n"
            "        self._fsdp_wrapped_module = module\n"
            "    def forward(self, x):\n"
            "        return self._fsdp_wrapped_module(x)\n"
            "root.blocks[1] = Holder(root.blocks[1])\n"
            "DataParallel(root)(x)\n"
        )
        run = self.run_well(program, RANGES)
        self.assertEqual(
            sorted(self.labels(run)),
            [
                "Net",
                "Net/blocks.0",
                "Net/blocks.0/blocks.0.act",
                "Net/blocks.0/blocks.0.fc",
                "Net/blocks.1",
                "Net/blocks.1/blocks.1.act",
                "Net/blocks.1/blocks.1.fc",
                "Net/head",
                "forward",
            ],
        )
        (model,) = run.lines("model")
        self.assertEqual(model["class"], "Net")
        self.assertIn(
            {"path": "blocks.1", "class": "Block", "aliases": []}, model["modules"]
        )
        self.assertIn("blocks.1.fc.weight", [t["name"] for t in model["tensors"]])

    def test_a_user_attribute_named_module_is_part_of_paths(self):
        program = NET + (
            "class Mine(nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.module = nn.Linear(4, 4)\n"
            "    def forward(self, x):\n"
            "        return self.module(x)\n"
            "Mine()(x)\n"
        )
        run = self.run_well(program, RANGES)
        self.assertEqual(sorted(self.labels(run)), ["Mine", "Mine/module", "forward"])

    def test_modules_added_later_are_named_by_their_parent(self):
        program = NET + (
            "root(x)\n"
            "root.blocks.append(Block())\n"
            "root.blocks[0].extra = nn.Identity()\n"
            "root.blocks[0].forward = lambda x: root.blocks[0].extra(nn.Tanh()(x))\n"
            "root(x)\n"
        )
        run = self.run_well(program, RANGES)
        labels = self.labels(run)
        self.assertEqual(labels["Net/blocks.2/blocks.2.fc"], 1)
        self.assertEqual(labels["Net/blocks.0/blocks.0.extra"], 1)
        self.assertEqual(labels["Net/blocks.0/Tanh"], 1)  # Belongs to no tree.

    def test_a_larger_root_renames_its_parts(self):
        program = NET + (
            "root.blocks[0](x)\n"
            "root(x)\n"
            "root.blocks[0](x)\n"
        )
        run = self.run_well(program, RANGES)
        labels = self.labels(run)
        self.assertEqual(labels["Block"], 1)
        self.assertEqual(labels["Net/blocks.0"], 1)
        self.assertEqual(labels["blocks.0"], 1)
        first, second = run.lines("model")
        self.assertEqual((first["class"], first["contains"]), ("Block", []))
        self.assertEqual((second["class"], second["contains"]), ("Net", [1]))
        self.assertEqual([c["root"] for c in run.lines("call")], [1, 2, 2])

    def test_a_range_is_closed_when_forward_raises(self):
        program = NET + (
            "root.head.forward = lambda x: 1 / 0\n"
            "for _ in range(3):\n"
            "    try:\n"
            "        root(x)\n"
            "    except ZeroDivisionError:\n"
            "        pass\n"
        )
        run = self.run_well(program, RANGES)
        self.assertEqual(self.labels(run)["Net/head"], 3)
        self.assertEqual(run.listing["left_out"]["pops_without_push"], 0)
        self.assertEqual([c["error"] for c in run.lines("call")], ["ZeroDivisionError"] * 3)

    def test_modules_that_cannot_be_hashed_or_die_are_named(self):
        program = NET + (
            "class Odd(Block):\n"
            "    def __eq__(self, other):\n"
            "        raise TypeError\n"
            "    __hash__ = None\n"
            "    def forward(self, x):\n"
            "        del self.act\n"
            "        return self.fc(x)\n"
            "root.blocks[0] = Odd()\n"
            "root.__dict__['plain'] = 0\n"
            "for _ in range(200):\n"
            "    root.blocks[0] = Odd()\n"
            "    root(x)\n"
            "import sys\n"
            "names = sys.modules['ridgeline_agent.modules']._watch.names\n"
            "print(len(names.entries) < 20)\n"
        )
        run = self.run_well(program, RANGES)
        self.assertEqual(run.stdout, "True\n")  # The dead are forgotten.
        self.assertEqual(self.labels(run)["Net/blocks.0/blocks.0.fc"], 200)

    def test_the_result_is_the_same_bit_by_bit(self):
        program = NET + "print(root(torch.randn(3, 4)).tolist())\n"
        plain = self.run_program(program, agent=False)
        self.assertEqual(self.run_well(program, EVERYTHING).stdout, plain.stdout)


class IdleTest(AgentCase):
    """What is not requested is not installed."""

    PROGRAM = NET + (
        "import sys\n"
        "own = [getattr(nn.Module, n, None) for n in ('_call_impl', '_wrapped_call_impl')]\n"
        "root(x)\n"
        "print(nn.Module.__call__ in own, 'ridgeline_agent.modules' in sys.modules)\n"
    )

    def test_an_idle_agent_leaves_module_call_alone(self):
        for request in ({}, {"generate": True, "regions": [], "ranges": None}):
            with self.subTest(request):
                run = self.run_well(self.PROGRAM, request)
                self.assertEqual(run.stdout, "True False\n")
                self.assertEqual([line["event"] for line in run.main], ["start", "torch", "end"])
                self.assertFalse(run.lines("torch")[0]["hooked"])

    def test_every_request_wraps_module_call(self):
        for request in (
            {"calls": True},
            {"describe": True},
            {"ranges": {}},
            {"profile": {"activities": ["cpu"]}},
            {"regions": [{"target": "gpt:GPT.forward", "name": "f", "optional": True}]},
        ):
            with self.subTest(request):
                run = self.run_well(self.PROGRAM, request)
                self.assertEqual(run.stdout, "False True\n")
                self.assertTrue(run.lines("torch")[0]["hooked"])


class DescriptionTest(AgentCase):
    def test_the_example_is_described(self):
        program = "import sys\nsys.argv = ['generate.py', '3']\nimport generate\ngenerate.main()\n"
        run = self.run_well(program, EVERYTHING)
        (model,) = run.lines("model")
        self.assertEqual((model["class"], model["module"], model["root"]), ("GPT", "gpt", 1))
        self.assertEqual(model["config"]["n_layer"], 4)
        paths = [module["path"] for module in model["modules"]]
        self.assertEqual(paths[:4], ["", "wte", "wpe", "blocks"])
        self.assertEqual(len(paths), 42)
        tensors = {tensor["name"]: tensor for tensor in model["tensors"]}
        self.assertEqual(
            tensors["lm_head.weight"],
            {
                "name": "lm_head.weight",
                "kind": "parameter",
                "shape": [512, 128],
                "dtype": "float32",
                "device": "cpu",
                "numel": 65536,
                "bytes": 262144,
                "requires_grad": True,
                "tied_to": "wte.weight",
            },
        )
        self.assertEqual(tensors["blocks.0.attn.mask"]["kind"], "buffer")
        self.assertEqual(tensors["blocks.0.attn.mask"]["dtype"], "bool")
        calls = run.lines("call")
        self.assertEqual([call["index"] for call in calls], [1, 2, 3])
        self.assertEqual({call["name"] for call in calls}, {"GPT.forward"})
        self.assertEqual([call["profiled"] for call in calls], [True, True, False])
        (end,) = run.lines("end")
        self.assertEqual((end["outermost_calls"], end["compiled"]), (3, []))

    def test_shared_modules_have_aliases_and_lazy_tensors_no_shape(self):
        program = NET + (
            "root.again = root.head\n"
            "root.lazy = nn.LazyLinear(3)\n"
            "root.meta = nn.Linear(2, 2, device='meta')\n"
            "root(x)\n"
        )
        run = self.run_program(program, {"describe": True})
        self.assertEqual((run.returncode, run.problems()), (0, []))
        (model,) = run.lines("model")
        modules = {module["path"]: module for module in model["modules"]}
        self.assertEqual(modules["head"]["aliases"], ["again"])
        self.assertNotIn("again", modules)
        tensors = {tensor["name"]: tensor for tensor in model["tensors"]}
        self.assertIsNone(tensors["lazy.weight"]["shape"])
        self.assertEqual(tensors["meta.weight"]["bytes"], 0)
        self.assertEqual(tensors["meta.weight"]["numel"], 4)

    def test_only_roots_with_tensors_are_calls(self):
        program = NET + "nn.CrossEntropyLoss()(root(x), torch.tensor([1]))\n"
        run = self.run_well(program, {"describe": True, "calls": True})
        self.assertEqual([m["class"] for m in run.lines("model")], ["Net"])
        self.assertEqual([c["name"] for c in run.lines("call")], ["Net.forward"])

    def test_threads_that_call_a_model_first_name_it_once(self):
        program = NET + (
            "import sys, threading\n"
            "sys.setswitchinterval(1e-6)\n"
            "for _ in range(20):\n"
            "    net, start = Net(), threading.Barrier(8)\n"
            "    work = lambda: (start.wait(), net(x))\n"
            "    threads = [threading.Thread(target=work) for _ in range(8)]\n"
            "    for thread in threads: thread.start()\n"
            "    for thread in threads: thread.join()\n"
        )
        run = self.run_well(program, {"describe": True, "calls": True})
        self.assertEqual([m["root"] for m in run.lines("model")], list(range(1, 21)))
        self.assertEqual(len(run.lines("call")), 160)

    def test_nothing_is_stored_on_modules(self):
        program = NET + (
            "import copy, io, pickle\n"
            "before = sorted(root.__dict__)\n"
            "root(x)\n"
            "assert sorted(root.__dict__) == before\n"
            "for other in (copy.deepcopy(root), pickle.loads(pickle.dumps(root))):\n"
            "    assert sorted(other.__dict__) == before\n"
            "    assert other(x).equal(root(x))\n"
            "assert pickle.loads(pickle.dumps(Net.__call__)) is Net.__call__\n"
            "assert pickle.loads(pickle.dumps(root.__call__))(x).equal(root(x))\n"
            "print(Net.__call__.__name__, Net.__call__.__module__)\n"
        )
        plain = self.run_program(program, agent=False)
        run = self.run_well(program, EVERYTHING)
        self.assertEqual(run.stdout, plain.stdout)

    def test_calls_of_autograd_and_replicas_are_not_calls(self):
        if torch_version() < (2, 0):
            self.skipTest("needs PyTorch 2")
        program = NET + (
            "from torch.utils.checkpoint import checkpoint\n"
            "class Saving(nn.Module):\n"
            "    def __init__(self):\n"
            "        super().__init__()\n"
            "        self.net = Net()\n"
            "    def forward(self, x):\n"
            "        return checkpoint(self.net, x, use_reentrant=False)\n"
            "Saving()(x.requires_grad_()).sum().backward()\n"
            "replica = root._replicate_for_data_parallel()\n"
            "replica.__dict__['_modules'] = root._modules\n"
            "replica(x)\n"
        )
        run = self.run_well(program, EVERYTHING)
        self.assertEqual([c["name"] for c in run.lines("call")], ["Saving.forward"])
        self.assertEqual(len(run.lines("model")), 1)


if __name__ == "__main__":
    unittest.main()
