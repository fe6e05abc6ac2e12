#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "models/deepseek_ocr/ledger_parts.h"
#include "models/deepseek_ocr/ledger_phases.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Amount;
using cost::CostClass;
using cost::CostNode;
using cost::Count;
using cost::MakeModule;
using cost::SumUpTo;

// Sine and cosine tables, once per call for all layers.
CostNode Rotary(const DecoderDimensions& d, const Parts& parts, const DecoderWork& work) {
  const Count half = d.head_width() / 2;
  const Count tables = work.rows * d.head_width() * 2;
  // Frequencies are a quotient, a power, a reciprocal and a product.
  return parts.Plain("rotary", CostClass::kElementwise,
                     Amount::Same(work.calls * half * 4 + work.rows * half + tables),
                     {0, tables});
}

// Rotates queries and keys: half of the elements change sign, two products, one sum.
CostNode Rope(const DecoderDimensions& d, const Parts& parts, const DecoderWork& work) {
  const Count heads = work.rows * (d.heads + d.kv_heads);
  const Count elements = heads * d.head_width();
  return parts.Plain("rope", CostClass::kElementwise,
                     Amount::Same(elements * 3 + heads * (d.head_width() / 2)),
                     {elements, elements});
}

bool SharesKeys(const DecoderDimensions& d) { return d.heads > d.kv_heads; }

// New keys and values are copied to the cache; if heads share them, all of them are
// copied out again, once per head.
CostNode Cache(const DecoderDimensions& d, const Parts& parts, const DecoderWork& work) {
  const Count kv_width = Count(d.kv_heads) * d.head_width();
  const Count fresh = work.rows * kv_width * 2;
  const Count cached = SharesKeys(d) ? work.keys_cached * 2 : Count(0);
  CostNode node =
      parts.Plain("cache", CostClass::kElementwise, {}, {fresh, cached * d.hidden});
  node.cost.bytes.kv_written = fresh * parts.bytes().kv;
  node.cost.bytes.kv_read = cached * kv_width * parts.bytes().kv;
  return node;
}

CostNode Attention(const DecoderDimensions& d, const Parts& parts,
                   const DecoderWork& work) {
  const Count kv_width = Count(d.kv_heads) * d.head_width();
  const Amount rows = Amount::Same(work.rows);
  const Count copies_read = SharesKeys(d) ? work.keys_read * d.hidden : Count(0);
  const AttentionShape shape = {.heads = d.heads,
                                .head_width = d.head_width(),
                                .queries = rows,
                                .pairs = work.pairs,
                                .scale_flops = work.pairs * d.heads,
                                .keys_and_values = copies_read};
  const LinearShape hidden = {.inputs = d.hidden, .outputs = d.hidden};
  const LinearShape kv = {.inputs = d.hidden, .outputs = kv_width};
  const Count kv_read = work.keys_read * kv_width * parts.bytes().kv;
  CostNode scores = parts.Scores(shape);
  CostNode values = parts.Values(shape);
  scores.cost.bytes.kv_read = SharesKeys(d) ? Count(0) : kv_read;
  values.cost.bytes.kv_read = SharesKeys(d) ? Count(0) : kv_read;
  return MakeModule(
      "attn", {parts.Linear("q", hidden, rows), parts.Linear("k", kv, rows),
               parts.Linear("v", kv, rows), Rope(d, parts, work), Cache(d, parts, work),
               std::move(scores), parts.Softmax(shape), std::move(values),
               parts.Linear("o", hidden, rows)});
}

CostNode Router(const DecoderDimensions& d, const Parts& parts, Count rows) {
  const LinearShape shape = {
      .inputs = d.hidden, .outputs = d.experts, .cost_class = CostClass::kRouting};
  CostNode node = parts.Linear("router", shape, Amount::Same(rows));
  node.cost.flops(CostClass::kSoftmax) = Amount::Same(rows * d.experts * kSoftmaxFlops);
  node.cost.bytes.weights_read =
      node.parameters.total * parts.calls() * parts.bytes().router_weights;
  return node;
}

CostNode Mixture(const DecoderDimensions& d, const Parts& parts, Count rows,
                 const DecoderWork::Experts& experts) {
  const LinearShape expert = {.inputs = d.hidden, .outputs = d.expert_width};
  const Copies copies = {
      .stored = d.experts, .active = d.experts_per_token, .loads = experts.loads};
  std::vector<CostNode> modules = {
      Router(d, parts, rows), parts.GatedMlp("experts", expert, experts.rows, copies)};
  const bool has_shared = d.shared_experts > 0;
  if (has_shared) {
    const LinearShape shared = {.inputs = d.hidden,
                                .outputs = Count(d.shared_experts) * d.expert_width};
    modules.push_back(parts.GatedMlp("shared", shared, rows, {.loads = parts.calls()}));
  }
  // Outputs of experts are weighted and summed; the output of the shared ones is added.
  const Count routed = experts.rows * d.hidden;
  const Count added = has_shared ? rows * d.hidden : Count(0);
  modules.push_back(parts.Plain("combine", CostClass::kElementwise,
                                Amount::Same(routed * 2 + added),
                                {routed * 2 + added, routed + rows * d.hidden}));
  return MakeModule("mlp", std::move(modules));
}

