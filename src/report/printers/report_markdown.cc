#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/plural.h"
#include "report/printers/markdown.h"
#include "report/printers/printers.h"
#include "report/printers/text_columns.h"

namespace ridgeline::report {
namespace {

constexpr size_t kShortList = 10;
constexpr size_t kAllRows = std::string::npos;

// "; 2 of 3 stages skipped: static_analysis, torch_profiler". The reason of a run names
// those that failed.
std::string StatesOfStages(const Document& document) {
  std::map<artifacts::State, Texts> names;
  for (const StageRow& stage : document.stages) {
    const bool is_said =
        stage.state == artifacts::State::kFailed && document.run.reason.has_value();
    if (stage.state == artifacts::State::kDone || is_said) continue;
    names[stage.state].push_back(Escaped(stage.name));
  }
  std::string text;
  for (const auto& [state, stages] : names) {
    text +=
        fmt::format("; {} {}: {}", PartOf(stages.size(), document.stages.size(), "stage"),
                    ToText(state), fmt::join(stages, ", "));
  }
  return text;
}

std::string VerdictLine(const Document& document) {
  const VerdictRow& verdict = document.verdict;
  std::string text = fmt::format("**{}**", document.run.state);
  if (document.run.reason) text += ": " + Escaped(*document.run.reason);
  if (verdict.complete == true) text += ", all stages complete";
  if (verdict.parity == artifacts::Parity::kPassed) text += ", output parity passed";
  if (verdict.parity == artifacts::Parity::kFailed) text += ", **output parity failed**";
  if (verdict.notes > 0) {
    text += fmt::format(", {} under Stages", Plural(verdict.notes, "note"));
  }
  return text + StatesOfStages(document) + ".\n";
}

// Imported files have no run.
std::string Beginning(const Document& document) {
  const RunRow& run = document.run;
  if (!run.id) {
    std::string text = "# Profiles\n\n";
    for (const SourceRow& source : document.sources) {
      text +=
          fmt::format("- {}: {}\n", Escaped(source.file), Escaped(FormatText(source)));
    }
    return text;
  }
  return fmt::format("# Report: {}{}\n\n{}\nWorkload: {}, on {}, started {}.\n",
                     RunInTitle(document), ExperimentInTitle(document),
                     VerdictLine(document), Escaped(run.workload.value_or("")),
                     Escaped(run.host.value_or("")), run.started.value_or(""));
}

std::string StagesSection(const Document& document) {
  using R = StageRow;
  if (document.stages.empty()) return "";
  std::string notes;
  for (const StageRow& stage : document.stages) {
    for (const std::string& note : stage.notes) {
      notes += fmt::format("- {}: {}\n", stage.name, Escaped(note));
    }
  }
  TextColumn<R> time = Show(&R::wall_s);
  time.text = [](const R& row) {
    const bool has_run = row.wall_s && row.state != artifacts::State::kSkipped;
    return has_run ? Time(*row.wall_s) : std::string();
  };
  return "## Stages\n\n" +
         TableOf<R>(document.stages, kAllRows,
                    {Show(&R::name), Show(&R::state), Show(&R::outcome), time,
                     Show(&R::reason)}) +
         (notes.empty() ? "" : "\nNotes:\n\n" + notes);
}

// "nsys: start-up skew 12.0 ms, 4 of 4 ranks done."
std::string RankLines(const std::vector<RankRow>& ranks) {
  std::string text;
  for (size_t first = 0, last = 0; first < ranks.size(); first = last) {
    double skew_s = 0;
    size_t done = 0;
    for (last = first; last < ranks.size() && ranks[last].stage == ranks[first].stage;
         ++last) {
      skew_s = std::max(skew_s, ranks[last].start_delay_s.value_or(0));
      if (ranks[last].state == artifacts::RankState::kDone) ++done;
    }
    text +=
        fmt::format("- {}: {} of {} done, start-up skew {}\n", ranks[first].stage, done,
                    Plural(static_cast<int64_t>(last - first), "rank"), Time(skew_s));
  }
  return text;
}

// The profiles written by a rank, or its logs if there are none; metrics.json lists all
// files.
std::string ProfilesOf(const RankRow& rank) {
  Texts profiles;
  Texts logs;
  for (const std::string& file : rank.files) {
    const bool is_profile = file.ends_with(".nsys-rep") || file.ends_with(".qdstrm") ||
                            file.ends_with(".sqlite") || file.ends_with(".json.gz");
    if (is_profile) profiles.push_back(file);
    if (file.ends_with(".log")) logs.push_back(file);
  }
  return fmt::format("{}", fmt::join(profiles.empty() ? logs : profiles, " "));
}

std::string RanksSection(const Document& document) {
  using R = RankRow;
  if (!document.ranks) return "";
  TextColumn<R> files = Show(&R::files);
  files.text = [](const R& row) { return ProfilesOf(row); };
  TextColumn<R> last_line = Show(&R::last_line);
  last_line.text = [](const R& row) {
    const bool is_done = row.state == artifacts::RankState::kDone;
    return is_done ? std::string() : row.last_line.value_or("");
  };
  return "## Ranks\n\nOf the last command of each stage that ran the workload. Start "
         "delay: after the first rank. Stopped: ended by ridgeline, because another rank "
         "failed or the timeout expired.\n\n" +
         RankLines(*document.ranks) + "\n" +
         TableOf<R>(
             *document.ranks, kAllRows,
             {Show(&R::stage), Show(&R::rank), Show(&R::host), Show(&R::state),
              Show(&R::outcome), Show(&R::exit_code), Show(&R::wall_s),
              Show(&R::start_delay_s), Show(&R::peak_rss_bytes), last_line, files});
}

std::string OverheadLine(const Document& document) {
  if (!document.profiling_overhead) return "";
  const ProfilingOverheadRow& overhead = *document.profiling_overhead;
  return fmt::format("\nProfiling overhead in {}: {} ({} profiled, {} unprofiled).\n",
                     Escaped(overhead.source), OverheadText(overhead.factor),
                     Time(overhead.profiled_s), Time(overhead.unprofiled_s));
}

std::string PhasesSection(const Document& document) {
  using R = PhaseRow;
  if (document.phases.empty()) return "";
  TextColumn<R> phase = Show(&R::phase);
  phase.text = [&document](const R& row) { return PhaseWithUnit(document, row); };
  return "## Phases\n\nTimes are per sample: one page, one call, or one run of the "
         "program (`wall`, and CPU time: `user`, `system`). Tokens/s: tokens of all n "
         "samples divided by their total time; "
         "prompt tokens in prefill, decode steps in decode, generated tokens in "
         "end_to_end. Profiled times include profiling overhead.\n\n" +
         TableOf<R>(document.phases, kAllRows,
                    {Show(&R::source), phase, Show(&R::profiled), Show(&R::samples),
                     Show(&R::mean_s), Show(&R::mean_ci95_s), Show(&R::median_s),
                     Show(&R::min_s), Show(&R::max_s), Show(&R::tokens_per_s)}) +
         OverheadLine(document);
}

std::string TokenLatencySection(const Document& document) {
  using R = TokenLatencyRow;
  if (document.token_latency.empty()) return "";
  return "## Token latency\n\nUnprofiled calls. TTFT (`ttft`): time to first token, n "
         "calls. ITL (`itl`): inter-token latency, n tokens.\n\n" +
         TableOf<R>(
             document.token_latency, kAllRows,
             {Show(&R::source), Show(&R::measure), Show(&R::count), Show(&R::median_s),
              Show(&R::p90_s), Show(&R::p99_s), Show(&R::mean_s), Show(&R::mean_ci95_s),
              Show(&R::min_s), Show(&R::max_s)});
}

std::string PeakText(const OptionalNumber& peak, Unit unit, std::string_view what) {
  return peak ? Number(*peak, unit) : fmt::format("{} unknown", what);
}

// "`GPT.forward`: 27.8 MFLOP per call ..."
std::string CallFlopsSentence(const CallFlopsRow& row) {
  return fmt::format(
      "`{}`: {} in one call, from the shapes of its operators ({}). Calls with other "
      "shapes have other FLOPs.\n",
      Escaped(row.call), TextOf(row.flops, Unit::kFlops), Escaped(row.source));
}

// FLOPs of a Python program without a profiled call to compare them with.
std::string CallFlopsSection(const Document& document) {
  if (!document.flops_per_call) return "";
  return "## Utilization\n\n" + CallFlopsSentence(*document.flops_per_call) +
         "\nMFU not measured: it needs a profiled call with shapes "
         "(`pipeline.torch_profiler.record_shapes=true`).\n";
}

// FLOPs of one call of a Python program, and its MFU.
std::string CallLedgerSection(const Document& document) {
  using R = LedgerPhaseRow;
  const LedgerRow& ledger = *document.ledger;
  return "## Utilization\n\n" +
         (document.flops_per_call ? CallFlopsSentence(*document.flops_per_call) + "\n"
                                  : "") +
         fmt::format(
             "FLOPs of the profiled call, from the shapes of its operators, divided by "
             "the unprofiled time of the same call (n={}, not the mean of all calls). "
             "{}: "
             "peak {} (origin: ceilings.json; other load lowers measured peaks).\n\n",
             ledger.samples, Escaped(ledger.device),
             PeakText(ledger.compute_flops_per_s, Unit::kFlopsPerS, "FLOP/s")) +
         TableOf<R>(
             ledger.phases, kAllRows,
             {Show(&R::name), Show(&R::flops), Show(&R::measured_s), Show(&R::mfu)});
}

std::string LedgerSection(const Document& document) {
  using R = LedgerPhaseRow;
  if (!document.ledger) return CallFlopsSection(document);
  const LedgerRow& ledger = *document.ledger;
  if (ledger.flops_source == kOperatorShapes) return CallLedgerSection(document);
  TextColumn<R> phase = Show(&R::name);
  phase.text = [&ledger](const R& row) { return PhaseName(ledger, row); };
  return fmt::format(
             "## Roofline\n\nTotals over {}: matrix FLOPs and compulsory bytes (weights, "
             "KV cache) in closed form, unprofiled times. Roofline times use useful "
             "FLOPs, without padding and masked ones. end_to_end is the sum of the "
             "phases listed, without preprocessing. {}: peak {}, {} (origin: "
             "ceilings.json; other load lowers measured peaks).\n\n",
             Samples(ledger.samples), Escaped(ledger.device),
             PeakText(ledger.compute_flops_per_s, Unit::kFlopsPerS, "FLOP/s"),
             PeakText(ledger.memory_bytes_per_s, Unit::kBytesPerS, "bandwidth")) +
         TableOf<R>(
             ledger.phases, kAllRows,
             {phase, Show(&R::flops), Show(&R::flops_useful), Show(&R::bytes),
              Show(&R::measured_s), Show(&R::roofline_s), Show(&R::roofline_slowdown),
              Show(&R::bound), Show(&R::mfu), Show(&R::mfu_useful), Show(&R::mbu)});
}

std::string DevicesSection(const Document& document) {
  using R = DeviceRow;
  if (document.devices.empty()) return "";
  return "## Devices\n\n" +
         TableOf<R>(document.devices, kAllRows,
                    {Show(&R::source), Show(&R::device), Show(&R::model),
                     Show(&R::span_s), Show(&R::busy_s), Show(&R::idle_s),
                     Show(&R::exposed_copy_s), Show(&R::exposed_communication_s)});
}

std::string MemorySection(const Document& document) {
  const MemoryRow& memory = document.memory;
  std::vector<std::vector<std::string>> rows;
  const auto add = [&rows](const std::string& what, const OptionalInteger& bytes) {
    if (bytes) rows.push_back({what, TextOf(*bytes, Unit::kBytes)});
  };
  add("Weights read per page", memory.weights_read_bytes);
  add("KV cache at the end of a page", memory.kv_cache_bytes);
  for (const ActivationPeakRow& peak : memory.activation_peaks) {
    add("Peak activations, " + peak.phase, peak.bytes);
  }
  for (const PeakRssRow& peak : memory.peak_rss) {
    add("Peak RSS, " + peak.source, peak.bytes);
  }
  if (rows.empty()) return "";
  return "## Memory\n\n" + Table({{"Memory", Align::kLeft}, {"Bytes"}}, rows);
}

std::string CountersSection(const Document& document) {
  using R = NcuKernelRow;
  if (document.ncu_kernels.empty()) return "";
  return "## Kernels under ncu\n\nShares of the time of all profiled launches in the "
         "source. SM, Memory, DRAM, Occupancy: % of peak, means weighted by "
         "duration.\n\n" +
         TableOf<R>(
             document.ncu_kernels, kShortList,
             {Show(&R::source), Show(&R::launches), Show(&R::total_s), Show(&R::share),
              Show(&R::mean_s), Show(&R::kernel_class), Show(&R::sm_percent),
              Show(&R::memory_percent), Show(&R::dram_percent),
              Show(&R::occupancy_percent), ShowKernel<R>()});
}

// Why regions of PyTorch traces have no MFU, one line per source.
std::string NotesOnMfu(const std::vector<RegionRow>& regions) {
  struct Known {
    bool flops = false, mfu = false;
  };
  std::map<std::string, Known> sources;
  for (const RegionRow& region : regions) {
    if (!region.is_annotation()) continue;
    Known& known = sources[region.source];
    known.flops |= region.flops.has_value();
    known.mfu |= region.mfu.has_value();
  }
  std::string text;
  for (const auto& [source, known] : sources) {
    if (known.mfu) continue;
    text += fmt::format("\n{}: {}.\n", Escaped(source),
                        known.flops
                            ? "MFU of regions not measured: it needs GPU kernels and the "
                              "peak FLOP/s of their device"
                            : "FLOPs and MFU of regions not measured: set "
                              "`pipeline.torch_profiler.record_shapes=true`");
  }
  return text;
}

std::string RegionsSection(const Document& document) {
  using R = RegionRow;
  if (document.regions.empty()) return "";
  std::vector<TextColumn<R>> columns = {Show(&R::source),
                                        Show(&R::path),
                                        Show(&R::instances),
                                        Show(&R::cpu_s),
                                        Show(&R::launches),
                                        Show(&R::gpu_s),
                                        Show(&R::gpu_idle_s),
                                        Show(&R::memcpy_bytes),
                                        Show(&R::per_instance, &InstanceRow::median_s),
                                        Show(&R::per_instance, &InstanceRow::p99_s)};
  const auto has = [&document](auto is_there) {
    return std::any_of(document.regions.begin(), document.regions.end(), is_there);
  };
  const bool has_roofline = has([](const R& row) { return row.roofline.has_value(); });
  if (has_roofline) {
    columns.insert(columns.end(),
                   {Show(&R::roofline, &RegionRooflineRow::flops_per_s),
                    Show(&R::roofline, &RegionRooflineRow::bytes_per_s),
                    Show(&R::roofline, &RegionRooflineRow::roofline_slowdown)});
  }
  const bool has_annotations = has([](const R& row) { return row.is_annotation(); });
  if (has_annotations) columns.push_back(Show(&R::operators));
  if (has([](const R& row) { return row.flops.has_value(); })) {
    columns.insert(columns.end(),
                   {Show(&R::flops), Show(&R::flops_per_s), Show(&R::mfu)});
  }
  return fmt::format(
             "## Regions\n\nNVTX ranges{}, with the inclusive GPU time of the kernels "
             "and graphs launched in them, without copies. Median and p99 per instance: "
             "GPU span (start of the first to end of the last GPU activity launched in "
             "the instance), or the duration on the CPU if it launched none. GPU idle: "
             "gaps within these spans. Times of a region include nested ones.{}\n\n",
             has_annotations ? " and annotations of PyTorch traces" : "",
             has_roofline ? " FLOP/s (executed), bytes/s (compulsory): closed-form FLOPs "
                            "and bytes divided by the time of the region; roofline times "
                            "use useful FLOPs, without padding and masked ones."
                          : "") +
         TableOf<R>(document.regions, kAllRows, columns) + NotesOnMfu(document.regions);
}

std::vector<TextColumn<KernelRow>> KernelColumns(const std::vector<KernelRow>& rows,
                                                 const TextColumn<KernelRow>& name) {
  using R = KernelRow;
  std::vector<TextColumn<R>> columns = {Show(&R::source), Show(&R::total_s),
                                        Show(&R::share), Show(&R::launches),
                                        Show(&R::mean_s)};
  if (HasSeveralDevices(rows)) columns.push_back(Show(&R::device));
  columns.push_back(name);
  return columns;
}

// Without a timeline, the kernels are those profiled by ncu, which have a separate
// section.
std::string KernelsSection(const Document& document) {
  using R = KernelRow;
  if (document.kernels.empty()) return "";
  const std::string& source = document.kernels.front().source;
  for (const NcuKernelRow& profiled : document.ncu_kernels) {
    if (profiled.source == source) return "";
  }
  return "## Kernels\n\nShares of the time of all kernels in the source.\n\n" +
         TableOf<R>(document.kernels, kShortList,
                    KernelColumns(document.kernels, ShowKernel<R>()));
}

// By FLOPs.
std::string FlopsTable(const Document& document) {
  using R = OperatorRow;
  std::vector<R> rows = document.operators;
  std::erase_if(rows, [](const R& row) { return !row.flops; });
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(),
                   [](const R& a, const R& b) { return *a.flops > *b.flops; });
  return "\nFLOPs of matrix products, from tensor shapes, counted at the outermost "
         "operator. FLOP/s use the GPU time of its kernels (clock gpu) or its total CPU "
         "time (clock cpu). Calls: those with FLOPs.\n\n" +
         TableOf<R>(rows, kShortList,
                    {Show(&R::source), Show(&R::flops), Show(&R::flops_per_s),
                     Show(&R::mfu), Show(&R::flops_per_byte), Show(&R::flops_clock),
                     Show(&R::flops_time_s), Show(&R::flops_calls), Show(&R::name)});
}

std::string UncountedTable(const Document& document) {
  using R = UncountedOperatorRow;
  if (document.operators_uncounted.empty()) return "";
  return "\nNot counted: operators whose names suggest matrix work, but without a FLOP "
         "rule or without shapes in the trace.\n\n" +
         TableOf<R>(document.operators_uncounted, kShortList,
                    {Show(&R::source), Show(&R::time_s), Show(&R::share), Show(&R::clock),
                     Show(&R::calls), Show(&R::name)});
}

std::string OperatorsSection(const Document& document) {
  using R = OperatorRow;
  if (document.operators.empty()) return "";
  return "## Operators\n\nSelf time excludes called operators. Shares are of the self "
         "time of all operators in the source.\n\n" +
         TableOf<R>(document.operators, kShortList,
                    {Show(&R::source), Show(&R::self_s), Show(&R::share), Show(&R::calls),
                     Show(&R::name)}) +
         FlopsTable(document) + UncountedTable(document);
}

std::string DroppedSection(const Document& document) {
  using R = DroppedRow;
  const bool is_loss = std::any_of(document.dropped.begin(), document.dropped.end(),
                                   [](const R& row) { return row.lost; });
  if (!is_loss) return "";
  return "## Dropped records\n\nRecords that are in no table. Lost: yes, if measured "
         "data is missing.\n\n" +
         TableOf<R>(
             document.dropped, kAllRows,
             {Show(&R::source), Show(&R::count), Show(&R::lost), Show(&R::reason)});
}

}  // namespace

std::string ToMarkdown(const Document& document) {
  std::string text = Beginning(document);
  for (const std::string& section :
       {AdviceMarkdown(document), StagesSection(document), RanksSection(document),
        PhasesSection(document), TokenLatencySection(document), LedgerSection(document),
        RegionsSection(document), DevicesSection(document), KernelsSection(document),
        CountersSection(document), OperatorsSection(document), MemorySection(document),
        DroppedSection(document)}) {
    if (!section.empty()) text += "\n" + section;
  }
  return text;
}

std::string KernelsMarkdown(const Document& document) {
  using R = KernelRow;
  if (document.kernels.empty()) return "";
  const auto listed = static_cast<int64_t>(document.kernels.size());
  const int64_t all = document.kernels_total.kernels;
  return fmt::format(
             "# Kernels\n\n{} of {} by total time, {}, {} total. Shares of the time "
             "of all kernels in the same source.\n\n",
             WithCommas(listed), Plural(std::max(all, listed), "kernel"),
             Launches(document.kernels_total.launches),
             Time(document.kernels_total.total_s)) +
         TableOf<R>(document.kernels, kAllRows,
                    KernelColumns(document.kernels, AsCode(Show(&R::name))));
}

}  // namespace ridgeline::report
