#include "report/sweep/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "report/sections/parts.h"

namespace ridgeline::report {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using artifacts::SweepJob;

struct ParsedOverride {
  std::string key;
  std::string value;
};

// "+model.batch=4": an addition, key without the sign; "~model": a deletion, no value.
ParsedOverride ParseOverrideText(std::string_view text) {
  const size_t equals = text.find('=');
  std::string_view key = text.substr(0, equals);
  while (key.starts_with('+')) key.remove_prefix(1);
  return {std::string(key), equals == std::string_view::npos
                                ? std::string()
                                : std::string(text.substr(equals + 1))};
}

// The whole text as a finite number.
std::optional<double> NumberIn(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (text.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

using JobOverrides = std::vector<ParsedOverride>;

// The last one for a key counts, as in Hydra.
const ParsedOverride* Find(const JobOverrides& overrides, std::string_view key) {
  const auto found =
      std::find_if(overrides.rbegin(), overrides.rend(),
                   [key](const ParsedOverride& each) { return each.key == key; });
  return found == overrides.rend() ? nullptr : &*found;
}

// In order of first appearance.
std::vector<std::string> KeysOf(const std::vector<JobOverrides>& jobs) {
  std::vector<std::string> keys;
  std::set<std::string> known;
  for (const JobOverrides& overrides : jobs) {
    for (const ParsedOverride& each : overrides) {
      if (known.insert(each.key).second) keys.push_back(each.key);
    }
  }
  return keys;
}

SweepParameterRow ParameterOf(const std::string& key,
                              const std::vector<JobOverrides>& jobs) {
  std::set<std::string> unique;
  for (const JobOverrides& overrides : jobs) {
    const ParsedOverride* const found = Find(overrides, key);
    if (found != nullptr) unique.insert(found->value);
  }
  const bool is_numeric =
      std::all_of(unique.begin(), unique.end(),
                  [](const std::string& value) { return NumberIn(value).has_value(); });
  return {CutText(key), is_numeric, static_cast<int64_t>(unique.size())};
}

std::string RelativeTo(const std::string& root, const fs::path& path) {
  const fs::path relative = path.lexically_relative(root);
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : path.string();
}

SweepJobRow RowOf(const SweepJobFacts& facts, const std::string& root,
                  const JobOverrides& overrides, const std::vector<std::string>& keys) {
  const SweepJob& job = facts.job;
  SweepJobRow row;
  row.job = job.number;
  row.overrides = CutText(fmt::format("{}", fmt::join(job.overrides, " ")));
  row.state = job.state;
  row.outcome = SomeText(job.outcome);
  row.reason = SomeText(CutText(job.reason));
  row.parity = facts.parity;
  if (job.exit_code) row.exit_code = *job.exit_code;
  row.wall_s = job.wall_s;
  row.attempts = job.attempts;
  row.host = SomeText(job.host);
  row.slurm_id = SomeText(job.slurm_id);
  row.directory = RelativeTo(root, job.directory);
  if (facts.has_report) row.report = (fs::path(row.directory) / "report.html").string();
  for (const std::string& key : keys) {
    SweepOverrideRow& cell = row.parameters.emplace_back();
    const ParsedOverride* const found = Find(overrides, key);
    if (found == nullptr) continue;
    cell.value = CutText(found->value);
    cell.number = NumberIn(found->value);
  }
  return row;
}

// Whether the values of a job may be compared: others ended early, or computed something
// else.
bool CountsAsBest(const SweepJobRow& job) {
  return job.state == State::kDone && job.parity != artifacts::Parity::kFailed;
}

bool IntervalsOverlap(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return a[0] <= b[1] && b[0] <= a[1];
}

// A value compared with the best one.
enum class Against { kWorse, kTied, kUnknown };

Against Compare(const SweepValueRow& best, const SweepValueRow& other) {
  if (best.ci95 && other.ci95) {
    if (IntervalsOverlap(*best.ci95, *other.ci95)) return Against::kTied;
    const int64_t fewest = std::min(best.samples, other.samples);
    return fewest < kMinSamplesForBest ? Against::kUnknown : Against::kWorse;
  }
  return best.value == other.value ? Against::kTied : Against::kUnknown;
}

// Ranks the values of one metric.
void RankMetric(size_t metric, SweepDocument& document) {
  SweepMetricRow& row = document.metrics[metric];
  std::vector<SweepJobRow*> jobs;
  for (SweepJobRow& job : document.jobs) {
    if (CountsAsBest(job) && job.metrics[metric].value) jobs.push_back(&job);
  }
  if (jobs.empty()) return;
  const bool is_lower = row.better == Better::kLower;
  std::stable_sort(jobs.begin(), jobs.end(), [&](const auto* a, const auto* b) {
    const double left = *a->metrics[metric].value;
    const double right = *b->metrics[metric].value;
    return is_lower ? left < right : left > right;
  });
  const SweepValueRow& best = jobs.front()->metrics[metric];
  std::vector<SweepJobRow*> tied;
  bool is_unknown = false;
  for (SweepJobRow* const job : jobs) {
    if (job == jobs.front()) continue;
    const Against against = Compare(best, job->metrics[metric]);
    if (against == Against::kTied) tied.push_back(job);
    is_unknown = is_unknown || against == Against::kUnknown;
  }
  row.best_jobs.push_back(jobs.front()->job);
  for (const SweepJobRow* const job : tied) row.best_jobs.push_back(job->job);
  row.verdict = jobs.size() == 1 ? BestVerdict::kSingle
                : !tied.empty()  ? BestVerdict::kTied
                : is_unknown     ? BestVerdict::kNoCi
                                 : BestVerdict::kBest;
  if (row.verdict == BestVerdict::kSingle) return;
  const Rank rank = row.verdict == BestVerdict::kBest   ? Rank::kBest
                    : row.verdict == BestVerdict::kTied ? Rank::kTied
                                                        : Rank::kExtreme;
  jobs.front()->metrics[metric].rank = rank;
  for (SweepJobRow* const job : tied) job->metrics[metric].rank = rank;
}

void AddMetrics(const SweepFacts& facts, SweepDocument& document) {
  for (const SweepMetric& metric : facts.metrics) {
    document.metrics.push_back({.id = metric.id,
                                .title = metric.title,
                                .unit = metric.unit,
                                .better = metric.better});
    for (size_t i = 0; i < facts.jobs.size(); ++i) {
      SweepValueRow& cell = document.jobs[i].metrics.emplace_back();
      const auto found = facts.jobs[i].measured.find(metric.id);
      if (found == facts.jobs[i].measured.end()) continue;
      cell.value = found->second.value;
      cell.ci95 = found->second.ci95;
      cell.samples = found->second.samples;
    }
    RankMetric(document.metrics.size() - 1, document);
    for (SweepJobRow& job : document.jobs) {
      SweepValueRow& cell = job.metrics.back();
      if (cell.samples < kMinSamplesForBest) cell.ci95.reset();
    }
  }
}

std::vector<SweepCountRow> CountsOf(const std::vector<SweepJobRow>& jobs) {
  std::vector<SweepCountRow> counts;
  for (const State state : {State::kDone, State::kFailed, State::kInterrupted,
                            State::kRunning, State::kPending}) {
    const auto count =
        std::count_if(jobs.begin(), jobs.end(),
                      [state](const SweepJobRow& job) { return job.state == state; });
    if (count > 0) counts.push_back({state, count});
  }
  return counts;
}

}  // namespace

std::string_view NameOf(Unit unit) {
  switch (unit) {
    case Unit::kNone:
      return "number";
    case Unit::kSeconds:
      return "seconds";
    case Unit::kBytes:
      return "bytes";
    case Unit::kBytesPerS:
      return "bytes_per_s";
    case Unit::kFlops:
      return "flops";
    case Unit::kFlopsPerS:
      return "flops_per_s";
    case Unit::kFraction:
      return "fraction";
    case Unit::kPercent:
      return "percent";
    case Unit::kFactor:
      return "factor";
  }
  return "";
}

std::string_view NameOf(Better better) {
  return better == Better::kLower ? "lower" : "higher";
}

std::string_view NameOf(BestVerdict verdict) {
  switch (verdict) {
    case BestVerdict::kNone:
      return "none";
    case BestVerdict::kSingle:
      return "single";
    case BestVerdict::kBest:
      return "best";
    case BestVerdict::kTied:
      return "tied";
    case BestVerdict::kNoCi:
      return "no_ci";
  }
  return "";
}

std::string_view NameOf(Rank rank) {
  switch (rank) {
    case Rank::kNone:
      return "none";
    case Rank::kBest:
      return "best";
    case Rank::kTied:
      return "tied";
    case Rank::kExtreme:
      return "extreme";
  }
  return "";
}

SweepDocument MakeSweepReport(const SweepFacts& facts) {
  const artifacts::SweepManifest& sweep = facts.sweep;
  SweepDocument document;
  document.ridgeline_version = facts.ridgeline_version;
  document.name = fs::path(sweep.directory).filename().string();
  document.directory = sweep.directory;
  document.launcher = sweep.launcher;
  document.created = sweep.created;
  document.notes = facts.notes;
  std::vector<JobOverrides> overrides;
  for (const SweepJobFacts& job : facts.jobs) {
    JobOverrides& parsed = overrides.emplace_back();
    for (const std::string& text : job.job.overrides) {
      parsed.push_back(ParseOverrideText(text));
    }
  }
  const std::vector<std::string> keys = KeysOf(overrides);
  for (const std::string& key : keys) {
    document.parameters.push_back(ParameterOf(key, overrides));
  }
  for (size_t i = 0; i < facts.jobs.size(); ++i) {
    document.jobs.push_back(RowOf(facts.jobs[i], sweep.directory, overrides[i], keys));
  }
  AddMetrics(facts, document);
  document.counts = CountsOf(document.jobs);
  return document;
}

}  // namespace ridgeline::report
