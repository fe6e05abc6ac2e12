#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "base/utf8.h"
#include "report/printers/advice_text.h"
#include "report/printers/printers.h"
#include "report/printers/text_columns.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr std::string_view kUsualDecimals = ".5";    // Of "1234.5" and "1,234.5".
constexpr std::string_view kThisHost = "127.0.0.1";  // ncu without remote profiling.

std::string Counted(int64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", WithCommas(count), count == 1 ? one : many);
}

// Rows of one source, in order.
template <typename Row>
std::vector<Row> RowsOf(const std::vector<Row>& rows, const SourceRow& source) {
  std::vector<Row> own;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(own),
               [&](const Row& row) { return row.source == source.file; });
  return own;
}

// "  and 12 more\n"
std::string MoreText(int64_t there_are, size_t shown) {
  const int64_t more = there_are - static_cast<int64_t>(shown);
  return more > 0 ? fmt::format("  and {} more\n", WithCommas(more)) : "";
}

// A single device needs no column.
template <typename Row>
TextColumn<Row> ShowDevice(const std::vector<Row>& rows) {
  TextColumn<Row> column = Show(&Row::device);
  if (!HasSeveralDevices(rows)) column.text = [](const Row&) { return std::string(); };
  return column;
}

std::string EventsText(const SourceRow& source) {
  if (!source.events) return "";
  if (source.format == "nsys_csv") return Counted(*source.events, "row", "rows");
  if (source.format.starts_with("ncu_")) return Launches(*source.events);
  if (source.format == "nsys_sqlite") return "";  // Counted by kind.
  return Counted(*source.events, "event", "events");
}

class Words {
 public:
  void Add(const std::string& word) {
    if (!word.empty()) text_ += (text_.empty() ? "" : ", ") + word;
  }
  void Add(const OptionalInteger& count, std::string_view one, std::string_view many) {
    if (count) Add(Counted(*count, one, many));
  }
  std::string Line() const { return text_.empty() ? "" : "  " + text_ + "\n"; }

 private:
  std::string text_;
};

std::string CountsLine(const ProfileRow& profile) {
  Words words;
  words.Add(profile.gpu_activities, "GPU activity", "GPU activities");
  words.Add(profile.api_calls, "API call", "API calls");
  words.Add(profile.nvtx_ranges, "NVTX range", "NVTX ranges");
  words.Add(profile.metric_values, "metric value", "metric values");
  return words.Line();
}

std::string StepsLine(const ProfileRow& profile) {
  if (!profile.profiler_steps) return "";
  const DurationsRow& steps = *profile.profiler_steps;
  return fmt::format("  {}: median {}, min {}, max {}\n",
                     Counted(steps.count, "profiler step", "profiler steps"),
                     Time(steps.median_s.value_or(0)), Time(steps.min_s.value_or(0)),
                     Time(steps.max_s.value_or(0)));
}

// With "N" for numbers: "process with pid N".
std::string WithoutNumbers(std::string_view text) {
  std::string words;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (const char c : text) {
    if (!is_digit(c)) {
      words += c;
    } else if (!words.ends_with('N')) {
      words += 'N';
    }
  }
  return words;
}

// The first words; "..." for the rest.
std::string FirstWords(const std::string& text, size_t most) {
  if (text.size() <= most) return text;
  const std::string_view head = HeadOf(text, most);
  return std::string(head.substr(0, head.rfind(' '))) + " ...";
}

// A message, of several processes with "N" for what differs.
struct Message {
  std::string severity, words, text;
  int64_t count = 0;
};

// Whether nsys says of one of several processes that it has no events of a domain, which
// the file has of another.
bool IsOfAnotherProcess(const Document& document, const SourceRow& source,
                        std::string_view text) {
  const ProfileRow& profile = *source.profile;
  if (text.starts_with("No NVTX events collected")) {
    return profile.nvtx_ranges.value_or(0) > 0;
  }
  if (text.starts_with("No CUDA events collected")) {
    return profile.gpu_activities.value_or(0) + profile.api_calls.value_or(0) > 0;
  }
  return text.starts_with("No OS runtime libraries events collected") &&
         std::any_of(document.api_calls.begin(), document.api_calls.end(),
                     [&source](const ApiRow& row) {
                       return row.source == source.file && row.kind == "osrt";
                     });
}

