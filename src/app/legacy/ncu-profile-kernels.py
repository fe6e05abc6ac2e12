#!/usr/bin/env python3
"""The script of llm-perf-opt by its name, beside `ridgeline`."""
import os
import sys

program = os.path.join(os.path.dirname(os.path.realpath(__file__)), "ncu-profile-kernels")
os.execv(program, [program, *sys.argv[1:]])
