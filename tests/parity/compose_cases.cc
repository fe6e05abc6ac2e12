#include "parity/compose_cases.h"

#include <algorithm>
#include <map>
#include <utility>

#include "app/override_json.h"
#include "config/compose/job.h"
#include "config/overrides/override_parser.h"
#include "config/tree/resolvers.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"
#include "parity/setting.h"

namespace ridgeline::parity {
namespace {

using config::Composition;
using config::Node;
using config::Workspace;

bool Wanted(const Json& test_case, const char* field) {
  const auto expect = test_case.find("expect");
  return expect == test_case.end() || expect->contains(field);
}

Json ConfigJson(const Node& node) {
  const config::Value value = config::ToValue(node);
  return Json{{"yaml", config::DumpYaml(value)}, {"value", app::ToJson(value)}};
}

Json WarningsJson(Workspace& workspace) {
  std::vector<std::string> warnings = workspace.TakeWarnings();
  std::sort(warnings.begin(), warnings.end());
  return warnings;
}

Json DefaultsJson(const config::DefaultsList& defaults, bool with_hydra) {
  Json rows = Json::array();
  for (const config::ResultDefault& entry : defaults.defaults) {
    const bool is_hydras = entry.config_path.starts_with("hydra/");
    if (is_hydras && !with_hydra) continue;
    rows.push_back({{"config_path", entry.config_path},
                    {"package", entry.package},
                    {"is_self", entry.is_self},
                    {"parent", entry.parent ? Json(*entry.parent) : Json()}});
  }
  return rows;
}

// Whether Hydra's own configs are the ones that every application has: then the
// recorded rows leave them out.
bool HasStandardHydraRows(const config::DefaultsList& defaults) {
  constexpr std::string_view kStandard[] = {"hydra/output/default",
                                            "hydra/launcher/basic",
                                            "hydra/sweeper/basic",
                                            "hydra/help/default",
                                            "hydra/hydra_help/default",
                                            "hydra/hydra_logging/default",
                                            "hydra/job_logging/default",
                                            "hydra/env/default",
                                            "hydra/config"};
  std::vector<std::string_view> rows;
  for (const config::ResultDefault& entry : defaults.defaults) {
    if (entry.config_path.starts_with("hydra/")) rows.push_back(entry.config_path);
  }
  return std::equal(rows.begin(), rows.end(), std::begin(kStandard), std::end(kStandard));
}

Json ChoicesJson(const config::Choices& choices, bool with_hydra) {
  Json object = Json::object();
  for (const auto& [key, choice] : choices) {
    if (key.starts_with("hydra/") && !with_hydra) continue;
    object[key] = choice ? Json(*choice) : Json();
  }
  return object;
}

// Reads one interpolation the way cfg.a.b would.
Json ReadLazily(Workspace& workspace, Node& container, const config::Scalar& key) {
  config::Result<Node*> read = config::ReadItem(workspace, container, key);
  config::Result<config::Value> value =
      read.ok() ? config::ToResolvedValue(workspace, *read.value())
                : config::Result<config::Value>(read.error());
  if (value.ok()) return Json{{"value", app::ToJson(value.value())}};
  return Json{{"error",
               {{"class", config::ClassName(value.error().kind)},
                {"message", value.error().message}}}};
}

void CollectLazily(Workspace& workspace, Node& container, Json& path, Json& rows) {
  const auto visit = [&](const config::Scalar& key, Node& child) {
    path.push_back(app::ToJson(config::Value(key)));
    if (child.IsInterpolation()) {
      rows.push_back(Json::array({path, ReadLazily(workspace, container, key)}));
    } else if (child.is_container()) {
      CollectLazily(workspace, child, path, rows);
    }
    path.erase(path.size() - 1);
  };
  for (const auto& [key, child] : container.children) visit(key, *child);
  for (size_t i = 0; i < container.items.size(); ++i) {
    visit(config::Integer(static_cast<int64_t>(i)), *container.items[i]);
  }
}

void ObserveResolved(Workspace& workspace, const Node& root, Json& expect) {
  Node& job = config::JobConfig(workspace, root);
  config::Status resolved = config::ResolveInPlace(workspace, job);
  if (Json warnings = WarningsJson(workspace); !warnings.empty()) {
    expect["resolve_warnings"] = std::move(warnings);
  }
  if (resolved.ok()) {
    Json observed = ConfigJson(job);
    expect["resolved"] = observed == expect["cfg"] ? Json("same") : std::move(observed);
    return;
  }
  expect["resolved"]["error"] = ErrorJson(resolved.error(), "resolve");
  Node& lazy = config::JobConfig(workspace, root);
  Json path = Json::array();
  expect["lazy"] = Json::array();
  CollectLazily(workspace, lazy, path, expect["lazy"]);
  workspace.TakeWarnings();
}

void ObserveRunDirectory(Workspace& workspace, Node& root, Json& expect) {
  config::Result<std::string> directory = config::RunDirectory(workspace, root);
  if (directory.ok()) {
    expect["run_dir"] = directory.value();
  } else {
    expect["run_dir_error"] = {{"stage", "run_dir"},
                               {"class", config::ClassName(directory.error().kind)},
                               {"message", directory.error().message}};
  }
}

Json RunError(const config::Error& error) {
  return Json{{"run_error",
               {{"stage", "run"},
                {"class", config::ClassName(error.kind)},
                {"message", error.message}}}};
}

// What Hydra wrote, and the case's own files where the output directory holds them.
std::map<std::string, std::string> FilesBelow(const Json& test_case,
                                              const config::Job& job) {
  std::map<std::string, std::string> files = job.files;
  const std::string prefix = job.output_directory + "/";
  for (const auto& [name, text] : test_case.at("files").items()) {
    const std::string path = config::NormalizePath("/srv/app/conf/" + name);
    if (path.starts_with(prefix)) files[path.substr(prefix.size())] = text;
  }
  return files;
}

// A run of its own: the program that calls the job adds hydra.mode=RUN.
Json ObserveRun(const Json& test_case, const Setting& setting, bool mode_is_set) {
  config::ComposeRequest request = setting.request;
  if (!mode_is_set) request.overrides.push_back("hydra.mode=RUN");
  Workspace workspace(setting.world);
  config::Result<Composition> composed = config::Compose(workspace, request);
  if (!composed.ok()) return RunError(composed.error());
  config::Result<config::Job> job =
      config::PrepareJob(workspace, composed.value(), setting.request.working_directory);
  if (!job.ok()) return RunError(job.error());
  config::Result<config::Value> resolved =
      config::ToResolvedValue(workspace, *job.value().config);
  if (!resolved.ok()) return RunError(resolved.error());
  return Json{{"yaml", config::DumpYaml(resolved.value())},
              {"cwd", job.value().working_directory},
              {"output_dir", job.value().output_directory},
              {"files", FilesBelow(test_case, job.value())}};
}

}  // namespace

Json ObserveCompose(const Json& test_case) {
  Setting setting;
  FillSetting(test_case, setting);
  Workspace workspace(setting.world);
  config::Result<Composition> composed = config::Compose(workspace, setting.request);
  Json expect = {{"ok", composed.ok()}};
  if (!composed.ok()) {
    expect["error"] = ErrorJson(composed.error(), "compose");
    return expect;
  }
  Node& root = *composed.value().root;
  if (Json warnings = WarningsJson(workspace); !warnings.empty()) {
    expect["warnings"] = std::move(warnings);
  }
  const bool with_hydra = Wanted(test_case, "hydra_yaml");
  const bool rows_with_hydra = test_case.contains("expect")
                                   ? Wanted(test_case, "defaults_with_hydra")
                                   : !HasStandardHydraRows(composed.value().defaults);
  if (rows_with_hydra) expect["defaults_with_hydra"] = true;
  expect["defaults"] = DefaultsJson(composed.value().defaults, rows_with_hydra);
  const bool choices_with_hydra = with_hydra && test_case.contains("expect");
  if (Json choices = ChoicesJson(composed.value().defaults.choices, choices_with_hydra);
      !choices.empty()) {
    expect["choices"] = std::move(choices);
  }
  const Node& dirname = **(**root.children.Find("hydra"))
                              .children.Find("job")[0]
                              ->children.Find("override_dirname");
  if (!dirname.value.string().empty())
    expect["override_dirname"] = dirname.value.string();

  config::UseHydraNode(workspace, root);
  ObserveRunDirectory(workspace, root, expect);
  expect["cfg"] = ConfigJson(config::JobConfig(workspace, root));
  ObserveResolved(workspace, root, expect);
  if (with_hydra) {
    expect["hydra_yaml"] =
        config::DumpYaml(config::ToValue(config::HydraConfig(workspace, root)));
  }
  if (Wanted(test_case, "run")) {
    const Node* mode = config::Select(workspace, root, "hydra.mode").value();
    expect["run"] = ObserveRun(test_case, setting, mode != nullptr && !mode->IsNone());
  }
  return expect;
}

}  // namespace ridgeline::parity
