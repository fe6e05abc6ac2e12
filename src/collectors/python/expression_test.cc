#include "collectors/python/expression.h"

#include <gtest/gtest.h>

namespace ridgeline::python {
namespace {

// All messages are those of Python's re.compile(), in its order.
TEST(PythonExpression, IsRefusedWherePythonRefusesIt) {
  const struct {
    const char* text;
    const char* problem;
  } cases[] = {
      {"", ""},
      {R"(layers\.\d+\.(mlp|self_attn)$)", ""},
      {"^model$|^$", ""},
      {"[]a]+[^]]*?(?:x|y){2,3}?", ""},
      {"(?P<name>a)(?P=name)(?(1)b|c)", ""},
      {"(?i:a)(?#a comment (*)b", ""},
      {"(?x) a # (", ""},
      {"a{,3}b{x}{1,2,3}", ""},
      {"{2}", "nothing to repeat (position 0)"},
      {"mlp(", "missing ) (position 3)"},
      {"(a(b)", "missing ) (position 0)"},
      {"mlp)", "unbalanced ) (position 3)"},
      {"[a-z", "missing ] (position 0)"},
      {"[]", "missing ] (position 0)"},
      {"*mlp", "nothing to repeat (position 0)"},
      {"a|+", "nothing to repeat (position 2)"},
      {"(?:*)", "nothing to repeat (position 3)"},
      {"a**", "multiple repeat (position 2)"},
      {"a{2}{3}", "multiple repeat (position 4)"},
      {"a{3,2}", "min repeat above max (position 1)"},
      {"mlp\\", "a backslash at the end (position 3)"},
  };
  for (const auto& c : cases) EXPECT_EQ(ExpressionProblem(c.text), c.problem) << c.text;
}

}  // namespace
}  // namespace ridgeline::python
