#include "collectors/nvtx/capture_expression.h"

#include <gtest/gtest.h>

namespace ridgeline::nvtx {
namespace {

TEST(ParseExpressionTest, ReadsWhatNsysReads) {
  struct Case {
    const char* text;
    Expression want;
    const char* again;  // Written back as text.
  };
  const Case cases[] = {
      {"decode", {"decode", "", false}, "decode"},
      {"decode step", {"decode step", "", false}, "decode step"},
      {"decode@vllm", {"decode", "vllm", false}, "decode@vllm"},
      {"decode@*", {"decode", "", true}, "decode@*"},
      {R"(a\b)", {R"(a\b)", "", false}, R"(a\b)"},
      {"*", {"*", "", false}, "*"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Result<Expression> parsed = ParseExpression(c.text);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed.value(), c.want);
    EXPECT_EQ(parsed.value().ToString(), c.again);
  }
}

TEST(ParseExpressionTest, RefusesTheRest) {
  for (const char* text : {"", "@", "@vllm", "decode@", "a@b@c"}) {
    SCOPED_TRACE(text);
    const Result<Expression> parsed = ParseExpression(text);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kConfig);
  }
}

RangeRow Range(const char* label, const char* domain, bool registered, int64_t opened) {
  return {.domain = domain, .label = label, .registered = registered, .opened = opened};
}

RangeRow Mark(const char* label) {
  RangeRow row = Range(label, "", false, 1);
  row.kind = RangeKind::kMark;
  return row;
}

Listing Program() {
  Listing listing;
  listing.ranges = {Range("prefill", "", true, 2),
                    Range("decode", "", true, 8),
                    Range("decode", "", false, 1),
                    Range("plain", "", false, 1),
                    Range("step", "vllm", true, 5),
                    Range("step", "torch", false, 1),
                    Mark("token"),
                    Range("a@b", "", true, 1)};
  RangeRow wide = Range("wide", "", true, 3);
  wide.wide = true;
  listing.ranges.push_back(wide);
  RangeRow inner = Range("decode", "", true, 4);
  inner.path = {"prefill"};
  listing.ranges.push_back(inner);
  return listing;
}

TEST(ResolveTest, SaysWhetherNsysWouldFindIt) {
  struct Case {
    const char* expression;
    Verdict verdict;
    bool matches;
    const char* sentence;
    const char* fix;
  };
  const Case cases[] = {
      {"prefill", Verdict::kOpened, true,
       "'prefill' matches: 2 instances with a registered string", ""},
      {"decode", Verdict::kOpened, true,
       "'decode' matches: 12 instances with a registered string, and 1 instance with a "
       "plain string, which nsys ignores by default",
       ""},
      {"plain", Verdict::kUnregistered, true,
       "'plain' matches: 1 instance, but with a plain string, which nsys ignores by "
       "default",
       "run nsys with --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 (`ridgeline run` "
       "does), or register the string (nvtxDomainRegisterString)"},
      {"step@*", Verdict::kOpened, true,
       "'step@*' matches: 5 instances with a registered string, and 1 instance with a "
       "plain string, which nsys ignores by default",
       ""},
      {"step@torch", Verdict::kUnregistered, true,
       "'step@torch' matches: 1 instance, but with a plain string, which nsys ignores by "
       "default",
       "run nsys with --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 (`ridgeline run` "
       "does), or register the string (nvtxDomainRegisterString)"},
      {"step", Verdict::kOtherDomain, false,
       "'step' matches nothing: 'step' is in domains 'vllm', 'torch', not in the default "
       "domain",
       "use step@vllm or step@*"},
      {"decode@vllm", Verdict::kOtherDomain, false,
       "'decode@vllm' matches nothing: 'decode' is in the default domain, not in 'vllm'",
       "use decode or decode@*"},
      {"token", Verdict::kOnlyMarks, false,
       "'token' matches nothing: it is a mark, not a range; ranges: prefill, decode, "
       "plain, step@vllm, step@torch, a@b, wide",
       "use one of these"},
      {"decod", Verdict::kNeverOpened, false,
       "no NVTX range 'decod' (ranges: prefill, decode, plain, step@vllm, step@torch, "
       "a@b, "
       "wide)",
       "did you mean 'decode'?"},
      {"setp@*", Verdict::kNeverOpened, false,
       "no NVTX range 'setp@*' (ranges: prefill, decode, plain, step@vllm, step@torch, "
       "a@b, wide)",
       "did you mean 'step@vllm'?"},
      {"decode_token_loop", Verdict::kNeverOpened, false,
       "no NVTX range 'decode_token_loop' (ranges: prefill, decode, plain, step@vllm, "
       "step@torch, a@b, wide)",
       "did you mean 'decode'?"},
      {"a@b", Verdict::kNeverOpened, false,
       "'a@b' matches nothing: it is the name of a range, but nsys reads the part after "
       "'@' as a domain",
       "rename the range; nsys cannot capture names with '@'"},
      {"wide", Verdict::kWide, true,
       "'wide' matches: 3 instances, but with a wide string (wchar_t), which nsys 2022.4 "
       "does not support",
       "use a char string for the range"},
      {"xyzzy", Verdict::kNeverOpened, false,
       "no NVTX range 'xyzzy' (ranges: prefill, decode, plain, step@vllm, step@torch, "
       "a@b, "
       "wide)",
       "use one of these"},
  };
  const Listing listing = Program();
  for (const Case& c : cases) {
    SCOPED_TRACE(c.expression);
    const Resolution answer = Resolve(ParseExpression(c.expression).value(), listing);
    EXPECT_EQ(answer.verdict, c.verdict) << Word(answer.verdict);
    EXPECT_EQ(answer.Matches(), c.matches);
    EXPECT_EQ(answer.sentence, c.sentence);
    EXPECT_EQ(answer.fix, c.fix);
  }
}

TEST(ResolveTest, NamesNoMoreThanCanBeRead) {
  Listing listing;
  for (int i = 10; i < 30; ++i) {
    listing.ranges.push_back(Range(("range" + std::to_string(i)).c_str(), "", true, 1));
  }
  const Resolution answer = Resolve({.label = "xyzzy"}, listing);
  EXPECT_EQ(answer.sentence,
            "no NVTX range 'xyzzy' (ranges: range10, range11, range12, range13, range14, "
            "range15, range16, range17 and 12 more)");
}

TEST(ResolveTest, KnowsAProgramWithoutRanges) {
  const Resolution answer = Resolve({.label = "decode"}, {});
  EXPECT_EQ(answer.verdict, Verdict::kNoRanges);
  EXPECT_FALSE(answer.Matches());
}

}  // namespace
}  // namespace ridgeline::nvtx
