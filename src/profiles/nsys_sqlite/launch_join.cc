#include "profiles/nsys_sqlite/launch_join.h"

#include <utility>

#include "base/random.h"

namespace ridgeline::profiles::nsys_sqlite {

using results::NsysGpuOp;

LaunchKeySet::Block& LaunchKeySet::BlockOf(const LaunchKey& key) {
  const uint64_t number =
      MixBits(key.process) ^ (static_cast<uint64_t>(key.correlation) / kBlock);
  if (last_ == nullptr || number != last_number_) {
    last_ = &blocks_[number];
    last_number_ = number;
  }
  return *last_;
}

bool LaunchKeySet::Add(const LaunchKey& key) {
  Block& block = BlockOf(key);
  const size_t bit = static_cast<uint64_t>(key.correlation) % kBlock;
  if (block.test(bit)) return false;
  block.set(bit);
  return true;
}

bool LaunchKeySet::Contains(const LaunchKey& key) {
  return BlockOf(key).test(static_cast<uint64_t>(key.correlation) % kBlock);
}

LaunchJoin::Call::Fields LaunchJoin::Call::Pack() const {
  const uint64_t place = (uint64_t{key.process} << 32) | thread;
  return {key.correlation, times.start_ns, times.duration_ns,
          static_cast<int64_t>(place)};
}

LaunchJoin::Call LaunchJoin::Call::Unpack(const Fields& fields) {
  const auto place = static_cast<uint64_t>(fields[3]);
  return {.key = {static_cast<uint32_t>(place >> 32), fields[0]},
          .thread = static_cast<uint32_t>(place),
          .times = {fields[1], fields[2]}};
}

LaunchJoin::LaunchJoin(const results::NsysRows& rows)
    : order_{&rows.tracks}, ops_(order_) {}

void LaunchJoin::AddOp(const NsysGpuOp& op) {
  launched_.Add(order_.KeyOf(op));
  ops_.Add(op);
}

void LaunchJoin::AddCall(const LaunchKey& key, uint32_t thread, const RowTimes& times) {
  if (!called_.Add(key)) ++duplicate_calls_;
  if (launched_.Contains(key)) calls_.Add({key, thread, times});
}

results::NsysGpuOps LaunchJoin::Finish() && {
  auto ops = std::move(ops_).Finish();
  auto calls = std::move(calls_).Finish();
  results::NsysGpuOpSorter sorter;
  auto next_call = calls.Drain();
  Call call;
  bool is_called = false;
  for (auto next_op = ops.Drain(); next_op != ops.end(); ++next_op) {
    NsysGpuOp op = *next_op;
    const LaunchKey key = order_.KeyOf(op);
    for (; next_call != calls.end() && !(key < next_call->key); ++next_call) {
      call = *next_call;
      is_called = true;
    }
    if (is_called && call.key == key) {
      op.thread = call.thread;
      op.call_start_ns = call.times.start_ns;
      op.call_duration_ns = call.times.duration_ns;
    }
    sorter.Add(op);
  }
  return std::move(sorter).Finish();
}

}  // namespace ridgeline::profiles::nsys_sqlite
