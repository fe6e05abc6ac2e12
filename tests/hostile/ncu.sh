#!/bin/sh
# A fake ncu that acts out one way to fail, named by HOSTILE_ACT. HOSTILE_TESTS is the
# directory of the tests, whose data it writes where the real one would write its own.
act=$HOSTILE_ACT
report_of_one_launch=$HOSTILE_TESTS/fuzz/corpus/ncu_report_fuzz/one_launch.ncu-rep
raw_page=$HOSTILE_TESTS/data/ncu/raw_three_launches.csv

case "$*" in
  *--version* | *--help* | *--list-* | *--query-*)
    [ "$act" = hang_when_asked ] && exec sleep 1000
    echo "Version 2025.1.0.0"
    exit 0 ;;
  *--import*)
    case "$act,$*" in
      export_fails,*) echo "==ERROR== Failed to load the report." >&2; exit 1 ;;
      empty_raw,*--csv*) ;;
      garbage_raw,*--csv*) echo "Segmentation fault" ;;
      raw_without_launches,*--csv*) head -n 2 "$raw_page" ;;
      empty_report,* | garbage_report,* | report_without_launches,*) ;;
      *--csv*) cat "$raw_page" ;;
      *) echo "details" ;;
    esac
    exit 0 ;;
esac

given=$*
log=/dev/stderr
while [ $# -gt 0 ]; do
  case "$1" in
    --log-file) log=$2 ;;
    -o | --export) base=$2; break ;;
  esac
  shift
done
shift 2
say() { echo "$1" >> "$log"; }
write_report() { cp "$report_of_one_launch" "$base.ncu-rep"; }

case "$act" in
  refused) echo "unrecognised option '--x'"; exit 255 ;;
  crash) kill -SEGV $$ ;;
  hang) exec sleep 1000 ;;
esac
say "==PROF== Connected to process 1"
"$@"
ended=$?
case "$act" in
  no_kernels) say "==WARNING== No kernels were profiled."; exit 0 ;;
  no_kernels_with)  # One of the flags in HOSTILE_FLAGS: "--kernel-name|--section".
    if echo "$given" | grep -qE -e "($HOSTILE_FLAGS) "; then
      say "==WARNING== No kernels were profiled."
      exit 0
    fi
    write_report ;;
  no_report) exit 0 ;;
  private_temporary)
    [ "$(stat -c %a "$TMPDIR")" = 700 ] &&
      [ "$(readlink "$TMPDIR/nsight-compute-lock")" = /tmp/nsight-compute-lock ] &&
      write_report ;;
  no_permission)
    say "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission."
    say "==WARNING== No kernels were profiled."
    exit 1 ;;
  no_permission_but_report) say "==ERROR== ERR_NVGPUCTRPERM - no"; write_report ;;
  failed_to_profile) write_report; say '==ERROR== Failed to profile "gemm" in process 1' ;;
  empty_report) : > "$base.ncu-rep" ;;
  garbage_report) echo "not a report" > "$base.ncu-rep" ;;
  report_without_launches) printf 'NVR\000\000\000\000\000' > "$base.ncu-rep" ;;
  cut_report) head -c 300 "$report_of_one_launch" > "$base.ncu-rep" ;;
  newer_report) printf 'NVR\000\003\000\000\000\010\377\177' > "$base.ncu-rep" ;;
  *) write_report ;;
esac
if [ $ended != 0 ]; then
  say "==ERROR== The application returned an error code ($ended)."
  exit $ended
fi
say "==PROF== Report: $base.ncu-rep"
