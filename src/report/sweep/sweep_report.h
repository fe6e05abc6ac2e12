// The report of a sweep: builds a document from its jobs and their measurements, and
// prints it as text, Markdown, CSV, JSON and a page.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/statistics.h"
#include "artifacts/sweep_manifest.h"
#include "base/result.h"
#include "report/sweep/sweep_rows.h"

namespace ridgeline::report {

// A measurement of one job.
struct SweepMeasurement {
  double value = 0;
  std::optional<std::array<double, 2>> ci95;
  int64_t samples = 0;  // n of the CI; 0: unknown.
};

// n from which a bootstrapped CI supports the claim that a job is the best. With n=3
// there are only 10 unique resamples, too few for a CI of 95 %; with n=5 there are 126.
inline constexpr int64_t kMinSamplesForBest = analysis::kMinForTrustedInterval;

// A metric by which a sweep can be compared.
struct SweepMetric {
  std::string id;
  std::string title;
  Unit unit = Unit::kNone;
  Better better = Better::kLower;
};

// One job with the measurements of its run, by metric id.
struct SweepJobFacts {
  artifacts::SweepJob job;
  artifacts::Parity parity = artifacts::Parity::kNotChecked;
  bool has_report = false;
  std::map<std::string, SweepMeasurement> measured;
};

struct SweepFacts {
  std::string ridgeline_version;
  artifacts::SweepManifest sweep;  // Its jobs are not used.
  std::vector<SweepMetric> metrics;
  std::vector<SweepJobFacts> jobs;
  std::vector<std::string> notes;
};

// Only finished jobs whose output parity did not fail can be the best. A job is the best
// if its 95 % CI overlaps with no other, each of at least kMinSamplesForBest samples;
// otherwise all that overlap with it are tied.
SweepDocument MakeSweepReport(const SweepFacts& facts);

// sweep_text.cc. A table of all jobs, for a terminal.
std::string ToTerminal(const SweepDocument& document);
// The best job for each metric, one line each.
std::string BestLines(const SweepDocument& document);
std::string ToMarkdown(const SweepDocument& document);  // sweep.md
// sweep.csv: base units, one column for each parameter, and three for each metric: value,
// low and high end of the 95 % CI. Cells that a spreadsheet would treat as a formula are
// quoted.
std::string ToCsv(const SweepDocument& document);

// json.cc: sweep_report.json.
std::string ToJson(const SweepDocument& document, int indent = 2);
// html.cc: sweep.html, one self-contained file.
std::string SweepPage(const SweepDocument& document);

}  // namespace ridgeline::report
