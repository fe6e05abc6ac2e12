#include "parity/sweep_cases.h"

#include <utility>

#include "config/compose/multirun.h"
#include "config/tree/select.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"
#include "parity/setting.h"

namespace ridgeline::parity {
namespace {

using config::Workspace;

Json Failed(const config::Error& error, const char* stage) {
  return Json{{"ok", false}, {"error", ErrorJson(error, stage)}};
}

// The recorded answers show the configuration of the first few jobs only.
size_t JobsToCompose(const Json& test_case, size_t all) {
  const auto expect = test_case.find("expect");
  if (expect == test_case.end() || !expect->contains("jobs")) return all;
  size_t count = 0;
  for (const Json& job : expect->at("jobs")) count += job.contains("yaml") ? 1 : 0;
  return count;
}

}  // namespace

Json ObserveSweep(const Json& test_case) {
  Setting setting;
  FillSetting(test_case, setting);
  setting.request.mode = config::RunMode::kMultirun;
  Workspace workspace(setting.world);
  config::Result<config::Composition> composed =
      config::Compose(workspace, setting.request);
  if (!composed.ok()) return Failed(composed.error(), "compose");
  config::Result<config::Sweep> planned =
      config::PlanSweep(workspace, composed.value(), setting.request);
  if (!planned.ok()) return Failed(planned.error(), "sweep");
  const config::Sweep& sweep = planned.value();

  Json jobs = Json::array();
  Json batches = Json::array();
  for (const config::JobBatch& batch : sweep.batches) {
    batches.push_back(batch.size());
    for (const config::JobOverrides& overrides : batch) {
      jobs.push_back(Json{{"overrides", overrides}});
    }
  }
  const size_t count = JobsToCompose(test_case, jobs.size());
  for (size_t i = 0; i < count && i < jobs.size(); ++i) {
    Workspace job_workspace(setting.world);
    config::Result<config::SweepJob> job = config::ComposeSweepJob(
        job_workspace, setting.request, sweep,
        jobs[i]["overrides"].get<config::JobOverrides>(), static_cast<int>(i));
    if (!job.ok()) return Failed(job.error(), "jobs");
    config::Node& root = *job.value().composition.root;
    config::Node* dirname =
        config::Select(job_workspace, root, "hydra.job.override_dirname").value();
    jobs[i]["override_dirname"] = dirname == nullptr ? "" : config::Str(dirname->value);
    jobs[i]["subdir"] = job.value().subdirectory;
    jobs[i]["yaml"] =
        config::DumpYaml(config::ToValue(config::JobConfig(job_workspace, root)));
  }
  return Json{{"ok", true},
              {"sweep_dir", sweep.directory},
              {"num_jobs", jobs.size()},
              {"batches", std::move(batches)},
              {"jobs", std::move(jobs)}};
}

}  // namespace ridgeline::parity
