// Enforces the layering of src/CMakeLists.txt: a file includes only the modules that its
// module names in DEPENDS and the libraries that it names in EXTERNAL, and some calls are
// restricted to the modules that exist for them.
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
// Both written by tests/CMakeLists.txt.
const fs::path kLayersFile = fs::path(RIDGELINE_BINARY_DIR) / "layers.txt";
const fs::path kSourcesFile = fs::path(RIDGELINE_BINARY_DIR) / "sources.txt";

struct Module {
  std::set<std::string> depends;
  std::set<std::string> external;
  std::set<std::string> folders;  // Below src/.
};

struct SourceFile {
  fs::path path;
  std::string module;
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

// Modules of interchangeable things: two stages, profile readers or models never include
// each other. They share <module>/shared/ and, in some modules, the files at its top.
const std::set<std::string> kSiblingsAreStrangers = {"stages", "profiles", "models",
                                                     "networks"};
const std::set<std::string> kSharesTopFiles = {"profiles", "models"};

// Tables, which name all of them.
const std::set<std::string> kTables = {"models/networks/networks.cc",
                                       "models/registry.cc", "profiles/formats.cc"};

// Files outside of its folder that name a model.
const std::set<std::string> kNameModels = {"models/networks/networks.cc",
                                           "models/registry.cc"};

// Modules that a build without libtorch, or without NVTX's headers, does not have, and
// their folders.
const std::map<std::string, std::string> kOptional = {
    {"networks", "models/networks"},
    {"networks/deepseek_ocr", "models/deepseek_ocr/network"},
    {"networks/dummy_shallow_resnet", "models/dummy_shallow_resnet/network"},
    {"inference", "inference"},
    {"collectors/nvtx/injection", "collectors/nvtx/injection"},
    {"collectors/python/agent", "collectors/python/agent"}};

// Calls that few modules may make. Tests may make them all. The injection library is
// loaded into other programs and has no `os` there.
struct Restriction {
  std::set<std::string_view> names;  // Any use of one of these names...
  std::set<std::string_view> calls;  // ...or a call of one of these, std:: or not.
  std::set<std::string> modules;
  const char* instead;
};

const std::vector<Restriction>& Restrictions() {
  static const std::vector<Restriction> restrictions = {
      {.names = {"cout", "cerr", "clog", "cin", "stdout", "stderr", "stdin"},
       .calls = {"printf", "puts", "putchar"},
       .modules = {"os"},
       .instead = "os::StandardStreams in main(), a std::ostream& elsewhere"},
      {.names = {"environ"},
       .calls = {"getenv", "secure_getenv", "setenv", "putenv", "unsetenv"},
       .modules = {"os", "collectors/nvtx/injection"},
       .instead = "os/env.h"},
      {.calls = {"fork", "vfork", "execv", "execve", "execvp", "execvpe", "execl",
                 "execle", "execlp", "posix_spawn", "posix_spawnp", "popen", "system",
                 "waitpid"},
       .modules = {"os"},
       .instead = "os::ProcessRunner"},
      {.names = {"ifstream", "ofstream", "fstream"},
       .calls = {"open", "openat", "fopen", "creat", "mkstemp", "mkdtemp"},
       .modules = {"os", "collectors/nvtx/injection"},
       .instead = "os/files.h"},
      {.names = {"system_clock"},
       .calls = {"time", "gettimeofday", "clock_gettime", "localtime", "localtime_r"},
       .modules = {"os"},
       .instead = "a time that is handed in (os/clock.h)"},
      {.calls = {"_exit"}, .modules = {"os"}, .instead = "os::ProcessRunner"},
      {.calls = {"exit", "quick_exit", "abort", "terminate"},
       .modules = {"app"},
       .instead = "a Result, or assert"},
      {.names = {"throw"}, .instead = "a Result"},
      {.names = {"RemoveAll", "MoveFile", "RenameDirectory", "remove_all"},
       .calls = {"rename", "unlink"},
       .modules = {"os", "collectors/nvtx/injection"},
       .instead = "os::OwnedDirectory, which moves and deletes only what is ours"},
  };
  return restrictions;
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

std::string FirstComponent(const std::string& path) {
  return path.substr(0, path.find('/'));
}

// One line per module, as cmake/Module.cmake writes it: "config|base os|yaml fmt|config".
std::map<std::string, Module> ReadModules() {
  std::map<std::string, Module> modules;
  for (const std::string& line : Lines(ReadWhole(kLayersFile))) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, '|');) fields.push_back(field);
    if (fields.size() != 4) continue;
    modules[fields[0]] = {Words(fields[1]), Words(fields[2]), Words(fields[3])};
  }
  return modules;
}

