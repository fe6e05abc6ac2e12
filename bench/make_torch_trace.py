#!/usr/bin/env python3
"""Writes a trace as PyTorch's profiler does, of about a given size.

    bench/make_torch_trace.py OUT.json[.gz] [MEGABYTES] [SEED]

The same arguments give the same bytes. One step of a transformer is made up: operators
inside operators with their shapes, launches, kernels on two streams, all-reduces, copies,
arrows from launches to kernels, Python frames. It is then repeated in time, with new
times and correlations.
"""
import gzip
import random
import sys

KERNELS = [
    "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_kernel",
    "void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<float, "
    "float, float, at::native::MulFunctor<float> >, std::array<char*, 3ul> >(int, "
    "at::native::BinaryFunctor<float, float, float, at::native::MulFunctor<float> >, "
    "std::array<char*, 3ul>)",
    "void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, "
    "cutlass::bfloat16_t> >(Flash_fwd_params)",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>"
    "(int, float, float const*, float const*, float const*, float*, float*, float*)",
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*, unsigned long, ncclWork*)",
]
OPERATORS = ["aten::linear", "aten::mul", "aten::scaled_dot_product_attention",
             "aten::layer_norm", "c10d::allreduce_"]
INNER = ["aten::addmm", "aten::mul_out", "aten::_flash_attention_forward",
         "aten::native_layer_norm", "nccl:all_reduce"]
PERIOD_NS = 40_000_000


class Step:
    """The events of one step: what stands before and behind their times, in which "@" is
    the correlation, and whether they begin a new one."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events = []
        self.gpu_ns = 20_000
        cpu_ns = 10_000
        for index in range(400):
            cpu_ns = self.block(index, cpu_ns)

    def add(self, kind, name, pid, tid, start, duration, args):
        head = (f'  {{\n    "ph": "X", "cat": "{kind}", "name": "{name}", "pid": {pid}, '
                f'"tid": {tid},\n    "ts": ')
        tail = (f', "dur": {duration // 1000}.{duration % 1000:03d},\n    "args": {{\n'
                f'      {args}\n    }}\n  }}')
        self.events.append((head, start, tail, kind == "cuda_runtime"))

    def arrow(self, phase, pid, tid, start):
        head = f'  {{\n    "ph": "{phase}", "id": @, "pid": {pid}, "tid": {tid}, "ts": '
        tail = ', "cat": "ac2g", "name": "ac2g"' + (', "bp": "e"' if phase == "f" else "")
        self.events.append((head, start, tail + "\n  }", False))

    def block(self, index, now):
        pick = self.random.choices(range(5), [40, 35, 10, 10, 5])[0]
        length = self.random.randrange(20_000, 80_000)
        shape = self.random.choice(["[8, 1024]", "[1024, 4096]", "[1, 16, 512, 64]"])
        identity = f'"External id": {index * 4}, "Record function id": 0, '
        self.add("python_function", f"model.py({index % 90}): forward", 4711, 4711,
                 now - 500, length + 1000, f'"Python id": {index}')
        self.add("cpu_op", OPERATORS[pick], 4711, 4711, now, length,
                 identity + f'"Concrete Inputs": ["", "", ""], "Input type": ["c10::'
                 f'BFloat16", "c10::BFloat16", ""], "Input Dims": [{shape}, {shape}, []]')
        self.add("cpu_op", INNER[pick], 4711, 4711, now + 2_000, length - 6_000,
                 identity + f'"Input Dims": [{shape}, {shape}]')
        launch = now + 6_000
        self.add("cuda_runtime", "cudaLaunchKernel", 4711, 4711, launch, 4_125,
                 f'"External id": {index * 4}, "cbid": 211, "correlation": @')
        self.arrow("s", 4711, 4711, launch)
        stream = 20 if pick == 4 else 7
        start = max(self.gpu_ns, launch + 5_000) + self.random.randrange(200, 2_000)
        duration = self.random.randrange(2_000, 70_000)
        self.gpu_ns = start + (duration if pick != 4 else 500)
        self.add("kernel", KERNELS[pick], 0, stream, start, duration,
                 f'"External id": {index * 4}, "queued": 0, "device": 0, "context": 1,\n'
                 f'      "stream": {stream}, "correlation": @,\n'
                 f'      "registers per thread": 32, "shared memory": 0,\n'
                 f'      "blocks per SM": 1.939394, "warps per SM": 15.515152,\n'
                 f'      "grid": [{self.random.randrange(1, 512)}, 1, 1], '
                 f'"block": [256, 1, 1],\n      "est. achieved occupancy %": 24')
        self.arrow("f", 0, stream, start)
        return now + length + self.random.randrange(1_000, 9_000)


def one_copy(step, index):
    parts = []
    correlation = index * 1000
    for head, start, tail, is_launch in step.events:
        correlation += is_launch
        time = start + index * PERIOD_NS
        text = f"{head}{time // 1000}.{time % 1000:03d}{tail}"
        parts.append(text.replace("@", str(correlation)))
    return ",\n".join(parts)


def main():
    path = sys.argv[1]
    wanted = int(sys.argv[2] if len(sys.argv) > 2 else 1000) * 1_000_000
    step = Step(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "wb") as out:
        written = out.write(
            b'\n{\n  "schemaVersion": 1,\n  "deviceProperties": [\n    {\n      "id": 0, '
            b'"name": "Example GPU", "totalGlobalMem": 85520809984, "numSms": 132\n    }\n'
            b'  ],\n  "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2},\n'
            b'  "traceEvents": [\n')
        index = 0
        while written < wanted:
            text = (",\n" if index else "") + one_copy(step, index)
            written += out.write(text.encode())
            index += 1
        out.write(b'\n  ],\n  "traceName": "example.json",\n  "displayTimeUnit": "ms",\n'
                  b'  "baseTimeNanoseconds": 1751410836000000000\n}\n')


if __name__ == "__main__":
    main()
