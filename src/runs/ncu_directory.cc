#include "runs/ncu_directory.h"

#include <algorithm>
#include <utility>

#include "analysis/ncu_findings.h"
#include "os/files.h"
#include "profiles/formats.h"

namespace ridgeline::runs {
namespace {

namespace fs = std::filesystem;
using profiles::Format;
using profiles::Tool;
using results::NcuForm;
using results::NcuRows;

bool MayBeNcuName(const std::string& name) {
  const auto formats = profiles::Formats();
  return std::any_of(formats.begin(), formats.end(), [&](const Format& format) {
    return format.tool == Tool::kNcu && !format.file_ending.empty() &&
           name.ends_with(format.file_ending);
  });
}

Result<NcuRows> ReadNcuFile(const fs::path& path) {
  RIDGELINE_TRY(profiles::Profile profile, profiles::OpenProfile(path, {}, {Tool::kNcu}));
  return std::get<NcuRows>(std::move(profile.rows));
}

// Most precise first: values of earlier pages take precedence.
int RankOf(NcuForm form) {
  switch (form) {
    case NcuForm::kReport:
      return 0;
    case NcuForm::kWide:
      return 1;
    case NcuForm::kLong:
      return 2;
    case NcuForm::kSummary:
      return 3;
  }
  return 3;
}

class DirectoryReader {
 public:
  Status Read(const fs::path& path, const std::string& group, int depth) {
    constexpr int kDeepest = 16;  // Links may form cycles.
    if (depth > kDeepest) return Ok();
    RIDGELINE_TRY(const std::vector<os::DirectoryEntry> entries, os::ListDirectory(path));
    std::vector<NcuRows> pages;
    for (const os::DirectoryEntry& entry : entries) {
      if (entry.kind != os::FileKind::kRegular || !MayBeNcuName(entry.name)) continue;
      ReadPage(path / entry.name, pages);
    }
    AddGroup(std::move(pages), group);
    for (const os::DirectoryEntry& entry : entries) {
      if (entry.kind != os::FileKind::kDirectory) continue;
      const std::string below = group.empty() ? entry.name : group + "/" + entry.name;
      RIDGELINE_RETURN_IF_ERROR(Read(path / entry.name, below, depth + 1));
    }
    return Ok();
  }

  void ReadPage(const fs::path& path, std::vector<NcuRows>& pages) {
    const Result<const Format*> format = profiles::FormatOf(path);
    if (!format.ok()) {
      found_.problems.push_back(format.error().message());
      return;
    }
    if (format.value() == nullptr || format.value()->tool != Tool::kNcu) return;
    Result<NcuRows> rows = ReadNcuFile(path);
    if (!rows.ok()) {
      found_.problems.push_back(rows.error().message());
      return;
    }
    ++found_.files;
    pages.push_back(std::move(rows).value());
  }

  void AddGroup(std::vector<NcuRows> pages, const std::string& group) {
    std::erase_if(pages, [](const NcuRows& page) { return page.launches.empty(); });
    if (pages.empty()) return;
    std::stable_sort(pages.begin(), pages.end(), [](const NcuRows& a, const NcuRows& b) {
      return RankOf(a.form) < RankOf(b.form);
    });
    NcuRows merged = std::move(pages.front());
    for (size_t i = 1; i < pages.size(); ++i) {
      if (pages[i].form == NcuForm::kSummary && merged.form != NcuForm::kSummary) break;
      analysis::Merge(pages[i], merged);
    }
    found_.groups.insert(found_.groups.end(), merged.launches.size(), group);
    if (found_.rows.launches.empty()) {
      found_.rows = std::move(merged);
    } else {
      analysis::Append(merged, found_.rows);
    }
  }

  NcuDirectory Take() { return std::move(found_); }

 private:
  NcuDirectory found_;
};

}  // namespace

Result<NcuDirectory> ReadNcuDirectory(const fs::path& path) {
  DirectoryReader reader;
  if (os::IsDirectory(path)) {
    RIDGELINE_RETURN_IF_ERROR(reader.Read(path, "", 0));
  } else {
    std::vector<NcuRows> pages(1);
    RIDGELINE_TRY(pages[0], ReadNcuFile(path));
    reader.AddGroup(std::move(pages), path.filename().string());
  }
  NcuDirectory found = reader.Take();
  if (!found.rows.launches.empty()) return found;
  if (!found.problems.empty()) return Error(ErrorCode::kParse, found.problems.front());
  return Error(
      ErrorCode::kNotFound,
      path.string() +
          ": no launches profiled with ncu; expected .ncu-rep files, or CSV of ncu "
          "--page raw or details");
}

}  // namespace ridgeline::runs
