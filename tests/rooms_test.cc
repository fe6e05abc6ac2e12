// Keeps src/ the house that src/CMakeLists.txt draws: a file includes only the
// rooms its room names in DEPENDS and the libraries it names in EXTERNAL, and
// does only what its room is for.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kSourceRoot = fs::path(RIDGELINE_SOURCE_DIR) / "src";
const fs::path kLayersFile = fs::path(RIDGELINE_BINARY_DIR) / "layers.txt";

struct Room {
  std::set<std::string> depends;
  std::set<std::string> external;
};

struct SourceFile {
  fs::path path;
  std::string room;
  std::string unit;  // "nsys" for stages/nsys_test.cc, "tiny" for models/tiny/cost.h.
  bool is_test = false;
};

// First path component of a system include -> the library it belongs to. A
// header that is not listed here is the standard library or POSIX.
const std::map<std::string, std::string> kLibraryOfHeader = {
    {"yaml.h", "yaml"},         {"yaml-cpp", "yaml"},  {"gmp.h", "gmp"},
    {"gmpxx.h", "gmp"},         {"fmt", "fmt"},        {"nlohmann", "json"},
    {"CLI", "cli11"},           {"torch", "torch"},    {"ATen", "torch"},
    {"c10", "torch"},           {"nvtx3", "nvtx"},     {"simdjson.h", "simdjson"},
    {"sqlite3.h", "sqlite"},    {"spdlog", "spdlog"},  {"httplib.h", "httplib"},
    {"nettle", "nettle"},       {"pcre2.h", "pcre2"},  {"png.h", "png"},
    {"zlib.h", "zlib"},         {"jpeglib.h", "jpeg"}, {"webp", "webp"},
    {"cairo.h", "cairo"},       {"pango", "pango"},    {"glib.h", "pango"},
    {"glib-object.h", "pango"},
};

// Rooms of interchangeable things: two stages, importers or models never know
// each other. What they share lies in <room>/shared/.
const std::set<std::string> kSiblingsAreStrangers = {"stages", "importers", "models",
                                                     "networks"};

// Rooms that a build without libtorch, or without NVTX's headers, does not have.
const std::set<std::string> kOptional = {"networks", "inference", "nvtx_injection"};

// Things that may be done in few rooms. Tests may do them all. nvtx_injection lives in
// other programs and has no `os` there.
struct Deed {
  std::set<std::string_view> names;  // Done by naming one of these...
  std::set<std::string_view> calls;  // ...or by calling one of these, std:: or not.
  std::set<std::string> rooms;
  const char* instead;
};

const std::vector<Deed>& Deeds() {
  static const std::vector<Deed> deeds = {
      {.names = {"cout", "cerr", "clog", "cin", "stdout", "stderr", "stdin"},
       .calls = {"printf", "puts", "putchar"},
       .rooms = {"app", "inference", "serving", "os"},
       .instead = "a std::ostream& that is handed in, or return text"},
      {.names = {"environ"},
       .calls = {"getenv", "secure_getenv", "setenv", "putenv", "unsetenv"},
       .rooms = {"os", "nvtx_injection"},
       .instead = "os/env.h"},
      {.calls = {"fork", "vfork", "execv", "execve", "execvp", "execvpe", "execl",
                 "execle", "execlp", "posix_spawn", "posix_spawnp", "popen", "system",
                 "waitpid"},
       .rooms = {"os"},
       .instead = "os::ProcessRunner"},
      {.names = {"ifstream", "ofstream", "fstream"},
       .calls = {"open", "openat", "fopen", "creat", "mkstemp", "mkdtemp"},
       .rooms = {"os", "nvtx_injection"},
       .instead = "os/files.h"},
      {.names = {"system_clock"},
       .calls = {"time", "gettimeofday", "clock_gettime", "localtime", "localtime_r"},
       .rooms = {"os"},
       .instead = "a time that is handed in (os/clock.h)"},
      {.calls = {"_exit"}, .rooms = {"os"}, .instead = "os::ProcessRunner"},
      {.calls = {"exit", "quick_exit", "abort", "terminate"},
       .rooms = {"app"},
       .instead = "a Result, or assert"},
      {.names = {"throw"}, .instead = "a Result"},
      {.names = {"RemoveAll", "MoveFile", "RenameDirectory", "remove_all"},
       .calls = {"rename", "unlink"},
       .rooms = {"os", "nvtx_injection"},
       .instead = "os::OwnedDirectory, which moves and deletes only what is ours"},
  };
  return deeds;
}

std::string ReadWhole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::set<std::string> Words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

