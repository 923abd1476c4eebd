# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The peers of benchmarks/collection.cpp, in a virtual environment of their own (BENCH_PYTHON names another Python that
# has them).
if [ -z "${BENCH_PYTHON:-}" ]; then
    BENCH_PYTHON=build/bench-collection/bin/python
    need python3-venv python3-dev
    [ -x "$BENCH_PYTHON" ] || python3 -m venv build/bench-collection
    for package in numpy chromadb lancedb sqlite-vec pysqlite3-binary; do
        "$BENCH_PYTHON" -m pip install -q "$package" >&2 || say "could not install $package" >&2
    done
fi
export BENCH_PYTHON
