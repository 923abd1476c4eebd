#!/bin/sh
# SPDX-License-Identifier: MIT
# A source is clean under the strict warnings and these flags. syntax.sh CXX SOURCE FLAG...
. tests/house/support.sh

cxx=$1 source=$2
shift 2
compile "$cxx" "$source" "$build/unused.o" -fsyntax-only "$@"
