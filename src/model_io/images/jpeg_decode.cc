#include <fmt/format.h>

#include "model_io/images/codecs.h"

// jpeglib.h uses FILE without including it.
#include <cstdio>
// After <cstdio>.
#include <jpeglib.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model_io/images/orientation.h"

namespace ridgeline::images {
namespace {

// A progressive image has about ten scans. Each costs a pass over all pixels and may be
// as short as twenty bytes, so without a limit a small file could take hours.
constexpr int kScansMax = 100;

// State passed to libjpeg. It leaves its functions by longjmp on errors, so everything
// with a destructor is here and not on their stack.
struct JpegFile {
  JpegFile() = default;
  JpegFile(const JpegFile&) = delete;
  JpegFile& operator=(const JpegFile&) = delete;
  ~JpegFile() { jpeg_destroy_decompress(&decoder); }

  jpeg_decompress_struct decoder = {};
  jpeg_error_mgr errors = {};
  jpeg_source_mgr source = {};
  jpeg_progress_mgr progress = {};
  std::jmp_buf jump = {};
  std::array<char, JMSG_LENGTH_MAX> problem = {};
  Image image;
  std::vector<uint8_t> cmyk_row;
};

JpegFile& FileOf(j_common_ptr decoder) {
  return *static_cast<JpegFile*>(decoder->client_data);
}

[[noreturn]] void Fail(JpegFile& file, std::string_view problem) {
  std::copy(problem.begin(), problem.end(), file.problem.begin());
  std::longjmp(file.jump, 1);  // NOLINT(cert-err52-cpp)
}

void OnError(j_common_ptr decoder) {
  JpegFile& file = FileOf(decoder);
  decoder->err->format_message(decoder, file.problem.data());
  std::longjmp(file.jump, 1);  // NOLINT(cert-err52-cpp)
}

// Ignores corrupt data that libjpeg can recover from, like Pillow.
void OnMessage(j_common_ptr /*decoder*/) {}

void OnSourceStep(j_decompress_ptr /*decoder*/) {}

// The whole file is in memory: a request for more means it is truncated.
boolean OnEndOfBytes(j_decompress_ptr decoder) {
  Fail(*static_cast<JpegFile*>(decoder->client_data), "the file is truncated");
}

void OnSkip(j_decompress_ptr decoder, long count) {
  if (count <= 0) return;
  jpeg_source_mgr& source = *decoder->src;
  if (static_cast<size_t>(count) > source.bytes_in_buffer) OnEndOfBytes(decoder);
  source.next_input_byte += count;
  source.bytes_in_buffer -= static_cast<size_t>(count);
}

void OnProgress(j_common_ptr decoder) {
  JpegFile& file = FileOf(decoder);
  if (file.decoder.input_scan_number > kScansMax) Fail(file, "too many scans");
}

// Runs one step; false if libjpeg jumped out of it. The only function with a setjmp:
// nothing on its stack needs a destructor or changes.
bool Guarded(JpegFile& file, void (*step)(JpegFile&)) {
  if (setjmp(file.jump) != 0) return false;  // NOLINT(cert-err52-cpp)
  step(file);
  return true;
}

void Prepare(JpegFile& file) {
  // Pillow uses libjpeg's defaults: the slow integer DCT, smooth upsampling.
  jpeg_create_decompress(&file.decoder);
  file.decoder.src = &file.source;
  file.decoder.progress = &file.progress;
  file.progress.progress_monitor = OnProgress;
  jpeg_save_markers(&file.decoder, JPEG_APP0 + 1, 0xFFFF);
  jpeg_read_header(&file.decoder, TRUE);
}

// Always inverted: Pillow takes every CMYK JPEG for one of Adobe's, and nearly all are.
void ExpandCmyk(const uint8_t* cmyk, int width, uint8_t* rgb) {
  for (int x = 0; x < width; ++x, cmyk += 4, rgb += 3) {
    const int white = cmyk[3];
    for (size_t i = 0; i < 3; ++i) {
      const int product = (255 - cmyk[i]) * white + 128;
      rgb[i] = static_cast<uint8_t>(white - (((product >> 8) + product) >> 8));
    }
  }
}

// From the right, because the grey value of a pixel is to the left of its RGB
// destination.
void ExpandGrey(int width, uint8_t* row) {
  for (auto x = static_cast<size_t>(width); x-- > 0;) std::fill_n(row + 3 * x, 3, row[x]);
}

void ReadRows(JpegFile& file) {
  jpeg_start_decompress(&file.decoder);
  const int components = file.decoder.num_components;
  for (int y = 0; y < file.image.height; ++y) {
    uint8_t* row = file.image.row(y);
    JSAMPROW to = components == 4 ? file.cmyk_row.data() : row;
    jpeg_read_scanlines(&file.decoder, &to, 1);
    if (components == 4) ExpandCmyk(file.cmyk_row.data(), file.image.width, row);
    if (components == 1) ExpandGrey(file.image.width, row);
  }
  // All pixels are decoded; a missing end marker does not matter.
}

int OrientationOf(const JpegFile& file) {
  constexpr std::string_view kMark("Exif\0", 5);
  for (const jpeg_marker_struct* marker = file.decoder.marker_list; marker != nullptr;
       marker = marker->next) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libjpeg's bytes.
    const std::string_view bytes(reinterpret_cast<const char*>(marker->data),
                                 marker->data_length);
    // The first one counts, even if it is empty.
    if (bytes.starts_with(kMark)) return OrientationOfExif(bytes).value_or(1);
  }
  return 1;
}

Error Broken(const JpegFile& file) {
  return {ErrorCode::kParse, fmt::format("not a readable JPEG: {}", file.problem.data())};
}

void SetUp(JpegFile& file, std::string_view bytes) {
  file.decoder.err = jpeg_std_error(&file.errors);
  file.decoder.client_data = &file;
  file.errors.error_exit = OnError;
  file.errors.output_message = OnMessage;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libjpeg's bytes.
  file.source.next_input_byte = reinterpret_cast<const JOCTET*>(bytes.data());
  file.source.bytes_in_buffer = bytes.size();
  file.source.init_source = OnSourceStep;
  file.source.fill_input_buffer = OnEndOfBytes;
  file.source.skip_input_data = OnSkip;
  file.source.resync_to_restart = jpeg_resync_to_restart;
  file.source.term_source = OnSourceStep;
}

// The output format requested by Pillow, by the number of components alone.
Status ChooseColours(JpegFile& file) {
  switch (file.decoder.num_components) {
    case 1:
      file.decoder.out_color_space = JCS_GRAYSCALE;
      return Ok();
    case 3:
      file.decoder.out_color_space = JCS_RGB;
      return Ok();
    case 4:
      file.decoder.out_color_space = JCS_CMYK;
      file.cmyk_row.resize(4 * static_cast<size_t>(file.image.width));
      return Ok();
    default:
      return Error(
          ErrorCode::kUnsupported,
          fmt::format("unsupported JPEG: {} color components, expected 1, 3 or 4",
                      file.decoder.num_components));
  }
}

}  // namespace

bool IsJpeg(std::string_view bytes) { return bytes.starts_with("\xff\xd8\xff"); }

Result<Image> DecodeJpeg(std::string_view bytes, const DecodeLimits& limits) {
  JpegFile file;
  SetUp(file, bytes);
  if (!Guarded(file, Prepare)) return Broken(file);
  RIDGELINE_TRY(file.image, AllocateImage(file.decoder.image_width,
                                          file.decoder.image_height, limits));
  RIDGELINE_RETURN_IF_ERROR(ChooseColours(file));
  if (!Guarded(file, ReadRows)) return Broken(file);
  return Upright(std::move(file.image), OrientationOf(file));
}

}  // namespace ridgeline::images
