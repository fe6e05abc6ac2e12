// The records of builtin_configs.h: hydra/config and its parts.
#include <string>
#include <utility>

#include "config/compose/builtin_configs.h"

namespace ridgeline::config {
namespace {

using Default = Field::Default;
using Kind = TypeHint::Kind;

constexpr TypeHint RecordHint(const StructType& type) {
  return {.kind = Kind::kStruct, .optional = false, .structure = &type};
}

const StructType kHelp = {"HelpConf",
                          {{"app_name", &kString},
                           {"header", &kString},
                           {"footer", &kString},
                           {"template", &kString}}};
const TypeHint kHelpHint = RecordHint(kHelp);

const StructType kHydraHelp = {"HydraHelpConf",
                               {{"hydra_help", &kString}, {"template", &kString}}};
const TypeHint kHydraHelpHint = RecordHint(kHydraHelp);

const StructType kRunDir = {"RunDir", {{"dir", &kString}}};
const TypeHint kRunDirHint = RecordHint(kRunDir);

const StructType kSweepDir = {"SweepDir", {{"dir", &kString}, {"subdir", &kString}}};
const TypeHint kSweepDirHint = RecordHint(kSweepDir);

const StructType kOverrides = {"OverridesConf",
                               {{"hydra", &kListOfStrings, Default::kEmpty},
                                {"task", &kListOfStrings, Default::kEmpty}}};
const TypeHint kOverridesHint = RecordHint(kOverrides);

const StructType kOverrideDirname = {
    "OverrideDirname",
    {{"kv_sep", &kString, Default::kText, "="},
     {"item_sep", &kString, Default::kText, ","},
     {"exclude_keys", &kListOfStrings, Default::kEmpty}}};
const TypeHint kOverrideDirnameHint = RecordHint(kOverrideDirname);

const StructType kJobConfig = {
    "JobConfig", {{"override_dirname", &kOverrideDirnameHint, Default::kNested}}};
const TypeHint kJobConfigHint = RecordHint(kJobConfig);

const StructType kJob = {"JobConf",
                         {{"name", &kString},
                          {"chdir", &kOptionalBool, Default::kNull},
                          {"override_dirname", &kString},
                          {"id", &kString},
                          {"num", &kInteger},
                          {"config_name", &kOptionalString},
                          {"env_set", &kDictOfStrings, Default::kEmpty},
                          {"env_copy", &kListOfStrings, Default::kEmpty},
                          {"config", &kJobConfigHint, Default::kNested}}};
const TypeHint kJobHint = RecordHint(kJob);

const TypeHint kConfigSourceInfoHint = RecordHint(kConfigSourceInfo);
const TypeHint kListOfConfigSources = {
    .kind = Kind::kList, .optional = false, .element = &kConfigSourceInfoHint};

const StructType kRuntime = {"RuntimeConf",
                             {{"version", &kString},
                              {"version_base", &kString},
                              {"cwd", &kString},
                              {"config_sources", &kListOfConfigSources},
                              {"output_dir", &kString},
                              {"choices", &kDictOfAny, Default::kEmpty}}};
const TypeHint kRuntimeHint = RecordHint(kRuntime);

const TypeHint kListOfAny = {.kind = Kind::kList, .optional = false, .element = &kAny};

// `defaults` is a field so that a config can set hydra.defaults, as in Hydra; it is
// removed once everything is merged.
const StructType kHydra = {"HydraConf",
                           {{"defaults", &kListOfAny, Default::kEmpty},
                            {"mode", &kOptionalRunMode, Default::kNull},
                            {"searchpath", &kListOfStrings, Default::kEmpty},
                            {"run", &kRunDirHint, Default::kNested},
                            {"sweep", &kSweepDirHint, Default::kNested},
                            {"hydra_logging", &kDictOfAny},
                            {"job_logging", &kDictOfAny},
                            {"sweeper", &kAny},
                            {"launcher", &kAny},
                            {"callbacks", &kDictOfAny, Default::kEmpty},
                            {"help", &kHelpHint, Default::kNested},
                            {"hydra_help", &kHydraHelpHint, Default::kNested},
                            {"output_subdir", &kOptionalString, Default::kText, ".hydra"},
                            {"overrides", &kOverridesHint, Default::kNested},
                            {"job", &kJobHint, Default::kNested},
                            {"runtime", &kRuntimeHint, Default::kNested},
                            {"verbose", &kAny, Default::kFalse}}};

const StructType kBasicLauncher = {
    "BasicLauncherConf",
    {{"_target_", &kString, Default::kText,
      "hydra._internal.core_plugins.basic_launcher.BasicLauncher"}}};

const StructType kBasicSweeper = {
    "BasicSweeperConf",
    {{"_target_", &kString, Default::kText,
      "hydra._internal.core_plugins.basic_sweeper.BasicSweeper"},
     {"max_batch_size", &kOptionalInteger, Default::kNull},
     {"params", &kOptionalDictOfStrings, Default::kNull}}};

struct NamedRecord {
  std::string_view path;
  const StructType* type;  // Null: an empty dict.
};
constexpr NamedRecord kRecords[] = {
    {"/_dummy_empty_config_.yaml", nullptr},
    {"/hydra/config.yaml", &kHydra},
    {"/hydra/launcher/basic.yaml", &kBasicLauncher},
    {"/hydra/sweeper/basic.yaml", &kBasicSweeper},
};

MemoryFiles MakeRecordNames() {
  MemoryFiles files;
  for (const NamedRecord& record : kRecords) files.Add(record.path, "");
  return files;
}

}  // namespace

const StructType kConfigSourceInfo = {
    "ConfigSourceInfo",
    {{"path", &kString}, {"schema", &kString}, {"provider", &kString}}};

const ConfigFiles& BuiltinRecordNames() {
  static const MemoryFiles files = MakeRecordNames();
  return files;
}

const StructType* BuiltinRecord(std::string_view path) {
  for (const NamedRecord& record : kRecords) {
    if (record.path == path) return record.type;
  }
  return nullptr;
}

std::vector<InputDefault> HydraDefaults() {
  constexpr std::pair<std::string_view, std::string_view> kChoices[] = {
      {"output", "default"},      {"launcher", "basic"},     {"sweeper", "basic"},
      {"help", "default"},        {"hydra_help", "default"}, {"hydra_logging", "default"},
      {"job_logging", "default"}, {"callbacks", ""},         {"env", "default"},
  };
  std::vector<InputDefault> defaults;
  for (const auto& [group, option] : kChoices) {
    InputDefault choice;
    choice.kind = InputDefault::Kind::kGroup;
    choice.path = group;
    if (!option.empty()) choice.option = Value(option);
    defaults.push_back(std::move(choice));
  }
  return defaults;
}

}  // namespace ridgeline::config
