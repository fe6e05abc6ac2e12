#include <fmt/format.h>

#include <charconv>
#include <map>
#include <ostream>

#include "app/command_support.h"
#include "app/commands.h"
#include "app/flags.h"
#include "base/plural.h"
#include "model_io/checkpoints/checkpoint.h"
#include "models/registry.h"
#include "os/files.h"

namespace ridgeline::app {
namespace {

std::span<const Flag> CreateFlags() {
  static const std::vector<Flag> flags = {
      {"--preset",
       "",
       Flag::Takes::kValue,
       "NAME",
       "size: tiny (0.9 M parameters), small (60 M), full (3.3 B)",
       {"tiny", "small", "full"}},
      {"--seed", "", Flag::Takes::kValue, "N", "seed of the random weights (default: 0)"},
      {"--dtype",
       "",
       Flag::Takes::kValue,
       "TYPE",
       "dtype of the weights (default: bf16)",
       {"bf16", "fp32"}},
      {"--help", "-h", Flag::Takes::kNothing, "", "show this help"},
  };
  return flags;
}

void PrintModelUsage(std::ostream& out) {
  out << "ridgeline model create [flags] DIR\n"
         "  Writes a checkpoint with random weights in Hugging Face layout.\n";
  out << FlagsHelp(CreateFlags());
  out << "\nridgeline model inspect DIR\n"
         "  Lists the tensors of a checkpoint and checks that the model is complete.\n";
}

Status Create(const ParsedFlags& flags, const Streams& streams) {
  if (flags.words.size() != 1) return UsageError("model create needs one directory");
  models::CreateOptions options;
  if (flags.Has("--preset")) options.preset = flags.Get("--preset");
  const std::string seed = flags.Has("--seed") ? flags.Get("--seed") : "0";
  const auto [end, error] =
      std::from_chars(seed.data(), seed.data() + seed.size(), options.seed);
  if (error != std::errc() || end != seed.data() + seed.size()) {
    return UsageError("flag --seed: expected an integer >= 0, got '" + seed + "'");
  }
  if (flags.Get("--dtype") == "fp32") options.dtype = checkpoints::DType::kF32;
  // The first model with checkpoints; at least one exists.
  for (const models::ModelEntry& entry : models::AllModels()) {
    if (entry.create == nullptr) continue;
    RIDGELINE_RETURN_IF_ERROR(entry.create(flags.words[0], options));
    break;
  }
  streams.out << flags.words[0] << '\n';
  return Ok();
}

int64_t Elements(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t side : shape) count *= side;
  return count;
}

// "model.sam_model", "model.layers": the level to start looking at.
std::string TopModuleOf(const std::string& name) {
  const size_t first = name.find('.');
  const size_t second = name.find('.', first + 1);
  return name.substr(0, name.starts_with("model.") ? second : first);
}

Status Inspect(const ParsedFlags& flags, const Streams& streams) {
  if (flags.words.size() != 1) return UsageError("model inspect needs one directory");
  const std::string& directory = flags.words[0];
  if (!os::IsDirectory(directory)) {
    return UsageError(directory +
                      ": not a checkpoint directory\nhint: name a directory with "
                      "config.json and *.safetensors; `ridgeline model create DIR` makes "
                      "one");
  }
  RIDGELINE_TRY(const checkpoints::Checkpoint checkpoint,
                checkpoints::Checkpoint::Open(flags.words[0]));
  RIDGELINE_TRY(
      const std::unique_ptr<models::Model> model,
      models::OpenAnyModel({.config_json = std::string(checkpoint.config_json()),
                            .origin = checkpoint.config_path().string(),
                            .path = {},
                            .preset = {}}));
  RIDGELINE_RETURN_IF_ERROR(checkpoints::CheckInventory(checkpoint, model->tensors()));
  struct Part {
    int64_t tensors = 0;
    int64_t parameters = 0;
    int64_t bytes = 0;
  };
  std::map<std::string, Part> parts;
  Part all;
  for (const checkpoints::TensorView& tensor : checkpoint.tensors()) {
    for (Part* part : {&parts[TopModuleOf(tensor.name)], &all}) {
      ++part->tensors;
      part->parameters += Elements(tensor.shape);
      part->bytes += static_cast<int64_t>(tensor.bytes.size());
    }
  }
  const auto line = [&streams](const std::string& name, const Part& part) {
    streams.out << fmt::format("{:<22} {:>8} {:>15} {:>15}\n", name, part.tensors,
                               part.parameters, part.bytes);
  };
  streams.out << fmt::format("{:<22} {:>8} {:>15} {:>15}\n", "part", "tensors",
                             "parameters", "bytes");
  for (const auto& [name, part] : parts) line(name, part);
  line("total", all);
  streams.out << "complete: " << Plural(all.tensors, "tensor") << "\n";
  return Ok();
}

}  // namespace

ExitStatus ModelCommand(std::span<const std::string> arguments, const Streams& streams) {
  const std::string action = arguments.empty() ? "" : arguments.front();
  if (action == "--help" || action == "-h") {
    PrintModelUsage(streams.out);
    return ExitStatus::kDone;
  }
  if (action != "create" && action != "inspect") {
    return Fail(streams, UsageError("model needs a subcommand: create, inspect"));
  }
  Result<ParsedFlags> flags = ParseFlags(CreateFlags(), arguments.subspan(1));
  if (!flags.ok()) return Fail(streams, flags.error());
  if (flags.value().Has("--help")) {
    PrintModelUsage(streams.out);
    return ExitStatus::kDone;
  }
  const Status status = action == "create" ? Create(flags.value(), streams)
                                           : Inspect(flags.value(), streams);
  return status.ok() ? ExitStatus::kDone : Fail(streams, status.error());
}

}  // namespace ridgeline::app
