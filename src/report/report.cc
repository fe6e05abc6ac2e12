#include "report/report.h"

#include "report/advice/advice.h"
#include "report/sections/parts.h"
#include "report/sections/sections.h"

namespace ridgeline::report {

Document MakeReport(const RunFacts& facts) {
  Document document;
  document.run = MakeRun(facts);
  document.stages = MakeStages(facts);
  document.ranks = MakeRanks(facts);
  document.verdict = MakeVerdict(facts, document.stages);
  document.sources = MakeSources(facts);
  document.phases = MakePhases(facts.store);
  document.token_latency = MakeTokenLatency(facts.store);
  document.profiling_overhead = MakeProfilingOverhead(facts);
  document.ledger = MakeLedger(facts);
  document.flops_per_call = MakeCallFlops(facts);
  document.regions = MakeRegions(facts.store);
  document.roofline = MakeRoofline(facts);
  document.kernels = MakeKernels(facts.store);
  document.kernels_total = MakeKernelsTotal(facts.store);
  document.kernel_kinds = MakeKernelKinds(facts.store);
  document.operators = MakeOperators(facts.store);
  document.operators_total = MakeOperatorsTotal(facts.store);
  document.operators_uncounted = MakeUncountedOperators(facts.store);
  document.devices = MakeDevices(facts.store);
  document.memory_ops = MakeMemoryOps(facts.store);
  document.api_calls = MakeApis(facts.store);
  document.launch_latency = MakeLaunchDelays(facts.store);
  document.memory = MakeMemory(facts);
  document.ncu = MakeNcu(facts);
  document.ncu_kernels = MakeNcuKernels(facts);
  if (document.kernels.empty()) {
    document.kernels = KernelsOf(document.ncu_kernels);
    document.kernels_total = KernelsTotalOf(document.kernels);
  }
  AddShortNames(document.kernels);
  AddShortNames(document.ncu);
  AddShortNames(document.ncu_kernels);
  document.predictions = MakePredictions(facts);
  document.commands = MakeCommands(facts);
  document.environment = {facts.environment_json};
  document.config = MakeConfig(facts);
  document.dropped = MakeDropped(facts);
  document.advice = AdviceOn(document);
  return document;
}

}  // namespace ridgeline::report
