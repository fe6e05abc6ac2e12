// metrics.json of runs that never were, by hand: `poor` has nearly nothing, `rich` has
// all.
import {devices, kernels, ledger, ncu, regions, roofline} from "./metrics_gpu.mjs";
import {advice, operators, phases, ranks, stages} from "./metrics_host.mjs";
import {pagePicture} from "./picture.mjs";

export function poor() {
  return {
    metrics: {
      schema_version: 3,
      run: {
        id: "imported",
        state: "imported",
        reason: null,
        workload: null,
        host: null,
        started: null,
        ended: null,
        arguments: [],
        ridgeline_version: "0.1.0"
      },
      verdict: {parity: "not_checked", complete: false, notes: 0},
      advice: [],
      stages: [],
      sources: [{file: "run.sqlite", format: "nsys_sqlite", tool: null}],
      phases: [],
      ledger: null,
      regions: [],
      roofline: [],
      kernels: [],
      kernels_total: {kernels: 0, launches: 0, total_s: 0},
      kernel_kinds: [],
      operators: [],
      operators_total: {operators: 0, calls: 0, self_s: 0},
      devices: [],
      memory_ops: [],
      api_calls: [],
      launch_latency: [],
      memory: {
        parameters: null,
        weights_read_bytes: null,
        kv_cache_bytes: null,
        activation_peaks: [],
        peak_rss: [],
        host_memory_bytes: null,
        operators: []
      },
      ncu: [],
      predictions: [],
      commands: [],
      environment: null,
      config: [],
      dropped: [],
    },
    timeline: {timelines: []},
    pictures: {},
  };
}

export function rich() {
  const nsys = "nsys/run.sqlite";
  const {metrics} = poor();
  Object.assign(metrics, {
    run: {
      id: "20261116-112008",
      state: "done",
      reason: null,
      workload: "the built-in model deepseek_ocr",
      host: "gpu-box",
      started: "2026-11-16T11:20:08.485+00:00",
      ended: "2026-11-16T11:22:16.329+00:00",
      arguments: ["+preset=demo", "pipeline.nsys.enable=true", "note=it's quick"],
      ridgeline_version: "0.1.0"
    },
    verdict: {parity: "passed", complete: false, notes: 3},
    advice: advice(),
    stages: stages(),
    ranks: ranks(),
    sources: [
      {file: "direct_inference/metrics.json", format: "model_metrics", tool: null},
      {file: "torch_profiler/trace.json.gz", format: "torch_trace", tool: "libtorch 2.6"},
      {file: nsys, format: "nsys_sqlite", tool: "nsys 2025.1"}
    ],
    phases: [
      ...phases("direct_inference/metrics.json", false, 1),
      ...phases("torch_profiler/metrics.json", false, 1.03),
      ...phases("torch_profiler/metrics.json", true, 1.9),
      ...phases("nsys/run.metrics.json", true, 1.2)
    ],
    ledger: ledger(),
    regions: regions(nsys),
    roofline: roofline(nsys, "NVIDIA GeForce RTX 5090"),
    ...kernels(nsys),
    ...operators("torch_profiler/trace.json.gz"),
    devices: devices(nsys),
    memory_ops: [
      ["[CUDA memcpy Host-to-Device]", 612, 0.31],
      ["[CUDA memcpy Device-to-Host]", 6144, 0.11], ["[CUDA memset]", 91, 0.002]
    ].map(([name, count, total_s]) => ({source: nsys, device: 0, name, count, total_s})),
    api_calls: [
      ["cuda", "cudaLaunchKernel", 171_004, 1.71],
      ["cuda", "cudaStreamSynchronize", 6170, 3.2],
      ["cuda", "cudaMemcpyAsync", 6756, 0.4], ["os", "poll", 812, 9.1],
      ["os", "pthread_cond_wait", 40, 8.7], ["synchronization", "stream", 6170, 3.1]
    ]
                 .map(
                   ([kind, name, calls, total_s]) =>
                     ({source: nsys, kind, name, calls, total_s, max_s: total_s / 7})),
    launch_latency: [["api_to_begin", 171_004, 5.1e-6], ["queue", 170_000, 2.2e-6]].map(
      ([measure, count, median_s]) => ({
        source: nsys,
        measure,
        count,
        median_s,
        min_s: median_s / 3,
        max_s: median_s * 900
      })),
    memory: {
      parameters: 3_336_106_240,
      weights_read_bytes: 6_672_212_480,
      kv_cache_bytes: 241_172_480,
      activation_peaks: [
        {phase: "vision", bytes: 1_310_000_000}, {phase: "prefill", bytes: 702_000_000},
        {phase: "decode", bytes: 18_400_000}
      ],
      peak_rss: [
        {source: "direct_inference/metrics.json", bytes: 9_120_000_000},
        {source: "torch_profiler/metrics.json", bytes: 11_400_000_000}
      ],
      host_memory_bytes: 67_108_864_000,
      operators: [
        ["aten::empty", 5.1e9], ["aten::cat", 7.7e8], ["aten::resize_", -2.3e7]
      ].map(([name, self_bytes]) => ({name, self_bytes}))
    },
    ncu: ncu("ncu/report.csv"),
    predictions: [1, 2, 3, 4, 5].map(
      (i) => ({
        stage: "direct_inference",
        image: `scan_${i}.png`,
        text: `# Invoice ${i}\n\n| item | price |\n| --- | ---: |\n| ridge tile | ${
          i}.50 |\n\nThank you for your order.`,
        text_truncated: i === 2,
        generated_tokens: 512 + i,
        boxes: i,
        thumbnail: i === 5 ? null : `direct_inference/viz/${i}/thumbnail.png`
      })),
    commands: [
      {
        stage: "nsys",
        file: "nsys/cmd.txt",
        text:
          "# stage nsys: nsys profile\nmkdir -p out/tmp/nsys\nnsys profile --trace=cuda,nvtx,osrt --sample=none -o out/tmp/nsys/run ridgeline workload --stage nsys\n"
      },
      {
        stage: "direct_inference",
        file: "direct_inference/cmd.txt",
        text: "ridgeline workload --stage direct_inference\n"
      }
    ],
    environment: {
      schema_version: 1,
      machine: {host: "gpu-box", kernel: "6.8.0", virtual: false, product: null},
      cpu: {model: "AMD Ryzen 9", cores: 16},
      memory: {total_bytes: 67_108_864_000},
      gpus: {
        driver_version: "570.86.10",
        devices: [
          {name: "NVIDIA GeForce RTX 5090", sm_count: 170},
          {name: "NVIDIA GeForce RTX 5090", sm_count: 170}
        ]
      },
      tools: {nsys: {path: "/usr/bin/nsys", version: "2025.1"}, "a/b~c": 1}
    },
    config: [
      ["pipeline.nsys.enable", "true"], ["pipeline.ncu.enable", "true"],
      ["pipeline.torch_profiler.repeat", "3"], ["dataset.sampling.count", "12"],
      ["model.dtype", "bfloat16"], ["device.type", "cuda"],
      ["model.path", "/models/deepseek-ocr"], ["infer.max_new_tokens", "512"],
      ["hydra.run.dir", "outputs/demo"]
    ].map(([key, value]) => ({key, value})),
    dropped: [{
      source: "torch_profiler/trace.json.gz",
      reason: "metadata events (phase M): names of processes and threads",
      count: 2
    }],
  });
  const pictures = Object.fromEntries(
    [1, 2, 3, 4].map((i) => [`direct_inference/viz/${i}/thumbnail.png`, pagePicture(i)]));
  return {metrics, timeline: {timelines: []}, pictures};
}
