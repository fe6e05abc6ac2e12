// torch_trace_cases DIR [PART_OF_A_NAME]: imports the traces that
// DIR/reference/torch.json has answers for, from DIR/torch/, and compares every field.
#include <filesystem>

#include "tests/reference/cases.h"
#include "tests/reference/imported.h"
#include "tests/torch_trace/as_reference.h"

namespace {

namespace fs = std::filesystem;
using namespace ridgeline::reference;
using ridgeline::trace_cases::AsReference;

Comparison CheckTrace(const fs::path& path, const Json& want) {
  const auto trace = Imported<ridgeline::analysis::AnalyzedTrace>(path);
  if (!trace.ok()) return {.wrong = {trace.error().message()}};
  return Compare(AsReference(trace.value()), want);
}

void CheckAll(const fs::path& folder, Tally& tally) {
  const Json answers = Answers(folder, "torch.json");
  for (const auto& [name, want] : answers.items()) {
    if (tally.Wants(name)) tally.Add(name, CheckTrace(folder / "torch" / name, want));
  }
}

}  // namespace

// A folder that changes under our hands may end the program.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  return Main(argc, argv,
              {"torch_trace_cases", "reference/torch.json and torch/", CheckAll});
}