CostNode Layer(const DecoderDimensions& d, const Parts& parts, const DecoderWork& work,
               int64_t index) {
  const LinearShape dense = {.inputs = d.hidden, .outputs = d.dense_width};
  const size_t mixture =
      static_cast<size_t>(std::max<int64_t>(0, index - d.dense_layers));
  CostNode mlp = index < d.dense_layers
                     ? parts.GatedMlp("mlp", dense, work.rows, {.loads = parts.calls()})
                     : Mixture(d, parts, work.rows, work.experts[mixture]);
  return MakeModule(
      fmt::format("layer{}", index),
      {parts.RmsNorm("input_norm", d.hidden, work.rows), Attention(d, parts, work),
       parts.RmsNorm("post_norm", d.hidden, work.rows), std::move(mlp),
       parts.Residual(work.rows * d.hidden)});
}

// A row per token. In a prompt, the rows of placeholders are overwritten afterwards.
CostNode Embedding(const DecoderDimensions& d, const Parts& parts,
                   const DecoderWork& work) {
  const Count rows = work.rows * d.hidden;
  const Count image = work.image_rows * d.hidden;
  const bool has_image = work.image_rows > Count(0);
  CostNode node = parts.Plain(
      "embedding", CostClass::kEmbedding, {},
      {has_image ? rows + image : Count(0), has_image ? rows * 2 + image : rows});
  node.parameters.total = Count(d.vocabulary) * d.hidden;
  node.cost.bytes.weights_read = rows * parts.bytes().weights;
  return node;
}

// The same in every layer with experts.
std::vector<DecoderWork::Experts> InEachLayer(const DecoderDimensions& d,
                                              const DecoderWork::Experts& each) {
  const int64_t layers = std::max<int64_t>(0, d.layers - d.dense_layers);
  return std::vector<DecoderWork::Experts>(static_cast<size_t>(layers), each);
}

// From the number of choices alone: every reachable expert is read.
std::vector<DecoderWork::Experts> ExpertsOfPrompt(const DecoderDimensions& d,
                                                  Count tokens) {
  const Count choices = tokens * d.experts_per_token;
  return InEachLayer(d, {.rows = choices, .loads = std::min(choices, Count(d.experts))});
}

std::vector<DecoderWork::Experts> ExpertsAsRecorded(const RecordedRouting& routing) {
  std::vector<DecoderWork::Experts> layers;
  for (const std::vector<int64_t>& tokens_by_expert : routing.tokens_by_expert) {
    DecoderWork::Experts& layer = layers.emplace_back();
    for (const int64_t tokens : tokens_by_expert) {
      layer.rows += tokens;
      if (tokens > 0) layer.loads += 1;
    }
  }
  return layers;
}

}  // namespace

DecoderWork PromptWork(const DecoderDimensions& d, const SampleShape& shapes) {
  const Count tokens = shapes.prompt_tokens;
  const Count blocks = shapes.prompt_tokens / kLedgerQueriesPerBlock;  // Full blocks.
  const Count rest = shapes.prompt_tokens % kLedgerQueriesPerBlock;
  // The i-th full block reads i * 256 keys; the remainder reads all of them.
  const Count keys_of_full = SumUpTo(blocks) * kLedgerQueriesPerBlock;
  const bool has_rest = rest > Count(0);
  const Count pages = shapes.batch.samples;
  DecoderWork work = {
      .calls = tokens > Count(0) ? 1 : 0,
      .rows = tokens,
      .image_rows = shapes.image_tokens,
      .logits_rows = tokens > Count(0) ? 1 : 0,
      .pairs = {.executed = keys_of_full * kLedgerQueriesPerBlock + rest * tokens,
                .useful = SumUpTo(tokens)},
      .keys_cached = tokens,
      .keys_read = keys_of_full + (has_rest ? tokens : Count(0)),
      .experts = shapes.prompt_routing ? ExpertsAsRecorded(*shapes.prompt_routing)
                                       : ExpertsOfPrompt(d, tokens * pages)};
  ReadTogether(work, pages);
  return work;
}

DecoderWork DecodeWork(const DecoderDimensions& d, Count context, Count steps,
                       const SampleBatch& batch) {
  // Step i sees context + i tokens: its own, and all before it.
  const Count seen = steps * context + SumUpTo(steps);
  const Count choices = steps * batch.samples * d.experts_per_token;
  DecoderWork work = {.calls = steps,
                      .rows = steps,
                      .logits_rows = steps,
                      .pairs = Amount::Same(seen),
                      .keys_cached = seen,
                      .keys_read = seen,
                      .experts = InEachLayer(
                          d, {.rows = choices, .loads = ExpertLoads(d, batch, steps)})};
  ReadTogether(work, batch.samples);
  return work;
}

CostNode DecoderCost(const DecoderDimensions& d, const ByteWidths& bytes,
                     const DecoderWork& work) {
  const Parts parts(bytes, work.calls);
  std::vector<CostNode> modules = {Embedding(d, parts, work), Rotary(d, parts, work)};
  for (int64_t i = 0; i < d.layers; ++i) modules.push_back(Layer(d, parts, work, i));
  modules.push_back(parts.RmsNorm("norm", d.hidden, work.logits_rows));
  const LinearShape head = {
      .inputs = d.hidden, .outputs = d.vocabulary, .cost_class = CostClass::kLmHead};
  modules.push_back(parts.Linear("lm_head", head, Amount::Same(work.logits_rows)));
  return MakeModule("decoder", std::move(modules));
}

}  // namespace ridgeline::models::deepseek_ocr
