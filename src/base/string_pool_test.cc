#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>

namespace ridgeline::results {
namespace {

TEST(NameTableTest, GivesEveryNameOneNumber) {
  NameTable names;
  std::map<std::string, NameId> want;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string name(random() % 40, 'a');
    for (char& c : name) c = static_cast<char>('a' + random() % 3);
    const NameId next = static_cast<NameId>(want.size());
    const NameId id = names.Intern(name);
    ASSERT_EQ(id, want.try_emplace(name, next).first->second);
  }
  ASSERT_EQ(names.size(), want.size());
  const NameTable moved = std::move(names);
  for (const auto& [name, id] : want) EXPECT_EQ(moved.text(id), name);
}

TEST(NameTableTest, HoldsNamesOfAnySizeAndByte) {
  NameTable names;
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
}  // namespace ridgeline::results
