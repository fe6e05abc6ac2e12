"""All five stages on PyTorch programs, against what PyTorch says of the same calls.

RIDGELINE_PROGRAM is the program `ridgeline`. Each workload is run once by Ridgeline and
once alone, observed with PyTorch's own means: hooks, flop_counter, key_averages().
"""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import unittest

from agent_case import EXAMPLES, AgentCase, needs_torch_2, needs_transformers

PROGRAM = os.environ.get("RIDGELINE_PROGRAM")
CALLS = 4
WARMUP = 1
PROMPT = 7
TOKENS = 5

GPT = """
import torch
from gpt import GPT, Config
kind = "forward"
def make():
    torch.manual_seed(0)
    return GPT(Config()).eval()
@torch.no_grad()
def call(model):
    return model(torch.arange(%d)[None])
""" % PROMPT

TRANSFORMERS = """
import torch
from transformers import %%(name)sConfig, %%(name)sForCausalLM
kind = "generate"
def make():
    torch.manual_seed(0)
    # flop_counter cannot count attention of other implementations on a CPU.
    config = %%(name)sConfig(vocab_size=96, hidden_size=32, intermediate_size=64,
        num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        eos_token_id=None, bos_token_id=None, pad_token_id=0, attn_implementation="eager")
    return %%(name)sForCausalLM(config).eval()
def call(model):
    return model.generate(torch.arange(%d)[None], max_new_tokens=%d, do_sample=False)
""" % (PROMPT, TOKENS)

# What Ridgeline runs. PyTorch's own table of the profile that the agent exports is kept.
MAIN = """
import json, torch
from workload import make, call
export = torch.profiler.profile.export_chrome_trace
def export_with_averages(self, path):
    export(self, path)
    rows = [[row.key, row.count, round(row.self_cpu_time_total * 1000)]
            for row in self.key_averages()]
    with open("averages.json", "w") as file:
        json.dump(rows, file)
torch.profiler.profile.export_chrome_trace = export_with_averages
model = make()
for _ in range(%d):
    call(model)
""" % CALLS

# The same calls without Ridgeline: regions by hooks, FLOPs by flop_counter.
REFERENCE = """
import json
from collections import Counter
import torch
from torch.utils.flop_counter import FlopCounterMode
from workload import make, call, kind
model = make()
regions, stack, forwards = Counter(), [kind], []
def enter(name):
    stack.append(name)
    regions["/".join(stack)] += 1
def enter_root():
    if kind == "generate":
        if not forwards:
            enter("prefill")
        else:
            if len(forwards) == 1:
                regions["generate/decode"] += 1
            stack.append("decode")
            enter("decode_step")
    forwards.append(1)
    enter(type(model).__name__)
def leave_root():
    del stack[1:]
for path, module in model.named_modules():
    if path:
        module.register_forward_pre_hook(lambda m, a, path=path: enter(path))
        module.register_forward_hook(lambda m, a, o: stack.pop() and None)
    else:
        module.register_forward_pre_hook(lambda m, a: enter_root())
        module.register_forward_hook(lambda m, a, o: leave_root())
output = call(model)
regions[kind] = 1
model = make()
with FlopCounterMode(display=False) as counter:
    call(model)
with FlopCounterMode(display=False) as prefill, torch.no_grad():
    # generate() needs the logits of the last position only.
    last = {"logits_to_keep": 1} if kind == "generate" else {}
    model(torch.arange(%d)[None], **last)
print(json.dumps({
    "regions": regions,
    "flops": counter.get_total_flops(),
    "prefill": prefill.get_total_flops(),
    "parameters": sum(p.numel() for p in model.parameters()),
    "modules": [path for path, _ in model.named_modules()],
    "forwards": len(forwards),
}))
""" % PROMPT


