// The run itself and its outcome; filled by run.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "artifacts/manifest.h"
#include "report/field.h"

namespace ridgeline::report {

// Run state of imported profiles.
inline constexpr std::string_view kImported = "imported";

struct RunRow {
  OptionalText id;
  std::string state{kImported};
  OptionalText reason, workload, host, started, ended, cwd;
  Texts arguments;
  std::string ridgeline_version;

  static constexpr std::string_view kTable = "run";
  static constexpr void Fields(auto visit) {
    using R = RunRow;
    visit(Field{"id", "Run", &R::id}, Field{"state", "State", &R::state},
          Field{"reason", "Reason", &R::reason},
          Field{"workload", "Workload", &R::workload}, Field{"host", "Host", &R::host},
          Field{"started", "Started", &R::started}, Field{"ended", "Ended", &R::ended},
          Field{"cwd", "Directory", &R::cwd},
          Field{"arguments", "Arguments", &R::arguments},
          Field{"ridgeline_version", "Ridgeline", &R::ridgeline_version});
  }
};

struct VerdictRow {
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  std::optional<bool> complete;
  int64_t notes = 0;

  static constexpr std::string_view kTable = "verdict";
  static constexpr void Fields(auto visit) {
    using R = VerdictRow;
    visit(Field{"parity", "Output parity", &R::parity},
          Field{"complete", "Complete", &R::complete},
          Field{"notes", "Notes", &R::notes});
  }
};

struct StageRow {
  std::string name;
  artifacts::State state = artifacts::State::kDone;
  OptionalText outcome, reason;
  OptionalNumber wall_s;
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  OptionalText parity_detail;
  Texts notes;
  OptionalText retry_overrides;

  const std::string& label() const { return name; }
  static constexpr std::string_view kTable = "stages";
  static constexpr void Fields(auto visit) {
    using R = StageRow;
    visit(Field{"name", "Stage", &R::name}, Field{"state", "State", &R::state},
          Field{"outcome", "Outcome", &R::outcome}, Field{"reason", "Reason", &R::reason},
          Field{"wall_s", "Time", &R::wall_s, Unit::kSeconds},
          Field{"parity", "Output parity", &R::parity},
          Field{"parity_detail", "Parity", &R::parity_detail},
          Field{"notes", "Notes", &R::notes},
          Field{"retry_overrides", "Retry with", &R::retry_overrides});
  }
};

// One rank of the workload in one stage.
struct RankRow {
  std::string stage;
  int64_t rank = 0;
  OptionalText host;
  artifacts::RankState state = artifacts::RankState::kMissing;
  OptionalText outcome;
  bool profiled = false;
  OptionalInteger exit_code, signal;
  OptionalNumber start_delay_s, wall_s;
  OptionalInteger peak_rss_bytes;
  OptionalText last_line;
  Texts files;

  std::string label() const { return stage + ", rank " + std::to_string(rank); }
  static constexpr std::string_view kTable = "ranks";
  static constexpr void Fields(auto visit) {
    using R = RankRow;
    visit(Field{"stage", "Stage", &R::stage}, Field{"rank", "Rank", &R::rank},
          Field{"host", "Host", &R::host}, Field{"state", "State", &R::state},
          Field{"outcome", "Outcome", &R::outcome},
          Field{"profiled", "Profiled", &R::profiled},
          Field{"exit_code", "Exit code", &R::exit_code},
          Field{"signal", "Signal", &R::signal},
          Field{"start_delay_s", "Start delay", &R::start_delay_s, Unit::kSeconds},
          Field{"wall_s", "Time", &R::wall_s, Unit::kSeconds},
          Field{"peak_rss_bytes", "Peak RSS", &R::peak_rss_bytes, Unit::kBytes},
          Field{"last_line", "Last line", &R::last_line},
          Field{"files", "Files", &R::files});
  }
};

// Generated text of one page.
struct PredictionRow {
  std::string stage, image, text;
  bool text_truncated = false;
  int64_t generated_tokens = 0;
  OptionalInteger boxes;
  OptionalText thumbnail;

  static constexpr std::string_view kTable = "predictions";
  static constexpr void Fields(auto visit) {
    using R = PredictionRow;
    visit(Field{"stage", "Stage", &R::stage}, Field{"image", "Image", &R::image},
          Field{"text", "Text", &R::text},
          Field{"text_truncated", "Truncated", &R::text_truncated},
          Field{"generated_tokens", "Tokens", &R::generated_tokens},
          Field{"boxes", "Boxes", &R::boxes},
          Field{"thumbnail", "Thumbnail", &R::thumbnail});
  }
};

struct CommandRow {
  std::string stage, file, text;

  static constexpr std::string_view kTable = "commands";
  static constexpr void Fields(auto visit) {
    using R = CommandRow;
    visit(Field{"stage", "Stage", &R::stage}, Field{"file", "File", &R::file},
          Field{"text", "Command", &R::text});
  }
};

struct ConfigRow {
  std::string key, value;

  const std::string& label() const { return key; }
  static constexpr std::string_view kTable = "config";
  static constexpr void Fields(auto visit) {
    using R = ConfigRow;
    visit(Field{"key", "Key", &R::key}, Field{"value", "Value", &R::value});
  }
};

struct DroppedRow {
  std::string source, reason;
  int64_t count = 0;
  bool lost = false;  // Measured data is missing; otherwise no table is affected.

  static constexpr std::string_view kTable = "dropped";
  static constexpr void Fields(auto visit) {
    using R = DroppedRow;
    visit(Field{"source", "Source", &R::source}, Field{"reason", "Reason", &R::reason},
          Field{"count", "Count", &R::count, Unit::kNone, "records dropped"},
          Field{"lost", "Lost", &R::lost});
  }
};

}  // namespace ridgeline::report