// The module of a path below src/: the one with the longest folder that it lies in.
// Empty: none. With it, that folder.
std::pair<std::string, std::string> ModuleOf(
    const std::string& path, const std::map<std::string, Module>& modules) {
  std::pair<std::string, std::string> found;
  for (const auto& [name, module] : modules) {
    for (const std::string& folder : module.folders) {
      if (path.starts_with(folder + "/") && folder.size() > found.second.size()) {
        found = {name, folder};
      }
    }
  }
  return found;
}

bool IsInAbsentModule(const std::string& path,
                      const std::map<std::string, Module>& modules) {
  return std::any_of(kOptional.begin(), kOptional.end(), [&](const auto& optional) {
    return path.starts_with(optional.second + "/") &&
           !modules.contains(FirstComponent(optional.first)) &&
           !modules.contains(optional.first);
  });
}

// What of a module a file belongs to: its folder in a module of several folders, else the
// first part of its path in the module.
std::string UnitOf(const std::string& path, const std::string& folder,
                   const Module& module) {
  if (module.folders.size() > 1) return folder;
  std::string unit = fs::path(FirstComponent(path.substr(folder.size() + 1))).stem();
  for (const std::string_view suffix : {"_test", "_bench"}) {
    if (unit.ends_with(suffix)) unit.resize(unit.size() - suffix.size());
  }
  return unit;
}

std::vector<SourceFile> SourceFiles() {
  std::vector<SourceFile> files;
  const std::map<std::string, Module> modules = ReadModules();
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kSourceRoot)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".h" && path.extension() != ".cc") continue;
    const std::string relative = fs::relative(path, kSourceRoot).string();
    if (IsInAbsentModule(relative, modules)) continue;
    const auto [module, folder] = ModuleOf(relative, modules);
    if (module.empty()) {
      ADD_FAILURE() << path << " is in no declared module";
      continue;
    }
    const std::string stem = path.stem().string();
    files.push_back({.path = path,
                     .module = module,
                     .unit = UnitOf(relative, folder, modules.at(module)),
                     .is_test = stem.ends_with("_test") || stem.ends_with("_bench") ||
                                relative.find("/testing/") != std::string::npos});
  }
  return files;
}

