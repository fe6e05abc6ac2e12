// What a GPU leaves behind in metrics.json.

const kernelList = [
  [
    "void cutlass::Kernel2<cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8>(cutlass_80_tensorop_bf16_s16816gemm_relu_bf16_256x128_32x3_tn_align8::Params)",
    "gemm", 4608, 0.3141
  ],
  [
    "std::enable_if<!T7, void>::type internal::gemvx::kernel<int, int, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float, false, true, true, false, 7, false>(cublasGemvParamsEx)",
    "gemv", 73728, 0.2289
  ],
  [
    "void flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128, 64, 128, 4>, false, true>(Flash_fwd_params)",
    "attention", 18432, 0.1174
  ],
  [
    "void at::native::vectorized_elementwise_kernel<4, at::native::silu_kernel, std::array<char*, 2ul> >(int)",
    "elementwise", 36864, 0.0761
  ],
  [
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps> >(at::native::ReduceOp)",
    "reduction", 18944, 0.0437
  ],
  [
    "void cudnn::ops::nchwToNhwcKernel<__nv_bfloat16, __nv_bfloat16, float>(cudnn::ops::nchw2nhwc_params_t)",
    "convolution", 312, 0.0219
  ],
  [
    "void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda>(int)",
    "copy", 9216, 0.0158
  ],
  [
    "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
    "communication", 1152, 0.0341
  ],
  ["void at::native::index_elementwise_kernel<128, 4>(long)", "other", 2304, 0.0041],
];

export function kernelNames() {
  return kernelList.map(([name]) => name);
}

export function kernels(source) {
  const total = kernelList.reduce((sum, row) => sum + row[3], 0);
  const list = kernelList
                 .map(([name, kind, launches, total_s]) => ({
                        source,
                        device: 0,
                        name,
                        kind,
                        launches,
                        total_s,
                        mean_s: total_s / launches,
                        min_s: total_s / launches * 0.71,
                        max_s: total_s / launches * 3.3,
                        share: total_s / total
                      }))
                 .sort((a, b) => b.total_s - a.total_s);
  return {
    kernels: list,
    kernels_total: {kernels: 41, launches: 171_004, total_s: total + 0.0031},
    kernel_kinds: list.map(
      ({kind, launches, total_s, share}) =>
        ({source, kind, kernels: 3, launches, total_s, share}))
  };
}

export function regions(source) {
  const roof = (flops, bytes, roofline_slowdown) =>
    ({clock: "gpu", flops_per_s: flops, bytes_per_s: bytes, roofline_slowdown});
  const row = (path, instances, cpu_s, gpu_s, kind = "push_pop", extra = {}) => ({
    source,
    path,
    kind,
    instances,
    cpu_s,
    launches: Math.round(gpu_s * 1e5),
    gpu_s,
    gpu_exclusive_s: gpu_s * 0.31,
    gpu_span_s: gpu_s * 1.24,
    gpu_idle_s: gpu_s * 0.24,
    memcpy_bytes: Math.round(gpu_s * 3e7),
    per_instance: kind === "unattributed" ? null : {
      clock: "gpu",
      min_s: gpu_s * 0.9 / instances,
      median_s: gpu_s * 1.1 / instances,
      p99_s: gpu_s * 2.4 / instances,
      max_s: gpu_s * 2.9 / instances
    },
    ...extra
  });
  return [
    row("page", 12, 9.74, 8.88),
    row("page/preprocess", 12, 0.145, 0.002),
    row("page/prefill", 12, 2.27, 2.11, "push_pop", {roof: roof(9.1e13, 4.2e11, 2.31)}),
    row(
      "page/prefill/sam", 12, 0.998, 0.941, "push_pop",
      {roof: roof(1.1e14, 2.2e11, 1.91)}),
    row(
      "page/prefill/clip", 12, 0.5, 0.46, "push_pop", {roof: roof(6.1e13, 1.8e11, 3.42)}),
    row("page/prefill/projector", 12, 0.0112, 0.009),
    row("page/decode", 12, 7.23, 6.71, "push_pop", {roof: roof(1.9e12, 9.3e11, 1.93)}),
    row("page/decode/decode_step", 6132, 7.19, 6.69),
    row("page/decode/decode_step/attention", 73584, 2.4, 2.1),
    row("page/decode/decode_step/mixture", 73584, 3.9, 3.7),
    row("warmup", 1, 2.1, 0.9, "start_end"),
    row("(no region)", 1, 0, 0.31, "unattributed"),
  ];
}

