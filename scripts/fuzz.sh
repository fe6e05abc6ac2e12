#!/usr/bin/env bash
# Runs the built fuzz targets sequentially: all, or those given as arguments.
#
#   FUZZ_SECONDS=60 scripts/fuzz.sh [target...]
#
# Seeds come from tests/fuzz/corpus/<target>/. New corpus entries are written to
# build/fuzz/corpus/<target>/ and reused by the next run. Inputs that crash, leak, time out
# or exceed the memory limit are written to build/fuzz/findings/<target>/: fix the bug, and
# keep the input in tests/fuzz/crashes/<target>/.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly seconds=${FUZZ_SECONDS:-60}
readonly programs=build/fuzz/tests/fuzz
readonly limits=(
  -timeout=10        # Seconds per input; normal inputs take milliseconds.
  -rss_limit_mb=2048 # Sanitizers alone need a few hundred.
  -max_len=8192      # Longer inputs find the same bugs more slowly.
)

fuzz_one() {
  local target=$1
  local learned=build/fuzz/corpus/$target findings=build/fuzz/findings/$target
  local -a inputs=("$learned") options=()
  mkdir -p "$learned" "$findings"
  for directory in "tests/fuzz/corpus/$target" "tests/fuzz/crashes/$target"; do
    [[ -d "$directory" ]] && inputs+=("$directory")
  done
  [[ -f "tests/fuzz/$target.dict" ]] && options+=("-dict=tests/fuzz/$target.dict")

  echo "fuzz: $target for $seconds s"
  "$programs/$target" "${limits[@]}" "${options[@]}" -max_total_time="$seconds" \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$findings/" "${inputs[@]}"
}

main() {
  local -a targets=("$@")
  if [[ ${#targets[@]} -eq 0 ]]; then
    mapfile -t targets < <(find "$programs" -maxdepth 1 -type f -executable -name '*_fuzz' \
      -printf '%f\n' | sort)
  fi
  if [[ ${#targets[@]} -eq 0 ]]; then
    echo "fuzz: no targets in $programs" >&2
    exit 1
  fi

  local -a failed=()
  for target in "${targets[@]}"; do
    fuzz_one "$target" || failed+=("$target")
  done
  if [[ ${#failed[@]} -gt 0 ]]; then
    echo "fuzz: failed: ${failed[*]}; inputs in build/fuzz/findings/" >&2
    exit 1
  fi
  echo "fuzz: ${#targets[@]} targets, no findings"
}

main "$@"
