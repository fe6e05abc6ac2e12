// Checks that text for users has none of the phrases that read as translated or that have
// a standard term: string literals and comments of src/, the prose of README.md,
// CONTRIBUTING.md and docs/, and the comments of conf/.
#include <gtest/gtest.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = RIDGELINE_SOURCE_DIR;

// Not checked. Messages of src/config are those of Hydra and OmegaConf.
const std::set<std::string> kNeverChecked = {"src/config"};

struct Phrase {
  const char* banned;             // Regular expression, in lower case.
  const char* instead;            // Shown to the author.
  const char* allowed = nullptr;  // Regular expression of exceptions, removed before.
};

constexpr Phrase kPhrases[] = {
    {R"(\b(is|are|was|were) no\b)", "'is not an X', 'no such X', 'expected X, got Y'",
     R"(\bthere (is|are|was|were) no\b|\b(is|are|was|were) no (longer|more)\b)"},
    {R"(\b(tells|told)\b)", "reports, prints, lists, shows"},
    {R"(\b(whoever|whom)\b)", "'users who', or the name of the reader"},
    {R"(\b(held|holds?|holding) (\w+ )?against\b)", "compared with, checked against"},
    {R"(\banew\b)", "again"},
    {R"(\bof (its|their) own\b)", "separate, its own X"},
    {R"(\bin all([.,;:)]|$))", "total"},
    {R"(\b(left|leaves|leave) out\b)", "skipped, dropped, omitted"},
    {R"(\bat home\b)", "directory, module"},
    {R"(\bmade[- ]up\b)", "synthetic; 'consists of'"},
    {R"(\b(its|the) least\b)", "roofline time; min"},
    {R"(\bdistance to (the )?roof)", "9.0x roofline"},
    {R"(\bunavoidable\b)", "compulsory traffic, minimum bytes"},
    {R"(\blooked into\b)", "'needs PyTorch in the workload'"},
    {R"(\bthe model (said|says)\b)", "prediction, generated text, output"},
    {R"(\blaunch delays?\b)", "launch latency, launch overhead"},
    {R"(\b(rooms?|houses?|deeds?)\b)", "module, layout, effect"},
    {R"(\btimes the time\b)", "overhead 1.29x"},
    {R"(\bbound by (arithmetic|memory)\b)", "compute-bound, memory-bound"},
    {R"(\bthe way out\b)", "fix, hint"},
    {R"(\bits time was over\b)", "timeout"},
    {R"(\bhow busy\b)", "utilization"},
    {R"(\bnamesakes?\b)", "of the same name"},
    {R"(\bwe (do not|cannot) (know|tell)\b)", "unknown, unsupported"},
    {R"(\bnobody\b)", "'not', or the passive"},
    {R"(\bwas asked for\b)", "requested"},
    {R"(\bcome to nothing\b)", "fail"},
    {R"(\bfor ever\b)", "forever"},
    {R"(\ball is well\b)", "OK"},
    {R"(\bof (your|our) own\b)", "your own X, Ridgeline's own X"},
    {R"(\bleads? nowhere\b)", "'to a missing X'"},
    {R"(\b(go|goes|went) on([.,;:)]|$))", "continue, keep running"},
    {R"(\bended well\b)", "succeeded"},
    {R"(\b(samples?|pages?) together\b)", "'over 6 samples', total"},
    {R"(\b(copies|copy|kernels?),? (and|or) fills?\b)", "memset"},
};

struct Text {
  std::string place;  // "docs/nsys.md:12"
  std::string words;
};

std::string WholeText(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> FilesBelow(const fs::path& directory,
                                 const std::set<std::string>& endings) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file() && endings.contains(entry.path().extension().string())) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool IsBelow(const std::string& path, const std::set<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&path](const std::string& folder) {
    return path.starts_with(folder + "/");
  });
}

// Collects the string literals of a C++ source; adjacent ones are joined.
class LiteralReader {
 public:
  LiteralReader(std::string_view source, std::string file)
      : source_(source), file_(std::move(file)) {}

  std::vector<Text> Read() {
    while (at_ < source_.size()) Step();
    Flush();
    return std::move(literals_);
  }

