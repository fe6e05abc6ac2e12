// The report of a sweep as typed rows: its jobs, parameters and measurements.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "artifacts/manifest.h"
#include "report/field.h"

namespace ridgeline::report {

inline constexpr int kSweepReportVersion = 1;

std::string_view NameOf(Unit unit);  // "seconds"; "number": no unit.

// Which of two values of a metric is better.
enum class Better : uint8_t { kLower, kHigher };
std::string_view NameOf(Better better);  // "lower"

// How certain it is that the best job of a metric is the best.
enum class BestVerdict : uint8_t {
  kNone,    // No eligible job has a value.
  kSingle,  // Only one has a value.
  kBest,    // Its 95 % CI overlaps with no other, and n is large enough.
  kTied,    // It overlaps, or values are equal.
  kNoCi,    // It or another one has no CI, or one of too few samples: the extreme value.
};
std::string_view NameOf(BestVerdict verdict);  // "best"

// Rank of a value among those of the same metric.
enum class Rank : uint8_t { kNone, kBest, kTied, kExtreme };
std::string_view NameOf(Rank rank);  // "best"; empty: none.

struct SweepMetricRow {
  std::string id;     // "decode_tokens_per_s"
  std::string title;  // "Decode tokens/s"
  Unit unit = Unit::kNone;
  Better better = Better::kLower;
  BestVerdict verdict = BestVerdict::kNone;
  std::vector<int64_t> best_jobs;  // If several: tied, the best value first.

  static constexpr std::string_view kTable = "metrics";
  static constexpr void Fields(auto visit) {
    using R = SweepMetricRow;
    visit(Field{"id", "Metric", &R::id}, Field{"title", "Title", &R::title},
          Field{"unit", "Unit", &R::unit}, Field{"better", "Better", &R::better},
          Field{"verdict", "Verdict", &R::verdict},
          Field{"best_jobs", "Best jobs", &R::best_jobs});
  }
};

// A key that differs between jobs.
struct SweepParameterRow {
  std::string key;
  bool numeric = false;  // In all jobs that set it.
  int64_t values = 0;    // Unique values.

  static constexpr std::string_view kTable = "parameters";
  static constexpr void Fields(auto visit) {
    using R = SweepParameterRow;
    visit(Field{"key", "Key", &R::key}, Field{"numeric", "Numeric", &R::numeric},
          Field{"values", "Values", &R::values});
  }
};

struct SweepOverrideRow {
  OptionalText value;  // As written; nullopt: not set by the job.
  OptionalNumber number;

  static constexpr void Fields(auto visit) {
    using R = SweepOverrideRow;
    visit(Field{"value", "Value", &R::value}, Field{"number", "Number", &R::number});
  }
};

struct SweepValueRow {
  OptionalNumber value;
  std::optional<std::array<double, 2>> ci95;
  int64_t samples = 0;  // n of the CI; not printed.
  Rank rank = Rank::kNone;

  static constexpr void Fields(auto visit) {
    using R = SweepValueRow;
    visit(Field{"value", "Value", &R::value}, Field{"ci95", "95 % CI", &R::ci95},
          Field{"rank", "Rank", &R::rank});
  }
};

struct SweepJobRow {
  int64_t job = 0;
  std::string overrides;  // On one line.
  artifacts::State state = artifacts::State::kPending;
  OptionalText outcome, reason;
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  OptionalInteger exit_code;
  OptionalNumber wall_s;
  int64_t attempts = 0;
  OptionalText host, slurm_id;
  std::string directory;                     // Relative to the sweep, if it is below it.
  OptionalText report;                       // report.html, likewise; nullopt: none.
  std::vector<SweepOverrideRow> parameters;  // One for each parameter of the document.
  std::vector<SweepValueRow> metrics;        // Likewise for metrics.

  static constexpr std::string_view kTable = "jobs";
  static constexpr void Fields(auto visit) {
    using R = SweepJobRow;
    visit(Field{"job", "Job", &R::job}, Field{"overrides", "Overrides", &R::overrides},
          Field{"state", "State", &R::state}, Field{"outcome", "Outcome", &R::outcome},
          Field{"reason", "Reason", &R::reason},
          Field{"parity", "Output parity", &R::parity},
          Field{"exit_code", "Exit code", &R::exit_code},
          Field{"wall_s", "Time", &R::wall_s, Unit::kSeconds},
          Field{"attempts", "Attempts", &R::attempts}, Field{"host", "Host", &R::host},
          Field{"slurm_id", "Slurm id", &R::slurm_id},
          Field{"directory", "Directory", &R::directory},
          Field{"report", "Report", &R::report},
          Field{"parameters", "Parameters", &R::parameters},
          Field{"metrics", "Metrics", &R::metrics});
  }
};

struct SweepCountRow {
  artifacts::State state = artifacts::State::kPending;
  int64_t jobs = 0;

  static constexpr void Fields(auto visit) {
    using R = SweepCountRow;
    visit(Field{"state", "State", &R::state}, Field{"jobs", "Jobs", &R::jobs});
  }
};

struct SweepDocument {
  int schema_version = kSweepReportVersion;
  std::string ridgeline_version;
  std::string name;       // Name of its directory.
  std::string directory;  // Absolute.
  std::string launcher;
  std::string created;
  std::vector<SweepCountRow> counts;  // States that occur.
  std::vector<SweepMetricRow> metrics;
  std::vector<SweepParameterRow> parameters;
  std::vector<SweepJobRow> jobs;  // By number.
  Texts notes;                    // Files that could not be read.

  static constexpr void Fields(auto visit) {
    using R = SweepDocument;
    visit(Field{"schema_version", "", &R::schema_version},
          Field{"ridgeline_version", "Ridgeline", &R::ridgeline_version},
          Field{"name", "Sweep", &R::name},
          Field{"directory", "Directory", &R::directory},
          Field{"launcher", "Launcher", &R::launcher},
          Field{"created", "Created", &R::created}, Field{"counts", "Counts", &R::counts},
          Field{"metrics", "Metrics", &R::metrics},
          Field{"parameters", "Parameters", &R::parameters},
          Field{"jobs", "Jobs", &R::jobs}, Field{"notes", "Notes", &R::notes});
  }
};

}  // namespace ridgeline::report
