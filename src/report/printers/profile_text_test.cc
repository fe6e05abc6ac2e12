#include <gmock/gmock.h>

#include "report/printers/printers.h"

namespace ridgeline::report {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string TextWith(const ProfileRow& profile) {
  Document document;
  document.sources = {{.file = "a.csv", .format = "ncu_csv"}};
  document.sources[0].profile = profile;
  return ProfilesText(document, 10);
}

TEST(ProfileTextTest, RepeatedDiagnosticsAreOneLine) {
  ProfileRow profile;
  const std::string words = "Not all events might have been collected for this process. ";
  profile.diagnostics = {{"error", words + words + words + words},
                         {"warning", "No MMAP events of process 2461019."},
                         {"warning", "No NVTX events collected."},
                         {"warning", "No MMAP events of process 17."},
                         {"warning", "No NVTX events collected."},
                         {"warning", "perf event paranoid level is 2."}};
  const std::string text = TextWith(profile);
  EXPECT_THAT(text, HasSubstr("nsys error: " + words + words + words.substr(0, 57)));
  EXPECT_THAT(text, HasSubstr(" ...\n"));
  EXPECT_THAT(text, HasSubstr("nsys warning: No MMAP events of process N. (x2)\n"));
  EXPECT_THAT(text, HasSubstr("nsys warning: No NVTX events collected. (x2)\n"));
  EXPECT_THAT(text, HasSubstr("nsys warning: perf event paranoid level is 2.\n"));
}

TEST(ProfileTextTest, DiagnosticsAreLastAndDoNotDenyData) {
  Document document;
  document.sources = {{.file = "a.sqlite", .format = "nsys_sqlite"}};
  ProfileRow profile;
  profile.diagnostics = {
      {"warning", "No NVTX events collected. Does the process use it?"},
      {"warning", "No CUDA events collected. Does the process use it?"},
      {"warning", "No OS runtime libraries events collected."}};
  profile.nvtx_ranges = 0;
  document.sources[0].profile = profile;
  EXPECT_THAT(ProfilesText(document, 10), HasSubstr("No CUDA events collected"));
  EXPECT_THAT(ProfilesText(document, 10), HasSubstr("No OS runtime libraries events"));
  document.sources[0].profile->api_calls = 3;
  document.api_calls = {{.source = "a.sqlite", .kind = "osrt", .name = "poll"}};
  const std::string text = ProfilesText(document, 10);
  EXPECT_THAT(text, Not(HasSubstr("No CUDA events collected")));
  EXPECT_THAT(text, Not(HasSubstr("No OS runtime libraries events")));
  EXPECT_LT(text.find("poll"), text.find("nsys warning: No NVTX events collected"));
}

TEST(ProfileTextTest, KernelsOnSeveralGpusHaveMoreRowsThanNames) {
  Document document;
  ProfileRow profile;
  profile.unique_kernels = 1;
  profile.kernel_durations = DurationsRow{.count = 2, .total_s = 3};
  document.sources = {{.file = "a.sqlite", .format = "nsys_sqlite"}};
  document.sources[0].profile = profile;
  document.kernels = {{.source = "a.sqlite", .device = "0", .name = "gemm"},
                      {.source = "a.sqlite", .device = "1", .name = "gemm"}};
  EXPECT_THAT(ProfilesText(document, 10),
              HasSubstr("Kernels: 2 launches, 1 unique, 2 rows by GPU, 3.00 s total"));
  document.kernels.pop_back();
  EXPECT_THAT(ProfilesText(document, 10),
              HasSubstr("Kernels: 2 launches, 1 unique, 3.00 s total"));
}

TEST(ProfileTextTest, OnlyUnusualFactsAboutAFileAreShown) {
  const struct {
    const char* number_format;
    const char* host;
    const char* want;
  } cases[] = {
      {"1,234.5", "127.0.0.1", "  ncu_csv, GPU NVIDIA A2\n"},
      {"1234.5", "127.0.0.1", "  ncu_csv, GPU NVIDIA A2\n"},
      {"1.234,5", "127.0.0.1", "  ncu_csv, number format 1.234,5, GPU NVIDIA A2\n"},
      {"1234.5", "box", "  ncu_csv, host box, GPU NVIDIA A2\n"},
  };
  for (const auto& c : cases) {
    ProfileRow profile;
    profile.number_format = c.number_format;
    profile.host = c.host;
    profile.gpus = Texts{"NVIDIA A2"};
    EXPECT_THAT(TextWith(profile), HasSubstr(c.want));
  }
  EXPECT_THAT(TextWith({}), Not(HasSubstr("GPU")));
}

}  // namespace
}  // namespace ridgeline::report
