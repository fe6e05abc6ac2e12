#include "profiles/shared/gzip.h"

#include <zlib.h>

#include <array>

namespace ridgeline::profiles {
namespace {

// Traces are repetitive: a higher level takes twice the time to save a tenth of the size.
constexpr int kLevel = 3;
constexpr int kMemoryLevel = 8;  // zlib's default.

}  // namespace

struct Gzip::Stream {
  z_stream z = {};
  int state = Z_OK;
};

Gzip::Gzip() : stream_(std::make_unique<Stream>()) {
  stream_->state = deflateInit2(&stream_->z, kLevel, Z_DEFLATED, kGzipWindow,
                                kMemoryLevel, Z_DEFAULT_STRATEGY);
}

Gzip::~Gzip() { deflateEnd(&stream_->z); }

void Gzip::Add(std::string_view text) {
  // zlib uses 32-bit sizes.
  constexpr size_t kMost = size_t{1} << 30;
  while (text.size() > kMost) {
    Add(text.substr(0, kMost));
    text.remove_prefix(kMost);
  }
  z_stream& z = stream_->z;
  if (stream_->state != Z_OK) return;
  std::array<unsigned char, 1 << 16> block;
  // zlib does not write to it.
  z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<unsigned>(text.size());
  while (z.avail_in > 0 && stream_->state == Z_OK) {
    z.next_out = block.data();
    z.avail_out = block.size();
    stream_->state = deflate(&z, Z_NO_FLUSH);
    out_.append(reinterpret_cast<char*>(block.data()), block.size() - z.avail_out);
  }
}

Result<std::string> Gzip::Finish() {
  z_stream& z = stream_->z;
  std::array<unsigned char, 1 << 16> block;
  while (stream_->state == Z_OK) {
    z.next_out = block.data();
    z.avail_out = block.size();
    stream_->state = deflate(&z, Z_FINISH);
    out_.append(reinterpret_cast<char*>(block.data()), block.size() - z.avail_out);
  }
  if (stream_->state != Z_STREAM_END) {
    return Error(ErrorCode::kIo,
                 "zlib could not compress: error " + std::to_string(stream_->state));
  }
  return std::move(out_);
}

}  // namespace ridgeline::profiles