// Where what begins at `begin` of the text ends, if that is a comment or a
// literal; `begin` otherwise.
size_t EndOfWords(std::string_view text, size_t begin) {
  if (std::string_view("/R\"'").find(text[begin]) == std::string_view::npos) return begin;
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

// Names and calls of all restrictions: few words of the code are among them.
const std::set<std::string, std::less<>>& RestrictedNames() {
  static const auto names = [] {
    std::set<std::string, std::less<>> all;
    for (const Restriction& restriction : Restrictions()) {
      all.insert(restriction.names.begin(), restriction.names.end());
      all.insert(restriction.calls.begin(), restriction.calls.end());
    }
    return all;
  }();
  return names;
}

// The restrictions that apply to one line of code.
std::vector<const Restriction*> RestrictionsIn(std::string_view code) {
  std::vector<const Restriction*> found;
  for (size_t begin = 0; begin < code.size();) {
    size_t end = begin;
    while (end < code.size() && IsIdentifierCharacter(code[end])) ++end;
    if (end == begin) {
      ++begin;
      continue;
    }
    const std::string_view name = code.substr(begin, end - begin);
    const bool is_restricted = RestrictedNames().contains(name);
    for (const Restriction& restriction : Restrictions()) {
      if (!is_restricted) break;
      const bool applies =
          restriction.names.contains(name) ||
          (restriction.calls.contains(name) && IsFreeCall(code, begin, end));
      if (applies) found.push_back(&restriction);
    }
    begin = end;
  }
  return found;
}

std::string Place(const SourceFile& source, size_t line_index) {
  return fs::relative(source.path, RIDGELINE_SOURCE_DIR).string() + ":" +
         std::to_string(line_index + 1);
}

void CheckOwnInclude(const SourceFile& source,
                     const std::map<std::string, Module>& modules,
                     const std::string& included, const std::string& place) {
  // Shared by tests of all modules: text compared with files, waits with a bound.
  if (source.is_test && included.starts_with("os/testing/")) return;
  const auto [module, folder] = ModuleOf(included, modules);
  const bool is_main =
      source.path.filename() == "main.cc";  // It may include what it links.
  EXPECT_TRUE(is_main || module == source.module ||
              modules.at(source.module).depends.contains(module))
      << place << ": module '" << source.module << "' may not include module '" << module
      << "'";
  if (module != source.module || !kSiblingsAreStrangers.contains(module)) return;
  const std::string in_module = included.substr(folder.size() + 1);
  const std::string unit = UnitOf(included, folder, modules.at(module));
  const bool is_shared =
      unit == "shared" || unit == "testing" ||
      (kSharesTopFiles.contains(module) && in_module.find('/') == std::string::npos);
  const bool is_table = kTables.contains(fs::relative(source.path, kSourceRoot).string());
  EXPECT_TRUE(unit == source.unit || is_shared || is_table)
      << place << ": '" << source.unit << "' may not include its sibling '" << unit
      << "'";
}

void CheckLibraryInclude(const SourceFile& source, const Module& module,
                         const std::string& included, const std::string& place) {
  const auto library = kLibraryOfHeader.find(FirstComponent(included));
  if (library == kLibraryOfHeader.end()) return;
  EXPECT_TRUE(source.is_test || module.external.contains(library->second))
      << place << ": module '" << source.module << "' may not use " << library->second;
}

void CheckIncludes(const SourceFile& source,
                   const std::map<std::string, Module>& modules) {
  static const std::regex include_line(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)");
  const std::vector<std::string> lines = Lines(ReadWhole(source.path));
  for (size_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (lines[i].find("include") == std::string::npos) continue;
    if (!std::regex_match(lines[i], match, include_line)) continue;
    if (match[1] == "\"") {
      CheckOwnInclude(source, modules, match[2], Place(source, i));
    } else {
      CheckLibraryInclude(source, modules.at(source.module), match[2], Place(source, i));
    }
  }
}

void CheckRestrictions(const SourceFile& source) {
  const std::vector<std::string> lines = Lines(CodeOnly(ReadWhole(source.path)));
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const Restriction* restriction : RestrictionsIn(lines[i])) {
      EXPECT_TRUE(restriction->modules.contains(source.module))
          << Place(source, i) << ": not in module '" << source.module << "'; use "
          << restriction->instead << "\n  " << lines[i];
    }
  }
}

TEST(LayeringTest, EveryIncludeIsAllowed) {
  const std::map<std::string, Module> modules = ReadModules();
  ASSERT_FALSE(modules.empty());
  for (const SourceFile& source : SourceFiles()) {
    CheckIncludes(source, modules);
  }
}

// Sections and advice work on typed rows; JSON is one way of printing them. The metrics
// of a model are read from JSON.
TEST(LayeringTest, OnlyPrintersOfReportsKnowJson) {
  size_t printers = 0;
  for (const SourceFile& source : SourceFiles()) {
    const std::string path = fs::relative(source.path, kSourceRoot).string();
    if (source.module != "report" || source.is_test) continue;
    if (ReadWhole(source.path).find("nlohmann") == std::string::npos) continue;
    const bool is_printer = path.starts_with("report/printers/");
    printers += is_printer ? 1 : 0;
    EXPECT_TRUE(is_printer || path == "report/model_metrics.cc")
        << path << ": JSON belongs into report/printers/";
  }
  EXPECT_GT(printers, 0u);
}

TEST(LayeringTest, RestrictedCallsAreMadeInTheirModules) {
  for (const SourceFile& source : SourceFiles()) {
    if (!source.is_test) CheckRestrictions(source);
  }
}