std::vector<Message> MessagesOf(const Document& document, const SourceRow& source) {
  std::vector<Message> messages;
  for (const DiagnosticRow& row : source.profile->diagnostics) {
    if (IsOfAnotherProcess(document, source, row.text)) continue;
    Message message = {row.severity, WithoutNumbers(row.text), row.text, 1};
    const auto known =
        std::find_if(messages.begin(), messages.end(), [&message](const Message& other) {
          return other.severity == message.severity && other.words == message.words;
        });
    if (known == messages.end()) {
      messages.push_back(std::move(message));
      continue;
    }
    ++known->count;
    if (known->text != row.text) known->text = known->words;
  }
  return messages;
}

std::string DiagnosticsText(const Document& document, const SourceRow& source) {
  if (!source.profile) return "";
  constexpr size_t kShown = 8;
  constexpr size_t kMaxDiagnostic = 180;
  const std::vector<Message> messages = MessagesOf(document, source);
  std::string text;
  for (size_t i = 0; i < std::min(kShown, messages.size()); ++i) {
    const Message& message = messages[i];
    text += fmt::format(
        "  nsys {}: {}{}\n", message.severity,
        FirstWords(Shortened(message.text, message.text.size()), kMaxDiagnostic),
        message.count > 1 ? fmt::format(" (x{})", WithCommas(message.count)) : "");
  }
  if (messages.size() > kShown) {
    text += fmt::format("  {} more in --json\n", WithCommas(messages.size() - kShown));
  }
  return text.empty() ? "" : "\n" + text;
}

std::string HeadText(const SourceRow& source) {
  const ProfileRow profile = source.profile ? *source.profile : ProfileRow();
  Words words;
  words.Add(FormatText(source) +
            (profile.schema_version ? " (schema " + *profile.schema_version + ")" : ""));
  words.Add(EventsText(source));
  if (source.file_bytes) words.Add(TextOf(*source.file_bytes, Unit::kBytes));
  if (source.text_bytes && source.text_bytes != source.file_bytes) {
    words.Add(TextOf(*source.text_bytes, Unit::kBytes) + " decompressed");
  }
  if (source.rank) {
    words.Add(fmt::format("rank {}", *source.rank) +
              (source.world_size ? fmt::format(" of {}", *source.world_size) : ""));
  }
  if (profile.time_unit) words.Add("times in " + *profile.time_unit);
  if (profile.number_format && !profile.number_format->ends_with(kUsualDecimals)) {
    words.Add("number format " + *profile.number_format);
  }
  if (profile.host && *profile.host != kThisHost) {
    words.Add("host " + Shortened(*profile.host, kMaxName));
  }
  if (profile.gpus) {
    words.Add("GPU " +
              Shortened(fmt::format("{}", fmt::join(*profile.gpus, ", ")), kMaxName));
  }
  return Shortened(source.file, source.file.size()) + "\n" + words.Line() +
         CountsLine(profile) + StepsLine(profile);
}

std::string DeviceLine(std::string_view what, double time_s, double span_s,
                       const std::string& remark = "") {
  std::string line = fmt::format("  {:<18}{:>10}", what, Time(time_s));
  if (span_s > 0) line += fmt::format("  {:>7}", Percent(time_s / span_s));
  if (!remark.empty()) line += "  " + remark;
  return line + "\n";
}

// Suspected communication, and activities without a matching API call.
std::string DeviceRemarks(const DeviceRow& device) {
  std::string text;
  if (device.possible_communication_kernels > 0) {
    text += fmt::format(
        "  {} ({}) may be communication, judging by name; counted as compute\n",
        Plural(device.possible_communication_kernels, "kernel"),
        Time(device.possible_communication_s));
  }
  const int64_t unmatched = device.activities - device.matched_activities;
  if (unmatched > 0 && device.matched_activities > 0) {
    text += fmt::format(
        "  {} of {} activities have no matching API call: launched before the capture or "
        "by the driver\n"
        "  Without them: busy {}, idle {} of {}\n",
        WithCommas(unmatched), WithCommas(device.activities), Time(device.matched_busy_s),
        Time(device.matched_idle_s), Time(device.matched_span_s));
  }
  return text;
}

