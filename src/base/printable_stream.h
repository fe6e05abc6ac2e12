// A stream for terminal output.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline {

// A stream to `target` that escapes control characters (base/printable.h): names in
// profiles and workload output cannot move the cursor.
class PrintableStream final : public std::ostream {
 public:
  // `target` must outlive it.
  explicit PrintableStream(std::ostream& target)
      : std::ostream(nullptr), buffer_(target) {
    rdbuf(&buffer_);
  }
  ~PrintableStream() override { flush(); }

  // Texts that are never printed: secrets on the command line, which errors repeat.
  void Hide(std::vector<std::string> secrets) { buffer_.Hide(std::move(secrets)); }

  PrintableStream(const PrintableStream&) = delete;
  PrintableStream& operator=(const PrintableStream&) = delete;

 private:
  friend void EraseLine(std::ostream& out);
  friend void EraseLines(std::ostream& out, int count);

  class Buffer final : public std::streambuf {
   public:
    explicit Buffer(std::ostream& target) : target_(target) {}
    std::ostream& target() { return target_; }
    void Hide(std::vector<std::string> secrets) { hidden_ = std::move(secrets); }

   protected:
    int_type overflow(int_type byte) override;
    std::streamsize xsputn(const char* bytes, std::streamsize size) override;
    int sync() override;

   private:
    std::ostream& target_;
    std::string held_;  // The beginning of a UTF-8 character.
    std::vector<std::string> hidden_;
  };

  Buffer buffer_;
};

// Moves to the beginning of the terminal line and clears it. EraseLine and EraseLines
// print the only control sequences we use.
void EraseLine(std::ostream& out);

// The same for the `count` lines above, which must have ended with a line feed.
void EraseLines(std::ostream& out, int count);

}  // namespace ridgeline
