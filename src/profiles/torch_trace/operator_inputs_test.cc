#include "profiles/torch_trace/operator_inputs.h"

#include <gtest/gtest.h>

#include <string>

namespace ridgeline::profiles {
namespace {

using cost::OperatorInput;
using cost::Sizes;

std::string Text(const std::string& dims, const std::string& types = "",
                 const std::string& values = "") {
  std::string text = dims;
  if (!types.empty()) text += kInputsSeparator + types;
  if (!values.empty()) text += kInputsSeparator + values;
  return text;
}

TEST(OperatorInputs, HaveSizesTypesAndValues) {
  const auto inputs = ParseOperatorInputs(Text(
      "[[4, 3, 224, 224], [768], [], [], [], [[2], [3, 4]]]",
      R"(["c10::BFloat16", "float", "ScalarList", "Scalar", "double", "TensorList"])",
      R"(["", "", "[16, 16]", "False", "", ""])"));
  ASSERT_EQ(inputs.size(), 6U);
  EXPECT_EQ(inputs[0].tensors, (std::vector<Sizes>{{4, 3, 224, 224}}));
  EXPECT_EQ(inputs[0].element_bytes, 2);
  EXPECT_EQ(inputs[0].type, cost::NumberType::kBf16);
  EXPECT_EQ(inputs[1].element_bytes, 4);
  EXPECT_TRUE(inputs[2].tensors.empty());
  EXPECT_EQ(inputs[2].value, (std::vector<int64_t>{16, 16}));
  EXPECT_EQ(inputs[3].value, (std::vector<int64_t>{0}));
  EXPECT_EQ(inputs[4].tensors, (std::vector<Sizes>{{}})) << "a tensor of no dimensions";
  EXPECT_EQ(inputs[5].tensors, (std::vector<Sizes>{{2}, {3, 4}}));
}

TEST(OperatorInputs, HaveOnlySizesWhereNothingElseIsKept) {
  const auto inputs = ParseOperatorInputs("[[8, 1024], []]");
  ASSERT_EQ(inputs.size(), 2U);
  EXPECT_EQ(inputs[0].tensors, (std::vector<Sizes>{{8, 1024}}));
  EXPECT_EQ(inputs[0].element_bytes, 0);
  EXPECT_TRUE(inputs[1].tensors.empty());
}

TEST(OperatorInputs, ReadValues) {
  const struct {
    const char* text;
    std::optional<std::vector<int64_t>> want;
  } cases[] = {
      {"7", {{7}}},
      {"-1", {{-1}}},
      {"True", {{1}}},
      {"[True, False, True]", {{1, 0, 1}}},
      {"[1, 2]", {{1, 2}}},
      {"[]", {}},
      {"", {}},
      {"0.125", {}},
      {"same", {}},
      {"99999999999999999999", {}},
  };
  for (const auto& c : cases) {
    const auto inputs =
        ParseOperatorInputs(Text("[[]]", R"([""])", "[\"" + std::string(c.text) + "\"]"));
    EXPECT_EQ(inputs[0].value, c.want) << c.text;
  }
}

TEST(OperatorInputs, AreEmptyWhereTheTextIsNotAsExpected) {
  EXPECT_TRUE(ParseOperatorInputs("").empty());
  EXPECT_TRUE(ParseOperatorInputs("{\"a\": 1}").empty());
  for (const char* text : {"[1]", "[[\"x\"]]", "[[1.5]]", "[[99999999999999999999]]",
                           "[[[1], 2]]", "[null]", "[{}]"}) {
    const auto inputs = ParseOperatorInputs(text);
    ASSERT_EQ(inputs.size(), 1U) << text;
    EXPECT_TRUE(inputs[0].tensors.empty()) << text;
  }
  EXPECT_EQ(ParseOperatorInputs(Text("[[1]]", "7", "[5]"))[0].tensors.size(), 1U);
}

TEST(OperatorInputs, AreShownWithoutSpaces) {
  EXPECT_EQ(ShapesOf(Text("[[141, 512], []]", R"(["float", "Scalar"])")),
            "[[141,512],[]]");
}

}  // namespace
}  // namespace ridgeline::profiles
