#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <csetjmp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "model_io/images/codecs.h"
#include "model_io/images/orientation.h"

namespace ridgeline::images {
namespace {

// State passed to libpng. It leaves its functions by longjmp on errors, so everything
// with a destructor is here and not on their stack.
struct PngFile {
  explicit PngFile(std::string_view bytes) : unread(bytes) {}
  PngFile(const PngFile&) = delete;
  PngFile& operator=(const PngFile&) = delete;
  ~PngFile() { png_destroy_read_struct(&png, &info, &end_info); }

  std::string_view unread;
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_infop end_info = nullptr;  // For chunks after the pixels.
  std::array<char, 200> problem = {};
  Image image;
};

void OnError(png_structp png, png_const_charp message) {
  auto& file = *static_cast<PngFile*>(png_get_error_ptr(png));
  const std::string_view text(message);
  const size_t length = std::min(text.size(), file.problem.size() - 1);
  std::copy_n(text.begin(), length, file.problem.begin());
  png_longjmp(png, 1);
}

// Ignores problems that do not affect the pixels.
void OnWarning(png_structp /*png*/, png_const_charp /*message*/) {}

void OnRead(png_structp png, png_bytep to, size_t count) {
  auto& file = *static_cast<PngFile*>(png_get_io_ptr(png));
  if (count > file.unread.size()) png_error(png, "the file is truncated");
  std::copy_n(file.unread.begin(), count, to);
  file.unread.remove_prefix(count);
}

// Runs one step; false if libpng jumped out of it. The only function with a setjmp:
// nothing on its stack needs a destructor or changes.
bool Guarded(PngFile& file, void (*step)(PngFile&)) {
  if (setjmp(png_jmpbuf(file.png)) != 0) return false;  // NOLINT(cert-err52-cpp)
  step(file);
  return true;
}

void ReadHead(PngFile& file) {
  png_structp png = file.png;
  png_set_read_fn(png, &file, OnRead);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Compressed texts are decompressed up to 8 MB each (libpng's limit).
  png_set_chunk_cache_max(png, 16);
  // Only chunks with pixels or their orientation are parsed.
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
  constexpr std::string_view kWanted("eXIf\0tEXt\0zTXt\0iTXt", 20);
  std::array<png_byte, 20> wanted = {};
  std::copy(kWanted.begin(), kWanted.end(), wanted.begin());
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, wanted.data(), 4);
  png_read_info(png, file.info);
}

bool IsPalette(const PngFile& file) {
  return png_get_color_type(file.png, file.info) == PNG_COLOR_TYPE_PALETTE;
}

bool IsGrey16(const PngFile& file) {
  return png_get_color_type(file.png, file.info) == PNG_COLOR_TYPE_GRAY &&
         png_get_bit_depth(file.png, file.info) == 16;
}

// Rows of at most 3 bytes per pixel: RGB, or data that ExpandRows converts to RGB.
void ReadRows(PngFile& file) {
  png_structp png = file.png;
  if (IsPalette(file)) {
    png_set_packing(png);  // One index per byte.
  } else if (!IsGrey16(file)) {
    png_set_expand_gray_1_2_4_to_8(png);
    png_set_strip_16(png);  // Like Pillow, keeps the high byte.
    png_set_strip_alpha(png);
    png_set_gray_to_rgb(png);
  }
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, file.info);
  if (png_get_rowbytes(png, file.info) > file.image.row_bytes()) {
    png_error(png, "more than 3 bytes per pixel");
  }
  for (int pass = 0; pass < passes; ++pass) {
    for (int y = 0; y < file.image.height; ++y) {
      png_read_row(png, file.image.row(y), nullptr);
    }
  }
  png_read_end(png, file.end_info);
}

// Indexes beyond the palette are grey, as in Pillow, which initializes palettes that way.
std::array<Colour, 256> PaletteOf(const PngFile& file) {
  std::array<Colour, 256> palette;
  for (size_t i = 0; i < palette.size(); ++i) {
    const auto grey = static_cast<uint8_t>(i);
    palette[i] = {grey, grey, grey};
  }
  png_colorp colours = nullptr;
  int count = 0;
  png_get_PLTE(file.png, file.info, &colours, &count);
  for (size_t i = 0; i < std::min(static_cast<size_t>(count), palette.size()); ++i) {
    palette[i] = {colours[i].red, colours[i].green, colours[i].blue};
  }
  return palette;
}

// From the right, because the index or grey value of a pixel is to the left of its RGB
// destination.
void ExpandPalette(const std::array<Colour, 256>& palette, Image& image) {
  for (int y = 0; y < image.height; ++y) {
    uint8_t* row = image.row(y);
    for (auto x = static_cast<size_t>(image.width); x-- > 0;) {
      const Colour colour = palette[row[x]];
      row[3 * x] = colour.red;
      row[3 * x + 1] = colour.green;
      row[3 * x + 2] = colour.blue;
    }
  }
}

// Pillow 9.4 reads 16-bit grey as integers and clips them at 255 on conversion to RGB:
// everything but the darkest 1/256 of the scale is white. Not desirable, but it is the
// input the model was given.
void ExpandGrey16(Image& image) {
  for (int y = 0; y < image.height; ++y) {
    uint8_t* row = image.row(y);
    for (auto x = static_cast<size_t>(image.width); x-- > 0;) {
      const uint8_t grey = row[2 * x] != 0 ? 255 : row[2 * x + 1];
      std::fill_n(row + 3 * x, 3, grey);
    }
  }
}

std::optional<int> OrientationOfTexts(png_structp png, png_infop info) {
  png_textp texts = nullptr;
  const int count = png_get_text(png, info, &texts, nullptr);
  std::optional<int> from_xmp;
  for (int i = 0; i < count; ++i) {
    const png_text& text = texts[i];
    const std::string_view name(text.key);
    const size_t length = std::max(text.text_length, text.itxt_length);
    const std::string_view value(text.text, text.text == nullptr ? 0 : length);
    if (name == "Raw profile type exif") {
      if (const auto orientation = OrientationOfRawProfile(value)) return orientation;
    }
    if (name == "XML:com.adobe.xmp") from_xmp = OrientationOfXmp(value);
  }
  return from_xmp;
}

// EXIF data may come before or after the pixels.
int OrientationOf(const PngFile& file) {
  for (png_infop info : {file.info, file.end_info}) {
    png_bytep exif = nullptr;
    png_uint_32 length = 0;
    if (png_get_eXIf_1(file.png, info, &length, &exif) == 0) continue;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libpng's bytes.
    const std::string_view bytes(reinterpret_cast<const char*>(exif), length);
    if (const auto orientation = OrientationOfExif(bytes)) return *orientation;
  }
  for (png_infop info : {file.info, file.end_info}) {
    if (const auto orientation = OrientationOfTexts(file.png, info)) return *orientation;
  }
  return 1;
}

Error Broken(const PngFile& file) {
  return {ErrorCode::kParse, fmt::format("not a readable PNG: {}", file.problem.data())};
}

}  // namespace

bool IsPng(std::string_view bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

Result<Image> DecodePng(std::string_view bytes, const DecodeLimits& limits) {
  PngFile file(bytes);
  file.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &file, OnError, OnWarning);
  if (file.png != nullptr) file.info = png_create_info_struct(file.png);
  if (file.info != nullptr) file.end_info = png_create_info_struct(file.png);
  if (file.end_info == nullptr) {
    return Error(ErrorCode::kUnsupported, "cannot initialize libpng");
  }

  if (!Guarded(file, ReadHead)) return Broken(file);
  RIDGELINE_TRY(file.image,
                AllocateImage(png_get_image_width(file.png, file.info),
                              png_get_image_height(file.png, file.info), limits));
  const bool is_palette = IsPalette(file);
  const bool is_grey16 = IsGrey16(file);
  if (!Guarded(file, ReadRows)) return Broken(file);
  if (is_palette) ExpandPalette(PaletteOf(file), file.image);
  if (is_grey16) ExpandGrey16(file.image);
  return Upright(std::move(file.image), OrientationOf(file));
}

}  // namespace ridgeline::images
