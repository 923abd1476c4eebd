# SPDX-License-Identifier: MIT
"""Peers of fusion and MMR on the files that benchmarks/fusion.cpp writes: fusion_peers.py FOLDER

Reads lines "PEER WORK" and answers each with the CPU seconds of one question, or with "- reason"."""

import sys
import time
from pathlib import Path


class Ranx:
    """All questions in one call, compiled by numba; the runs are made beforehand."""

    def __init__(self, folder):
        import ranx

        self.ranx = ranx
        self.runs = []
        for arm in range(2):
            questions = {}
            for line in (folder / f"arm{arm}").read_text().splitlines():
                question, document, score = line.split()
                questions.setdefault(question, {})[document] = float(score)
            self.runs.append(ranx.Run(questions))
        self.questions = len(questions)

    def run(self, work):
        params = {"k": 60} if work == "rrf" else {"weights": [0.5, 0.5]}
        norm = None if work == "rrf" else "min-max"
        started = time.process_time()
        self.ranx.fuse(runs=self.runs, norm=norm, method=work, params=params)
        return (time.process_time() - started) / self.questions


class Mmr:
    def __init__(self, folder):
        import numpy

        self.np = numpy
        values = numpy.fromfile(folder / "vectors", dtype=numpy.float32).reshape(-1, 384)
        self.query, self.rows = values[0], values[1:]


class Numpy(Mmr):
    """Incremental: one matrix-vector product a pick."""

    def run(self, _):
        np = self.np
        started = time.process_time()
        rows = self.rows / np.linalg.norm(self.rows, axis=1, keepdims=True)
        relevance = rows @ (self.query / np.linalg.norm(self.query))
        picked = [int(np.argmax(relevance))]
        redundancy = rows @ rows[picked[0]]
        while len(picked) < 100:
            value = 0.5 * relevance - 0.5 * redundancy
            value[picked] = -np.inf
            picked.append(int(np.argmax(value)))
            np.maximum(redundancy, rows @ rows[picked[-1]], out=redundancy)
        return time.process_time() - started


class Langchain(Mmr):
    def run(self, _):
        from langchain_core.vectorstores.utils import maximal_marginal_relevance

        rows = list(self.rows)
        started = time.process_time()
        maximal_marginal_relevance(self.query, rows, lambda_mult=0.5, k=100)
        return time.process_time() - started


PEERS = {"ranx": Ranx, "numpy": Numpy, "langchain-core": Langchain}


def main():
    folder = Path(sys.argv[1])
    made = {}
    for line in sys.stdin:
        name, work = line.split()
        try:
            if name not in made:
                made[name] = PEERS[name](folder)
            print(made[name].run(work), flush=True)
        except Exception as problem:  # whatever a peer raises is its own
            print("-", str(problem).replace("\n", " "), flush=True)


main()
