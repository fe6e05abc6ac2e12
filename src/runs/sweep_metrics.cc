#include "runs/sweep_metrics.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.h"

namespace ridgeline::runs {
namespace {

using Json = nlohmann::ordered_json;
using report::Better;
using report::SweepMeasurement;
using report::SweepMetric;
using report::Unit;

// Other metrics are described by their suffix.
const SweepMetric kUsual[] = {
    {"end_to_end_s", "End to end", Unit::kSeconds, Better::kLower},
    {"wall_s", "Wall time", Unit::kSeconds, Better::kLower},
    {"ttft_s", "TTFT", Unit::kSeconds, Better::kLower},
    {"itl_s", "ITL", Unit::kSeconds, Better::kLower},
    {"ttft_p99_s", "TTFT p99", Unit::kSeconds, Better::kLower},
    {"itl_p99_s", "ITL p99", Unit::kSeconds, Better::kLower},
    {"prefill_s", "Prefill", Unit::kSeconds, Better::kLower},
    {"decode_s", "Decode", Unit::kSeconds, Better::kLower},
    {"decode_tokens_per_s", "Decode tokens/s", Unit::kNone, Better::kHigher},
    {"mfu", "MFU", Unit::kFraction, Better::kHigher},
    {"roofline_slowdown", "vs roofline", Unit::kFactor, Better::kLower},
    {"peak_rss_bytes", "Peak RSS", Unit::kBytes, Better::kLower},
    {"gpu_busy", "GPU busy", Unit::kFraction, Better::kHigher},
    {"kernel_time_s", "Kernel time", Unit::kSeconds, Better::kLower},
};

struct UnitOfEnd {
  std::string_view end;
  Unit unit;
  Better better;
};

constexpr UnitOfEnd kUnitOfEnd[] = {
    {"tokens_per_s", Unit::kNone, Better::kHigher},
    {"flops_per_s", Unit::kFlopsPerS, Better::kHigher},
    {"bytes_per_s", Unit::kBytesPerS, Better::kHigher},
    {"_per_s", Unit::kNone, Better::kHigher},
    {"_s", Unit::kSeconds, Better::kLower},
    {"bytes", Unit::kBytes, Better::kLower},
    {"flops", Unit::kFlops, Better::kLower},
    {"mfu", Unit::kFraction, Better::kHigher},
    {"mfu_useful", Unit::kFraction, Better::kHigher},
    {"mbu", Unit::kFraction, Better::kHigher},
    {"fraction", Unit::kFraction, Better::kHigher},
    {"share", Unit::kFraction, Better::kLower},
    {"slowdown", Unit::kFactor, Better::kLower},
};

std::optional<std::array<double, 2>> IntervalIn(const Json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_array() || found->size() != 2) return {};
  if (!(*found)[0].is_number() || !(*found)[1].is_number()) return {};
  return std::array<double, 2>{(*found)[0].get<double>(), (*found)[1].get<double>()};
}

const Json& RowsIn(const Json& json, const char* key) {
  static const Json kNone = Json::array();
  const auto found = json.find(key);
  return found != json.end() && found->is_array() ? *found : kNone;
}

// Unprofiled times of direct_inference, or of torch_profiler if that was not run.
std::string TimedSource(const Json& rows) {
  std::string source;
  for (const Json& row : rows) {
    if (!row.is_object() || row.value("profiled", Json()) == Json(true)) continue;
    const std::string file = MemberIn<std::string>(row, "source").value_or("");
    if (source.empty() || file.starts_with("direct_inference/")) source = file;
  }
  return source;
}

void AddPhases(const Json& json, JobMetrics& job) {
  const Json& rows = RowsIn(json, "phases");
  const std::string source = TimedSource(rows);
  for (const Json& row : rows) {
    if (!row.is_object() || row.value("profiled", Json()) == Json(true)) continue;
    if (MemberIn<std::string>(row, "source") != source) continue;
    const auto phase = MemberIn<std::string>(row, "phase");
    const auto mean = MemberIn<double>(row, "mean_s");
    if (!phase || !mean) continue;
    const auto interval = IntervalIn(row, "mean_ci95_s");
    const int64_t samples = MemberIn<int64_t>(row, "samples").value_or(0);
    job.measured[*phase + "_s"] = {*mean, interval, samples};
    const auto rate = MemberIn<double>(row, "tokens_per_s");
    if (!rate) continue;
    SweepMeasurement& tokens = job.measured[*phase + "_tokens_per_s"];
    tokens.value = *rate;
    tokens.samples = samples;
    // Tokens over the same number of samples: the inverse of the mean time.
    if (interval && (*interval)[0] > 0 && (*interval)[1] > 0) {
      tokens.ci95 = {*rate * *mean / (*interval)[1], *rate * *mean / (*interval)[0]};
    }
  }
}

void AddTokenLatency(const Json& json, JobMetrics& job) {
  const Json& rows = RowsIn(json, "token_latency");
  const std::string source = TimedSource(rows);
  for (const Json& row : rows) {
    if (!row.is_object() || MemberIn<std::string>(row, "source") != source) continue;
    const auto measure = MemberIn<std::string>(row, "measure");
    const auto mean = MemberIn<double>(row, "mean_s");
    if (!measure || !mean) continue;
    job.measured[*measure + "_s"] = {*mean, IntervalIn(row, "mean_ci95_s"),
                                     MemberIn<int64_t>(row, "count").value_or(0)};
    if (const auto p99 = MemberIn<double>(row, "p99_s")) {
      job.measured[*measure + "_p99_s"] = {*p99, {}};
    }
  }
}

void AddLedger(const Json& json, JobMetrics& job) {
  const auto ledger = json.find("ledger");
  if (ledger == json.end() || !ledger->is_object()) return;
  for (const Json& row : RowsIn(*ledger, "phases")) {
    if (!row.is_object() || MemberIn<std::string>(row, "name") != "end_to_end") continue;
    if (const auto mfu = MemberIn<double>(row, "mfu")) job.measured["mfu"] = {*mfu, {}};
    if (const auto slowdown = MemberIn<double>(row, "roofline_slowdown")) {
      job.measured["roofline_slowdown"] = {*slowdown, {}};
    }
  }
}

// From the unprofiled process if possible: profilers use memory too.
void AddPeakRss(const Json& json, JobMetrics& job) {
  const auto memory = json.find("memory");
  if (memory == json.end() || !memory->is_object()) return;
  std::optional<double> most;
  for (const Json& row : RowsIn(*memory, "peak_rss")) {
    if (!row.is_object()) continue;
    const auto bytes = MemberIn<double>(row, "bytes");
    if (!bytes) continue;
    if (MemberIn<std::string>(row, "source")
            .value_or("")
            .starts_with("direct_inference")) {
      most = bytes;
      break;
    }
    most = std::max(most.value_or(0), *bytes);
  }
  if (most) job.measured["peak_rss_bytes"] = {*most, {}};
}

void AddGpu(const Json& json, JobMetrics& job) {
  const Json& devices = RowsIn(json, "devices");
  if (!devices.empty() && devices[0].is_object()) {
    const double busy_s = MemberIn<double>(devices[0], "busy_s").value_or(0);
    const double span_s = MemberIn<double>(devices[0], "span_s").value_or(0);
    if (span_s > 0) job.measured["gpu_busy"] = {busy_s / span_s, {}};
  }
  const auto kernels = json.find("kernels_total");
  if (kernels == json.end() || !kernels->is_object()) return;
  const double total_s = MemberIn<double>(*kernels, "total_s").value_or(0);
  if (total_s > 0) job.measured["kernel_time_s"] = {total_s, {}};
}

// The pointer without the direction suffix: "/a/b_s:higher".
std::string PointerIn(const std::string& id) {
  const size_t colon = id.rfind(':');
  if (colon == std::string::npos) return id;
  const std::string_view end = std::string_view(id).substr(colon + 1);
  return end == "lower" || end == "higher" ? id.substr(0, colon) : id;
}

// RFC 6901: a "~" is followed by 0 or 1.
bool IsPointer(std::string_view text) {
  if (!text.starts_with('/')) return false;
  for (size_t at = text.find('~'); at != text.npos; at = text.find('~', at + 1)) {
    const char next = at + 1 < text.size() ? text[at + 1] : ' ';
    if (next != '0' && next != '1') return false;
  }
  return true;
}

void AddPointers(const Json& json, const std::vector<std::string>& ids, JobMetrics& job) {
  for (const std::string& id : ids) {
    const std::string pointer = PointerIn(id);
    if (!IsPointer(pointer)) continue;
    if (const auto value = ValueAt<double>(json, pointer.c_str())) {
      job.measured[id] = {*value, {}};
    }
  }
}

// "decode_s" -> "decode"
std::string TitleOf(const std::string& id) {
  std::string title = id;
  if (title.ends_with("_s") && !title.ends_with("_per_s")) title.resize(title.size() - 2);
  if (!title.starts_with('/')) std::replace(title.begin(), title.end(), '_', ' ');
  return title;
}

}  // namespace