@unittest.skipUnless(PROGRAM, "RIDGELINE_PROGRAM is not set")
@needs_torch_2
class StagesTest(AgentCase):
    def reference(self, workload):
        self.write("workload.py", workload)
        self.write("main.py", MAIN)
        environment = dict(self.environment({}, agent=False))
        result = subprocess.run(
            [sys.executable, self.write("reference.py", REFERENCE)],
            env=environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            check=True,
            timeout=500,
        )
        return json.loads(result.stdout)

    def ridgeline(self, stages):
        environment = dict(self.environment({}, agent=False))
        command = [PROGRAM, "run", "device=cpu", "hydra.run.dir=run", "run.repeats=1"]
        command += ["hardware.peak_tflops=0.1", "hardware.peak_gbps=20"]
        command += ["pipeline.torch_profiler.record_shapes=true"]
        command += ["pipeline.torch_profiler.warmup_rounds=%d" % WARMUP]
        command += ["pipeline.%s.enable=true" % stage for stage in stages]
        command += ["--", sys.executable, "main.py"]
        result = subprocess.run(
            command,
            env=environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=900,
        )
        manifest = self.read("manifest.json")
        self.stages = {stage["name"]: stage for stage in manifest["stages"]}
        return result.returncode, result.stdout.decode("utf-8", "replace")

    def read(self, name):
        with open(os.path.join(self.folder, "run", name), encoding="utf-8") as file:
            return json.load(file)

    def check(self, workload, kind):
        want = self.reference(workload)
        tools = [tool for tool in ("nsys", "ncu") if shutil.which(tool)]
        code, output = self.ridgeline(
            ["static_analysis", "torch_profiler", "direct_inference"] + tools
        )
        for stage in ("static_analysis", "torch_profiler", "direct_inference"):
            self.assertEqual(self.stages[stage]["state"], "done", output)
        with self.subTest("static_analysis"):
            self.check_static_analysis(want, kind)
        with self.subTest("torch_profiler"):
            self.check_torch_profiler(want)
        with self.subTest("direct_inference"):
            samples = self.read("direct_inference/metrics.json")["samples"]
            self.check_samples(samples, kind)
        if "nsys" in tools:
            with self.subTest("nsys"):
                self.check_nsys(want, output)
        if "ncu" in tools:
            with self.subTest("ncu"):  # There are no kernels on a CPU.
                self.assertEqual(self.stages["ncu"]["state"], "failed", output)
                self.assertEqual(self.stages["ncu"]["outcome"], "NoKernels", output)
                self.assertEqual(code, 1, output)

    def check_static_analysis(self, want, kind):
        summary = self.read("static_analysis/model_summary.json")
        self.assertEqual(summary["parameters"]["total"], want["parameters"])
        self.assertEqual(summary["modules"], len(want["modules"]))
        self.assertEqual(summary["call"]["flops"], want["flops"])
        phases = {phase["name"]: phase["flops"] for phase in summary["call"]["phases"]}
        if kind == "generate":
            self.assertEqual(phases["prefill"], want["prefill"])
            self.assertEqual(phases["decode"], want["flops"] - want["prefill"])

    def check_torch_profiler(self, want):
        with open(os.path.join(self.folder, "averages.json")) as file:
            averages = sorted(tuple(row) for row in json.load(file))
        profile = self.read("torch_profiler/operator_profile.json")
        rows = [(r["name"], r["calls"], r["time_self_ns"]) for r in profile["operators"]]
        self.assertEqual(sorted(rows), averages)
        self.assertEqual(sum(row["flops"] for row in profile["operators"]), want["flops"])
        samples = self.read("torch_profiler/metrics.json")["samples"]
        self.check_samples(samples, "generate" if want["forwards"] > 1 else "forward")

    def check_samples(self, samples, kind):
        self.assertEqual(len(samples), CALLS - WARMUP)
        for sample in samples:
            if kind == "generate":
                tokens = (sample["prompt_tokens"], sample["generated_tokens"])
                self.assertEqual(tokens, (PROMPT, TOKENS))
                self.assertEqual(sample["decode_steps"], TOKENS - 1)

    def check_nsys(self, want, output):
        self.assertEqual(self.stages["nsys"]["state"], "done", output)
        database = sqlite3.connect(os.path.join(self.folder, "run/results.sqlite"))
        self.addCleanup(database.close)
        rows = database.execute(
            "SELECT path, instances FROM region WHERE kind = 'push_pop'"
        )
        expected = {path: CALLS * count for path, count in want["regions"].items()}
        self.assertEqual(dict(rows.fetchall()), expected)

    def test_the_example(self):
        shutil.copy(os.path.join(EXAMPLES, "gpt.py"), self.folder)
        self.check(GPT, "forward")

    @needs_transformers
    def test_a_llama(self):
        self.check(TRANSFORMERS % {"name": "Llama"}, "generate")

    @needs_transformers
    def test_a_qwen(self):
        self.check(TRANSFORMERS % {"name": "Qwen3"}, "generate")


if __name__ == "__main__":
    unittest.main()
