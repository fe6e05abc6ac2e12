#include "config/compose/multirun.h"

#include <utility>

#include "config/compose/config_repository.h"
#include "config/compose/search_path.h"
#include "config/overrides/override_parser.h"
#include "config/tree/assign.h"
#include "config/tree/evaluate.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

Result<BasicSweep> SweeperOptions(Workspace& workspace, Node& root) {
  BasicSweep options;
  RIDGELINE_TRY(Node * params, Select(workspace, root, "hydra.sweeper.params"));
  if (params != nullptr && params->is_dict() && !params->special) {
    RIDGELINE_TRY(const Value resolved, ToResolvedValue(workspace, *params));
    for (const auto& [key, value] : resolved.dict()) {
      options.params.emplace_back(Str(Value(key)), Str(value));
    }
  }
  RIDGELINE_TRY(const Node* size,
                Select(workspace, root, "hydra.sweeper.max_batch_size"));
  if (size != nullptr && size->value.is_int()) {
    options.max_batch_size = std::get<Integer>(size->value.scalar());
  }
  return options;
}

Result<std::vector<std::string>> Lines(Workspace& workspace, Node& root,
                                       const char* key) {
  std::vector<std::string> lines;
  RIDGELINE_TRY(const Node* list, Select(workspace, root, key));
  if (list == nullptr) return lines;
  for (const Node* item : list->items) lines.push_back(Str(item->value));
  return lines;
}

// glob() selects among the options of a group, across the whole search path.
GroupOptions OptionsOf(Workspace& workspace, const ComposeRequest& request,
                       const std::vector<Override>& overrides) {
  return [&](const std::string& group) -> Result<std::vector<std::string>> {
    ConfigRepository repository(workspace, *request.files, request.working_directory);
    RIDGELINE_RETURN_IF_ERROR(repository.SetSearchPath(BaseSearchPath(request)));
    RIDGELINE_RETURN_IF_ERROR(ExtendSearchPath(repository, request, overrides));
    return repository.GroupOptions(group, Listing::kConfigs);
  };
}

}  // namespace

Result<Sweep> PlanSweep(Workspace& workspace, const Composition& composition,
                        const ComposeRequest& request) {
  Node& root = *composition.root;
  UseHydraNode(workspace, root);
  Sweep sweep;
  RIDGELINE_TRY(BasicSweep options, SweeperOptions(workspace, root));
  options.group_options = OptionsOf(workspace, request, composition.overrides);
  RIDGELINE_TRY(const std::vector<std::string> task,
                Lines(workspace, root, "hydra.overrides.task"));
  RIDGELINE_TRY(sweep.hydra_overrides, Lines(workspace, root, "hydra.overrides.hydra"));
  RIDGELINE_TRY(sweep.batches, ExpandSweepJobs(options, task));
  RIDGELINE_TRY(Node * directory, Select(workspace, root, "hydra.sweep.dir"));
  sweep.directory = directory == nullptr ? "None" : StrOf(Resolved(directory));
  return sweep;
}

Result<SweepJob> ComposeSweepJob(Workspace& workspace, const ComposeRequest& request,
                                 const Sweep& sweep, const JobOverrides& overrides,
                                 int number) {
  ComposeRequest job_request = request;
  job_request.mode = RunMode::kRun;
  job_request.overrides = sweep.hydra_overrides;
  job_request.overrides.insert(job_request.overrides.end(), overrides.begin(),
                               overrides.end());
  RIDGELINE_TRY(Composition composition, Compose(workspace, job_request));
  Node& root = *composition.root;
  RIDGELINE_TRY(Node * job, Select(workspace, root, "hydra.job"));
  const Value job_number(number);
  RIDGELINE_RETURN_IF_ERROR(
      SetItem(workspace, *job, std::string("id"), &job_number, Access::kAttribute));
  RIDGELINE_RETURN_IF_ERROR(
      SetItem(workspace, *job, std::string("num"), &job_number, Access::kAttribute));
  UseHydraNode(workspace, root);
  RIDGELINE_TRY(Node * subdirectory, Select(workspace, root, "hydra.sweep.subdir"));
  return SweepJob{std::move(composition),
                  subdirectory == nullptr ? "None" : StrOf(Resolved(subdirectory))};
}

}  // namespace ridgeline::config
