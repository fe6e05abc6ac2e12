#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <ostream>
#include <vector>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "app/hydra/hydra_flags.h"
#include "app/registry.h"
#include "artifacts/run_dir.h"
#include "config/compose/job.h"
#include "config/reader.h"
#include "config/tree/suggest.h"
#include "models/estimate.h"
#include "models/measured_run.h"
#include "os/files.h"
#include "pipeline/workload_directory.h"
#include "report/printers/prediction.h"

namespace ridgeline::app {
namespace {

std::span<const Flag> PredictFlags() {
  static const std::vector<Flag> flags = {
      {"--on", "", Flag::Takes::kValue, "DEVICE",
       "a GPU listed in docs/ceilings.md (part of its name is enough), or cpu"},
      {"--from", "", Flag::Takes::kValue, "RUN",
       "calibrate with a finished run that has static_analysis and direct_inference"},
      {"--dtype",
       "",
       Flag::Takes::kValue,
       "TYPE",
       "data type (default: model.dtype)",
       {"bf16", "fp16", "fp32"}},
      {"--tokens", "", Flag::Takes::kValue, "N",
       "generated tokens (default: infer.max_new_tokens)"},
      {"--batch", "", Flag::Takes::kValue, "N", "batch size in pages (default: 1)"},
      {"--config-path", "-cp", Flag::Takes::kValue, "DIR",
       "use another configuration directory"},
      {"--config-name", "-cn", Flag::Takes::kValue, "NAME",
       "primary config (default: config)"},
      {"--config-dir", "-cd", Flag::Takes::kValue, "DIR",
       "add a directory to the config search path"},
      {"--json", "", Flag::Takes::kNothing, "", "print JSON"},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintPredictUsage(std::ostream& out) {
  out << "ridgeline predict --on DEVICE [flags] [OVERRIDES...]\n"
         "  Predicts the roofline time of a page on a device, per phase; with --from, "
         "an\n"
         "  interval. Runs nothing.\n";
  out << FlagsHelp(PredictFlags());
}

// The value of a flag, an integer above 0.
Result<int64_t> PositiveOf(const ParsedFlags& flags, const char* flag) {
  const std::string text = flags.Get(flag);
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end || value < 1) {
    return UsageError(
        fmt::format("flag {}: expected an integer >= 1, got '{}'", flag, text));
  }
  return value;
}

// Flags that are aliases of keys come last, so that they win.
Result<HydraOptions> ComposeOptionsOf(const ParsedFlags& flags) {
  RIDGELINE_TRY(HydraOptions options, HydraOptionsOf(flags));
  if (flags.Has("--dtype")) {
    options.overrides.push_back("model.dtype=" + flags.Get("--dtype"));
  }
  if (flags.Has("--tokens")) {
    RIDGELINE_TRY(const int64_t tokens, PositiveOf(flags, "--tokens"));
    options.overrides.push_back(fmt::format("infer.max_new_tokens={}", tokens));
  }
  options.overrides.emplace_back("hydra.mode=RUN");
  return options;
}

// All GPUs for which this is a sufficient name: one, or those among which it is
// ambiguous.
std::vector<std::string> GpusNamed(const std::string& part) {
  std::vector<std::string> names;
  for (const hardware::GpuSpec& gpu : hardware::GpuSpecs()) {
    if (gpu.name == part) return {part};
    if (gpu.name.find(part) != gpu.name.npos) names.emplace_back(gpu.name);
  }
  return names;
}

// "\nhint: did you mean 'RTX 5090'?"; empty if nothing is similar. Users may type only
// the first word of a name, or only the last ones.
std::string GpuHint(const std::string& written) {
  std::vector<std::string> names;
  for (const hardware::GpuSpec& gpu : hardware::GpuSpecs()) {
    std::string_view name = gpu.name;
    names.emplace_back(name.substr(0, name.find(' ')));
    for (size_t space = 0; space != name.npos; space = name.find(' ')) {
      if (space > 0) name.remove_prefix(space + 1);
      names.emplace_back(name);
    }
  }
  const std::string nearest = config::Nearest(written, names);
  if (nearest.empty()) return "";
  const std::vector<std::string> meant = GpusNamed(nearest);
  if (meant.size() == 1) return "\nhint: did you mean '" + nearest + "'?";
  return fmt::format("\nhint: did you mean '{}'?", fmt::join(meant, "', '"));
}

Result<hardware::DeviceCeilings> DeviceOf(const std::string& name,
                                          hardware::DeviceRequest request) {
  if (name == "cpu") {
    request.device = name;
    return hardware::CeilingsHere(request, hardware::ThisMachine());
  }
  const Result<const hardware::GpuSpec*> gpu =
      hardware::FindGpuSpec(name, hardware::GpuSpecs());
  if (!gpu.ok()) {
    const bool is_unknown = gpu.error().code() == ErrorCode::kNotFound;
    return Error(gpu.error().code(),
                 gpu.error().message() + (is_unknown ? GpuHint(name) : ""));
  }
  return hardware::CeilingsOf(*gpu.value(), request);
}

// Ceilings of a CPU that were measured in the run that calibrates a prediction. Measured
// again under another load, they would change the prediction.
Result<hardware::DeviceCeilings> AsInRun(hardware::DeviceCeilings device,
                                         const std::string& run) {
  const std::filesystem::path file = artifacts::RunDir(run).ceilings();
  if (run.empty() || device.kind != hardware::DeviceKind::kCpu || !os::Exists(file)) {
    return device;
  }
  RIDGELINE_TRY(const std::string text, os::ReadFile(file));
  RIDGELINE_TRY(hardware::DeviceCeilings of_run,
                hardware::ParseCeilings(text, file.string()));
  return of_run.device == device.device ? of_run : device;
}

Result<report::Prediction> PredictFor(const ParsedFlags& flags,
                                      models::EstimateOptions options) {
  RIDGELINE_TRY(hardware::DeviceCeilings device,
                DeviceOf(flags.Get("--on"), options.device));
  RIDGELINE_TRY(device, AsInRun(std::move(device), flags.Get("--from")));
  if (flags.Has("--batch")) {
    RIDGELINE_TRY(options.batch, PositiveOf(flags, "--batch"));
  }
  RIDGELINE_TRY(cost::Estimate estimate, models::EstimateSample(options, device.kind));
  std::optional<analysis::MeasuredRun> measured;
  if (flags.Has("--from")) {
    RIDGELINE_TRY(measured, models::ReadMeasuredRun(flags.Get("--from")));
  }
  return report::MakePrediction(std::move(estimate), std::move(device),
                                std::move(measured));
}

// The whole configuration must be valid, as for a run.
config::Result<models::EstimateOptions> ReadConfig(ComposedHere& composed) {
  config::Workspace& workspace = composed.workspace;
  RIDGELINE_TRY(const config::Job job,
                config::PrepareJob(workspace, composed.composition,
                                   composed.here.request.working_directory));
  const std::vector<config::Error> mistakes =
      CheckConfig(workspace, *job.config, composed.unknown_keys);
  if (!mistakes.empty()) return config::JoinErrors(mistakes);
  return models::ReadOptions(workspace, *job.config,
                             pipeline::ConfigDirectory(workspace));
}

}  // namespace

ExitStatus PredictCommand(std::span<const std::string> arguments,
                          const Streams& streams) {
  Result<ParsedFlags> flags = ParseFlags(PredictFlags(), arguments);
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintPredictUsage(streams.out);
    return ExitStatus::kDone;
  }
  if (!flags.value().Has("--on")) {
    return Fail(streams, UsageError("predict needs --on DEVICE: a GPU listed in "
                                    "docs/ceilings.md, or cpu"));
  }
  Result<HydraOptions> hydra = ComposeOptionsOf(flags.value());
  if (!hydra.ok()) return Fail(streams, hydra.error());
  auto composed = ComposeFor(hydra.value(), streams);
  if (!composed.ok()) return composed.error();
  config::Result<models::EstimateOptions> options = ReadConfig(*composed.value());
  if (!options.ok()) return Fail(streams, options.error());
  Result<report::Prediction> prediction =
      PredictFor(flags.value(), std::move(options).value());
  if (!prediction.ok()) return Fail(streams, prediction.error());
  streams.out << (flags.value().Has("--json") ? report::ToJson(prediction.value())
                                              : report::ToText(prediction.value()));
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
