# SPDX-License-Identifier: MIT
"""bm25s for benchmarks/lexical.cpp, which says what is asked and answered: eager scores in a sparse matrix, all questions
in one call, compiled by numba, one thread."""

import sys
import time
from importlib.metadata import version
from pathlib import Path


class Bm25s:
    def __init__(self, folder):
        self.folder = folder

    def build(self):
        import bm25s
        from bm25s.tokenization import Tokenized

        started = time.process_time()
        vocabulary = {}
        with open(self.folder / "documents") as lines:
            ids = [[vocabulary.setdefault(word, len(vocabulary)) for word in line.split()] for line in lines]
        self.model = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
        self.model.index(Tokenized(ids=ids, vocab=vocabulary), show_progress=False)
        seconds = time.process_time() - started
        scores = self.model.scores
        size = sum(scores[part].nbytes for part in ("data", "indices", "indptr"))
        return f"{seconds} {size} bm25s {version('bm25s')}"

    def run(self, kind, file, k):
        if kind != "or":
            raise ValueError("not asked of bm25s")
        words = [question.split() for question in (self.folder / file).read_text().splitlines()]
        k = min(k, self.model.scores["num_docs"])
        started = time.process_time()
        self.model.retrieve(words, k=k, n_threads=1, show_progress=False)
        return 1e6 * (time.process_time() - started) / len(words)


def main():
    peer = Bm25s(Path(sys.argv[1]))
    for line in sys.stdin:
        asked = line.split()
        try:
            print(peer.build() if asked[0] == "build" else peer.run(asked[0], asked[1], int(asked[2])), flush=True)
        except Exception as problem:  # whatever a peer raises is its own
            print("-", str(problem).replace("\n", " "), flush=True)


main()
