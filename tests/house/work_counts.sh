#!/bin/sh
# SPDX-License-Identifier: MIT
# Text, query syntax and the readers of files take work that grows as their input does: work_counts.cpp.
# work_counts.sh CXX
. tests/house/support.sh
compile "$1" tests/house/work_counts.cpp "$build/work_counts.o" -O0 -fsanitize-coverage=trace-pc
"$1" "$build/work_counts.o" -o "$build/work_counts"
"$build/work_counts"
