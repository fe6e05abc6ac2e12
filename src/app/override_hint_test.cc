#include <gtest/gtest.h>

#include "app/command_support.h"

namespace ridgeline::app {
namespace {

TEST(OverrideHint, NamesTheOverrideThatWorks) {
  struct Case {
    const char* what;
    const char* message;
    std::vector<std::string> overrides;
    const char* want;
  };
  const Case cases[] = {
      {"added a second time under its place",
       "dataset/sampling appears more than once in the final defaults list",
       {"device=cpu", "+dataset/sampling@dataset.sampling=default"},
       "The group is already in the defaults list: use dataset/sampling=default"},
      {"added a second time with another option",
       "Multiple values for dataset/sampling. To override a value use 'override "
       "dataset/sampling: random'",
       {"+dataset/sampling=random"},
       "The group is already in the defaults list: use dataset/sampling=random"},
      {"named with a place that it does not have",
       "Could not override 'dataset/sampling@dataset.sampling'.\nDid you mean to "
       "override "
       "dataset/sampling?\nTo append to your default list use "
       "+dataset/sampling@dataset.sampling=random",
       {"dataset/sampling@dataset.sampling=random"},
       "The group is already in the defaults list: use dataset/sampling=random"},
      {"named without the place that it has",
       "Could not override 'profiling/ncu'.\nDid you mean to override "
       "profiling/ncu@pipeline.ncu?\nTo append to your default list use "
       "+profiling/ncu=ncu.high",
       {"profiling/ncu=ncu.high"},
       "The group is already in the defaults list: use "
       "profiling/ncu@pipeline.ncu=ncu.high"},
      {"an option that the earlier group `runner` did not have",
       "Could not override 'runner'.\nTo append to your config use +runner=foo",
       {"runner=foo"},
       "Options of the earlier group runner: stage1.default, stage1.no-static, stage2"},
      {"a program without --",
       "expected '=', found the end of the override\nsh\n  ^\nSee",
       {"device=cpu", "sh", "gen x.py"},
       "hint: to profile a program: ridgeline run device=cpu -- sh 'gen x.py'"},
      {"a path without --",
       "expected a key, found '/'\n/bin/sh\n^\nSee",
       {"/bin/sh", "gen.sh"},
       "hint: to profile a program: ridgeline run -- /bin/sh gen.sh"},
      {"a word that is not a program",
       "expected '=', found the end of the override\nno-such-program\n  ^\nSee",
       {"no-such-program"},
       ""},
      {"something else",
       "In 'config': Could not find 'dataset/other'",
       {"dataset=other"},
       ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const config::Error error(config::ErrorKind::kConfigComposition, c.message);
    EXPECT_EQ(HintForOverride(error, c.overrides), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::app
