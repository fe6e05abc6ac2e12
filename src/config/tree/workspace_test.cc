#include "config/tree/workspace.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

using WorkspaceTest = TreeTest;

TEST_F(WorkspaceTest, ADeepCopyIsACompleteTreeOfItsOwn) {
  Node& root = Tree("a: {b: [1, {c: 2}]}\n");
  Node& copy = workspace_.DeepCopy(At(root, "a"));
  EXPECT_EQ(copy.parent, &root);
  EXPECT_EQ(Yaml(copy), Yaml(At(root, "a")));
  At(copy, "b[1].c").value = Value(9);
  EXPECT_EQ(Yaml(root), "a:\n  b:\n  - 1\n  - c: 2\n");
  EXPECT_EQ(At(copy, "b[1]").parent, &At(copy, "b"));
  EXPECT_EQ(At(copy, "b[1].c").origin.ToString(), "test.yaml:1:16");
}

TEST_F(WorkspaceTest, NodesStayWhereTheyAre) {
  Node& first = workspace_.NewNode(Node::Shape::kDict);
  for (int i = 0; i < 10'000; ++i) workspace_.NewNode(Node::Shape::kScalar);
  first.key = "still here";
  EXPECT_TRUE(first.is_dict());
}

TEST_F(WorkspaceTest, TellsEachWarningOnceAndInOrder) {
  workspace_.Warn("b");
  workspace_.Warn("a");
  workspace_.Warn("b");
  EXPECT_EQ(workspace_.TakeWarnings(), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(workspace_.TakeWarnings().empty());
}

TEST_F(WorkspaceTest, TheLastResolverOfANameCounts) {
  EXPECT_EQ(workspace_.FindResolver("one"), nullptr);
  for (const int number : {1, 2}) {
    workspace_.AddResolver("one",
                           [=](const ResolverInput&) { return Resolved(Value(number)); });
  }
  EXPECT_EQ(Read(Tree("a: ${one:}\n"), "a"), "2");
}

TEST_F(WorkspaceTest, SpendsUntilNothingIsLeft) {
  EXPECT_TRUE(workspace_.Spend(1));
  EXPECT_TRUE(workspace_.Spend(200'000));
  EXPECT_FALSE(workspace_.Spend(200'000));
  EXPECT_FALSE(workspace_.Spend(1));
}

}  // namespace
}  // namespace ridgeline::config
