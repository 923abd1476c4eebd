# SPDX-License-Identifier: MIT
"""Peers of the lexical index on the files that benchmarks/lexical.cpp writes: lexical_peers.py FOLDER

Reads lines "PEER SET K" and answers each with the CPU seconds that all questions of the set took, or with
"- reason". Sets are files of questions in FOLDER: or, term, most. "PEER build 0" gives the seconds of building."""

import sys
import time
from importlib.metadata import version
from pathlib import Path


class Bm25s:
    """Eager scores in a sparse matrix, all questions in one call, compiled by numba."""

    def __init__(self, folder):
        import bm25s
        from bm25s.tokenization import Tokenized

        started = time.process_time()
        vocabulary = {}
        with open(folder / "documents") as lines:
            ids = [[vocabulary.setdefault(word, len(vocabulary)) for word in line.split()] for line in lines]
        self.model = bm25s.BM25(method="lucene", k1=1.2, b=0.75, backend="numba")
        self.model.index(Tokenized(ids=ids, vocab=vocabulary), show_progress=False)
        self.build = time.process_time() - started

    def run(self, questions, k):
        words = [question.split() for question in questions]
        started = time.process_time()
        self.model.retrieve(words, k=k, n_threads=1, show_progress=False)
        return time.process_time() - started


class Tantivy:
    """Block-max WAND, one segment, through its Python package."""

    def __init__(self, folder):
        import tantivy

        self.tantivy = tantivy
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("text", tokenizer_name="whitespace", index_option="freq")
        started = time.process_time()
        self.index = tantivy.Index(schema.build())
        writer = self.index.writer(heap_size=1_000_000_000, num_threads=1)
        with open(folder / "documents") as lines:
            for line in lines:
                writer.add_document(tantivy.Document(text=line))
        writer.commit()
        writer.wait_merging_threads()
        self.index.reload()
        self.build = time.process_time() - started

    def run(self, questions, k):
        searcher = self.index.searcher()
        parsed = [self.index.parse_query(question, ["text"]) for question in questions]
        started = time.process_time()
        for question in parsed:
            searcher.search(question, k, count=False)
        return time.process_time() - started


PEERS = {"bm25s": Bm25s, "tantivy": Tantivy}


def main():
    folder = Path(sys.argv[1])
    built = {}
    for line in sys.stdin:
        name, questions, k = line.split()
        try:
            if name not in built:
                built[name] = PEERS[name](folder)
            if questions == "build":
                print(built[name].build, version(name), flush=True)
            else:
                print(built[name].run((folder / questions).read_text().splitlines(), int(k)), flush=True)
        except Exception as problem:  # whatever a peer raises is its own
            print("-", str(problem).replace("\n", " "), flush=True)


main()
