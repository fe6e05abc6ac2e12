#include "artifacts/sweep_manifest.h"

#include <fmt/format.h>

#include <array>
#include <concepts>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/json.h"
#include "base/secrets.h"

namespace ridgeline::artifacts {
namespace {

constexpr const char* kSweepVersionKey = "schema_version";

// The keys of each file, in order, for both writing and reading: `Record` may be const.
template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, Attempt>
void VisitSweepKeys(Record& attempt, Visit&& visit) {
  visit("submission", attempt.id.submission);
  visit("restart", attempt.id.restart);
  visit("state", attempt.state);
  visit("outcome", attempt.outcome);
  visit("reason", attempt.reason);
  visit("exit_code", attempt.exit_code);
  visit("wall_s", attempt.wall_s);
  visit("host", attempt.host);
  visit("slurm_id", attempt.slurm_id);
  visit("pid", attempt.pid);
  visit("started", attempt.started);
  visit("ended", attempt.ended);
  visit("requeued", attempt.requeued);
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, Submission>
void VisitSweepKeys(Record& submission, Visit&& visit) {
  visit("number", submission.number);
  visit("slurm_id", submission.slurm_id);
  visit("first_job", submission.first_job);
  visit("jobs", submission.jobs);
  visit("created", submission.created);
  visit("error", submission.error);
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, SweepJob>
void VisitSweepKeys(Record& job, Visit&& visit) {
  visit("number", job.number);
  visit("overrides", job.overrides);
  visit("directory", job.directory);
  visit("arguments", job.arguments);
}

template <typename Record, typename Visit>
requires std::same_as<std::remove_const_t<Record>, SweepManifest>
void VisitSweepKeys(Record& sweep, Visit&& visit) {
  visit("ridgeline_version", sweep.ridgeline_version);
  visit("launcher", sweep.launcher);
  visit("created", sweep.created);
  visit("arguments", sweep.arguments);
  visit("working_directory", sweep.working_directory);
  visit("directory", sweep.directory);
  visit("parallel_jobs", sweep.parallel_jobs);
  visit("timeout_s", sweep.timeout_s);
  visit("job_script", sweep.job_script);
  visit("job_script_sha256", sweep.job_script_sha256);
  visit("max_num_timeout", sweep.max_num_timeout);
  visit("jobs", sweep.jobs);
}

// ---- Writing

using SweepOutput = nlohmann::ordered_json;

template <typename T>
SweepOutput SweepValue(const T& value);

template <typename Record>
SweepOutput SweepObject(const Record& record) {
  SweepOutput object = SweepOutput::object();
  VisitSweepKeys(record, [&](const char* key, const auto& value) {
    object[key] = SweepValue(value);
  });
  return object;
}

template <typename T>
SweepOutput SweepValue(const T& value) {
  if constexpr (std::same_as<T, State>) {
    return ToText(value);
  } else if constexpr (std::same_as<T, std::vector<SweepJob>>) {
    SweepOutput list = SweepOutput::array();
    for (const SweepJob& job : value) list.push_back(SweepObject(job));
    return list;
  } else if constexpr (requires { value.has_value(); }) {
    return value ? SweepOutput(*value) : SweepOutput();
  } else {
    return value;
  }
}

template <typename Record>
std::string SweepText(const Record& record) {
  SweepOutput document = {{kSweepVersionKey, kSweepVersion}};
  document.update(SweepObject(record));
  constexpr int kIndent = 2;
  return DumpJson(document, kIndent) + "\n";
}

// ---- Reading

using SweepInput = nlohmann::json;

// Keeps the first error.
class SweepReader {
 public:
  const std::string& problem() const { return problem_; }

  template <typename Record>
  void ReadObject(const SweepInput& node, const std::string& where, Record& record) {
    if (!node.is_object()) return Fail(where, "is not an object");
    VisitSweepKeys(record, [&](const char* key, auto& value) {
      const auto found = node.find(key);
      if (found == node.end() || found->is_null()) return;
      Read(*found, where.empty() ? key : fmt::format("{}.{}", where, key), value);
    });
  }

 private:
  void Read(const SweepInput& node, const std::string& where, std::string& value) {
    if (!node.is_string()) return Fail(where, "is not a string");
    value = node.get<std::string>();
  }
  void Read(const SweepInput& node, const std::string& where, bool& value) {
    if (!node.is_boolean()) return Fail(where, "is not a boolean");
    value = node.get<bool>();
  }
  void Read(const SweepInput& node, const std::string& where, double& value) {
    if (!node.is_number()) return Fail(where, "is not a number");
    value = node.get<double>();
  }
  template <std::signed_integral T>
  void Read(const SweepInput& node, const std::string& where, T& value) {
    if (!node.is_number_integer()) return Fail(where, "is not an integer");
    const bool fits = node.is_number_unsigned() ? std::in_range<T>(node.get<uint64_t>())
                                                : std::in_range<T>(node.get<int64_t>());
    if (!fits) return Fail(where, "is out of range");
    value = node.get<T>();
  }
  void Read(const SweepInput& node, const std::string& where, State& value) {
    for (const State state : {State::kPending, State::kRunning, State::kDone,
                              State::kFailed, State::kInterrupted}) {
      if (!node.is_string() || node.get_ref<const std::string&>() != ToText(state)) {
        continue;
      }
      value = state;
      return;
    }
    Fail(where, "is not a known state");
  }
  template <typename T>
  void Read(const SweepInput& node, const std::string& where, std::optional<T>& value) {
    Read(node, where, value.emplace());
  }
  template <typename T>
  void Read(const SweepInput& node, const std::string& where, std::vector<T>& items) {
    if (!node.is_array()) return Fail(where, "is not a list");
    for (const SweepInput& item : node) {
      const std::string path = fmt::format("{}[{}]", where, items.size());
      if constexpr (std::same_as<T, SweepJob>) {
        ReadObject(item, path, items.emplace_back());
      } else {
        Read(item, path, items.emplace_back());
      }
    }
  }
  void Fail(const std::string& where, std::string_view what) {
    if (problem_.empty()) problem_ = fmt::format("'{}' {}", where, what);
  }

  std::string problem_;
};

template <typename Record>
Result<Record> ParseSweepFile(std::string_view json, std::string_view origin) {
  const auto error = [&](ErrorCode code, const std::string& what) {
    return Error(code, fmt::format("{}: {}", origin, what));
  };
  const auto document = ParseJson<SweepInput>(json);
  if (document.is_discarded()) return error(ErrorCode::kParse, "is not JSON");
  const auto version = MemberIn<int64_t>(document, kSweepVersionKey);
  if (!document.is_object() || !version || *version < 1) {
    return error(ErrorCode::kParse, "is not a file of a sweep");
  }
  if (*version > kSweepVersion) {
    return error(ErrorCode::kUnsupported,
                 fmt::format("{} {} was written by a newer ridgeline; this version reads "
                             "{}",
                             kSweepVersionKey, *version, kSweepVersion));
  }
  Record record;
  SweepReader reader;
  reader.ReadObject(document, "", record);
  if (!reader.problem().empty()) return error(ErrorCode::kParse, reader.problem());
  return record;
}

}  // namespace

std::string ToJson(const SweepManifest& sweep) {
  SweepManifest shown = sweep;
  shown.arguments = WithoutSecrets(shown.arguments);
  for (SweepJob& job : shown.jobs) {
    job.overrides = WithoutSecrets(job.overrides);
    job.arguments = WithoutSecrets(job.arguments);
  }
  return SweepText(shown);
}

Result<SweepManifest> ParseSweep(std::string_view json, std::string_view origin) {
  return ParseSweepFile<SweepManifest>(json, origin);
}

std::string ToJson(const Attempt& attempt) {
  Attempt shown = attempt;
  shown.reason = WithoutSecrets(shown.reason);
  return SweepText(shown);
}

Result<Attempt> ParseAttempt(std::string_view json, std::string_view origin) {
  return ParseSweepFile<Attempt>(json, origin);
}

std::string ToJson(const Submission& submission) { return SweepText(submission); }

Result<Submission> ParseSubmission(std::string_view json, std::string_view origin) {
  return ParseSweepFile<Submission>(json, origin);
}

}  // namespace ridgeline::artifacts