// Folders of src/models/ with a network: each is a model.
std::vector<std::string> ModelNames() {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(kSourceRoot / "models")) {
    if (fs::is_directory(entry.path() / "network")) {
      names.push_back(entry.path().filename().string());
    }
  }
  return names;
}

// "DeepSeek-OCR", "deepseek ocr" and "DeepseekOcr" as "deepseekocr".
std::string AnySpelling(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c == '-' || c == '_' || c == ' ') continue;
    plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

TEST(LayeringTest, AModelIsNamedInItsFolderAndInTheTables) {
  const std::vector<std::string> names = ModelNames();
  ASSERT_GE(names.size(), 2u);
  for (const std::string& name : names) {
    const std::string spelling = AnySpelling(name);
    for (const SourceFile& source : SourceFiles()) {
      const std::string path = fs::relative(source.path, kSourceRoot).string();
      if (source.is_test || kNameModels.contains(path) ||
          path.starts_with("models/" + name + "/")) {
        continue;
      }
      const std::string text = ReadWhole(source.path);
      if (AnySpelling(text).find(spelling) == std::string::npos) continue;
      const std::vector<std::string> lines = Lines(text);
      for (size_t i = 0; i < lines.size(); ++i) {
        EXPECT_EQ(AnySpelling(lines[i]).find(spelling), std::string::npos)
            << Place(source, i) << ": names the model " << name << "\n  " << lines[i];
      }
    }
  }
}

// Paths below src/ that a text names, as "src/os/files.h" or "src/os/".
std::set<std::string> SourcePathsIn(const std::string& text) {
  static const std::regex path(
      R"((^|[^/A-Za-z0-9_])(src/[A-Za-z0-9_/]+(\.(cc|h|S|ts|html|txt))?))");
  std::set<std::string> paths;
  for (std::sregex_iterator it(text.begin(), text.end(), path), end; it != end; ++it) {
    paths.insert(it->str(2));
  }
  return paths;
}

TEST(LayeringTest, DocumentsNameFilesThatExist) {
  const fs::path root = RIDGELINE_SOURCE_DIR;
  std::vector<fs::path> documents = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const char* const folder : {"docs", "web/src", "web/tests", "cmake"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path extension = entry.path().extension();
      if (extension == ".md" || extension == ".ts" || extension == ".mjs" ||
          extension == ".cmake") {
        documents.push_back(entry.path());
      }
    }
  }
  size_t checked = 0;
  for (const fs::path& document : documents) {
    for (const std::string& path : SourcePathsIn(ReadWhole(document))) {
      EXPECT_TRUE(fs::exists(root / path) || fs::exists(document.parent_path() / path) ||
                  fs::exists(root / "web" / path))
          << document << " names " << path;
      ++checked;
    }
  }
  EXPECT_GT(checked, 10u);
}

TEST(LayeringTest, EveryHeaderIsIncludedOnce) {
  for (const SourceFile& source : SourceFiles()) {
    if (source.path.extension() != ".h") continue;
    EXPECT_NE(ReadWhole(source.path).find("#pragma once\n"), std::string::npos)
        << Place(source, 0) << ": no #pragma once";
  }
}

// A file that no CMakeLists.txt lists is code, or a test, that nobody runs.
TEST(LayeringTest, EverySourceIsBuilt) {
  std::set<std::string> built;
  for (const std::string& line : Lines(ReadWhole(kSourcesFile))) {
    built.insert(fs::path(line).lexically_normal().string());
  }
  ASSERT_FALSE(built.empty());
  for (const SourceFile& source : SourceFiles()) {
    if (source.path.extension() != ".cc" ||
        source.path.stem().string().ends_with("_bench"))
      continue;
    EXPECT_TRUE(built.contains(source.path.string()))
        << Place(source, 0) << ": no CMakeLists.txt lists it";
  }
}

TEST(LayeringTest, RestrictedCallsAreFoundInCodeAndNotInText) {
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
    EXPECT_EQ(!RestrictionsIn(CodeOnly(c.text)).empty(), c.want);
  }
}

}  // namespace
