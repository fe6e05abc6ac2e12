
#include <zlib.h>

#include <string>
#include <vector>

#include "profiles/shared/gzip.h"

namespace ridgeline::profiles {
namespace {

constexpr size_t kBlockBytes = size_t{128} << 10;

}  // namespace

struct GunzipSource::Stream {
  explicit Stream(ByteSource& from) : compressed(from), block(kBlockBytes) {}
  ~Stream() {
    if (is_open) inflateEnd(&zlib);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // In the compressed file, up to the input consumed by zlib.
  int64_t offset() const { return bytes_read - static_cast<int64_t>(zlib.avail_in); }

  // False at the end of the compressed file.
  Result<bool> Refill() {
    if (zlib.avail_in > 0) return true;
    RIDGELINE_TRY(const size_t count, compressed.Read(block));
    bytes_read += static_cast<int64_t>(count);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's bytes.
    zlib.next_in = reinterpret_cast<Bytef*>(block.data());
    zlib.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  // Tapes and block devices pad files with zeros; no member begins with one.
  void SkipPadding() {
    for (; zlib.avail_in > 0 && *zlib.next_in == 0; --zlib.avail_in) ++zlib.next_in;
  }

  Error Broken(const std::string& what) {
    is_damaged = true;
    return {ErrorCode::kParse,
            "byte " + std::to_string(offset()) + " of the compressed file: " + what};
  }

  ByteSource& compressed;
  std::vector<char> block;
  z_stream zlib = {};
  int64_t bytes_read = 0;
  bool is_open = false;
  bool is_between_members = false;
  bool is_damaged = false;
};

bool IsGzip(std::string_view first_bytes) { return first_bytes.starts_with("\x1f\x8b"); }

GunzipSource::GunzipSource(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
GunzipSource::~GunzipSource() = default;

bool GunzipSource::is_damaged() const { return stream_->is_damaged; }

Result<std::unique_ptr<GunzipSource>> GunzipSource::Create(ByteSource& compressed) {
  auto stream = std::make_unique<Stream>(compressed);
  if (inflateInit2(&stream->zlib, kGzipWindow) != Z_OK) {
    return Error(ErrorCode::kUnsupported, "zlib failed to initialize");
  }
  stream->is_open = true;
  return std::unique_ptr<GunzipSource>(new GunzipSource(std::move(stream)));
}

Result<size_t> GunzipSource::Read(std::span<char> into) {
  z_stream& zlib = stream_->zlib;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's bytes.
  zlib.next_out = reinterpret_cast<Bytef*>(into.data());
  zlib.avail_out = static_cast<uInt>(into.size());
  while (zlib.avail_out == into.size()) {
    RIDGELINE_TRY(const bool has_more, stream_->Refill());
    if (!has_more) {
      if (stream_->is_between_members) return size_t{0};
      return stream_->Broken("unexpected end of file, the file is truncated");
    }
    if (stream_->is_between_members) {
      stream_->SkipPadding();
      if (zlib.avail_in == 0) continue;
      inflateReset(&zlib);
      stream_->is_between_members = false;
    }
    const int status = inflate(&zlib, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      stream_->is_between_members = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      return stream_->Broken(zlib.msg != nullptr ? zlib.msg : "damaged");
    }
  }
  return into.size() - zlib.avail_out;
}

}  // namespace ridgeline::profiles
