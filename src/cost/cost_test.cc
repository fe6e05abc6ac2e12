#include "cost/cost.h"

#include <gtest/gtest.h>

#include <set>

namespace ridgeline::cost {
namespace {

CostNode Part(std::string name, uint64_t flops, uint64_t parameters) {
  CostNode node = {.name = std::move(name)};
  node.parameters = {.total = parameters, .active = parameters / 2};
  node.cost.flops(CostClass::kGemm) = Amount::Same(flops);
  node.cost.flops(CostClass::kNorm) = Amount::Same(1);
  node.cost.bytes = {.weights_read = 2 * parameters, .activations_read = 10};
  return node;
}

CostNode Tree() {
  return MakePhase(
      "prefill",
      {MakeModule("decoder",
                  {MakeModule("layer0", {Part("q", 100, 8), Part("mlp", 200, 16)}),
                   Part("lm_head", 1000, 40)})});
}

TEST(CostClass, HasItsOwnName) {
  std::set<std::string_view> names;
  for (const CostClass cost_class : AllCostClasses()) names.insert(NameOf(cost_class));
  EXPECT_EQ(names.size(), kCostClasses);
  EXPECT_FALSE(names.contains(""));
}

TEST(CostClass, IsFoundByItsName) {
  for (const CostClass cost_class : AllCostClasses()) {
    EXPECT_EQ(CostClassOf(NameOf(cost_class)), cost_class);
  }
  EXPECT_EQ(CostClassOf("magic"), std::nullopt);
}

TEST(CostNode, NamesAreWholeScopes) {
  const CostNode tree = Tree();
  const CostNode* part = FindModule(tree, "decoder.layer0.mlp");
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(part->parameters.total, Count(16));
  EXPECT_EQ(FindModule(tree, "layer0.mlp"), nullptr);
  EXPECT_EQ(FindModule(tree, "prefill"), &tree);
}

TEST(CostNode, AModuleCostsWhatItsPartsCost) {
  const CostNode tree = Tree();
  const CostNode* layer = FindModule(tree, "decoder.layer0");
  ASSERT_NE(layer, nullptr);
  EXPECT_EQ(layer->cost.flops_matrix().executed, Count(300));
  EXPECT_EQ(layer->cost.flops_total().executed, Count(302));
  EXPECT_EQ(tree.cost.flops_matrix().useful, Count(1300));
  EXPECT_EQ(tree.parameters, (Parameters{.total = 64, .active = 32}));
  EXPECT_EQ(tree.cost.bytes.total(), Count(2 * 64 + 3 * 10));
}

TEST(CostNode, LeavesComeInOrder) {
  std::vector<std::string> names;
  const CostNode tree = Tree();
  for (const CostNode* leaf : Leaves(tree)) names.push_back(leaf->name);
  EXPECT_EQ(names, (std::vector<std::string>{"decoder.layer0.q", "decoder.layer0.mlp",
                                             "decoder.lm_head"}));
}

TEST(AddCall, AddsWorkButNoParameters) {
  CostNode tree = Tree();
  const CostNode once = tree;
  AddCall(tree, once);
  EXPECT_EQ(tree.parameters, once.parameters);
  EXPECT_EQ(tree.cost.flops_matrix().executed, Count(2600));
  EXPECT_EQ(FindModule(tree, "decoder.layer0.q")->cost.flops_total().executed,
            Count(202));
}

TEST(Repeat, MultipliesWorkButNoParameters) {
  CostNode part;
  part.name = "part";
  part.parameters = {.total = 5, .active = 5};
  part.cost.flops(CostClass::kGemm) = {.executed = 10, .useful = 8};
  part.cost.bytes = {.weights_read = 3, .kv_written = 2};
  CostNode node = MakePhase("decode", {part});
  Repeat(node, 4);
  for (const CostNode* each : {&node, &node.children[0]}) {
    EXPECT_EQ(each->cost.flops(CostClass::kGemm), (Amount{40, 32}));
    EXPECT_EQ(each->cost.bytes.total(), Count(20));
    EXPECT_EQ(each->parameters.total, Count(5));
  }
  Repeat(node, 0);
  EXPECT_EQ(node.cost, Cost());
}

TEST(Cost, IntensityIsMatrixFlopsPerByte) {
  Cost cost;
  EXPECT_FALSE(cost.arithmetic_intensity());
  cost.flops(CostClass::kGemm) = {.executed = 600, .useful = 300};
  cost.flops(CostClass::kNorm) = Amount::Same(10'000);
  cost.bytes = {.weights_read = 100, .activations_read = 80, .activations_written = 20};
  EXPECT_DOUBLE_EQ(*cost.arithmetic_intensity(), 3.0);
  EXPECT_DOUBLE_EQ(*cost.arithmetic_intensity_best(), 6.0);
}

}  // namespace
}  // namespace ridgeline::cost
