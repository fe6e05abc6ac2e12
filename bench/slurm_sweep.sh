#!/usr/bin/env bash
# Overhead of hydra/launcher=slurm: JOBS runs of `true` through the launcher, against the
# same runs as an array by a hand-written script, and against an array of bare `true`. On a
# Slurm of two nodes that it starts on this machine; needs root. The three take turns, in
# another order each round, because a controller gets slower with the jobs it remembers.
#
#   bench/slurm_sweep.sh [JOBS=500] [ROUNDS=5] [RIDGELINE=build/release/src/app/ridgeline]
set -euo pipefail
readonly jobs=${1:-500} rounds=${2:-5}
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

bare() { array bare.sh; }
by_hand() { array by_hand.sh "hand$1"; }
launcher() {
  "$ridgeline" run -m "${stage[@]}" 'pipeline.workload.command=[/bin/true]' \
    hydra/launcher=slurm hydra.sweep.dir="$dir/sweep$1" "+user.n=range($jobs)"
}

readonly orders=('bare by_hand launcher' 'launcher bare by_hand' 'by_hand launcher bare')
for round in $(seq "$rounds"); do
  for what in ${orders[$((round % 3))]}; do
    timed "$what" "$round" >>"$dir/$what.s"
  done
  printf 'round %d: %d jobs: array of true %.1f s, array of ridgeline run %.1f s, launcher %.1f s\n' \
    "$round" "$jobs" "$(tail -1 "$dir/bare.s")" "$(tail -1 "$dir/by_hand.s")" "$(tail -1 "$dir/launcher.s")"
done

median() { sort -n "$dir/$1.s" | sed -n "$(((rounds + 1) / 2))p"; }
printf 'median: launcher %.1f s: %.2fx an array of ridgeline run (%.1f s), %.2fx an array of true (%.1f s)\n' \
  "$(median launcher)" "$(echo "$(median launcher) / $(median by_hand)" | bc -l)" "$(median by_hand)" \
  "$(echo "$(median launcher) / $(median bare)" | bc -l)" "$(median bare)"
