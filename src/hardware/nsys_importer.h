#pragma once

#include <filesystem>
#include <optional>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

// Nsight Systems writes a raw stream and turns it into a report with a program that it
// expects in a directory beside its own. Without it only the stream is left, and nsys
// still returns 0.
struct NsysImporter {
  // Where nsys looks; nothing if we cannot tell (nsys is a script that starts another).
  std::optional<std::filesystem::path> expected;
  bool is_in_place = false;
  std::optional<std::filesystem::path> elsewhere;  // Where it lies instead.
};

// For an nsys at `nsys`; nothing is run.
NsysImporter FindNsysImporter(const std::filesystem::path& nsys,
                              const SystemFiles& files = SystemFiles());

}  // namespace ridgeline::hardware
