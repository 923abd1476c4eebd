# SPDX-License-Identifier: MIT
"""Writes langchain_mmr.json: random vectors, and what LangChain's maximal_marginal_relevance picks.

    pip install langchain-core==1.8.3 numpy && python make_langchain_mmr.py

Values are multiples of 1/64, exact in float. lambda > 0: LangChain's first pick is the most similar candidate
whatever lambda is, ours under lambda 0 the first one.
"""
import json
import pathlib

import numpy as np
from langchain_core.vectorstores.utils import maximal_marginal_relevance


def main():
    rng = np.random.default_rng(20261130)
    cases = []
    for number in range(24):
        n, dim, k = int(rng.integers(2, 24)), int(rng.integers(2, 9)), int(rng.integers(1, 16))
        q = np.round(rng.normal(size=dim) * 64) / 64
        rows = np.round(rng.normal(size=(n, dim)) * 64) / 64
        mult = [0.2, 0.5, 0.8, 1.0][number % 4]
        picked = maximal_marginal_relevance(q, list(rows), lambda_mult=mult, k=k)
        cases.append({"lambda": mult, "k": k, "query": q.tolist(), "vectors": rows.tolist(), "picked": [int(p) for p in picked]})
    out = pathlib.Path(__file__).with_name("langchain_mmr.json")
    out.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")


if __name__ == "__main__":
    main()