std::string DeviceText(const DeviceRow& device) {
  const double span_s = device.span_s;
  std::string text = fmt::format("\n{}{}: {} on {}\n", device.label(),
                                 device.model ? " (" + *device.model + ")" : "",
                                 Counted(device.activities, "activity", "activities"),
                                 Plural(device.streams, "stream"));
  text += DeviceLine("span", span_s, span_s, "first to last GPU activity");
  text += DeviceLine("busy", device.busy_s, span_s);
  text += DeviceLine("idle", device.idle_s, span_s,
                     fmt::format("{}, longest {}", Plural(device.idle_gaps, "gap"),
                                 Time(device.idle_gap_max_s)));
  text += DeviceLine("compute", device.compute_s, span_s);
  if (device.communication_kernels > 0) {
    text += DeviceLine("communication", device.communication_s, span_s,
                       fmt::format("{} (name contains nccl); exposed {}",
                                   Plural(device.communication_kernels, "kernel"),
                                   Time(device.exposed_communication_s)));
  }
  if (device.graphs > 0) {
    text += DeviceLine(
        "graphs", device.graphs_s, span_s,
        Launches(device.graphs) + ", captured as a whole: their kernels are not listed");
  }
  if (device.memory_s > 0) {
    text += DeviceLine("copies and memsets", device.memory_s, span_s,
                       "exposed " + Time(device.exposed_copy_s));
  }
  return text + DeviceRemarks(device);
}

std::string LaunchLatencyText(const Document& document, const SourceRow& source) {
  using R = LaunchDelayRow;
  if (!source.profile || !source.profile->launch_matching) return "";
  const LaunchMatchRow& matching = *source.profile->launch_matching;
  std::string text = fmt::format(
      "\nLaunch to kernel start (includes queue time): {} with a "
      "matching API call\n",
      Plural(matching.kernels_matched, "kernel"));
  const std::vector<R> delays = RowsOf(document.launch_latency, source);
  TextColumn<R> measure = {{"", Align::kLeft}, [](const R& row) {
                             return std::string(row.is_start_to_start()
                                                    ? "from API call start"
                                                    : "from API call end");
                           }};
  if (!delays.empty()) {
    text += PlainTableOf<R>(delays, delays.size(),
                            {measure, Show(&R::median_s), Show(&R::mean_s),
                             Show(&R::min_s), Show(&R::max_s), Show(&R::count)});
  }
  if (std::any_of(delays.begin(), delays.end(), [](const R& r) { return r.min_s < 0; })) {
    text += "  negative: the kernel started before its API call returned\n";
  }
  if (matching.kernels_unmatched > 0) {
    text +=
        fmt::format("  {} no matching API call\n",
                    Counted(matching.kernels_unmatched, "kernel has", "kernels have"));
  }
  if (matching.kernels_before_call > 0) {
    text += fmt::format(
        "  {} before the API call (CPU and GPU clocks differ), not in the table\n",
        Counted(matching.kernels_before_call, "kernel started", "kernels started"));
  }
  if (matching.duplicate_correlations > 0) {
    text += fmt::format(
        "  {} a correlation id; the last call counts\n",
        Counted(matching.duplicate_correlations, "API call reuses", "API calls reuse"));
  }
  return text;
}

// "Kernels: 5 launches, 2 unique, 105 us total"; with the median if known.
std::string KernelsText(const Document& document, const SourceRow& source, size_t top) {
  using R = KernelRow;
  if (!source.profile || source.format.starts_with("ncu_")) return "";
  if (!source.profile->kernel_durations) return "\nNo kernels.\n";
  const DurationsRow& durations = *source.profile->kernel_durations;
  const int64_t unique = source.profile->unique_kernels.value_or(0);
  const std::vector<R> rows = RowsOf(document.kernels, source);
  std::string text = fmt::format("\nKernels: {}, {} unique", Launches(durations.count),
                                 WithCommas(unique));
  if (std::ssize(rows) > unique && HasSeveralDevices(rows)) {
    text += fmt::format(", {} rows by GPU", WithCommas(rows.size()));
  }
  text += fmt::format(", {} total", Time(durations.total_s));
  if (durations.median_s) text += fmt::format(", median {}", Time(*durations.median_s));
  text += "\n" + PlainTableOf<R>(rows, top,
                                 {Show(&R::total_s), Show(&R::share), Show(&R::launches),
                                  Show(&R::mean_s), Show(&R::min_s), Show(&R::max_s),
                                  Show(&R::kind), ShowDevice(rows), ShowKernel<R>()});
  const size_t shown = std::min(top, rows.size());
  return text + MoreText(std::max(unique, static_cast<int64_t>(rows.size())), shown);
}

std::string KernelKindsText(const Document& document, const SourceRow& source) {
  using R = KernelKindRow;
  const std::vector<R> rows = RowsOf(document.kernel_kinds, source);
  if (rows.size() < 2 || source.format.starts_with("ncu_")) return "";
  return "\nKernel kinds, shares of the time of all kernels\n" +
         PlainTableOf<R>(rows, rows.size(),
                         {Show(&R::total_s), Show(&R::share), Show(&R::launches),
                          Show(&R::kernels), Show(&R::kind)});
}

