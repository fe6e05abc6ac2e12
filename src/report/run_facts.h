// Input of the report of a run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/model_efficiency.h"
#include "analysis/ncu_findings.h"
#include "artifacts/manifest.h"
#include "report/document.h"
#include "results/ncu_rows.h"
#include "results/result_store.h"

namespace ridgeline::report {

// An ncu profile and its analysis, in addition to the rows of the store.
struct NcuFacts {
  std::string source;  // Name in the store.
  results::NcuRows rows;
  analysis::NcuFindings findings;
};

// Generated text of one page.
struct PageFacts {
  std::string stage;
  std::string image;
  std::string text;
  int64_t generated_tokens = 0;
  std::optional<int64_t> boxes;
  std::string thumbnail;  // Relative to the run, or empty.
};

struct Picture {
  std::string file;   // Relative to the run.
  std::string bytes;  // A JPEG.
};

// A shell script with the command of a stage.
struct CommandFacts {
  std::string stage;
  std::string file;  // Relative to the run.
  std::string text;
};

struct ConfigValue {
  std::string key;  // "pipeline.nsys.enable"
  std::string value;
};

// Memory from static analysis (static_compute.json). nullopt: unknown.
struct StaticMemory {
  std::optional<int64_t> parameters;
  std::optional<int64_t> weights_read_bytes;  // Per page.
  std::optional<int64_t> kv_cache_bytes;
  std::vector<std::pair<std::string, std::optional<int64_t>>> activation_peaks;
};

// FLOPs of one call of a Python program, from static analysis.
struct CountedCall {
  std::string source;  // "static_analysis/model_summary.json"
  std::string call;    // "GPT.forward"
  int64_t flops = 0;
};

// Time of a profiled pass and of the same work without the profiler.
struct ProfiledPass {
  std::string source;  // "torch_profiler/operator_profile.json"
  double profiled_s = 0;
  double unprofiled_s = 0;
  int64_t events = 0;
};

struct OperatorMemory {
  std::string name;
  int64_t self_bytes = 0;
};

// A file of the run that was not readable.
struct UnreadFile {
  std::string file;  // Relative to the run.
  std::string reason;
};

struct RunFacts {
  // nullopt: the rows come from imported files, not from a run.
  std::optional<artifacts::Manifest> manifest;
  std::string ridgeline_version;
  results::ResultStore store;
  std::map<std::string, ProfileRow> profiles;  // By source name.
  std::vector<NcuFacts> ncu;
  std::optional<analysis::MeasuredRun> measured;  // With the FLOP ledger.
  StaticMemory static_memory;
  std::optional<CountedCall> counted_call;
  std::optional<ProfiledPass> profiled_pass;
  // Fastest round of the measured peak FLOP/s over the slowest (ceilings.json).
  std::optional<double> peak_rounds_ratio;
  // The same for the measured bandwidth.
  std::optional<double> bandwidth_rounds_ratio;
  std::string environment_json;  // env.json, or empty.
  std::optional<int64_t> machine_memory_bytes;
  std::vector<ConfigValue> config;
  std::vector<CommandFacts> commands;
  std::vector<PageFacts> pages;
  std::vector<Picture> pictures;                // Of the first pages, as many as fit.
  std::vector<OperatorMemory> operator_memory;  // Only with profile_memory.
  std::vector<UnreadFile> unread;
};

}  // namespace ridgeline::report
