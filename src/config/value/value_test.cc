#include "config/value/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace ridgeline::config {
namespace {

TEST(PythonEqual, FollowsPythonAcrossTypes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* what;
    Scalar a;
    Scalar b;
    bool want;
  };
  const Case cases[] = {
      {"int and float", Integer(1), 1.0, true},
      {"int and bool", Integer(1), true, true},
      {"float and bool", 0.0, false, true},
      {"minus zero", -0.0, Integer(0), true},
      {"int and another float", Integer(1), 1.5, false},
      {"large int and float", *Integer::Parse("18446744073709551616"),
       18446744073709551616.0, true},
      {"int and infinity", Integer(1), std::numeric_limits<double>::infinity(), false},
      {"nan is not itself", nan, nan, false},
      {"None and None", Null(), Null(), true},
      {"None and false", Null(), false, false},
      {"text and number", std::string("1"), Integer(1), false},
      {"text and bytes", std::string("a"), Bytes{"a"}, false},
      {"bytes", Bytes{"a"}, Bytes{"a"}, true},
      {"dates", Opaque{"date", "x"}, Opaque{"date", "x"}, true},
      {"date and set", Opaque{"date", "x"}, Opaque{"set", "x"}, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(PythonEqual(c.a, c.b), c.want);
    EXPECT_EQ(PythonEqual(c.b, c.a), c.want);
    if (c.want) {
      EXPECT_EQ(PythonHash(c.a), PythonHash(c.b));
    }
  }
}

TEST(PythonEqual, ComparesDictsWithoutTheirOrder) {
  Dict ab;
  ab.Set(std::string("a"), Value(1));
  ab.Set(std::string("b"), Value(List{1, "x"}));
  Dict ba;
  ba.Set(std::string("b"), Value(List{1.0, "x"}));
  ba.Set(std::string("a"), Value(true));
  EXPECT_TRUE(PythonEqual(Value(ab), Value(ba)));
  ba.Set(std::string("c"), Value());
  EXPECT_FALSE(PythonEqual(Value(ab), Value(ba)));
  EXPECT_FALSE(PythonEqual(Value(List{1, 2}), Value(List{2, 1})));
  EXPECT_FALSE(PythonEqual(Value(List{}), Value(Dict{})));
}

TEST(OrderedMap, KeepsTheFirstKeyAndItsPositionWhenAValueIsReplaced) {
  Dict dict;
  dict.Set(Integer(1), Value("int"));
  dict.Set(std::string("z"), Value("z"));
  dict.Set(true, Value("bool"));
  ASSERT_EQ(dict.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<Integer>(dict.begin()->first));
  EXPECT_EQ(dict.begin()->second.string(), "bool");
}

TEST(OrderedMap, FindsKeysBeforeAndAfterItStartsToHash) {
  Dict dict;
  for (int i = 0; i < 100; ++i) {
    dict.Set(std::string("k") + std::to_string(i), Value(i));
    ASSERT_NE(dict.Find("k0"), nullptr);
    ASSERT_NE(dict.Find("k" + std::to_string(i)), nullptr);
    EXPECT_EQ(dict.Find("missing"), nullptr);
  }
  EXPECT_TRUE(dict.Erase(std::string("k50")));
  EXPECT_FALSE(dict.Erase(std::string("k50")));
  EXPECT_EQ(dict.Find("k50"), nullptr);
  EXPECT_TRUE(PythonEqual(*dict.Find("k99"), Value(99)));
}

}  // namespace
}  // namespace ridgeline::config
