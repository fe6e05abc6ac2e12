#include "inference/options.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "base/digest.h"
#include "config/reader.h"
#include "config/tree/build.h"
#include "config/tree/resolvers.h"
#include "config/tree/select.h"
#include "config/value/yaml_load.h"
#include "model_io/datasets/read_options.h"
#include "os/clock.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::inference {
namespace {

namespace fs = std::filesystem;

// Reads part of a section that has been validated as a whole; other keys are ignored.
config::Status ReadPart(config::Workspace& workspace, config::Node& root,
                        std::string_view section,
                        const std::function<void(config::Reader&)>& read) {
  RIDGELINE_TRY(config::Node * node, config::Select(workspace, root, section));
  if (node == nullptr) return Ok();
  config::Reader reader(workspace, *node);
  read(reader);
  return Ok();
}

config::Status ReadModel(config::Workspace& workspace, config::Node& root,
                         Options& options) {
  inference::SessionOptions& session = options.session;
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "model", [&](config::Reader& r) {
    std::string path;
    r.ReadOptional("name", options.model);
    r.ReadOptional("path", path);
    session.path = path;
    r.ReadOptional("dtype", session.dtype);
  }));
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, "model.create", [&](config::Reader& r) {
        r.ReadOptional("preset", session.create_preset);
        r.ReadOptional("seed", session.create_seed);
      }));
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "", [&](config::Reader& r) {
    r.ReadOptional("device", session.device);
    r.ReadOptional("use_flash_attn", session.fused_attention);
  }));
  return ReadPart(workspace, root, "model.preprocess", [&](config::Reader& r) {
    r.ReadOptional("enable", session.preprocess.enable);
    r.ReadOptional("base_size", session.preprocess.base_size);
    r.ReadOptional("image_size", session.preprocess.image_size);
    r.ReadOptional("crop_mode", session.preprocess.crop_mode);
  });
}

config::Status ReadProfile(config::Workspace& workspace, config::Node& root,
                           const OptionsRequest& request, Options& options) {
  return ReadPart(workspace, root, "pipeline.torch_profiler", [&](config::Reader& r) {
    r.ReadOptional("warmup_rounds", options.warmup_rounds);
    r.ReadOptional("warmup_synthetic", options.warmup_synthetic);
    ProfileOptions& profile = options.profile;
    std::vector<std::string> activities;
    r.ReadOptional("enabled", profile.enabled);
    r.ReadOptional("activities", activities);
    r.ReadOptional("record_shapes", profile.recorder.shapes);
    r.ReadOptional("profile_memory", profile.recorder.memory);
    r.ReadOptional("with_stack", profile.recorder.stacks);
    r.ReadOptional("group_by_input_shape", profile.group_by_input_shape);
    profile.enabled &= request.task == Task::kProfile;
    const auto has = [&activities](const char* activity) {
      return std::find(activities.begin(), activities.end(), activity) !=
             activities.end();
    };
    profile.cpu = has("cpu");
    profile.cuda = has("cuda");
  });
}

config::Status ReadInference(config::Workspace& workspace, config::Node& root,
                             const OptionsRequest& request, Options& options) {
  bool do_sample = false;
  double temperature = 0;
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "infer", [&](config::Reader& r) {
    r.ReadOptional("decoder_prompt", options.session.prompt);
    r.ReadOptional("max_new_tokens", options.max_new_tokens);
    r.ReadOptional("no_repeat_ngram_size", options.session.no_repeat_ngram_size);
    r.ReadOptional("do_sample", do_sample);
    r.ReadOptional("temperature", temperature);
    r.ReadOptional("seed", options.session.seed);
  }));
  if (do_sample) options.session.temperature = temperature;
  std::optional<int64_t> representative;
  RIDGELINE_RETURN_IF_ERROR(ReadPart(workspace, root, "run", [&](config::Reader& r) {
    std::string mode = "deep";
    r.ReadOptional("mode", mode);
    r.ReadOptional("repeats", options.repeats);
    r.ReadOptional("representative_max_new_tokens", representative);
    if (mode == "light") options.repeats = 1;
  }));
  options.profile.max_new_tokens =
      std::min(representative.value_or(options.max_new_tokens), options.max_new_tokens);
  if (request.task != Task::kRun && request.task != Task::kProfile) {
    options.max_new_tokens = options.profile.max_new_tokens;
  }
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, "pipeline.static_analysis", [&](config::Reader& r) {
        r.ReadOptional("use_synthetic_inputs", options.count_synthetic);
      }));
  return ReadProfile(workspace, root, request, options);
}