// One line per room, as cmake/Module.cmake writes it: "config|base os|yaml gmp fmt".
std::map<std::string, Room> ReadRooms() {
  std::map<std::string, Room> rooms;
  for (const std::string& line : Lines(ReadWhole(kLayersFile))) {
    const size_t first = line.find('|');
    const size_t second = line.find('|', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    rooms[line.substr(0, first)] = {Words(line.substr(first + 1, second - first - 1)),
                                    Words(line.substr(second + 1))};
  }
  return rooms;
}

std::string FirstComponent(const std::string& path) {
  return path.substr(0, path.find('/'));
}

std::string UnitOf(const std::string& path_in_room) {
  std::string unit = fs::path(FirstComponent(path_in_room)).stem();
  for (const std::string_view suffix : {"_test", "_bench"}) {
    if (unit.ends_with(suffix)) unit.resize(unit.size() - suffix.size());
  }
  return unit;
}

std::vector<SourceFile> SourceFiles() {
  std::vector<SourceFile> files;
  const std::map<std::string, Room> rooms = ReadRooms();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSourceRoot)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cc") continue;
    const std::string relative = fs::relative(path, kSourceRoot).string();
    const std::string room = FirstComponent(relative);
    if (kOptional.contains(room) && !rooms.contains(room)) continue;
    const std::string stem = path.stem().string();
    files.push_back({.path = path,
                     .room = room,
                     .unit = UnitOf(relative.substr(room.size() + 1)),
                     .is_test = stem.ends_with("_test") || stem.ends_with("_bench")});
  }
  return files;
}

// Where what begins at `begin` of the text ends, if that is a comment or a
// literal; `begin` otherwise.
size_t EndOfWords(std::string_view text, size_t begin) {
  const auto after = [&](std::string_view mark, size_t from) {
    const size_t found = text.find(mark, from);
    return found == std::string_view::npos ? text.size() : found + mark.size();
  };
  const std::string_view rest = text.substr(begin);
  if (rest.starts_with("//")) return after("\n", begin) - 1;
  if (rest.starts_with("/*")) return after("*/", begin + 2);
  if (rest.starts_with("R\"")) {
    const std::string delimiter(rest.substr(2, rest.find('(') - 2));
    return after(")" + delimiter + "\"", begin);
  }
  const char quote = text[begin];
  const bool in_number = begin > 0 && std::isdigit(text[begin - 1]) != 0;  // 100'000
  if (quote != '"' && (quote != '\'' || in_number)) return begin;
  size_t end = begin + 1;
  while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
  return std::min(end + 1, text.size());
}

// The text with comments and literals blanked and its lines kept, so that a
// message about a throw is not taken for one.
std::string CodeOnly(std::string_view text) {
  std::string code;
  for (size_t i = 0; i < text.size();) {
    const size_t end = EndOfWords(text, i);
    if (end == i) code += text[i++];
    for (; i < end; ++i) code += text[i] == '\n' ? '\n' : ' ';
  }
  return code;
}

bool IsIdentifierCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Whether code[begin, end) is called as a free function of the global namespace or
// of std: not a member, not another namespace's, not a declaration.
bool IsFreeCall(std::string_view code, size_t begin, size_t end) {
  const size_t next = code.find_first_not_of(' ', end);
  if (next == std::string_view::npos || code[next] != '(') return false;
  const std::string_view before = code.substr(0, begin);
  if (before.ends_with("std::")) return true;
  if (before.ends_with("::")) {
    return before.size() == 2 || !IsIdentifierCharacter(before[before.size() - 3]);
  }
  if (before.ends_with(".") || before.ends_with("->")) return false;
  const size_t last = before.find_last_not_of(' ');
  return last == std::string_view::npos || !IsIdentifierCharacter(before[last]) ||
         before.substr(0, last + 1).ends_with("return");
}

// The deeds of one line of code.
std::vector<const Deed*> DeedsIn(std::string_view code) {
  std::vector<const Deed*> found;
  for (size_t begin = 0; begin < code.size();) {
    size_t end = begin;
    while (end < code.size() && IsIdentifierCharacter(code[end])) ++end;
    if (end == begin) {
      ++begin;
      continue;
    }
    const std::string_view name = code.substr(begin, end - begin);
    for (const Deed& deed : Deeds()) {
      const bool done = deed.names.contains(name) ||
                        (deed.calls.contains(name) && IsFreeCall(code, begin, end));
      if (done) found.push_back(&deed);
    }
    begin = end;
  }
  return found;
}

std::string Place(const SourceFile& source, size_t line_index) {
  return fs::relative(source.path, RIDGELINE_SOURCE_DIR).string() + ":" +
         std::to_string(line_index + 1);
}

