#include "profiles/torch_trace/torch_trace.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "profiles/shared/json_scan.h"
#include "profiles/shared/text_window.h"
#include "profiles/torch_trace/event.h"
#include "profiles/torch_trace/trace_builder.h"

namespace ridgeline::profiles {
namespace {

using torch_trace::RawEvent;

constexpr std::string_view kEventsKey = "traceEvents";

std::string TextOf(const RawScalar& string) {
  return ReplaceBrokenUtf8(string.kind == RawScalar::Kind::kEscapedString
                               ? Unescape(string.text())
                               : std::string(string.text()));
}

char CloserOf(char opener) { return opener == '{' ? '}' : ']'; }

// Reads one trace. `at_` is the current position.
//
// A piece (an event, a key, a value of the header) is scanned as a whole; one that
// reaches the end of the window is scanned again with more text.
class TraceReader {
 public:
  explicit TraceReader(ByteSource& source) : window_(source), at_(window_.begin()) {}

  Result<results::TraceRows> Read() {
    RIDGELINE_RETURN_IF_ERROR(ReadTopLevel());
    RIDGELINE_RETURN_IF_ERROR(NextCharacter());
    if (at_ != window_.end()) return Broken({at_, "unexpected data after the trace"});
    results::TraceRows rows = builder_.Finish();
    rows.text_bytes = window_.OffsetOf(window_.end());
    header_.keys.assign(keys_.begin(), keys_.end());
    rows.header = std::move(header_);
    return rows;
  }

 private:
  Status ReadTopLevel() {
    const auto text = [&] { return std::string_view(at_, window_.end()); };
    while (text().size() < kByteOrderMark.size() && !window_.is_last()) {
      RIDGELINE_RETURN_IF_ERROR(More());
    }
    if (text().starts_with(kByteOrderMark)) at_ += kByteOrderMark.size();
    RIDGELINE_RETURN_IF_ERROR(NextCharacter());
    if (at_ == window_.end()) return Error(ErrorCode::kParse, "the file is empty");
    header_.is_array = *at_ == '[';
    if (header_.is_array) return ReadEvents();
    if (*at_ == '{') return ReadObject();
    return Broken({at_, "expected '{' or '[' at the start of a trace"});
  }

  Status ReadObject() {
    ++at_;
    RIDGELINE_RETURN_IF_ERROR(NextCharacter());
    while (*at_ != '}') {
      RIDGELINE_RETURN_IF_ERROR(ReadMember());
      RIDGELINE_RETURN_IF_ERROR(NextCharacter());
      if (*at_ == '}') break;
      if (*at_ != ',') return Broken({at_, "expected ',' or '}' after a value"});
      ++at_;
      RIDGELINE_RETURN_IF_ERROR(NextCharacter());
      if (*at_ == '}') return Broken({at_, "expected a key in quotes"});
    }
    ++at_;
    return has_events_ ? Status(Ok()) : Status(NoEvents());
  }

  // A key and its value.
  Status ReadMember() {
    std::string key;
    RIDGELINE_RETURN_IF_ERROR(ReadKey(key));
    keys_.insert(key);
    if (key == kEventsKey) {
      if (*at_ != '[') return Broken({at_, "traceEvents is not an array"});
      if (has_events_) return Broken({at_, "duplicate traceEvents"});
      return ReadEvents();
    }
    if (!torch_trace::IsHeaderKey(key)) return SkipMember();
    std::string_view value;
    RIDGELINE_RETURN_IF_ERROR(Piece([&](const char* p, ScanFault& fault) {
      const char* const next = SkipValue(p, 1, fault);
      if (next != nullptr) value = {p, static_cast<size_t>(next - p)};
      return next;
    }));
    torch_trace::ReadHeaderValue(key, value, header_);
    return Ok();
  }

  // Up to the value.
  Status ReadKey(std::string& key) {
    RIDGELINE_RETURN_IF_ERROR(Piece([&](const char* p, ScanFault& fault) {
      if (*p != '"') return FaultAt(p, "expected a key in quotes", fault);
      RawScalar string;
      p = ScanString(p, string, fault);
      if (p == nullptr) return p;
      key = TextOf(string);
      return ScanColon(p, fault);
    }));
    return NextCharacter();
  }

  // An unused value that may be larger than the window.
  Status SkipMember() {
    std::string open;  // Unclosed brackets.
    std::string key;
    while (true) {
      if (*at_ == '{' || *at_ == '[') {
        open += *at_++;
        if (open.size() > kScanDepth) return Broken({at_, "nested too deeply"});
        RIDGELINE_RETURN_IF_ERROR(NextCharacter());
        if (*at_ != CloserOf(open.back())) {
          if (open.back() == '{') RIDGELINE_RETURN_IF_ERROR(ReadKey(key));
          continue;
        }
      } else {
        RIDGELINE_RETURN_IF_ERROR(Piece(
            [](const char* p, ScanFault& fault) { return SkipValue(p, 1, fault); }));
      }
      RIDGELINE_RETURN_IF_ERROR(CloseBrackets(open));
      if (open.empty()) return Ok();
      if (open.back() == '{') RIDGELINE_RETURN_IF_ERROR(ReadKey(key));
    }
  }

