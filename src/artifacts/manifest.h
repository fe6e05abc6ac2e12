// manifest.json: plan, processes and outcome of each stage of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::artifacts {

inline constexpr int kManifestVersion = 2;

// State of a run or of one of its stages. A run is never disabled or skipped.
enum class State {
  kDisabled,  // Not enabled.
  kPending,   // Not started yet.
  kRunning,   // Now or, if the process is gone, when it died.
  kDone,
  kSkipped,      // A requirement is missing; `reason` names it.
  kFailed,       // `reason` gives the cause.
  kInterrupted,  // By a signal, or because the run was killed.
};

std::string_view ToText(State state);  // "done"

// Whether the output of the workload matches the reference.
enum class Parity : uint8_t { kNotChecked, kPassed, kFailed };
std::string_view ToText(Parity parity);  // "not_checked"

// One program that a stage ran.
struct ProcessRecord {
  std::string purpose;  // "workload", "nsys profile"
  std::vector<std::string> argv;
  std::string directory;         // Working directory.
  std::string log;               // Relative to the run directory; empty: none.
  std::string ended;             // "exit code 0", "killed by signal 11 (...)"
  std::optional<int> exit_code;  // Empty: it could not be started.
  std::optional<int> signal;
  bool timed_out = false;
  int leftover_processes = 0;
  double wall_s = 0;
  double user_s = 0;
  double system_s = 0;
  int64_t peak_rss_bytes = 0;
  int64_t output_bytes = 0;

  bool operator==(const ProcessRecord&) const = default;
};

// State of one rank of a workload.
enum class RankState : uint8_t {
  kDone,
  kFailed,   // Exit code, signal, or killed together with its supervisor.
  kStopped,  // Ended from outside: another rank failed, timeout, interrupt.
  kMissing,  // No status: never started, or its host is gone.
};
std::string_view ToText(RankState state);  // "done"

// One rank of the last command of a stage that ran the workload.
struct RankRecord {
  int64_t rank = 0;
  std::optional<int64_t> local_rank;
  std::string host;  // Empty: unknown.
  int64_t pid = 0;   // Of the process that started it; 0: unknown.
  RankState state = RankState::kMissing;
  bool profiled = false;
  std::string outcome;  // The named outcome of its profile; empty: none.
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string started;                  // ISO 8601 with offset; empty: never.
  std::optional<double> start_delay_s;  // Relative to the first rank.
  std::optional<double> wall_s;
  std::optional<int64_t> peak_rss_bytes;
  std::string last_line;           // Of its output.
  std::vector<std::string> files;  // Relative to the run directory.

  bool operator==(const RankRecord&) const = default;
};

struct StageRecord {
  std::string name;
  State state = State::kPending;
  std::string reason;                 // For skipped, failed and interrupted.
  std::string directory;              // Relative to the run directory.
  std::vector<std::string> commands;  // As planned, one shell line each.
  std::vector<std::string> tools;     // Programs it needs: nsys.
  std::string started;                // ISO 8601 with offset; empty: not yet.
  std::string ended;
  std::optional<double> wall_s;
  std::vector<ProcessRecord> processes;
  std::vector<std::string> artifacts;  // Relative to the run directory.
  std::vector<std::string> notes;      // Shown to readers of the results.
  // The named outcome ("NoRangeHit"); empty: none.
  std::string outcome;
  std::vector<std::string> retry_overrides;  // Overrides that would fix it.
  Parity parity = Parity::kNotChecked;
  std::string parity_detail;      // The comparison in one sentence.
  std::vector<RankRecord> ranks;  // By rank; empty: a workload without ranks.

  // Unless it is already there.
  void AddNote(const std::string& note);

  bool operator==(const StageRecord&) const = default;
};

// A command whose stages are in the same run directory.
struct CommandRecord {
  std::vector<std::string> arguments;  // Without the program.
  std::string cwd;
  std::string invoked;
  std::string config_sha256;

  bool operator==(const CommandRecord&) const = default;
};

struct Manifest {
  std::string ridgeline_version;
  std::string run_id;     // Name of the run directory.
  std::string directory;  // Absolute.
  State state = State::kPending;
  std::string reason;
  std::optional<int> exit_code;         // Once it has ended.
  Parity parity = Parity::kNotChecked;  // kFailed if it failed in any stage.
  std::string host;
  int64_t pid = 0;
  std::string started;
  std::string ended;
  // The command line, for --resume; without secrets.
  std::vector<std::string> arguments;  // Without the program.
  std::string cwd;                     // The directory.
  std::string invoked;                 // Local time, "2026-11-15T23:29:13.123456".
  std::string workload;                // One-line description of the workload.
  std::string config_sha256;           // Of the resolved configuration.
  int attempts = 1;                    // 1 + number of resumes.
  // Commands before this one, oldest first; `arguments` etc. are those of the last.
  std::vector<CommandRecord> earlier_commands;
  std::vector<StageRecord> stages;  // All stages, in execution order.

  StageRecord* Find(std::string_view stage);  // nullptr: no such stage.

  bool operator==(const Manifest&) const = default;
};

// Pretty-printed JSON, keys in a fixed order, with "schema_version" first. Every key is
// always present, except `ranks` of stages without ranks; unknown values are null. Bytes
// that are not UTF-8 become U+FFFD; apart from that, ParseManifest restores the manifest.
// Numbers must be finite.
std::string ToJson(const Manifest& manifest);

// `origin` is named in errors. kParse: not a manifest; kUnsupported: written by a newer
// version. Unknown keys are ignored, missing ones have their default, and keys of version
// 1 are read under their old names.
Result<Manifest> ParseManifest(std::string_view json, std::string_view origin);

// Replaces every secret (base/secrets.h) in arguments, commands and messages.
void RemoveSecrets(Manifest& manifest);

// The manifest to be left if this process dies now: running stages become interrupted,
// `reason` states that the run was killed, and later stages stay pending.
Manifest AsKilled(Manifest manifest);

}  // namespace ridgeline::artifacts
