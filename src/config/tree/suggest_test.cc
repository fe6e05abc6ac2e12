#include "config/tree/suggest.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

using SuggestTest = TreeTest;

TEST_F(SuggestTest, FindsTheWordThatWasMeant) {
  const std::vector<std::string> known = {"nsys",         "ncu",         "torch",
                                          "warmup_steps", "mem_per_cpu", "mem_per_gpu"};
  const struct {
    const char* what;
    std::string word;
    const char* want;
  } cases[] = {
      {"a letter too many", "nsyss", "nsys"},
      {"a letter too few", "nsy", "nsys"},
      {"swapped letters", "nyss", "nsys"},
      {"a wrong letter", "tarch", "torch"},
      {"the longer, the more slips", "warmupsteps", "warmup_steps"},
      {"its beginning", "warmup", "warmup_steps"},
      {"the beginning of two", "mem_", ""},
      {"too short for a beginning", "wa", ""},
      {"itself", "ncu", "ncu"},
      {"nothing near", "python", ""},
      {"empty", "", ""},
      {"no word at all", std::string(100'000, 'x'), ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Nearest(c.word, known), c.want);
  }
  EXPECT_EQ(Nearest("x", {}), "");
}

TEST_F(SuggestTest, NamesTheWholeKey) {
  const Node& root = Tree("pipeline: {nsys: {trace: 1}, list: [a]}\nmodel: x\n");
  const struct {
    const char* what;
    const char* key;
    const char* want;
  } cases[] = {
      {"at the root", "modle", "Did you mean 'model'?"},
      {"at the end", "pipeline.nsys.trase", "Did you mean 'pipeline.nsys.trace'?"},
      {"on the way", "pipeline.nsis.trace", "Did you mean 'pipeline.nsys'?"},
      {"nothing near", "pipeline.zzz", ""},
      {"below a list", "pipeline.list.x", ""},
      {"below a scalar", "model.x", ""},
      {"nothing wrong", "pipeline.nsys", ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(SuggestKey(root, c.key), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::config
