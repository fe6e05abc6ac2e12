#include "base/printable_stream.h"

#include "base/printable.h"
#include "base/secrets.h"

namespace ridgeline {

std::streamsize PrintableStream::Buffer::xsputn(const char* bytes, std::streamsize size) {
  std::string text = std::move(held_);
  text.append(bytes, static_cast<size_t>(size));
  held_ = text.substr(text.size() - UnfinishedUtf8(text));
  text.resize(text.size() - held_.size());
  target_ << Printable(WithoutSecrets(text, hidden_));
  return target_.good() ? size : 0;
}

std::streambuf::int_type PrintableStream::Buffer::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return 0;
  const char c = traits_type::to_char_type(byte);
  return xsputn(&c, 1) == 1 ? byte : traits_type::eof();
}

int PrintableStream::Buffer::sync() {
  target_ << Printable(held_) << std::flush;
  held_.clear();
  return target_.good() ? 0 : -1;
}

void EraseLine(std::ostream& out) {
  constexpr const char* kToStartAndClear = "\r\x1b[K";
  auto* printable = dynamic_cast<PrintableStream*>(&out);
  out << std::flush;
  (printable == nullptr ? out : printable->buffer_.target()) << kToStartAndClear;
}

void EraseLines(std::ostream& out, int count) {
  if (count <= 0) return;
  auto* printable = dynamic_cast<PrintableStream*>(&out);
  out << std::flush;
  (printable == nullptr ? out : printable->buffer_.target())
      << "\r\x1b[" << count << "A\x1b[J";
}

}  // namespace ridgeline
