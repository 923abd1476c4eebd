# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The peers of benchmarks/dense.cpp: Python's in a virtual environment of their own (BENCH_PYTHON names another Python
# that has them), Eigen compiled for this machine, and our own scan compiled with two sets of flags.
if [ -z "${BENCH_PYTHON:-}" ]; then
    BENCH_PYTHON=build/bench-python/bin/python
    need python3-venv python3-dev
    [ -x "$BENCH_PYTHON" ] || python3 -m venv build/bench-python
    for package in numpy threadpoolctl faiss-cpu usearch hnswlib; do
        "$BENCH_PYTHON" -m pip install -q "$package" >&2 || say "could not install $package" >&2
    done
fi
export BENCH_PYTHON
mkdir -p build/bench-dense
# shellcheck disable=SC2046
if "${CXX:-g++}" -O3 -march=native -DNDEBUG -std=c++20 $(pkg-config --cflags eigen3) benchmarks/peers/dense_eigen.cpp \
    -o build/bench-dense/eigen >&2; then
    export BENCH_EIGEN=build/bench-dense/eigen
else
    say "Eigen could not be compiled" >&2
fi
scan() { # scan PROGRAM FLAG...
    program=build/bench-dense/$1
    shift
    if [ ! -e "$program" ] || [ -n "$(find include benchmarks/peers/dense_scan.cpp -type f -newer "$program")" ]; then
        "${CXX:-g++}" "$@" -std=c++20 -Iinclude benchmarks/peers/dense_scan.cpp -o "$program" >&2
    fi
}
scan scan_O2 -O2 && export BENCH_SCAN_O2=build/bench-dense/scan_O2
scan scan_native -O3 -march=native && export BENCH_SCAN_NATIVE=build/bench-dense/scan_native
