#include "config/compose/job.h"

#include <utility>

#include "config/tree/assign.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::config {
namespace {

Result<std::map<std::string, std::string>> OutputFiles(Workspace& workspace, Node& root,
                                                       const Node& job) {
  std::map<std::string, std::string> files;
  RIDGELINE_TRY(const Node* subdir, Select(workspace, root, "hydra.output_subdir"));
  if (subdir == nullptr || subdir->IsNone()) return files;
  RIDGELINE_TRY(const Node* task, Select(workspace, root, "hydra.overrides.task"));
  Dict hydra;
  hydra.Set(std::string("hydra"), ToValue(**root.children.Find("hydra")));
  const std::string name = Str(subdir->value);
  const std::string prefix = name.empty() ? "" : NormalizePath(name) + "/";
  files[prefix + "config.yaml"] = DumpYaml(ToValue(job));
  files[prefix + "hydra.yaml"] = DumpYaml(Value(std::move(hydra)));
  files[prefix + "overrides.yaml"] =
      DumpYaml(task == nullptr ? Value(List()) : ToValue(*task));
  return files;
}

}  // namespace

Result<Job> PrepareJob(Workspace& workspace, const Composition& composition,
                       const std::string& current_directory) {
  Node& root = *composition.root;
  UseHydraNode(workspace, root);
  RIDGELINE_TRY(const std::string run_directory, RunDirectory(workspace, root));
  Job job;
  job.output_directory = NormalizePath(JoinPath(current_directory, run_directory));
  RIDGELINE_TRY(Node * runtime, Select(workspace, root, "hydra.runtime"));
  const Value output(job.output_directory);
  RIDGELINE_RETURN_IF_ERROR(SetItem(workspace, *runtime, std::string("output_dir"),
                                    &output, Access::kAttribute));
  UseHydraNode(workspace, root);
  job.config = &workspace.DeepCopy(root);
  job.config->children.Erase(std::string("hydra"));
  RIDGELINE_TRY(const Node* chdir, Select(workspace, root, "hydra.job.chdir"));
  const bool change =
      chdir != nullptr && chdir->value.is_bool() && std::get<bool>(chdir->value.scalar());
  job.working_directory = change ? job.output_directory : current_directory;
  RIDGELINE_TRY(job.files, OutputFiles(workspace, root, *job.config));
  return job;
}

}  // namespace ridgeline::config
