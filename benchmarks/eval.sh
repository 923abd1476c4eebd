# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The peers of benchmarks/eval.cpp, in a virtual environment of their own; BENCH_PYTHON names another Python that has them.
if [ -z "${BENCH_PYTHON:-}" ]; then
    BENCH_PYTHON=build/bench-python/bin/python
    [ -x "$BENCH_PYTHON" ] || {
        need python3-venv
        python3 -m venv build/bench-python
    }
    for package in ranx pytrec_eval-terrier; do
        "$BENCH_PYTHON" -m pip install -q "$package" >&2 || say "could not install $package" >&2
    done
fi
export BENCH_PYTHON
