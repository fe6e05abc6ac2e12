// What Hydra brings along: its own config groups and the types of its records.
// `--cfg hydra` has to print the same as Hydra does, so the data is the same.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/compose/config_files.h"
#include "config/compose/default_element.h"
#include "config/tree/type_hint.h"

namespace ridgeline::config {

// The YAML files of pkg://hydra.conf; see PackageRoot().
const ConfigFiles& BuiltinPackages();
// The directory of a package in there: "hydra.conf" exists, no other does.
std::string PackageRoot(std::string_view package);

// The names of the records of structured://, "/hydra/config.yaml" and so on, as
// files without text.
const ConfigFiles& BuiltinRecordNames();
// The record behind such a name; null for the one that is an empty dict.
const StructType* BuiltinRecord(std::string_view path);

// The defaults list of the record hydra/config.
std::vector<InputDefault> HydraDefaults();

// One element of hydra.runtime.config_sources.
extern const StructType kConfigSourceInfo;

}  // namespace ridgeline::config
