// Holds us to what Hydra 1.3.2 answered: one test per corpus and category, such as
// parity.Compose.interp. The cases are in data/; further ones may lie in
// $RIDGELINE_SHARED/conformance/hydra (default: ../shared beside the checkout).
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parity/compare.h"
#include "parity/compose_cases.h"
#include "parity/override_cases.h"
#include "parity/sweep_cases.h"

namespace ridgeline::parity {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Corpus {
  const char* suite;
  const char* file;  // Without ".jsonl".
  Json (*observe)(const Json& test_case);
};

constexpr Corpus kCorpora[] = {
    {"Compose", "compose", ObserveCompose},
    {"Overrides", "overrides", ObserveOverride},
    {"Sweep", "sweep", ObserveSweep},
};

fs::path OurFile(const Corpus& corpus) {
  return fs::path(RIDGELINE_TESTS_DIR) / "parity/data" /
         (std::string(corpus.file) + ".jsonl.gz");
}

fs::path SharedDirectory() {
  const char* shared = std::getenv("RIDGELINE_SHARED");
  const fs::path root =
      shared != nullptr ? fs::path(shared) : fs::path(RIDGELINE_SOURCE_DIR) / "../shared";
  return (root / "conformance/hydra").lexically_normal();
}

// Compressed or not.
std::string ReadWhole(const fs::path& path) {
  const gzFile file = ::gzopen(path.c_str(), "rb");
  if (file == nullptr) return "";
  std::string text;
  std::vector<char> block(1 << 16);
  for (int size = 0; (size = ::gzread(file, block.data(), 1 << 16)) > 0;) {
    text.append(block.data(), static_cast<size_t>(size));
  }
  ::gzclose(file);
  return text;
}

std::vector<std::string> Lines(const fs::path& path) {
  std::vector<std::string> lines;
  std::istringstream file(ReadWhole(path));
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// Each test is a process of its own that wants a few lines of a large file, so
// a line is parsed only when it is run:
//   {"id": "co-0002", "category": "profiler", "files": ...
std::string_view Category(std::string_view line) {
  constexpr std::string_view kStart = "\"category\": \"";
  const size_t start = line.find(kStart) + kStart.size();
  return line.substr(start, line.find('"', start) - start);
}

// Runs one case; fails the test with every field that differs.
void Check(const Corpus& corpus, const std::string& line) {
  const Json test_case = Json::parse(line);
  for (const Difference& difference : Differences(test_case, corpus.observe(test_case))) {
    ADD_FAILURE() << test_case.at("id").get<std::string>() << ": " << difference.field
                  << "\n  want " << difference.want << "\n  got  " << difference.got;
  }
}

class CategoryTest : public testing::Test {
 public:
  CategoryTest(const Corpus& corpus, std::string category)
      : corpus_(corpus), category_(std::move(category)) {}

  void TestBody() override {
    for (const std::string& line : Lines(OurFile(corpus_))) {
      if (Category(line) == category_) Check(corpus_, line);
    }
  }

 private:
  const Corpus& corpus_;
  std::string category_;
};

// The corpora of this kind beside the checkout, where they are not the same as ours.
class SharedTest : public testing::Test {
 public:
  explicit SharedTest(const Corpus& corpus) : corpus_(corpus) {}

  void TestBody() override {
    const std::vector<fs::path> files = SharedFiles();
    if (files.empty()) {
      GTEST_SKIP() << "no " << corpus_.file << "*.jsonl in "
                   << SharedDirectory().string();
    }
    for (const fs::path& file : files) {
      SCOPED_TRACE(file.string());
      if (ReadWhole(file) == ReadWhole(OurFile(corpus_))) {
        std::cout << file.string() << ": the same as ours\n";
        continue;
      }
      for (const std::string& line : Lines(file)) Check(corpus_, line);
    }
  }

 private:
  std::vector<fs::path> SharedFiles() const {
    std::vector<fs::path> files;
    std::error_code ignored;  // Of a directory that is not there.
    for (const auto& entry : fs::directory_iterator(SharedDirectory(), ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(corpus_.file) && name.ends_with(".jsonl")) {
        files.push_back(entry.path());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  const Corpus& corpus_;
};

// GoogleTest's own filters give '-' a meaning.
std::string TestName(std::string category) {
  std::replace(category.begin(), category.end(), '-', '_');
  return category;
}

void RegisterCategories(const Corpus& corpus) {
  std::vector<std::string> categories;
  for (const std::string& line : Lines(OurFile(corpus))) {
    const std::string category(Category(line));
    if (std::find(categories.begin(), categories.end(), category) == categories.end()) {
      categories.push_back(category);
    }
  }
  for (const std::string& category : categories) {
    testing::RegisterTest(corpus.suite, TestName(category).c_str(), nullptr, nullptr,
                          __FILE__, __LINE__, [&corpus, category]() -> testing::Test* {
                            return new CategoryTest(corpus, category);
                          });
  }
}

bool RegisterAll() {
  for (const Corpus& corpus : kCorpora) {
    RegisterCategories(corpus);
    testing::RegisterTest(
        "Shared", corpus.file, nullptr, nullptr, __FILE__, __LINE__,
        [&corpus]() -> testing::Test* { return new SharedTest(corpus); });
  }
  return true;
}

// Before main(), so that listing the tests shows them.
[[maybe_unused]] const bool kRegistered = RegisterAll();

TEST(Corpora, AreAllHere) {
  const std::pair<const Corpus&, size_t> want[] = {
      {kCorpora[0], 1695}, {kCorpora[1], 1383}, {kCorpora[2], 95}};
  for (const auto& [corpus, count] : want) {
    SCOPED_TRACE(corpus.file);
    EXPECT_EQ(Lines(OurFile(corpus)).size(), count);
  }
}

// The comparison itself: a case that does not hold must be seen.
TEST(Comparison, SeesEveryKindOfDifference) {
  struct Case {
    const char* what;
    const char* test_case;
    const char* observed;
    std::vector<std::string> want;  // Fields.
  };
  const Case cases[] = {
      {"equal",
       R"({"expect": {"ok": true, "value": 1}})",
       R"({"ok": true, "value": 1})",
       {}},
      {"an integer is not a float",
       R"({"expect": {"ok": true, "value": 1}})",
       R"({"ok": true, "value": 1.0})",
       {"value"}},
      {"the order of keys",
       R"({"expect": {"ok": true, "cfg": {"a": 1, "b": 2}}})",
       R"({"ok": true, "cfg": {"b": 2, "a": 1}})",
       {"cfg"}},
      {"fails where Hydra works",
       R"({"expect": {"ok": true}})",
       R"({"ok": false, "error": {"message": "m"}})",
       {"ok"}},
      {"a warning too many",
       R"({"expect": {"ok": true}})",
       R"({"ok": true, "warnings": ["w"]})",
       {"warnings"}},
      {"another message",
       R"({"expect": {"ok": false, "error": {"stage": "s", "message": "m", "match": "message"}}})",
       R"({"ok": false, "error": {"stage": "s", "message": "n"}})",
       {"error.message"}},
      {"another message, but not Hydra's",
       R"({"expect": {"ok": false, "error": {"stage": "s", "message": "m", "match": "reject"}}})",
       R"({"ok": false, "error": {"stage": "s", "message": "n"}})",
       {}},
      {"another stage",
       R"({"expect": {"ok": false, "error": {"stage": "s", "message": "m", "match": "reject"}}})",
       R"({"ok": false, "error": {"stage": "t", "message": "m"}})",
       {"error.stage"}},
      {"resolves where Hydra fails",
       R"({"expect": {"ok": true, "resolved": {"error": {"match": "reject"}}}})",
       R"({"ok": true, "resolved": "same"})",
       {"resolved.error"}},
      {"shuffled",
       R"({"expect": {"ok": true, "sweep_multiset": ["1", "2"]}})",
       R"({"ok": true, "sweep_multiset": ["2", "1"]})",
       {}},
      {"shuffled with another element",
       R"({"expect": {"ok": true, "sweep_multiset": ["1", "2"]}})",
       R"({"ok": true, "sweep_multiset": ["2", "2"]})",
       {"sweep_multiset"}},
      {"a file too many",
       R"j({"expect": {"ok": true, "run": {"files": {"a": "(omitted)"}}}})j",
       R"({"ok": true, "run": {"files": {"a": "x", "b": "y"}}})",
       {"run.files b"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    std::vector<std::string> fields;
    for (const Difference& difference :
         Differences(Json::parse(c.test_case), Json::parse(c.observed))) {
      fields.push_back(difference.field);
    }
    EXPECT_EQ(fields, c.want);
  }
}

}  // namespace
}  // namespace ridgeline::parity
