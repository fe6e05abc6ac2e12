#include "profiles/page_journal.h"

#include <gmock/gmock.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::profiles {
namespace {

using testing::ElementsAre;

ModelSample SampleOf(const std::string& image) {
  return {.image = image, .generated_tokens = 3, .times = {{"end_to_end", 0.5}}};
}

std::string Head() {
  return HeadLine({.identity = "abc", .metrics = {.model = "m", .samples_planned = 3}});
}

std::string Lines() {
  return Head() + ProfiledLine(SampleOf("p.png"), "0f") +
         SampleLine(SampleOf("a.png"), "1a", {.predictions_bytes = 4, .folder = "f"},
                    10) +
         FailureLine({"b.png", "broken"}) + ResumedLine() +
         FailureLine({"b.png", "broken again"}) +
         SampleLine(SampleOf("c.png"), "2b", {.predictions_bytes = 9}, 7);
}

TEST(PageJournal, IsReadBack) {
  const Result<PageJournal> journal = ParsePageJournal(Lines());
  ASSERT_TRUE(journal.ok()) << journal.error().message();
  const PageJournal& read = journal.value();
  EXPECT_EQ(read.identity, "abc");
  EXPECT_EQ(read.metrics.model, "m");
  EXPECT_EQ(read.metrics.samples_planned, 3);
  EXPECT_EQ(read.metrics.sessions, 2);
  EXPECT_EQ(read.metrics.peak_rss_bytes, 10);
  EXPECT_EQ(read.metrics.profiled, SampleOf("p.png"));
  EXPECT_THAT(read.metrics.samples, ElementsAre(SampleOf("a.png"), SampleOf("c.png")));
  // A page that fails in every pass counts once.
  EXPECT_THAT(read.metrics.failures, ElementsAre(PageFailure{"b.png", "broken"}));
  EXPECT_EQ(read.samples_done, 4);
  EXPECT_EQ(read.marks, (OutputMarks{.predictions_bytes = 9}));
  EXPECT_THAT(read.folders, ElementsAre("f"));
  EXPECT_EQ(read.bytes, static_cast<int64_t>(Lines().size()));
}

// A process that ended before its first page has measured nothing.
TEST(PageJournal, CountsSessionsThatMeasured) {
  const std::string sample = SampleLine(SampleOf("a.png"), "1a", {}, 10);
  struct Case {
    std::string lines;
    int sessions;
  };
  const Case cases[] = {
      {ResumedLine() + sample, 1},
      {ResumedLine() + ResumedLine() + sample + sample, 1},
      {sample + ResumedLine(), 1},
      {sample + ResumedLine() + ResumedLine() + sample, 2},
      {sample + ResumedLine() + sample + ResumedLine() + sample, 3},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.lines);
    EXPECT_EQ(ParsePageJournal(Head() + c.lines).value().metrics.sessions, c.sessions);
  }
}

// Wherever the process was killed, exactly the complete lines count.
TEST(PageJournal, CountsWholeLinesOnly) {
  const std::string lines = Lines();
  for (size_t size = Head().size(); size <= lines.size(); ++size) {
    SCOPED_TRACE(size);
    const std::string_view killed = std::string_view(lines).substr(0, size);
    const Result<PageJournal> journal = ParsePageJournal(killed);
    ASSERT_TRUE(journal.ok()) << journal.error().message();
    EXPECT_EQ(journal.value().bytes, static_cast<int64_t>(killed.rfind('\n') + 1));
  }
  for (size_t size = 0; size < Head().size(); ++size) {
    EXPECT_FALSE(ParsePageJournal(lines.substr(0, size)).ok());
  }
}

// After a power failure the files may be inconsistent: pages missing in any of them are
// read again.
TEST(PageJournal, CountsNoPageWhoseOutputIsMissing) {
  const os::ScratchDirectory scratch = os::ScratchDirectory::Make("journal").value();
  const std::filesystem::path& directory = scratch.path();
  const OutputFiles outputs = {.predictions = directory / "predictions.jsonl"};
  EXPECT_EQ(ReadPageJournal(directory, outputs).error().code(), ErrorCode::kNotFound);
  ASSERT_TRUE(os::WriteFileAtomically(directory / kPageJournalFile, Lines()).ok());
  struct Case {
    const char* predictions;
    int64_t samples_done;
  };
  for (const Case& c : {Case{"123456789", 4}, Case{"12345678", 3}, Case{"123", 0}}) {
    SCOPED_TRACE(c.predictions);
    ASSERT_TRUE(os::WriteFileAtomically(outputs.predictions, c.predictions).ok());
    EXPECT_EQ(ReadPageJournal(directory, outputs).value().samples_done, c.samples_done);
  }
}

}  // namespace
}  // namespace ridgeline::profiles
