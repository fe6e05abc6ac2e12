#include <string>
#include <string_view>
#include <vector>

#include "hardware/tools.h"
#include "os/files.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;

constexpr const char* kImporterName = "QdstrmImporter";

// The first is Debian's package; its nsys does not look there.
constexpr const char* kImporterPlaces[] = {
    "/usr/lib/nsight-systems/host-linux-*/QdstrmImporter",
    "/usr/lib/*/nsight-systems/host-linux-*/QdstrmImporter",
    "/opt/nvidia/nsight-systems/*/host-linux-*/QdstrmImporter",
    "/usr/local/cuda*/nsight-systems-*/host-linux-*/QdstrmImporter",
};

// The sibling directory in which nsys looks; the names have the same suffix:
// target-linux-x64 and host-linux-x64.
std::optional<fs::path> ExpectedImporter(const fs::path& nsys) {
  const Result<fs::path> real = os::RealPath(nsys);
  if (!real.ok()) return std::nullopt;
  const fs::path directory = real.value().parent_path();
  const std::string name = directory.filename().string();
  constexpr std::string_view kTarget = "target-";
  if (!name.starts_with(kTarget)) return std::nullopt;
  return directory.parent_path() / ("host-" + name.substr(kTarget.size())) /
         kImporterName;
}

}  // namespace

NsysImporter FindNsysImporter(const fs::path& nsys, const SystemFiles& files) {
  NsysImporter importer;
  importer.expected = ExpectedImporter(nsys);
  importer.is_in_place = importer.expected && os::IsRegularFile(*importer.expected);
  if (importer.is_in_place) return importer;
  for (const char* pattern : kImporterPlaces) {
    const std::vector<fs::path> found = MatchPaths(pattern, files);
    if (found.empty()) continue;
    importer.elsewhere = found.back();
    break;
  }
  return importer;
}

}  // namespace ridgeline::hardware
