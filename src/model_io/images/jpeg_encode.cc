#include <fmt/format.h>

// jpeglib.h uses FILE without including it.
#include <cstdio>
// After <cstdio>.
#include <jpeglib.h>

#include <array>
#include <csetjmp>
#include <cstdlib>

#include "model_io/images/encode.h"

namespace ridgeline::images {
namespace {

// libjpeg leaves its functions by longjmp on errors, so everything with a destructor is
// here and not on their stack.
struct JpegOutput {
  explicit JpegOutput(const Image& picture) : image(picture) {}
  JpegOutput(const JpegOutput&) = delete;
  JpegOutput& operator=(const JpegOutput&) = delete;
  ~JpegOutput() {
    jpeg_destroy_compress(&encoder);
    std::free(bytes);
  }

  const Image& image;
  int quality = 0;
  jpeg_compress_struct encoder = {};
  jpeg_error_mgr errors = {};
  std::jmp_buf jump = {};
  std::array<char, JMSG_LENGTH_MAX> problem = {};
  unsigned char* bytes = nullptr;  // Allocated by libjpeg with malloc.
  unsigned long size = 0;
};

void OnEncodeError(j_common_ptr encoder) {
  auto& output = *static_cast<JpegOutput*>(encoder->client_data);
  encoder->err->format_message(encoder, output.problem.data());
  std::longjmp(output.jump, 1);  // NOLINT(cert-err52-cpp)
}

void OnEncodeMessage(j_common_ptr /*encoder*/) {}

void WriteJpeg(JpegOutput& output) {
  jpeg_compress_struct& encoder = output.encoder;
  jpeg_create_compress(&encoder);
  jpeg_mem_dest(&encoder, &output.bytes, &output.size);
  encoder.image_width = static_cast<JDIMENSION>(output.image.width);
  encoder.image_height = static_cast<JDIMENSION>(output.image.height);
  encoder.input_components = 3;
  encoder.in_color_space = JCS_RGB;
  jpeg_set_defaults(&encoder);
  jpeg_set_quality(&encoder, output.quality, TRUE);
  jpeg_start_compress(&encoder, TRUE);
  for (int y = 0; y < output.image.height; ++y) {
    // libjpeg only reads from it.
    JSAMPROW row = const_cast<JSAMPROW>(output.image.row(y));  // NOLINT
    jpeg_write_scanlines(&encoder, &row, 1);
  }
  jpeg_finish_compress(&encoder);
}

bool Guarded(JpegOutput& output, void (*step)(JpegOutput&)) {
  if (setjmp(output.jump) != 0) return false;  // NOLINT(cert-err52-cpp)
  step(output);
  return true;
}

}  // namespace

Result<std::string> EncodeJpeg(const Image& image, int quality) {
  JpegOutput output(image);
  output.quality = quality;
  output.encoder.err = jpeg_std_error(&output.errors);
  output.encoder.client_data = &output;
  output.errors.error_exit = OnEncodeError;
  output.errors.output_message = OnEncodeMessage;
  if (!Guarded(output, WriteJpeg)) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("{}x{} pixels as JPEG: {}", image.width, image.height,
                             output.problem.data()));
  }
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libjpeg's bytes.
  return std::string(reinterpret_cast<const char*>(output.bytes), output.size);
}

}  // namespace ridgeline::images
