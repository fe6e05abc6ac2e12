#!/bin/sh
# The script of llm-perf-opt by its name, beside `ridgeline`.
exec "$(dirname "$(readlink -f "$0")")/ncu-profile-kernels" "$@"
