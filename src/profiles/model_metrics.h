// metrics.json of a model: every sample with its times, their sums and statistics. A
// program that is not a model has `runs` instead of `samples`, with process times only.
//   {"schema_version": 2, "what": "...", "model": "x", "sample_unit": "page", ...,
//    "totals": {"decode_s": 0.5, "generated_tokens": 64, ...},
//    "statistics": {"decode_s": {"count": 2, "mean": 0.25, ...}},
//    "samples": [{"repeat": 0, "epoch": 0, "image": "a.png", "prompt_tokens": 45,
//                 "generated_tokens": 32, "decode_steps": 31, "finish_reason": "length",
//                 "end_to_end_s": 0.5, "vision_s": 0.1, ..., "decode_tokens_per_s":
//                 124.0}],
//    "failures": [{"image": "b.png", "reason": "b.png: not an image"}],
//    "profiled": {"what": "...", "image": "a.png", ...},
//    "utilization": {"device": "cpu", "peak_flops_per_s": 1e11, "peak_bytes_per_s": 1e10,
//                    "phases": [{"name": "prefill", "time_s": 0.1, "flops": 9131008}]}}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "results/result_store.h"
#include "results/statistics.h"

namespace ridgeline::profiles {

struct PhaseSeconds {
  std::string phase;
  double seconds = 0;

  bool operator==(const PhaseSeconds&) const = default;
};

// One pass over one sample. Values missing in the file are nullopt.
struct ModelSample {
  std::string image;
  int64_t repeat = 0;  // From 0.
  int64_t epoch = 0;
  std::optional<int64_t> prompt_tokens;
  std::optional<int64_t> generated_tokens;
  std::optional<int64_t> decode_steps;
  std::optional<bool> reached_end;  // False: token limit reached.
  // "end_to_end" (the whole sample), "preprocess", then the phases in the model's order.
  std::vector<PhaseSeconds> times;

  // nullopt: not measured.
  std::optional<double> SecondsOf(std::string_view phase) const;

  bool operator==(const ModelSample&) const = default;
};

// An unreadable page that was skipped.
struct PageFailure {
  std::string image;
  std::string reason;

  bool operator==(const PageFailure&) const = default;
};

// One quantity over all samples: "decode_s". Files of earlier versions also have rates.
struct MeasuredQuantity {
  std::string name;
  results::Summary summary;
  std::optional<results::Drift> drift;

  bool operator==(const MeasuredQuantity&) const = default;
};

// How samples were chosen (dataset.sampling).
struct SamplingFacts {
  int64_t num_epochs = 1;
  bool randomize = false;
  std::optional<uint64_t> seed;

  bool operator==(const SamplingFacts&) const = default;
};

// Meaning of a sample: a page of a built-in model, or a call in a Python program.
inline constexpr const char* kPageUnit = "page";
inline constexpr const char* kCallUnit = "call";

// Begins the lines in the output of ridgeline-model that become notes of the stage.
inline constexpr std::string_view kModelWarning = "ridgeline-model: warning: ";

// FLOPs of the profiled call of a Python program, from the shapes of its operators, with
// unprofiled times of the same call.
struct CallUtilization {
  struct Phase {
    std::string name;  // "end_to_end", "prefill", "decode"
    double seconds = 0;
    int64_t flops = 0;

    bool operator==(const Phase&) const = default;
  };
  std::string device;
  std::optional<double> peak_flops_per_s;  // nullopt: unknown.
  std::optional<double> peak_bytes_per_s;
  std::vector<Phase> phases;

  bool operator==(const CallUtilization&) const = default;
};

struct ModelMetrics {
  std::string model;
  std::string unit = kPageUnit;
  std::string device;
  int64_t warmup_rounds = 0;
  bool warmup_synthetic = false;
  int64_t repeats = 0;
  SamplingFacts sampling;
  int64_t peak_rss_bytes = 0;
  // Number of processes: more than 1 if the run was interrupted and resumed, so that the
  // samples are not from one uninterrupted measurement.
  int64_t sessions = 1;
  int64_t samples_planned = 0;        // If there are fewer, it was stopped early.
  std::vector<PageFailure> failures;  // Each page once, regardless of passes.
  std::vector<MeasuredQuantity> statistics;
  std::vector<ModelSample> samples;     // Unprofiled.
  std::optional<ModelSample> profiled;  // Excluded from statistics and totals.
  // Process times of whole runs of a program whose samples are calls.
  std::vector<ModelSample> runs = {};
  std::optional<CallUtilization> utilization;

  int64_t pages() const;  // Number of unique images read.
  int64_t generated_tokens() const;
  // Decode steps of all samples over their total decode time; nullopt if no decode was
  // timed.
  std::optional<double> decode_tokens_per_s() const;

  bool operator==(const ModelMetrics&) const = default;
};

// Null if not measured.
const MeasuredQuantity* Find(const ModelMetrics& metrics, std::string_view quantity);

std::string ToJson(const ModelMetrics& metrics);

// Errors begin with `origin`. All times are finite; totals are recomputed from the
// samples.
Result<ModelMetrics> ParseModelMetrics(std::string_view json, std::string_view origin);

// One sample, on one line without a newline.
std::string ToJsonLine(const ModelSample& sample);
Result<ModelSample> ParseModelSample(std::string_view json);

// Adds a phase_sample for every time of every sample, with the profiled one separate from
// the others, which belong to `pass`; TTFT, ITL and FLOPs of calls. `source` names the
// file. Adds nothing on an error.
Status ImportModelMetrics(std::string_view json, results::Source source,
                          results::PhaseSample::Pass pass, results::ResultStore& store);

}  // namespace ridgeline::profiles
