#include "analysis/analyze.h"

#include <utility>

namespace ridgeline::analysis {
namespace {

using profiles::ProfileInfo;

class Analyzer {
 public:
  Analyzer(const NcuQuestion& question, ProfileInfo info)
      : question_(question), info_(std::move(info)) {}

  Result<AnalyzedProfile> operator()(results::TraceRows rows) {
    TraceFindings findings = FindingsOf(rows);
    return With(std::move(rows), std::move(findings));
  }
  Result<AnalyzedProfile> operator()(results::NsysRows rows) {
    Result<NsysFindings> findings = FindingsOf(rows);
    if (!findings.ok()) return std::move(findings).error().While(info_.file);
    rows.left_out.Add(findings.value().regions.left_out);
    return With(std::move(rows), std::move(findings).value());
  }
  Result<AnalyzedProfile> operator()(results::KernelSummary rows) {
    std::vector<SummarizedKernel> kernels = SummarizedKernels(rows);
    return With(std::move(rows), std::move(kernels));
  }
  Result<AnalyzedProfile> operator()(results::NcuRows rows) {
    NcuFindings findings = FindingsOf(rows, question_);
    return With(std::move(rows), std::move(findings));
  }

 private:
  template <typename Rows, typename Findings>
  AnalyzedProfile With(Rows rows, Findings findings) {
    return Analyzed<Rows, Findings>{std::move(info_), std::move(rows),
                                    std::move(findings)};
  }

  const NcuQuestion& question_;
  ProfileInfo info_;
};

struct Adder {
  results::Source source;
  size_t most_events;
  results::ResultStore& store;

  WithEvents EventsOf(size_t events) const {
    return events <= most_events ? WithEvents::kYes : WithEvents::kNo;
  }

  void operator()(const AnalyzedTrace& trace) {
    AddToStore(trace.rows, trace.findings, std::move(source),
               EventsOf(trace.rows.gpu_activities.size()), store);
  }
  void operator()(const AnalyzedExport& exported) {
    AddToStore(exported.rows, exported.findings, std::move(source),
               EventsOf(exported.rows.gpu_ops.size()), store);
  }
  void operator()(const AnalyzedSummary& summary) {
    AddToStore(summary.rows, summary.findings, std::move(source), store);
  }
  void operator()(const AnalyzedNcu& ncu) {
    AddToStore(ncu.rows, ncu.findings, std::move(source), store);
  }
};

struct KernelLister {
  using Kernels = std::vector<results::GpuTotal>;

  Kernels operator()(const AnalyzedTrace& trace) const {
    return trace.findings.kernels_over_devices;
  }
  Kernels operator()(const AnalyzedExport& exported) const {
    return exported.findings.kernels_over_devices;
  }
  Kernels operator()(const AnalyzedSummary& summary) const {
    Kernels kernels;
    for (const SummarizedKernel& kernel : summary.findings) {
      kernels.push_back(kernel.total);
    }
    return kernels;
  }
  Kernels operator()(const AnalyzedNcu&) const { return {}; }
};

struct TimelineMaker {
  size_t most_blocks;

  std::optional<Timeline> operator()(const AnalyzedTrace& trace) const {
    return TimelineOf(trace.rows, most_blocks);
  }
  std::optional<Timeline> operator()(const AnalyzedExport& exported) const {
    return TimelineOf(exported.rows, most_blocks);
  }
  std::optional<Timeline> operator()(const AnalyzedSummary&) const { return {}; }
  std::optional<Timeline> operator()(const AnalyzedNcu&) const { return {}; }
};

}  // namespace

Result<AnalyzedProfile> Analyze(profiles::Profile profile, const NcuQuestion& question) {
  return std::visit(Analyzer(question, std::move(profile.info)), std::move(profile.rows));
}

void AddToStore(const AnalyzedProfile& profile, const std::string& name,
                size_t most_events, results::ResultStore& store) {
  results::Source source = std::visit(
      [&name](const auto& analyzed) {
        const ProfileInfo& info = analyzed.info;
        return results::Source{.file = name,
                               .format = std::string(info.format),
                               .tool = info.tool,
                               .file_bytes = info.file_bytes};
      },
      profile);
  std::visit(Adder{std::move(source), most_events, store}, profile);
}

std::vector<results::GpuTotal> KernelsOf(const AnalyzedProfile& profile) {
  return std::visit(KernelLister(), profile);
}

const StringPool& NamesOf(const AnalyzedProfile& profile) {
  return std::visit(
      [](const auto& known) -> const StringPool& { return known.rows.names; }, profile);
}

std::optional<Timeline> TimelineOf(const AnalyzedProfile& profile, size_t most_blocks) {
  return std::visit(TimelineMaker{most_blocks}, profile);
}

}  // namespace ridgeline::analysis