std::string CopiesText(const Document& document, const SourceRow& source, size_t top) {
  using R = MemoryOpRow;
  const std::vector<R> rows = RowsOf(document.memory_ops, source);
  if (rows.empty()) return "";
  return "\nCopies and memsets\n" +
         PlainTableOf<R>(rows, top,
                         {Show(&R::total_s), Show(&R::count), Show(&R::bytes),
                          ShowDevice(rows), Show(&R::name)}) +
         MoreText(static_cast<int64_t>(rows.size()), std::min(top, rows.size()));
}

// Annotations of a PyTorch trace.
std::string AnnotationsText(const std::vector<RegionRow>& rows, int64_t unique) {
  using R = RegionRow;
  const bool has_gpu =
      std::any_of(rows.begin(), rows.end(), [](const R& row) { return row.gpu_s > 0; });
  std::vector<TextColumn<R>> columns = {
      Show(&R::cpu_s), Show(&R::cpu_self_s),  Show(&R::instances), Show(&R::operators),
      Show(&R::flops), Show(&R::flops_per_s), Show(&R::mfu),       Show(&R::path)};
  if (has_gpu) {
    columns.insert(columns.begin(), {Show(&R::gpu_s), Show(&R::gpu_exclusive_s)});
  }
  return fmt::format(
             "\nRegions: {} unique annotations, by {}\n", WithCommas(unique),
             has_gpu ? "GPU time of the work launched in them" : "duration on the CPU") +
         PlainTableOf<R>(rows, rows.size(), columns);
}

// The `top` longest, and always the unattributed time.
std::string RegionsText(const Document& document, const SourceRow& source, size_t top) {
  using R = RegionRow;
  const std::vector<R> all = RowsOf(document.regions, source);
  if (all.empty() || !source.profile) return "";
  std::vector<R> rows;
  for (const R& row : all) {
    if (!row.is_unattributed() && rows.size() < top) rows.push_back(row);
  }
  const size_t shown = rows.size();
  const int64_t unique =
      source.profile->unique_regions.value_or(static_cast<int64_t>(shown));
  for (const R& row : all) {
    if (!row.is_unattributed()) continue;
    rows.push_back(row);
    rows.back().path = "(" + row.path + ")";
  }
  TextColumn<R> copied = Show(&R::memcpy_bytes);
  copied.text = [](const R& row) {
    const int64_t bytes = row.memcpy_bytes.value_or(0);
    return bytes == 0 ? "" : TextOf(bytes, Unit::kBytes);
  };
  if (std::any_of(all.begin(), all.end(), [](const R& r) { return r.is_annotation(); })) {
    return AnnotationsText(rows, unique) + MoreText(unique, shown);
  }
  // Otherwise nothing but unattributed time.
  const std::string count =
      unique > 0 ? fmt::format("{} unique, ", WithCommas(unique)) : "";
  return fmt::format(
             "\nRegions: {}by GPU time of the work launched in them, then by duration on "
             "the "
             "CPU\n",
             count) +
         PlainTableOf<R>(
             rows, rows.size(),
             {Show(&R::gpu_s), Show(&R::gpu_exclusive_s), Show(&R::launches),
              Show(&R::gpu_idle_s), copied, Show(&R::cpu_s), Show(&R::instances),
              Show(&R::per_instance, &InstanceRow::median_s),
              Show(&R::per_instance, &InstanceRow::p99_s), Show(&R::path)}) +
         MoreText(unique, shown);
}

// By FLOPs; uses the clock of the source.
std::string FlopsText(std::vector<OperatorRow> rows, size_t top) {
  using R = OperatorRow;
  std::erase_if(rows, [](const R& row) { return !row.flops; });
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(),
                   [](const R& a, const R& b) { return *a.flops > *b.flops; });
  const bool is_gpu = rows.front().flops_clock == "gpu";
  TextColumn<R> time = Show(&R::flops_time_s);
  time.column.title = is_gpu ? "Kernel time" : "CPU time";
  return fmt::format("\nFLOPs of {}, from tensor shapes; FLOP/s use {}\n",
                     Plural(rows.size(), "operator"),
                     is_gpu ? "the GPU time of their kernels" : "total CPU time") +
         PlainTableOf<R>(
             rows, top,
             {Show(&R::flops), Show(&R::flops_per_s), Show(&R::mfu),
              Show(&R::flops_per_byte), time, Show(&R::flops_calls), Show(&R::name)}) +
         MoreText(static_cast<int64_t>(rows.size()), std::min(top, rows.size()));
}