 private:
  void Step() {
    const char c = source_[at_];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      Skip(1);
    } else if (c == '#' && IsAtLineStart()) {
      SkipPast("\n");  // #include "..." has no text.
    } else if (Begins("//")) {
      SkipPast("\n");
    } else if (Begins("/*")) {
      SkipPast("*/");
    } else if (Begins("R\"")) {
      ReadRaw();
    } else if (c == '"') {
      ReadQuoted();
    } else if (c == '\'' && !IsDigitSeparator()) {
      Flush();
      SkipQuoted('\'');
    } else {
      Flush();
      Skip(1);
    }
  }

  void ReadRaw() {
    const size_t open = source_.find('(', at_);
    const std::string close =
        ")" + std::string(source_.substr(at_ + 2, open - at_ - 2)) + "\"";
    const size_t end = source_.find(close, open);
    Add(source_.substr(open + 1, end - open - 1));
    Skip(end + close.size() - at_);
  }

  void ReadQuoted() {
    const size_t begin = at_ + 1;
    const int line = line_;
    SkipQuoted('"');
    Add(source_.substr(begin, at_ - 1 - begin), line);
  }

  void SkipQuoted(char quote) {
    size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) {
      end += source_[end] == '\\' ? 2 : 1;
    }
    Skip(end + 1 - at_);
  }

  void Add(std::string_view text, int line = 0) {
    if (words_.empty()) first_line_ = line == 0 ? line_ : line;
    words_ += text;
  }

  void Flush() {
    // Without a blank it is a key, a name or a flag.
    if (words_.find(' ') != std::string::npos) {
      literals_.push_back({file_ + ":" + std::to_string(first_line_), words_});
    }
    words_.clear();
  }

  void Skip(size_t count) {
    const size_t end = std::min(at_ + count, source_.size());
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<long>(at_),
                                         source_.begin() + static_cast<long>(end), '\n'));
    at_ = end;
  }
  void SkipPast(std::string_view text) {
    const size_t found = source_.find(text, at_);
    Skip(found == std::string_view::npos ? source_.size() - at_
                                         : found + text.size() - at_);
  }
  bool Begins(std::string_view text) const {
    return source_.substr(at_).starts_with(text);
  }
  bool IsAtLineStart() const { return at_ == 0 || source_[at_ - 1] == '\n'; }
  bool IsDigitSeparator() const {
    return at_ > 0 && std::isalnum(static_cast<unsigned char>(source_[at_ - 1])) != 0;
  }

  std::string_view source_;
  std::string file_;
  size_t at_ = 0;
  int line_ = 1;
  int first_line_ = 1;
  std::string words_;
  std::vector<Text> literals_;
};

std::string WithoutCode(const std::string& line) {
  static const std::regex code("`[^`]*`");
  return std::regex_replace(line, code, "``");
}

// Paragraphs of a Markdown file, without code blocks and code spans.
std::vector<Text> Paragraphs(const std::string& markdown, const std::string& file) {
  std::vector<Text> paragraphs = {{}};
  bool is_fenced = false;
  int number = 0;
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const bool is_fence = line.starts_with("```");
    if (is_fence) is_fenced = !is_fenced;
    const bool is_prose =
        !is_fence && !is_fenced && !line.starts_with("    ") && !line.empty();
    Text& last = paragraphs.back();
    if (!is_prose) {
      if (!last.words.empty()) paragraphs.emplace_back();
      continue;
    }
    if (last.words.empty()) last.place = file + ":" + std::to_string(number);
    last.words += (last.words.empty() ? "" : " ") + line;
  }
  // A code span may go over a line.
  for (Text& paragraph : paragraphs) paragraph.words = WithoutCode(paragraph.words);
  return paragraphs;
}

// Where the comment of a line begins, after `mark` ("#", "//"); npos: it has none.
size_t CommentBegin(const std::string& line, const std::string& mark) {
  const size_t first = line.find_first_not_of(' ');
  if (first == std::string::npos) return first;
  if (line.compare(first, mark.size(), mark) == 0) return first + mark.size();
  const size_t trailing = line.find(" " + mark + " ");
  return trailing == std::string::npos ? trailing : trailing + 1 + mark.size();
}

// Comments of a file, without code spans; consecutive lines are joined.
std::vector<Text> Comments(const std::string& source, const std::string& file,
                           const std::string& mark) {
  std::vector<Text> comments = {{}};
  int number = 0;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t begin = CommentBegin(line, mark);
    if (begin == std::string::npos) {
      if (!comments.back().words.empty()) comments.emplace_back();
      continue;
    }
    Text& last = comments.back();
    if (last.words.empty()) last.place = file + ":" + std::to_string(number);
    last.words += line.substr(begin);
  }
  for (Text& comment : comments) comment.words = WithoutCode(comment.words);
  return comments;
}

// An expression of the C library, which is many times faster than std::regex.
class Pattern {
 public:
  explicit Pattern(const char* expression) {
    EXPECT_EQ(::regcomp(&compiled_, expression, REG_EXTENDED), 0) << expression;
  }
  Pattern(const Pattern&) = delete;
  Pattern& operator=(const Pattern&) = delete;
  ~Pattern() { ::regfree(&compiled_); }