Result<JobMetrics> ReadJobMetrics(std::string_view json,
                                  const std::vector<std::string>& pointers) {
  const Json document = ParseJson<Json>(json);
  if (!document.is_object()) return Error(ErrorCode::kParse, "not a JSON object");
  JobMetrics job;
  if (ValueAt<std::string>(document, "/verdict/parity") == "failed") {
    job.parity = artifacts::Parity::kFailed;
  } else if (ValueAt<std::string>(document, "/verdict/parity") == "passed") {
    job.parity = artifacts::Parity::kPassed;
  }
  AddPhases(document, job);
  AddTokenLatency(document, job);
  AddLedger(document, job);
  AddPeakRss(document, job);
  AddGpu(document, job);
  AddPointers(document, pointers, job);
  return job;
}

SweepMetric DescribeMetric(const std::string& id) {
  for (const SweepMetric& metric : kUsual) {
    if (metric.id == id) return metric;
  }
  const std::string pointer = PointerIn(id);
  SweepMetric metric = {id, TitleOf(pointer), Unit::kNone, Better::kLower};
  for (const UnitOfEnd& each : kUnitOfEnd) {
    if (!pointer.ends_with(each.end)) continue;
    metric.unit = each.unit;
    metric.better = each.better;
    break;
  }
  if (pointer != id) {
    metric.better = id.ends_with(":higher") ? Better::kHigher : Better::kLower;
  }
  return metric;
}

std::vector<std::string> DefaultMetrics(const std::vector<JobMetrics>& jobs) {
  const auto has = [&](const std::string& id) {
    return std::any_of(jobs.begin(), jobs.end(),
                       [&](const JobMetrics& job) { return job.measured.contains(id); });
  };
  std::vector<std::string> chosen;
  for (const char* const id : {"end_to_end_s", "ttft_s", "itl_s", "decode_tokens_per_s",
                               "mfu", "peak_rss_bytes", "gpu_busy"}) {
    if (has(id)) chosen.emplace_back(id);
  }
  // For workloads that are not models, and for captures alone.
  if (!has("end_to_end_s")) {
    for (const char* const id : {"kernel_time_s", "wall_s"}) {
      if (has(id)) chosen.insert(chosen.begin(), id);
    }
  }
  return chosen;
}

}  // namespace ridgeline::runs