std::string UncountedText(const std::vector<UncountedOperatorRow>& rows, size_t top) {
  using R = UncountedOperatorRow;
  if (rows.empty()) return "";
  return fmt::format(
             "\nNot counted: matrix work without a FLOP rule or shapes; shares "
             "of {} time\n",
             rows.front().clock == "gpu" ? "GPU" : "operator") +
         PlainTableOf<R>(
             rows, top,
             {Show(&R::time_s), Show(&R::share), Show(&R::calls), Show(&R::name)}) +
         MoreText(static_cast<int64_t>(rows.size()), std::min(top, rows.size()));
}

std::string OperatorsText(const Document& document, const SourceRow& source, size_t top) {
  using R = OperatorRow;
  if (!source.profile || !source.profile->unique_operators) return "";
  const int64_t unique = *source.profile->unique_operators;
  if (unique == 0) return "\nNo operators.\n";
  const std::vector<R> rows = RowsOf(document.operators, source);
  return fmt::format(
             "\nOperators: {} unique, by self time; shares of the self time of all "
             "operators\n",
             WithCommas(unique)) +
         PlainTableOf<R>(rows, top,
                         {Show(&R::self_s), Show(&R::share), Show(&R::total_s),
                          Show(&R::calls), Show(&R::name)}) +
         MoreText(unique, std::min(top, rows.size())) + FlopsText(rows, top) +
         UncountedText(RowsOf(document.operators_uncounted, source), top);
}

std::string ApisText(const Document& document, const SourceRow& source, size_t top) {
  using R = ApiRow;
  const std::vector<R> rows = RowsOf(document.api_calls, source);
  if (rows.empty()) return "";
  return "\nAPI calls: duration, summed over all threads (blocking calls include "
         "waiting)\n" +
         PlainTableOf<R>(rows, top,
                         {Show(&R::total_s), Show(&R::calls), Show(&R::max_s),
                          Show(&R::kind), Show(&R::name)}) +
         MoreText(static_cast<int64_t>(rows.size()), std::min(top, rows.size()));
}

// Only if a kernel was profiled several times: otherwise the table equals that of
// launches.
std::string NcuKernelsText(const std::vector<NcuKernelRow>& rows, size_t top) {
  using R = NcuKernelRow;
  const bool is_grouped = std::any_of(rows.begin(), rows.end(),
                                      [](const R& row) { return row.launches > 1; });
  if (!is_grouped) return "";
  return "\nKernels under ncu, shares of the profiled time, means weighted by "
         "duration\n" +
         PlainTableOf<R>(
             rows, top,
             {Show(&R::total_s), Show(&R::share), Show(&R::launches), Show(&R::mean_s),
              Show(&R::sm_percent), Show(&R::memory_percent), Show(&R::dram_percent),
              Show(&R::occupancy_percent), Show(&R::kernel_class), ShowKernel<R>()}) +
         MoreText(static_cast<int64_t>(rows.size()), std::min(top, rows.size()));
}

std::string ClassesLine(const ProfileRow& profile, const std::vector<NcuRow>& launches) {
  const bool has_memory = std::any_of(
      launches.begin(), launches.end(),
      [](const NcuRow& row) { return row.memory_percent || row.dram_percent; });
  std::string text;
  for (const NcuClassRow& row : profile.ncu_classes) {
    text += fmt::format("{}{} {}", text.empty() ? "\nLaunches by class: " : ", ",
                        WithCommas(row.launches), ClassText(row.kernel_class));
    if (row.kernel_class == analysis::Bottleneck::kUnknown && !has_memory) {
      text +=
          " (no memory throughput in this file: profile with ncu --section SpeedOfLight)";
    }
    // One decimal, so that shares add up to 100 %.
    if (row.share && row.total_s > 0) {
      text += fmt::format(" ({:.1f} % of the time)", 100 * *row.share);
    } else if (row.share) {
      text += " (duration not measured)";
    }
  }
  return text.empty() ? "" : text + "\n";
}

