// Hydra's built-in data: its own config groups and the types of its records. Must match
// Hydra exactly, because `--cfg hydra` has to print the same output.
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
// The directory of a package in BuiltinPackages(); only "hydra.conf" exists.
std::string PackageRoot(std::string_view package);

// Names of the records of structured:// ("/hydra/config.yaml" etc.), as files with empty
// text.
const ConfigFiles& BuiltinRecordNames();
// The record for such a name; null for the single record that is an empty dict.
const StructType* BuiltinRecord(std::string_view path);

// The defaults list of the record hydra/config.
std::vector<InputDefault> HydraDefaults();

// One element of hydra.runtime.config_sources.
extern const StructType kConfigSourceInfo;

}  // namespace ridgeline::config
