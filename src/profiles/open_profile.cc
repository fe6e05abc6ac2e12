#include <algorithm>
#include <memory>
#include <utility>

#include "os/command.h"
#include "os/file_source.h"
#include "os/files.h"
#include "profiles/formats.h"
#include "profiles/shared/gzip.h"

namespace ridgeline::profiles {
namespace {

// Programs may print before ncu writes its table.
constexpr size_t kHeadBytes = size_t{64} << 10;

// A source whose first bytes can be inspected before reading.
class PeekSource final : public ByteSource {
 public:
  explicit PeekSource(ByteSource& source) : source_(source) {}

  Result<std::string_view> Peek() {
    head_.resize(kHeadBytes);
    size_t used = 0;
    while (used < head_.size()) {
      RIDGELINE_TRY(const size_t count, source_.Read(std::span(head_).subspan(used)));
      if (count == 0) break;
      used += count;
    }
    head_.resize(used);
    rest_ = head_;
    return rest_;
  }

  Result<size_t> Read(std::span<char> into) override {
    if (rest_.empty()) return source_.Read(into);
    const size_t count = rest_.copy(into.data(), into.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  ByteSource& source_;
  std::string head_;
  std::string_view rest_;
};

// Counts bytes: pipes have no size.
class CountingSource final : public ByteSource {
 public:
  explicit CountingSource(ByteSource& source) : source_(source) {}

  Result<size_t> Read(std::span<char> into) override {
    Result<size_t> count = source_.Read(into);
    if (count.ok()) bytes_ += static_cast<int64_t>(count.value());
    return count;
  }
  int64_t bytes() const { return bytes_; }

 private:
  ByteSource& source_;
  int64_t bytes_ = 0;
};

const Format* Match(std::string_view head) {
  const std::span<const Format> formats = Formats();
  const auto found =
      std::find_if(formats.begin(), formats.end(),
                   [&](const Format& format) { return format.matches(head); });
  return found == formats.end() ? nullptr : &*found;
}

using Tools = std::initializer_list<Tool>;

// "an nsys SQLite export or an nsys kernel summary (CSV)"
std::string NamesOf(Tools tools) {
  std::string text;
  for (const Format& format : Formats()) {
    if (std::find(tools.begin(), tools.end(), format.tool) == tools.end()) continue;
    text += (text.empty() ? "" : " or ") + std::string(format.one);
  }
  return text.empty() ? "a profile" : text;
}

// A file being read. Errors do not name it yet.
struct Opening {
  const std::filesystem::path& path;
  const ReadOptions& options;
  Tools tools;

  Result<const Format*> FormatOfText(std::string_view head) const {
    const Format* const format = Match(head);
    const bool is_wanted = format != nullptr &&
                           (tools.size() == 0 || std::find(tools.begin(), tools.end(),
                                                           format->tool) != tools.end());
    if (is_wanted) return format;
    if (format == nullptr && !head.empty() && IsNsysReport(head, path)) {
      // nsys rejects reports of versions later than its own.
      return Error(ErrorCode::kParse,
                   "nsys reports (.nsys-rep, .qdrep) cannot be read directly\nhint: nsys "
                   "export --type sqlite " +
                       os::ShellQuoted(path.string()) +
                       ", with the same or a newer nsys");
    }
    const bool is_unknown = format == nullptr && !head.empty() && tools.size() == 0;
    return Error(
        ErrorCode::kParse,
        "expected " + NamesOf(tools) + ", got " + DescribeContent(head) +
            (is_unknown ? "\nhint: `ridgeline import --help` lists the formats" : ""));
  }

  Result<Profile> ReadText(const Format& format, PeekSource& text,
                           bool is_seekable) const {
    RIDGELINE_TRY(
        Profile profile,
        format.read({.path = path, .bytes = text, .is_seekable = is_seekable}, options));
    profile.info.format = format.id;
    if (profile.info.tool.empty()) profile.info.tool = format.tool_name;
    return profile;
  }

  Result<Profile> ReadAny(ByteSource& file) const {
    PeekSource peeked(file);
    RIDGELINE_TRY(const std::string_view head, peeked.Peek());
    if (!IsGzip(head)) {
      RIDGELINE_TRY(const Format* const format, FormatOfText(head));
      return ReadText(*format, peeked, os::IsRegularFile(path));
    }
    RIDGELINE_TRY(const std::unique_ptr<GunzipSource> text, GunzipSource::Create(peeked));
    PeekSource decompressed(*text);
    RIDGELINE_TRY(const std::string_view text_head, decompressed.Peek());
    RIDGELINE_TRY(const Format* const format, FormatOfText(text_head));
    Result<Profile> profile = ReadText(*format, decompressed, false);
    // Offsets in the text refer to the decompressed file.
    if (profile.ok() || text->is_damaged()) return profile;
    return std::move(profile).error().While("decompressed");
  }
};

}  // namespace

Result<const Format*> FormatOf(const std::filesystem::path& path) {
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  PeekSource peeked(file);
  RIDGELINE_TRY(const std::string_view head, peeked.Peek());
  if (!IsGzip(head)) return Match(head);
  RIDGELINE_TRY(const std::unique_ptr<GunzipSource> text, GunzipSource::Create(peeked));
  PeekSource decompressed(*text);
  Result<std::string_view> text_head = decompressed.Peek();
  if (!text_head.ok()) return std::move(text_head).error().While(path.string());
  return Match(text_head.value());
}

Result<Profile> OpenProfile(const std::filesystem::path& path, const ReadOptions& options,
                            Tools tools) {
  RIDGELINE_TRY(os::FileSource file, os::FileSource::Open(path));
  CountingSource counted(file);
  Result<Profile> profile = Opening{path, options, tools}.ReadAny(counted);
  if (!profile.ok()) {
    // I/O errors, unlike format errors, include the file name.
    if (profile.error().message().starts_with(path.string())) {
      return std::move(profile).error();
    }
    return std::move(profile).error().While(path.string());
  }
  ProfileInfo& info = profile.value().info;
  info.file = path.string();
  info.file_bytes = counted.bytes();
  if (os::IsRegularFile(path)) {
    // Not every reader reads to the end.
    RIDGELINE_TRY(info.file_bytes, os::FileSize(path));
  }
  return profile;
}

}  // namespace ridgeline::profiles
