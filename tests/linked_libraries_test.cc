// Which shared libraries our programs load when they start. Loading one takes up to a
// millisecond, libtorch half a second; a source file that is compiled together with
// others can bring along a library that its program does not need.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

namespace {

// The names that `readelf -d` lists as NEEDED.
std::vector<std::string> NeededBy(const std::string& file) {
  const std::string command =
      std::string(RIDGELINE_READELF) + " --dynamic --wide '" + file + "'";
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    text += static_cast<char>(c);
  }
  pclose(pipe);
  // "0x0000000000000001 (NEEDED)  Shared library: [libm.so.6]"
  std::vector<std::string> names;
  constexpr std::string_view kMark = "Shared library: [";
  for (size_t at = text.find(kMark); at != std::string::npos; at = text.find(kMark, at)) {
    at += kMark.size();
    names.push_back(text.substr(at, text.find(']', at) - at));
  }
  return names;
}

bool StartsWithOneOf(std::string_view name, const std::vector<std::string_view>& words) {
  for (const std::string_view word : words) {
    if (name.starts_with(word)) return true;
  }
  return false;
}

void ExpectNone(const std::string& program,
                const std::vector<std::string_view>& unwanted) {
  const std::vector<std::string> needed = NeededBy(program);
  ASSERT_FALSE(needed.empty()) << program;
  for (const std::string& name : needed) {
    EXPECT_FALSE(StartsWithOneOf(name, unwanted)) << program << " loads " << name;
  }
}

TEST(LinkedLibraries, TheProgramLoadsNoWebServerNoTorchAndNoFonts) {
  ExpectNone(RIDGELINE_PROGRAM,
             {"libtorch", "libc10", "libcpp-httplib", "libssl", "libcrypto", "libbrotli",
              "libcairo", "libpango", "libglib", "libgobject"});
}

TEST(LinkedLibraries, TheServerLoadsWhatItServesWith) {
  ExpectNone(RIDGELINE_SERVE, {"libtorch", "libc10", "libcairo", "libpango", "libglib",
                               "libgobject", "libsqlite3", "libsimdjson", "libyaml",
                               "libpcre2", "libpng", "libjpeg", "libwebp"});
}

#ifdef RIDGELINE_MODEL
TEST(LinkedLibraries, TheModelLoadsNoWebServer) {
  ExpectNone(RIDGELINE_MODEL, {"libcpp-httplib", "libssl", "libcrypto", "libbrotli"});
}

// Without OpenMP at::parallel_for runs on one thread (threads_test).
TEST(LinkedLibraries, TheModelLoadsOpenMp) {
  const std::vector<std::string> needed = NeededBy(RIDGELINE_MODEL);
  EXPECT_TRUE(std::any_of(needed.begin(), needed.end(), [](const std::string& name) {
    return StartsWithOneOf(name, {"libgomp", "libomp", "libiomp"});
  }));
}
#endif

#ifdef RIDGELINE_NVTX_LIBRARY
// They are loaded into programs of others, which may have another C++ runtime.
void ExpectOnlyTheCLibrary(const std::string& library) {
  const std::vector<std::string> needed = NeededBy(library);
  ASSERT_FALSE(needed.empty());
  for (const std::string& name : needed) {
    EXPECT_TRUE(StartsWithOneOf(name, {"libc.so", "libm.so", "libdl.so", "ld-linux"}))
        << library << " loads " << name;
  }
}

TEST(LinkedLibraries, TheNvtxLibraryLoadsOnlyTheCLibrary) {
  ExpectOnlyTheCLibrary(RIDGELINE_NVTX_LIBRARY);
}

TEST(LinkedLibraries, TheRangesLibraryLoadsOnlyTheCLibrary) {
  ExpectOnlyTheCLibrary(RIDGELINE_RANGES_LIBRARY);
}
#endif

}  // namespace
