#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

namespace ridgeline {
namespace {

TEST(NameTableTest, GivesEveryNameOneNumber) {
  StringPool names;
  std::map<std::string, StringId> want;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string name(random() % 40, 'a');
    for (char& c : name) c = static_cast<char>('a' + random() % 3);
    const StringId next = static_cast<StringId>(want.size());
    const StringId id = names.Intern(name);
    ASSERT_EQ(id, want.try_emplace(name, next).first->second);
  }
  ASSERT_EQ(names.size(), want.size());
  const StringPool moved = std::move(names);
  for (const auto& [name, id] : want) EXPECT_EQ(moved.text(id), name);
}

TEST(NameTableTest, HoldsNamesOfAnySizeAndByte) {
  StringPool names;
  const std::string large(1 << 20, 'x');
  const std::string with_zero("a\0b", 3);
  EXPECT_EQ(names.Intern(""), 0U);
  EXPECT_EQ(names.Intern(large), 1U);
  EXPECT_EQ(names.Intern(with_zero), 2U);
  EXPECT_EQ(names.Intern("a"), 3U);
  EXPECT_EQ(names.Intern(""), 0U);
  EXPECT_EQ(names.text(0), "");
  EXPECT_EQ(names.text(1), large);
  EXPECT_EQ(names.text(2), with_zero);
}

}  // namespace
}  // namespace ridgeline
