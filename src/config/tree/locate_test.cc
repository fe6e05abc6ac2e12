#include "config/tree/locate.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

using LocateTest = TreeTest;

TEST_F(LocateTest, TellsKeyAndTypeOnce) {
  Node& root = Tree("a: {b: 1}\n");
  const Error once = Locate(Error(ErrorKind::kValidation, "no"), &At(root, "a"), "b");
  EXPECT_EQ(once.message, "no\n    full_key: a.b\n    object_type=dict");
  EXPECT_EQ(Locate(once, &root, "x").message, once.message);
}

TEST_F(LocateTest, FillsInThePlaceholders) {
  Node& root = Tree("a: {b: 1}\n");
  const struct {
    const char* what;
    const char* text;
    const char* want;
  } cases[] = {
      {"the key", "$KEY ($KEY_TYPE)", "b (str)"},
      {"the place", "$FULL_KEY of $OBJECT_TYPE", "a.b of dict"},
      {"the value", "'$VALUE' is a $VALUE_TYPE", "'7' is a int"},
      {"in braces", "${KEY}s", "bs"},
      {"unknown names stay", "$NAME ${NAME} ${a.b}", "$NAME ${NAME} ${a.b}"},
      {"two dollars are one", "$$KEY", "$KEY"},
      {"a dollar at the end", "5 $", "5 $"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(
        Locate(Error(ErrorKind::kValidation, c.text), &At(root, "a"), "b", Show(Value(7)))
            .message,
        std::string(c.want) + "\n    full_key: a.b\n    object_type=dict");
  }
}

TEST_F(LocateTest, WithoutANodeOnlyTheKeyIsKnown) {
  EXPECT_EQ(Locate(Error(ErrorKind::kValidation, "no"), nullptr, "k").message,
            "no\n    full_key: k\n    object_type=None");
  EXPECT_EQ(Locate(Error(ErrorKind::kValidation, "no"), nullptr, std::nullopt).message,
            "no\n    full_key: \n    object_type=None");
}

TEST_F(LocateTest, ATypedContainerTellsItsType) {
  const Place place = {nullptr, std::string("env"), &kDictOfStrings};
  Node& dict = *MakeNode(workspace_, Data("{a: x}"), place).value();
  EXPECT_EQ(Locate(Error(ErrorKind::kValidation, "no"), &dict, "b").message,
            "no\n    full_key: env.b\n    reference_type=Dict[str, str]\n"
            "    object_type=dict");
}

TEST_F(LocateTest, PythonsTypeErrorBecomesOmegaConfs) {
  EXPECT_EQ(Locate(Error(ErrorKind::kType, "no"), nullptr, "k").kind,
            ErrorKind::kConfigType);
}

TEST_F(LocateTest, BrokenBoundsAreLeftAlone) {
  EXPECT_EQ(Locate(Error(ErrorKind::kLimit, "too much $KEY"), nullptr, "k").message,
            "too much $KEY");
}

TEST_F(LocateTest, TakesTheOriginOfTheNodeUnlessItHasOne) {
  Node& root = Tree("a:\n  b: 1\n");
  Error error = Locate(Error(ErrorKind::kValidation, "no"), &At(root, "a"), "b");
  EXPECT_EQ(error.origin.ToString(), "test.yaml:2:3");
  Error own(ErrorKind::kValidation, "no");
  own.origin = {std::make_shared<const std::string>("own.yaml"), 9, 0};
  EXPECT_EQ(Locate(own, &At(root, "a"), "b").origin.ToString(), "own.yaml:9");
}

TEST_F(LocateTest, ShowsContainersByTheirConfigType) {
  Node& root = Tree("d: {x: 1}\nl: [a]\nn:\n");
  EXPECT_EQ(Show(At(root, "d")).type, "DictConfig");
  EXPECT_EQ(Show(At(root, "d")).text, "{'x': 1}");
  EXPECT_EQ(Show(At(root, "l")).type, "ListConfig");
  EXPECT_EQ(Show(At(root, "n")).type, "NoneType");
}

}  // namespace
}  // namespace ridgeline::config
