#!/usr/bin/env bash
# Overhead of hydra/launcher=slurm: JOBS runs of `true` through the launcher, against the
# same runs as an array by a hand-written script, and against an array of bare `true`. On a
# Slurm of two nodes that it starts on this machine; needs root.
#
#   bench/slurm_sweep.sh [JOBS=500] [ROUNDS=2] [RIDGELINE=build/release/src/app/ridgeline]
set -euo pipefail
readonly jobs=${1:-500} rounds=${2:-2}
readonly root=$(cd "$(dirname "$0")/.." && pwd)
readonly ridgeline=${3:-$root/build/release/src/app/ridgeline}
readonly dir=$(mktemp -d /tmp/rl-bench.XXXXXX)
export SLURM_CONF=$dir/cluster/slurm.conf

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'; }

"$root/tests/slurm/cluster.sh" "$dir/cluster" "$(free_port)" "$(free_port)" "$(free_port)" "$(free_port)" >"$dir/cluster.log" 2>&1 &
stop() {
  touch "$dir/cluster/stop"
  for daemon in "$dir"/cluster/*.pid; do kill "$(cat "$daemon")" 2>/dev/null || true; done
  wait
  rm -rf "$dir"
}
trap stop EXIT
until [[ $(sinfo -h -N -p cpu,apart -t idle -o %N 2>/dev/null | wc -l) == 3 ]]; do sleep 0.1; done

readonly stage=(run.mode=light pipeline.static_analysis.enable=false
  pipeline.torch_profiler.enable=false pipeline.direct_inference.enable=true)
cd "$dir"
mkdir logs

cat >bare.sh <<SCRIPT
#!/bin/bash
#SBATCH --output=$dir/logs/%A_%a.out
true
SCRIPT
cat >by_hand.sh <<SCRIPT
#!/bin/bash
#SBATCH --output=$dir/logs/%A_%a.out
exec $ridgeline run ${stage[*]} 'pipeline.workload.command=[/bin/true]' \
  hydra.run.dir=$dir/\$1/\$SLURM_ARRAY_TASK_ID
SCRIPT

# Wall seconds of a command.
timed() {
  local begin end
  begin=$(date +%s.%N)
  "$@" >"$dir/output" 2>&1 || { cat "$dir/output" >&2; return 1; }
  end=$(date +%s.%N)
  echo "$end - $begin" | bc -l
}

# Submits an array and waits for its last job; sbatch --wait looks only every ten seconds.
array() {
  local id
  id=$(sbatch --parsable --array="0-$((jobs - 1))%256" "$@")
  while [[ -n $(squeue -h -j "$id" 2>/dev/null) ]]; do sleep 0.2; done
}

for round in $(seq "$rounds"); do
  bare=$(timed array bare.sh)
  by_hand=$(timed array by_hand.sh "hand$round")
  ours=$(timed "$ridgeline" run -m "${stage[@]}" 'pipeline.workload.command=[/bin/true]' \
    hydra/launcher=slurm hydra.sweep.dir="$dir/sweep$round" "+user.n=range($jobs)")
  tail -2 "$dir/output" | head -1
  printf 'round %d: %d jobs: array of true %.1f s, array of ridgeline run %.1f s, launcher %.1f s: %.2fx\n' \
    "$round" "$jobs" "$bare" "$by_hand" "$ours" "$(echo "$ours / $by_hand" | bc -l)"
done
