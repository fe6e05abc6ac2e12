#!/usr/bin/env python3
"""Records a small trace and what torch.profiler itself says of it.

    tests/python/record_operators.py OUT

writes OUT.json.gz, the trace, and OUT.by_name.tsv and OUT.by_shapes.tsv, the rows of
key_averages(): name, calls, self time in nanoseconds, shapes. Runs on PyTorch 1.13 and
newer. src/analysis/trace_operators_test.cc compares both for the traces in
tests/data/torch_trace/.
"""
import gzip
import json
import os
import re
import sys

import torch
import torch.nn.functional as F
from torch.profiler import ProfilerActivity, profile, record_function


def work():
    torch.manual_seed(0)
    x = torch.randn(4, 16, 32, requires_grad=True)
    image = torch.randn(2, 3, 9, 9)
    weight = torch.randn(5, 3, 3, 3, requires_grad=True)
    layers = [torch.nn.Linear(32, 32) for _ in range(2)]
    with record_function("forward"):
        for number, layer in enumerate(layers):
            with record_function(f"layers.{number}"):
                x = torch.relu(layer(x))
        with record_function("attention"):
            heads = x.view(4, 16, 4, 8).transpose(1, 2)
            y = torch.softmax(heads @ heads.transpose(-1, -2), -1) @ heads
        with record_function("conv"):
            z = F.conv2d(image, weight, stride=2, padding=1)
    with record_function("backward"):
        (y.sum() + z.sum()).backward()
    return torch.einsum("bij,bkj->bik", x, x).to(torch.float64)


def write_rows(averages, path):
    lines = []
    for row in averages:
        shapes = json.dumps(row.input_shapes, separators=(",", ":")) if row.input_shapes else ""
        self_ns = round(row.self_cpu_time_total * 1000)
        lines.append(f"{row.key}\t{row.count}\t{self_ns}\t{shapes}\n")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(sorted(lines))


def main():
    out = sys.argv[1]
    torch.set_num_threads(1)
    work()
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as recorded:
        work()
    recorded.export_chrome_trace(out + ".json")
    with open(out + ".json", "rb") as plain:
        text = re.sub(rb'"host_name": "[^"]*"', b'"host_name": "host"', plain.read())
    os.remove(out + ".json")
    with gzip.GzipFile(out + ".json.gz", "wb", mtime=0) as compressed:
        compressed.write(text)
    write_rows(recorded.key_averages(), out + ".by_name.tsv")
    write_rows(recorded.key_averages(group_by_input_shape=True), out + ".by_shapes.tsv")


if __name__ == "__main__":
    main()
