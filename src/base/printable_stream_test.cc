#include "base/printable_stream.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ridgeline {
namespace {

TEST(PrintableStreamTest, ShowsControlCharactersHoweverTheyArrive) {
  std::ostringstream target;
  {
    PrintableStream out(target);
    out << "a\x1b[2J" << '\a' << 1 << "\xc2"
        << "\x9b"
        << "\xc3" << '\xbc' << "\n\t";
    out << "\xe6\xbc";  // Never finished.
  }
  EXPECT_EQ(target.str(), "a\\x1b[2J\\x071\\x9b\xc3\xbc\n\t\\xe6\\xbc");
}

TEST(PrintableStreamTest, ErasesALineInOrder) {
  std::ostringstream target;
  PrintableStream out(target);
  out << "one";
  EraseLine(out);
  out << "two\r" << std::flush;
  EXPECT_EQ(target.str(), "one\r\x1b[Ktwo\\x0d");
}

TEST(PrintableStreamTest, ErasesLinesAbove) {
  std::ostringstream target;
  PrintableStream out(target);
  out << "a\nb\n";
  EraseLines(out, 2);
  EraseLines(out, 0);
  out << "c" << std::flush;
  EXPECT_EQ(target.str(), "a\nb\n\r\x1b[2A\x1b[Jc");
}

TEST(PrintableStreamTest, HidesSecrets) {
  std::ostringstream target;
  PrintableStream out(target);
  out.Hide({"s3cr3t"});
  out << "error in 's3cr3t'" << std::flush;
  EXPECT_EQ(target.str(), "error in 'REDACTED'");
}

TEST(PrintableStreamTest, FailsWithItsTarget) {
  std::ostream broken(nullptr);
  PrintableStream out(broken);
  out << "lost" << std::flush;
  EXPECT_FALSE(out.good());
}

}  // namespace
}  // namespace ridgeline