export function roofline(source, device) {
  const roofs = {
    compute: [
      {name: "bf16 tensor", flops_per_s: 2.095e14}, {name: "fp32", flops_per_s: 1.048e14}
    ],
    memory: [{name: "dram", bytes_per_s: 1.792e12}]
  };
  const point = (name, kind, flops_per_byte, flops_per_s, time_s) => ({
    name,
    kind,
    precision: "bf16",
    level: "dram",
    flops_per_byte,
    flops_per_s,
    roofline_fraction: flops_per_s / Math.min(2.095e14, flops_per_byte * 1.792e12),
    time_s
  });
  return [
    {
      source,
      device,
      ...roofs,
      points: [
        point("vision", "phase", 412, 9.8e13, 0.1437),
        point("prefill", "phase", 188, 9.1e13, 0.1893),
        point("decode", "phase", 2.05, 1.9e12, 0.6031),
        point("page/prefill/sam", "region", 501, 1.1e14, 0.0832),
        point("page/prefill/clip", "region", 298, 6.1e13, 0.0417),
        ...kernelList.slice(0, 7).map(
          ([name, , , total], i) => point(
            name, "kernel", [231, 1.02, 38, 0.25, 0.31, 0.9, 0.12][i],
            [1.43e14, 1.5e12, 2.9e13, 3.6e11, 2.7e11, 7e11, 1.1e11][i], total))
      ]
    },
    {
      source: "ncu/report.csv",
      device: null,
      compute: [],
      memory: [{name: "dram", bytes_per_s: 1.7e12}, {name: "l2", bytes_per_s: 5.1e12}],
      points: [point("gemvx::kernel", "kernel", 0.98, 1.44e12, 3.1e-6)]
    },
  ];
}

export function ledger() {
  const phase = (name, flops, bytes, measured_s, roofline_s, bound) => ({
    name,
    flops,
    bytes,
    measured_s,
    roofline_s,
    roofline_slowdown: roofline_s ? measured_s / roofline_s : null,
    bound,
    mfu: roofline_s ? flops / measured_s / 2.095e14 : null,
    mfu_useful: roofline_s ? 0.93 * flops / measured_s / 2.095e14 : null,
    mbu: bytes / measured_s / 1.792e12
  });
  return {
    device: "NVIDIA GeForce RTX 5090",
    compute_flops_per_s: 2.095e14,
    memory_bytes_per_s: 1.792e12,
    samples: 12,
    phases: [
      phase("vision", 1.41e13, 3.42e10, 0.1437, 0.0673, "compute"),
      phase("prefill", 1.72e13, 9.15e10, 0.1893, 0.0821, "compute"),
      phase("decode", 1.15e12, 5.59e11, 0.6031, 0.312, "memory"),
      phase("postprocess", 0, 1.2e9, 0.009, null, "unknown"),
      phase("end_to_end", 1.84e13, 6.51e11, 0.8124, 0.4012, "memory")
    ]
  };
}

export function devices(source) {
  return [0, 1].map((device) => ({
                      source,
                      device,
                      model: "NVIDIA GeForce RTX 5090",
                      activities: 171_004 + device,
                      streams: 3,
                      span_s: 9.81,
                      busy_s: 8.92 - 2 * device,
                      busy_kernels_s: 8.71 - 2 * device,
                      idle_s: 0.89 + 2 * device,
                      idle_gaps: 20_144,
                      idle_gap_max_s: 0.0413,
                      memory_s: 0.44,
                      exposed_copy_s: 0.21,
                      communication_s: 0.34,
                      exposed_communication_s: 0.12,
                      graphs: 0
                    }));
}

export function ncu(source) {
  return kernelList.slice(0, 5).map(
    ([name], i) => ({
      source,
      name,
      launch: i + 200,
      grid: `(${64 << i}, 1, 1)`,
      block: "(128, 1, 1)",
      duration_s: 3.1e-6 * (9 - i),
      class:
        ["compute_bound", "memory_bound", "latency_bound", "memory_bound", "balanced"][i],
      sm_percent: [83.2, 21.4, 34.9, 18.8, 55][i],
      dram_percent: [31.2, 88.7, 41.1, 90.2, 52][i],
      occupancy_percent: [25, 88.1, 44.4, 91.2, null][i],
      rules: i < 2 ?
        [
          {
            kind: "optimization",
            text:
              "This kernel grid is too small to fill the available resources on this device, resulting in only 0.4 full waves across all SMs.",
            speedup_kind: "global",
            speedup_percent: 41.2
          },
          {
            kind: "information",
            text: "Memory is more heavily utilized than Compute.",
            speedup_kind: null,
            speedup_percent: null
          }
        ] :
        []
    }));
}
