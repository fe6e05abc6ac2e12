#include "profiles/whole_text.h"

#include <span>

namespace ridgeline::profiles {

Result<std::string> WholeText(ByteSource& source, size_t most_bytes,
                              const std::string& too_much) {
  constexpr size_t kPieceBytes = size_t{64} << 10;
  std::string text;
  while (true) {
    const size_t used = text.size();
    text.resize(used + kPieceBytes);
    RIDGELINE_TRY(const size_t count, source.Read(std::span(text).subspan(used)));
    text.resize(used + count);
    if (count == 0) return text;
    if (text.size() > most_bytes) return Error(ErrorCode::kParse, too_much);
  }
}

}  // namespace ridgeline::profiles