  std::optional<std::string> Find(const std::string& text) const {
    regmatch_t found = {};
    if (::regexec(&compiled_, text.c_str(), 1, &found, 0) != 0) return std::nullopt;
    return text.substr(static_cast<size_t>(found.rm_so),
                       static_cast<size_t>(found.rm_eo - found.rm_so));
  }

 private:
  regex_t compiled_ = {};
};

struct Rule {
  explicit Rule(const Phrase& phrase) : banned(phrase.banned), instead(phrase.instead) {
    if (phrase.allowed != nullptr) allowed.emplace(phrase.allowed);
  }

  Pattern banned;
  std::optional<Pattern> allowed;
  const char* instead;
};

// Compiled once: compiling takes longer than searching.
const std::deque<Rule>& Rules() {
  static const std::deque<Rule> rules(std::begin(kPhrases), std::end(kPhrases));
  return rules;
}

std::string InLowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// One line per banned phrase in `text`.
std::string Problems(const Text& text) {
  const std::string lower = InLowerCase(text.words);
  std::string problems;
  for (const Rule& rule : Rules()) {
    std::optional<std::string> found = rule.banned.Find(lower);
    std::string words = lower;
    while (found && rule.allowed) {
      const std::optional<std::string> exception = rule.allowed->Find(words);
      if (!exception) break;
      words.erase(words.find(*exception), exception->size());
      found = rule.banned.Find(words);
    }
    if (!found) continue;
    problems += text.place + ": '" + *found + "'; use: " + rule.instead + "\n    " +
                text.words.substr(0, 200) + "\n";
  }
  return problems;
}

std::string Problems(const std::vector<Text>& texts) {
  std::string problems;
  for (const Text& text : texts) problems += Problems(text);
  return problems;
}

bool IsProduct(const std::string& path) {
  return !path.ends_with("_test.cc") && !path.ends_with("_bench.cc") &&
         path.find("/testing/") == std::string::npos;
}

TEST(LanguageTest, FindsBannedPhrasesOnlyInProse) {
  const auto in_code = [](const char* source) {
    return Problems(LiteralReader(source, "a.cc").Read());
  };
  EXPECT_NE(in_code("f(\"it is no \"\n  \"file\");"), "");
  EXPECT_NE(in_code("f(R\"(who told you)\");"), "");
  EXPECT_EQ(in_code("f(\"there is no file\");"), "");
  EXPECT_EQ(in_code("f(\"told\"); // told you so\n"), "");  // A key; a comment.
  EXPECT_EQ(Problems(Paragraphs("Run `it told` or\n\n    it told\n", "a.md")), "");
  EXPECT_EQ(Problems(Paragraphs("```\nit told\n```\n", "a.md")), "");
  EXPECT_NE(Problems(Paragraphs("What it\ntold.\n", "a.md")), "");
  EXPECT_NE(Problems(Comments("a: 1  # Held\n# against b.\n", "a.yaml", "#")), "");
  EXPECT_NE(Problems(Comments("  // Held\n  // against b.\n", "a.cc", "//")), "");
  EXPECT_EQ(Problems(Comments("f(\"told\");  // `told`\n", "a.cc", "//")), "");
}

TEST(LanguageTest, MessagesOfTheProgram) {
  for (const fs::path& path : FilesBelow(kRoot / "src", {".cc", ".h"})) {
    const std::string file = path.lexically_relative(kRoot).string();
    if (!IsProduct(file) || IsBelow(file, kNeverChecked)) continue;
    EXPECT_EQ(Problems(LiteralReader(WholeText(path), file).Read()), "");
  }
}

TEST(LanguageTest, Documentation) {
  std::vector<fs::path> files = FilesBelow(kRoot / "docs", {".md"});
  files.insert(files.end(), {kRoot / "README.md", kRoot / "CONTRIBUTING.md"});
  for (const fs::path& path : files) {
    const std::string file = path.lexically_relative(kRoot).string();
    EXPECT_EQ(Problems(Paragraphs(WholeText(path), file)), "");
  }
}

TEST(LanguageTest, CommentsOfTheConfiguration) {
  for (const fs::path& path : FilesBelow(kRoot / "conf", {".yaml"})) {
    const std::string file = path.lexically_relative(kRoot).string();
    EXPECT_EQ(Problems(Comments(WholeText(path), file, "#")), "");
  }
}

TEST(LanguageTest, CommentsOfTheSources) {
  for (const char* const folder : {"src", "bench", "web/src"}) {
    for (const fs::path& path : FilesBelow(kRoot / folder, {".cc", ".h", ".ts"})) {
      const std::string file = path.lexically_relative(kRoot).string();
      EXPECT_EQ(Problems(Comments(WholeText(path), file, "//")), "");
    }
  }
}

}  // namespace