config::Status ReadOutput(config::Workspace& workspace, config::Node& root,
                          const OptionsRequest& request, Options& options) {
  predictions::OutputOptions& output = options.output;
  // Profilers without separate outputs share those of torch_profiler.
  const std::string section = request.task == Task::kRun
                                  ? "pipeline.direct_inference.output"
                                  : "pipeline.torch_profiler.output";
  const auto directory = [](config::Reader& r, const char* otherwise) {
    std::optional<std::string> path;
    r.ReadOptional("save_dir", path);
    return fs::path(path.value_or(otherwise));
  };
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, section + ".prediction", [&](config::Reader& r) {
        r.ReadOptional("enable", output.prediction_enable);
        output.prediction_dir = directory(r, "pred");
      }));
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, section + ".visualization", [&](config::Reader& r) {
        r.ReadOptional("enable", output.visualization_enable);
        output.visualization_dir = directory(r, "viz");
      }));
  const std::string extra = section + ".extra." + options.model;
  RIDGELINE_RETURN_IF_ERROR(
      ReadPart(workspace, root, extra + ".prediction", [&](config::Reader& r) {
        r.ReadOptional("strip_special_tokens", output.strip_special_tokens);
      }));
  return ReadPart(workspace, root, extra + ".visualization", [&](config::Reader& r) {
    int64_t width = output.thumbnail_width;
    r.ReadOptional("max_images", output.max_images);
    r.ReadOptional("thumbnail_width", width);
    output.thumbnail_width = static_cast<int>(width);
  });
}

config::Status ReadParity(config::Workspace& workspace, config::Node& root,
                          const OptionsRequest& request, Options& options) {
  return ReadPart(workspace, root, "parity", [&](config::Reader& r) {
    std::optional<std::string> reference;
    r.ReadOptional("reference", reference);
    r.ReadOptional("logits_tolerance", options.parity_logits_tolerance);
    if (reference) options.parity_reference = request.working_directory / *reference;
  });
}

}  // namespace

config::Result<Options> ReadOptions(config::Workspace& workspace, config::Node& root,
                                    const OptionsRequest& request) {
  Options options;
  options.is_capture = request.task == Task::kRepresentative;
  RIDGELINE_RETURN_IF_ERROR(ReadModel(workspace, root, options));
  RIDGELINE_RETURN_IF_ERROR(ReadInference(workspace, root, request, options));
  RIDGELINE_RETURN_IF_ERROR(ReadOutput(workspace, root, request, options));
  RIDGELINE_RETURN_IF_ERROR(ReadParity(workspace, root, request, options));
  RIDGELINE_TRY(options.dataset,
                datasets::ReadOptions(workspace, root, request.working_directory));
  options.session.path = request.working_directory / options.session.path;
  return options;
}

namespace {

config::Result<Options> ReadOptionsText(config::Workspace& workspace,
                                        const std::string& text, const std::string& file,
                                        const OptionsRequest& request) {
  RIDGELINE_TRY(const config::Value value, config::LoadYaml(text, file));
  if (!value.is_dict()) {
    return config::Error(config::ErrorKind::kValidation, file + ": not a mapping");
  }
  RIDGELINE_TRY(config::Node * root, config::CreateRoot(workspace, value));
  return ReadOptions(workspace, *root, request);
}

}  // namespace

ridgeline::Result<Options> ReadOptionsFile(const std::string& file,
                                           const OptionsRequest& request) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(file));
  config::Workspace workspace(config::World{os::Environment(), os::Now()});
  config::AddBuiltinResolvers(workspace);  // The file may contain ${oc.env:NAME}.
  config::Result<Options> options = ReadOptionsText(workspace, text, file, request);
  if (!options.ok()) {
    return ridgeline::Error(ErrorCode::kConfig, options.error().message);
  }
  options.value().config_sha256 =
      Sha256(text + std::to_string(static_cast<int>(request.task)));
  return std::move(options).value();
}

}  // namespace ridgeline::inference
