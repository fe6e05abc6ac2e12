#!/usr/bin/env python3
"""Compares FLOPs of imported traces with torch.utils.flop_counter, call by call.

    bench/compare_flops.py [path of the built ridgeline]

Needs PyTorch 2.1 or newer. Each call is recorded once under torch.profiler with shapes,
the trace is imported by Ridgeline, and the same call is counted by flop_counter. "by hand"
marks calls that flop_counter cannot count (attention on a CPU counts 0, grouped heads
fail); they are compared with the formula beside them.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import torch
import torch.nn.functional as F
from torch.utils.flop_counter import FlopCounterMode

ROOT = pathlib.Path(__file__).resolve().parent.parent


def random(*sizes, **options):
    return torch.randn(*sizes, **options)


def backward(function):
    """The forward and the backward pass."""
    def run():
        function().sum().backward()
    return run


def leaf(*sizes):
    return random(*sizes).requires_grad_()


def attention(q, k, v, **options):
    return lambda: F.scaled_dot_product_attention(q, k, v, **options)


def eager_attention(q, k, v):
    return lambda: torch.softmax(q @ k.transpose(-1, -2), -1) @ v


def cases():
    """(name, call, FLOPs by hand or None)."""
    yield "mm", lambda: random(31, 17) @ random(17, 23), None
    yield "mv", lambda: torch.mv(random(31, 17), random(17)), 2 * 31 * 17
    yield "dot", lambda: torch.dot(random(17), random(17)), 2 * 17
    yield "bmm", lambda: torch.bmm(random(3, 31, 17), random(3, 17, 23)), None
    yield "matmul, broadcast", lambda: random(2, 3, 5, 7) @ random(7, 11), None
    yield "matmul, batch", lambda: random(2, 1, 5, 7) @ random(3, 7, 11), None
    yield "addmm", lambda: torch.addmm(random(23), random(31, 17), random(17, 23)), None
    yield ("baddbmm", lambda: torch.baddbmm(random(3, 31, 23), random(3, 31, 17),
                                            random(3, 17, 23)), None)
    yield "linear", lambda: F.linear(random(2, 31, 17), random(23, 17), random(23)), None
    yield "linear, no bias", lambda: F.linear(random(2, 31, 17), random(23, 17)), None
    yield ("linear, backward",
           backward(lambda: F.linear(leaf(31, 17), leaf(23, 17), leaf(23))), None)
    yield ("einsum", lambda: torch.einsum("bij,bjk->bik", random(3, 5, 7),
                                          random(3, 7, 11)), None)
    yield ("conv1d", lambda: F.conv1d(random(2, 6, 40), random(8, 6, 5), random(8),
                                      stride=2, padding=1), None)
    yield ("conv2d", lambda: F.conv2d(random(2, 6, 20, 24), random(8, 6, 3, 5), None,
                                      stride=(2, 1), padding=(1, 2)), None)
    yield ("conv2d, same", lambda: F.conv2d(random(2, 6, 20, 24), random(8, 6, 3, 3),
                                            padding="same"), None)
    yield ("conv2d, dilated", lambda: F.conv2d(random(2, 6, 20, 24), random(8, 6, 3, 3),
                                               dilation=2), None)
    yield ("conv2d, groups", lambda: F.conv2d(random(2, 6, 20, 24), random(9, 2, 3, 3),
                                              groups=3), None)
    yield ("conv2d, depthwise", lambda: F.conv2d(random(2, 6, 20, 24), random(6, 1, 3, 3),
                                                 groups=6), None)
    yield ("conv3d", lambda: F.conv3d(random(1, 3, 8, 9, 10), random(4, 3, 3, 3, 3)),
           None)
    yield ("conv_transpose2d", lambda: F.conv_transpose2d(
        random(2, 6, 10, 12), random(6, 4, 3, 3), stride=2, output_padding=1), None)
    yield ("conv2d, backward", backward(lambda: F.conv2d(
        leaf(2, 6, 20, 24), leaf(8, 6, 3, 3), leaf(8), padding=1)), None)
    yield ("conv2d, backward of the weight", backward(lambda: F.conv2d(
        random(2, 6, 20, 24), leaf(8, 6, 3, 3), padding=1)), None)
    yield ("conv_transpose2d, backward", backward(lambda: F.conv_transpose2d(
        leaf(2, 6, 10, 12), leaf(6, 4, 3, 3), stride=2)), None)
    q, k, v = (random(2, 8, 33, 16) for _ in range(3))
    yield "attention, eager", eager_attention(q, k, v), None
    whole = 4 * 2 * 8 * 33 * 33 * 16
    yield "attention, SDPA", attention(q, k, v), whole
    yield "attention, SDPA, causal", attention(q, k, v, is_causal=True), whole
    yield ("attention, SDPA, mask", attention(q, k, v, attn_mask=random(33, 33)), whole)
    yield ("attention, grouped heads", attention(q, k[:, :2], v[:, :2], enable_gqa=True),
           whole)
    yield ("attention, SDPA, backward", backward(attention(
        *(leaf(2, 8, 33, 16) for _ in range(3)))), whole // 2 * 7)
    a, b = (torch.randint(-8, 8, size, dtype=torch.int8) for size in ((32, 64), (64, 48)))
    yield "_int_mm", lambda: torch._int_mm(a, b), 2 * 32 * 64 * 48


def ridgeline_flops(program, call, trace):
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU],
                                record_shapes=True) as profile:
        call()
    profile.export_chrome_trace(trace)
    document = json.loads(subprocess.run([program, "import", "--json", trace], check=True,
                                         capture_output=True).stdout)
    return sum(row.get("flops") or 0 for row in document["operators"])


def flop_counter(call):
    counter = FlopCounterMode(display=False)
    try:
        with counter:
            call()
    except Exception as error:  # Its own assertions, on grouped heads.
        return type(error).__name__
    return counter.get_total_flops()


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else str(
        ROOT / "build/bench/src/app/ridgeline")
    print(f"torch {torch.__version__}")
    different = 0
    with tempfile.TemporaryDirectory() as directory:
        trace = os.path.join(directory, "trace.json")
        for name, call, by_hand in cases():
            ours = ridgeline_flops(program, call, trace)
            theirs = flop_counter(call)
            expected = theirs if by_hand is None else by_hand
            same = ours == expected
            different += not same
            note = "" if by_hand is None else f"  by hand {by_hand} (flop_counter {theirs})"
            print(f"{'equal    ' if same else 'different'} {name:32} {ours:>10} "
                  f"{'' if note else theirs}{note}")
    print(f"{different} different")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