  // After a value: skips closing brackets and the following comma.
  Status CloseBrackets(std::string& open) {
    while (!open.empty()) {
      RIDGELINE_RETURN_IF_ERROR(NextCharacter());
      if (*at_ == ',') {
        ++at_;
        return NextCharacter();
      }
      if (*at_ != CloserOf(open.back())) {
        return Broken({at_, "expected ',' or a closing bracket"});
      }
      ++at_;
      open.pop_back();
    }
    return Ok();
  }

  Status ReadEvents() {
    has_events_ = true;
    ++at_;
    RIDGELINE_RETURN_IF_ERROR(NextCharacter());
    if (*at_ == ']') {
      ++at_;
      return Ok();
    }
    char delimiter = ',';
    while (delimiter == ',') {
      RawEvent event;
      bool is_object = false;
      RIDGELINE_RETURN_IF_ERROR(Piece([&](const char* p, ScanFault& fault) {
        event = {};
        p = SkipSpace(p);
        is_object = *p == '{';
        p = is_object ? torch_trace::ScanEvent(p, event, fault) : SkipValue(p, 1, fault);
        if (p == nullptr) return p;
        p = SkipSpace(p);
        delimiter = *p;
        const bool is_end = delimiter == ',' || delimiter == ']';
        return is_end ? p + 1 : FaultAt(p, "expected ',' or ']' after an event", fault);
      }));
      is_object ? builder_.Add(event) : builder_.AddOther();
    }
    return Ok();
  }

  // scan(p, fault) is like the functions of json_scan.h; called again with more text if
  // the scanned item may be incomplete. Views of the text are valid until the next piece.
  template <typename Scan>
  Status Piece(Scan scan) {
    while (true) {
      ScanFault fault;
      const char* const next = scan(at_, fault);
      const bool is_cut = next != nullptr ? next == window_.end()  //
                                          : fault.at >= window_.end();
      if (is_cut && !window_.is_last()) {
        RIDGELINE_RETURN_IF_ERROR(More());
        continue;
      }
      if (next == nullptr) return Broken(fault);
      at_ = next;
      return Ok();
    }
  }

  // Advances to the next non-space character, or to the end of the text.
  Status NextCharacter() {
    at_ = SkipSpace(at_);
    while (at_ == window_.end() && !window_.is_last()) {
      RIDGELINE_RETURN_IF_ERROR(More());
      at_ = SkipSpace(at_);
    }
    return Ok();
  }

  Status More() {
    RIDGELINE_RETURN_IF_ERROR(window_.More(at_));
    at_ = window_.begin();
    return Ok();
  }

  Error Broken(const ScanFault& fault) const {
    const std::string place = "byte " + std::to_string(window_.OffsetOf(fault.at)) + ": ";
    if (fault.at >= window_.end()) {
      return {ErrorCode::kParse, place + "unexpected end of file"};
    }
    return {ErrorCode::kParse, place + fault.what};
  }

  Error NoEvents() const {
    std::string keys;
    for (const std::string& key : keys_) {
      if (keys.size() > 200) break;
      keys += (keys.empty() ? " " : ", ") + key;
    }
    return {ErrorCode::kParse,
            "not a trace: a JSON object without traceEvents; its keys:" + keys};
  }

  TextWindow window_;
  const char* at_;
  bool has_events_ = false;
  torch_trace::TraceBuilder builder_;
  std::set<std::string> keys_;
  results::TraceHeader header_;
};

}  // namespace

bool MayBeTorchTrace(std::string_view first_bytes) {
  constexpr std::string_view kSpace = " \t\r\n";
  if (first_bytes.starts_with(kByteOrderMark)) {
    first_bytes.remove_prefix(kByteOrderMark.size());
  }
  const auto next = [&](size_t from) {
    const size_t found = first_bytes.find_first_not_of(kSpace, from);
    return found == std::string_view::npos ? first_bytes.size() : found;
  };
  const size_t opener = next(0);
  const size_t second = next(opener + 1);
  if (second >= first_bytes.size()) return false;
  if (first_bytes[opener] == '{') {
    return first_bytes[second] == '"' || first_bytes[second] == '}';
  }
  return first_bytes[opener] == '[' &&
         (first_bytes[second] == '{' || first_bytes[second] == ']');
}

Result<results::TraceRows> ReadTorchTrace(ByteSource& text) {
  return TraceReader(text).Read();
}

}  // namespace ridgeline::profiles
