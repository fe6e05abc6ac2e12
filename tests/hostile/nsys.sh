#!/bin/sh
# A fake nsys that acts out one way to fail, named by HOSTILE_ACT. HOSTILE_TESTS is the
# directory of the tests, whose data it exports.
act=$HOSTILE_ACT
export_of_nsys=$HOSTILE_TESTS/fuzz/corpus/nsys_sqlite_fuzz/small.sqlite

output_of() {  # The value of -o.
  while [ $# -gt 0 ]; do
    [ "$1" = -o ] && echo "$2" && return
    shift
  done
}

case "$*" in
  *--version* | *--help*)
    [ "$act" = hang_when_asked ] && exec sleep 1000
    echo "NVIDIA Nsight Systems version 2025.1.1"
    exit 0 ;;
  export*)
    sqlite=$(output_of "$@")
    case "$act" in
      export_fails) echo "Failed to open the report."; exit 1 ;;
      export_crashes) kill -SEGV $$ ;;
      no_export) ;;
      empty_export) : > "$sqlite" ;;
      garbage_export) echo "not a database" > "$sqlite" ;;
      cut_export) head -c 3000 "$export_of_nsys" > "$sqlite" ;;
      *) cp "$export_of_nsys" "$sqlite" ;;
    esac
    exit 0 ;;
  stats*) exit 0 ;;
esac

while [ "$1" != -o ]; do shift; done
base=$2
shift 2
write_report() { echo "report" > "$base.nsys-rep"; }

# Breaks the first time alone.
if [ "$act" = breaks_once ]; then
  [ -e broke ] || { touch broke; echo "Connection reset by peer"; exit 1; }
fi
# The first attempt leaves a report, the second none.
if [ "$act" = report_of_first_attempt ]; then
  [ -e broke ] && { echo "Generated:"; exit 0; }
  touch broke
  write_report
  kill -SEGV $$
fi
case "$act" in
  refused) echo "unrecognised option '--x'"; exit 1 ;;
  crash_before_start) kill -SEGV $$ ;;
  silent_before_start) exit 1 ;;
  hang) exec sleep 1000 ;;
esac
"$@"
ended=$?
case "$act" in
  crash) kill -SEGV $$ ;;
  crash_after_report) write_report; kill -SEGV $$ ;;
  wrapped_crash)
    echo "/usr/bin/nsys: line 3: 17 Segmentation fault      (core dumped) nsys-agent"
    exit 139 ;;
  connection_reset) echo "Connection reset by peer"; exit 1 ;;
  end_of_file) echo "End of file"; exit 1 ;;
  end_of_file_after_report) write_report; echo "End of file"; exit 1 ;;
  no_report) ;;
  empty_report) : > "$base.nsys-rep" ;;
  *) write_report ;;
esac
echo "Generated:"
[ "$act" = no_report ] || echo "    $base.nsys-rep"
exit $ended
