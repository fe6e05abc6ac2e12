#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "os/testing/golden.h"

namespace ridgeline::report {

// metrics.json without `advice` of tests/data/reports/<name>.json, which was made up: in
// "gpu_run" nearly every rule of advice finds something.
inline nlohmann::ordered_json SavedReport(const std::string& name) {
  const std::filesystem::path path =
      std::filesystem::path(RIDGELINE_TESTS_DIR) / "data/reports" / (name + ".json");
  const Result<std::string> text = os::ReadFile(path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? nlohmann::ordered_json::parse(text.value())
                   : nlohmann::ordered_json();
}

}  // namespace ridgeline::report