std::string NcuText(const Document& document, const SourceRow& source, size_t top) {
  if (!source.profile || !source.format.starts_with("ncu_")) return "";
  const std::vector<NcuRow> launches = RowsOf(document.ncu, source);
  if (launches.empty()) {
    return "  no launches: reports that contain only metrics have an empty details page; "
           "export --page raw\n";
  }
  return NcuKernelsText(RowsOf(document.ncu_kernels, source), top) +
         "\nLaunches under ncu\n" + NcuLaunchesText(launches, top) +
         MoreText(source.events.value_or(0), std::min(top, launches.size())) +
         ClassesLine(*source.profile, launches);
}

// Traces of other tools have the same format, but other categories.
std::string ForeignTraceText(const Document& document, const SourceRow& source) {
  if (source.format != "torch_trace" || !source.profile) return "";
  if (source.profile->kernel_durations ||
      source.profile->unique_operators.value_or(0) > 0) {
    return "";
  }
  const DroppedRow* most = nullptr;
  int64_t dropped = 0;
  for (const DroppedRow& row : document.dropped) {
    if (row.source != source.file) continue;
    dropped += row.count;
    if (most == nullptr || row.count > most->count) most = &row;
  }
  if (most == nullptr) return "";
  return fmt::format(
      "  warning: no operators and no kernels, {} of {} dropped ({}): not a trace of the "
      "PyTorch profiler?\n",
      WithCommas(dropped), Counted(source.events.value_or(dropped), "event", "events"),
      Shortened(most->reason, kMaxName));
}

std::string SourceText(const Document& document, const SourceRow& source, size_t top) {
  std::string text = HeadText(source) + ForeignTraceText(document, source);
  for (const DeviceRow& device : RowsOf(document.devices, source)) {
    text += DeviceText(device);
  }
  text += LaunchLatencyText(document, source);
  text += KernelsText(document, source, top);
  text += KernelKindsText(document, source);
  text += CopiesText(document, source, top);
  text += RegionsText(document, source, top);
  text += OperatorsText(document, source, top);
  text += ApisText(document, source, top);
  text += NcuText(document, source, top);
  return text + DroppedText(RowsOf(document.dropped, source)) +
         DiagnosticsText(document, source);
}

std::string AdviceText(const Document& document) {
  constexpr size_t kMaxAdvice = 3;
  std::string text;
  for (size_t i = 0; i < std::min(kMaxAdvice, document.advice.size()); ++i) {
    const Advice& advice = document.advice[i];
    text += fmt::format("  {}. {} {}\n", i + 1, WithStop(advice.verdict),
                        WithStop(advice.action));
  }
  if (document.advice.size() > kMaxAdvice) {
    text += fmt::format("  and {} more: ridgeline report FILE -o DIR lists all\n",
                        document.advice.size() - kMaxAdvice);
  }
  return text.empty() ? "" : "\nAdvice\n" + text;
}

}  // namespace

std::string FormatText(const SourceRow& source) {
  const std::string form = source.profile ? source.profile->form.value_or("") : "";
  if (source.format == "torch_trace") return "PyTorch trace";
  if (source.format == "nsys_sqlite") return source.tool.value_or("nsys") + " export";
  if (source.format == "nsys_csv") return "nsys stats kernel summary";
  if (form == "wide") return "ncu raw page";
  if (form == "long") return "ncu details page";
  if (form == "summary") return "ncu summary";
  if (form == "report") return "ncu report";
  return source.format;
}

std::string NcuLaunchesText(const std::vector<NcuRow>& launches, size_t top) {
  using R = NcuRow;
  TextColumn<R> library = Show(&R::library);
  library.text = [](const R& row) {  // Empty: no known library.
    return row.library == "own" ? std::string() : row.library;
  };
  return PlainTableOf<R>(
      launches, top,
      {Show(&R::duration_s), Show(&R::sm_percent), Show(&R::memory_percent),
       Show(&R::dram_percent), Show(&R::occupancy_percent), Show(&R::l2_hit_percent),
       Show(&R::flops_per_byte), Show(&R::kernel_class), library, ShowKernel<R>()});
}

std::string DroppedText(const std::vector<DroppedRow>& dropped) {
  std::string text;
  for (const DroppedRow& row : dropped) {
    text += fmt::format("{:>10}  {}{}\n", WithCommas(row.count), row.lost ? "LOST: " : "",
                        Shortened(row.reason, row.reason.size()));
  }
  return text.empty() ? "" : "\nDropped records\n     Count  Reason\n" + text;
}

std::string ProfilesText(const Document& document, size_t top) {
  std::string text;
  for (const SourceRow& source : document.sources) {
    text += (text.empty() ? "" : "\n") + SourceText(document, source, top);
  }
  return text + AdviceText(document);
}

}  // namespace ridgeline::report
