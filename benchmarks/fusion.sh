# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The peers of benchmarks/fusion.cpp: Python's in a virtual environment of their own (BENCH_PYTHON names another Python
# that has them), rankops where cargo is.
if [ -z "${BENCH_PYTHON:-}" ]; then
    BENCH_PYTHON=build/bench-python/bin/python
    [ -x "$BENCH_PYTHON" ] || {
        need python3-venv
        python3 -m venv build/bench-python
    }
    for package in numpy ranx langchain-core; do
        "$BENCH_PYTHON" -m pip install -q "$package" >&2 || say "could not install $package" >&2
    done
fi
export BENCH_PYTHON
if command -v cargo >/dev/null; then
    cargo build -q --release --manifest-path benchmarks/peers/rankops/Cargo.toml --target-dir build/bench-rankops >&2 \
        && export BENCH_RANKOPS=build/bench-rankops/release/rankops_peer
else
    say "no cargo, so no rankops" >&2
fi
