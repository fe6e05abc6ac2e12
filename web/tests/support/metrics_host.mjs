// What stages, phases and operators leave behind in metrics.json, and what is advised.

const phaseMeans = {
  end_to_end: 0.8124,
  preprocess: 0.0121,
  vision: 0.1437,
  prefill: 0.1893,
  decode: 0.6031,
  sam: 0.0832,
  clip: 0.0417,
  projector: 0.00093
};

export function phases(source, profiled, factor) {
  return Object.entries(phaseMeans).map(([phase, mean], i) => {
    const mean_s = mean * factor;
    const samples = profiled ? 3 : 12;
    return {
      source,
      profiled,
      phase,
      samples,
      total_s: mean_s * samples,
      mean_s,
      median_s: mean_s * 0.991,
      min_s: mean_s * 0.93,
      max_s: mean_s * 1.12,
      mean_ci95_s: profiled && i % 3 === 2 ?
        null :
        [mean_s * (0.968 - 0.004 * i), mean_s * (1.031 + 0.006 * i)],
      tokens_per_s: {page: 512, prefill: 411, decode: 512}[phase] ?
        {page: 512, prefill: 411, decode: 512}[phase] / mean_s :
        null
    };
  });
}

export function operators(source) {
  const names = [
    "aten::mm", "aten::linear", "aten::_scaled_dot_product_flash_attention",
    "aten::copy_", "aten::mul", "aten::add", "aten::silu", "aten::empty_strided",
    "aten::index", "aten::cat", "cudaLaunchKernel"
  ];
  const total = names.reduce((sum, _, i) => sum + 1.9 / (i + 1), 0);
  return {
    operators: names.map((name, i) => ({
                           source,
                           name,
                           calls: 51_200 / (i + 1) | 0,
                           self_s: 1.9 / (i + 1),
                           total_s: 2.7 / (i + 1),
                           share: 1.9 / (i + 1) / total
                         })),
    operators_total: {operators: 93, calls: 1_204_113, self_s: total + 0.11}
  };
}

export function stages() {
  return [
    {
      name: "static_analysis",
      state: "done",
      outcome: null,
      reason: null,
      wall_s: 2.03,
      notes: ["FLOP check: 156/156 modules match the dispatcher."],
      retry_overrides: null
    },
    {
      name: "torch_profiler",
      state: "done",
      outcome: null,
      reason: null,
      wall_s: 31.5,
      notes: [],
      retry_overrides: null
    },
    {
      name: "direct_inference",
      state: "done",
      outcome: null,
      reason: null,
      wall_s: 14.2,
      notes: [],
      retry_overrides: null
    },
    {
      name: "nsys",
      state: "done",
      outcome: "Captured",
      reason: null,
      wall_s: 58.1,
      notes: [
        "nsys/run.nsys-rep holds the program's environment and cannot be redacted: pass on the .sqlite"
      ],
      retry_overrides: null
    },
    {
      name: "ncu",
      state: "failed",
      outcome: "NoPermission",
      reason: "the driver lets only root read GPU counters (ERR_NVGPUCTRPERM)",
      wall_s: 1.2,
      notes: [],
      retry_overrides: "pipeline.ncu.sudo=true"
    },
  ];
}

export function ranks() {
  return [
    ["done", "Captured", 0], ["failed", "RankFailed", 3], ["missing", "RankMissing", null]
  ].map(([state, outcome, exit_code], rank) => ({
          stage: "nsys",
          rank,
          host: state === "missing" ? null : `node${rank}`,
          state,
          outcome,
          profiled: true,
          exit_code,
          signal: null,
          start_delay_s: state === "missing" ? null : rank * 0.0182,
          wall_s: state === "missing" ? null : 2.28,
          peak_rss_bytes: state === "missing" ? null : 45_300_000,
          last_line: state === "failed" ? "<b>no memory</b>" : null,
          files: state === "missing" ? [] : [`nsys/run.rank${rank}.node${rank}.sqlite`]
        }));
}

export function advice() {
  return [
    {
      rule: "memory_bound",
      section: "ledger",
      verdict: "decode: memory-bound at 52 % of peak bandwidth",
      action:
        "Quantise the weights, or decode several pages at once: each weight that is read then serves more tokens.",
      potential_saving_s: 0.291,
      evidence: [
        "/ledger/phases/2/mbu", "/ledger/phases/2/roofline_slowdown",
        "/ledger/phases/2/measured_s"
      ]
    },
    {
      rule: "launch_gaps",
      section: "regions",
      verdict: "the GPU waits between the kernels of decode_step",
      action: "Capture the step in a CUDA graph.",
      potential_saving_s: 0.11,
      evidence: ["/regions/7/gpu_idle_s", "/devices/0/idle_s"]
    },
    {
      rule: "exposed_communication",
      section: "devices",
      verdict: "all-reduce runs while nothing is computed",
      action: "Overlap it with the next layer.",
      potential_saving_s: null,
      evidence: [
        "/devices/0/exposed_communication_s", "/kernels/5/name", "/kernel_kinds",
        "/kernel_kinds/5/share"
      ]
    },
  ];
}
