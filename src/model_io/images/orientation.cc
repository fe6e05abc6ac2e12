#include "model_io/images/orientation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

namespace ridgeline::images {
namespace {

constexpr uint32_t kOrientationTag = 0x0112;

// Numbers in a TIFF file, which declares their byte order.
class TiffBytes {
 public:
  TiffBytes(std::string_view bytes, bool big_endian)
      : bytes_(bytes), big_endian_(big_endian) {}

  bool Holds(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }

  // The `size` bytes at `offset` as one number; must be in range.
  uint32_t Number(uint64_t offset, int size) const {
    uint32_t number = 0;
    for (int i = 0; i < size; ++i) {
      const int place = big_endian_ ? i : size - 1 - i;
      const auto byte = static_cast<uint8_t>(bytes_[offset + static_cast<size_t>(place)]);
      number = number << 8 | byte;
    }
    return number;
  }

 private:
  std::string_view bytes_;
  bool big_endian_;
};

std::optional<TiffBytes> OpenTiff(std::string_view bytes) {
  if (bytes.size() < 8) return std::nullopt;
  const std::string_view head = bytes.substr(0, 4);
  using namespace std::string_view_literals;
  // The second of each pair is wrong, but written by some cameras.
  if (head == "MM\0*"sv || head == "MM*\0"sv) return TiffBytes(bytes, true);
  if (head == "II*\0"sv || head == "II\0*"sv) return TiffBytes(bytes, false);
  return std::nullopt;
}

// Size of one value by TIFF type number; 0 for unknown types.
int SizeOfType(uint32_t type) {
  constexpr std::array<int, 14> kSizes = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
  return type < kSizes.size() ? kSizes[type] : 0;
}

bool IsWholeNumber(uint32_t type) {
  return type == 3 || type == 4 || type == 8 || type == 9;  // Short, long; also signed.
}

int Digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

struct Turn {
  bool transposed = false;   // Swaps rows and columns.
  bool from_right = false;   // The first column comes from the last one in the file...
  bool from_bottom = false;  // ...and the first row from the last one.
};

Turn TurnOf(int orientation) {
  switch (orientation) {
    case 2:
      return {.from_right = true};
    case 3:
      return {.from_right = true, .from_bottom = true};
    case 4:
      return {.from_bottom = true};
    case 5:
      return {.transposed = true};
    case 6:
      return {.transposed = true, .from_bottom = true};
    case 7:
      return {.transposed = true, .from_right = true, .from_bottom = true};
    case 8:
      return {.transposed = true, .from_right = true};
    default:
      return {};
  }
}

}  // namespace

std::optional<int> OrientationOfExif(std::string_view exif) {
  constexpr std::string_view kMark("Exif\0\0", 6);
  if (exif.starts_with(kMark)) exif.remove_prefix(kMark.size());
  const std::optional<TiffBytes> tiff = OpenTiff(exif);
  if (!tiff) return std::nullopt;

  std::optional<int> orientation;
  uint64_t entry = tiff->Number(4, 4);
  if (!tiff->Holds(entry, 2)) return std::nullopt;
  const uint32_t entries = tiff->Number(entry, 2);
  entry += 2;
  // An entry: tag (2 bytes), type (2), number of values (4), and the values (4) or, if
  // they are longer, their offset. Pillow reads up to the first invalid offset.
  for (uint32_t i = 0; i < entries && tiff->Holds(entry, 12); ++i, entry += 12) {
    const uint32_t type = tiff->Number(entry + 2, 2);
    const int size = SizeOfType(type);
    if (size == 0) continue;
    const uint64_t bytes =
        uint64_t{tiff->Number(entry + 4, 4)} * static_cast<uint64_t>(size);
    const uint64_t place = bytes > 4 ? tiff->Number(entry + 8, 4) : entry + 8;
    if (!tiff->Holds(place, bytes)) break;
    if (bytes == 0 || tiff->Number(entry, 2) != kOrientationTag) continue;
    const uint32_t value = IsWholeNumber(type) ? tiff->Number(place, size) : 0;
    orientation = value <= 8 ? static_cast<int>(value) : 0;
  }
  return orientation;
}

std::optional<int> OrientationOfRawProfile(std::string_view text) {
  for (int line = 0; line < 3; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  std::string bytes;
  int high = -1;
  for (const char c : text) {
    if (c == '\n') continue;
    const int digit = Digit(c);
    if (digit < 0) return std::nullopt;
    if (high >= 0) bytes.push_back(static_cast<char>(high * 16 + digit));
    high = high < 0 ? digit : -1;
  }
  return OrientationOfExif(bytes);
}

std::optional<int> OrientationOfXmp(std::string_view xmp) {
  constexpr std::string_view kName = "tiff:Orientation";
  for (size_t at = xmp.find(kName); at != std::string_view::npos;
       at = xmp.find(kName, at + 1)) {
    std::string_view rest = xmp.substr(at + kName.size());
    // As an attribute or as an element: tiff:Orientation="6" or <tiff:Orientation>6<.
    const size_t skip = rest.starts_with("=\"") ? 2 : rest.starts_with(">") ? 1 : 0;
    if (skip == 0 || rest.size() <= skip) continue;
    const int digit = Digit(rest[skip]);
    if (digit >= 0 && digit <= 9) return digit;
  }
  return std::nullopt;
}

Image Upright(Image image, int orientation) {
  if (orientation < 2 || orientation > 8) return image;
  const Turn turn = TurnOf(orientation);
  Image upright{.width = turn.transposed ? image.height : image.width,
                .height = turn.transposed ? image.width : image.height};
  upright.rgb.resize(image.rgb.size());
  // Distance in the file between adjacent pixels of the result, and the position of its
  // first one.
  const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(image.row_bytes());
  const std::ptrdiff_t right = turn.from_right ? -3 : 3;
  const std::ptrdiff_t down = turn.from_bottom ? -row : row;
  const std::ptrdiff_t step_x = turn.transposed ? down : right;
  const std::ptrdiff_t step_y = turn.transposed ? right : down;
  const uint8_t* first = image.rgb.data() + (turn.from_right ? row - 3 : 0) +
                         (turn.from_bottom ? row * (image.height - 1) : 0);
  uint8_t* to = upright.rgb.data();
  for (std::ptrdiff_t y = 0; y < upright.height; ++y) {
    for (std::ptrdiff_t x = 0; x < upright.width; ++x, to += 3) {
      std::memcpy(to, first + y * step_y + x * step_x, 3);
    }
  }
  return upright;
}

}  // namespace ridgeline::images