void CheckOwnInclude(const SourceFile& source, const Room& room,
                     const std::string& included, const std::string& place) {
  const std::string head = FirstComponent(included);
  // Helps to compare texts with files, which what is tested never sees.
  if (source.is_test && included == "os/testing/golden.h") return;
  EXPECT_TRUE(head == source.room || room.depends.contains(head))
      << place << ": room '" << source.room << "' may not include room '" << head << "'";
  if (head != source.room || !kSiblingsAreStrangers.contains(head)) return;
  const std::string unit = UnitOf(included.substr(head.size() + 1));
  EXPECT_TRUE(unit == source.unit || unit == "shared")
      << place << ": '" << source.unit << "' may not include its sibling '" << unit
      << "'";
}

void CheckLibraryInclude(const SourceFile& source, const Room& room,
                         const std::string& included, const std::string& place) {
  const auto library = kLibraryOfHeader.find(FirstComponent(included));
  if (library == kLibraryOfHeader.end()) return;
  EXPECT_TRUE(source.is_test || room.external.contains(library->second))
      << place << ": room '" << source.room << "' may not use " << library->second;
}

void CheckIncludes(const SourceFile& source, const Room& room) {
  static const std::regex include_line(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  const std::vector<std::string> lines = Lines(ReadWhole(source.path));
  for (size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i], match, include_line)) continue;
    if (match[1] == "\"") {
      CheckOwnInclude(source, room, match[2], Place(source, i));
    } else {
      CheckLibraryInclude(source, room, match[2], Place(source, i));
    }
  }
}

void CheckDeeds(const SourceFile& source) {
  const std::vector<std::string> lines = Lines(CodeOnly(ReadWhole(source.path)));
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const Deed* deed : DeedsIn(lines[i])) {
      EXPECT_TRUE(deed->rooms.contains(source.room))
          << Place(source, i) << ": not in room '" << source.room << "'; use "
          << deed->instead << "\n  " << lines[i];
    }
  }
}

TEST(RoomsTest, EveryIncludeIsAllowed) {
  const std::map<std::string, Room> rooms = ReadRooms();
  ASSERT_FALSE(rooms.empty());
  for (const SourceFile& source : SourceFiles()) {
    ASSERT_TRUE(rooms.contains(source.room)) << source.path << " is in no declared room";
    CheckIncludes(source, rooms.at(source.room));
  }
}

TEST(RoomsTest, EachDeedIsDoneInItsRoom) {
  for (const SourceFile& source : SourceFiles()) {
    if (!source.is_test) CheckDeeds(source);
  }
}

TEST(RoomsTest, EveryHeaderIsIncludedOnce) {
  for (const SourceFile& source : SourceFiles()) {
    if (source.path.extension() != ".h") continue;
    EXPECT_NE(ReadWhole(source.path).find("#pragma once\n"), std::string::npos)
        << Place(source, 0) << ": no #pragma once";
  }
}

// A file that no CMakeLists.txt lists is code, or a test, that nobody runs.
TEST(RoomsTest, EverySourceIsBuilt) {
  const std::string commands =
      ReadWhole(fs::path(RIDGELINE_BINARY_DIR) / "compile_commands.json");
  if (commands.empty()) GTEST_SKIP() << "configured without a preset";
  for (const SourceFile& source : SourceFiles()) {
    if (source.path.extension() != ".cc" ||
        source.path.stem().string().ends_with("_bench"))
      continue;
    EXPECT_NE(commands.find("\"" + source.path.string() + "\""), std::string::npos)
        << Place(source, 0) << ": no CMakeLists.txt lists it";
  }
}

TEST(RoomsTest, DeedsAreSeenInCodeAndNotInWords) {
  struct Case {
    std::string_view text;
    bool want;
  };
  const Case cases[] = {
      {"throw 1;", true},
      {"// we never throw\n", false},
      {"/* throw\n throw */ int x;", false},
      {"Error(\"cannot \\\"throw\")", false},
      {"R\"a(throw \" )\" throw)a\"", false},
      {"'\"'; throw 1; '\"'", true},
      {"100'000; throw 1; 'x'", true},
      {"std::getenv(name)", true},
      {"os::GetEnv(name)", false},
      {"std::exit(1)", true},
      {"return exit(1);", true},
      {"::abort ()", true},
      {"scope.exit()", false},
      {"scope->exit()", false},
      {"other::exit()", false},
      {"int time(int zone);", false},
      {"std::ifstream in(path);", true},
      {"std::cout << 1;", true},
      {"std::ostream& out", false},
      {"std::system(command)", true},
      {"std::system_error(1)", false},
      {"os::RemoveAll(path)", true},
      {"fs::remove_all(path)", true},
      {"owned().Remove(path)", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(!DeedsIn(CodeOnly(c.text)).empty(), c.want);
  }
}

}  // namespace
