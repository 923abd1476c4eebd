# SPDX-License-Identifier: MIT
"""Scores of BM25 by bm25s and rank_bm25 on a small corpus, as a C++ header: python scores.py > scores.hpp

Needs bm25s and rank_bm25 (0.3.16 and 0.2.2 when the header was made) and numpy. Both are given the same terms:
what stands between blanks."""

import random
from importlib.metadata import version

import bm25s
import numpy
from rank_bm25 import BM25Okapi

VOCABULARY = [f"t{i}" for i in range(30)]


def corpus(seed=4817, documents=40):
    generator = random.Random(seed)
    texts = []
    for _ in range(documents):
        length = generator.randint(1, 24)
        # The rank's inverse as weight: t0 is in most documents, so that okapi's floor and robertson's apply.
        texts.append(" ".join(generator.choices(VOCABULARY, [1 / (i + 1) for i in range(30)], k=length)))
    return texts


QUERIES = ["t0", "t1 t2", "t7", "t12 t5 t0", "t29 t3", "t3 t3 t9", "t4 t8 t15 t16 t23 t28", "unknown t6"]
PARAMETERS = [(1.5, 0.75), (0.9, 0.4), (1.2, 0.0), (2.0, 1.0)]


def by_bm25s(texts, query, method, k1, b):
    model = bm25s.BM25(method=method, k1=k1, b=b, dtype="float64")
    model.index([text.split() for text in texts], show_progress=False)
    known = [term for term in query.split() if any(term in text.split() for text in texts)]
    return model.get_scores(known)


def by_rank_bm25(texts, query, k1, b):
    return BM25Okapi([text.split() for text in texts], k1=k1, b=b, epsilon=0.25).get_scores(query.split())


def main():
    texts = corpus()
    print("// SPDX-License-Identifier: MIT")
    print("#pragma once")
    print()
    print(f"// Made by scores.py with bm25s {version('bm25s')} and rank_bm25 {version('rank_bm25')}.")
    print()
    print("#include <trawl/lexical/bm25.hpp>")
    print()
    print("#include <string_view>")
    print()
    print("namespace golden {")
    print()
    print("inline constexpr std::string_view documents[] = {")
    for text in texts:
        print(f'    "{text}",')
    print("};")
    print()
    print("struct scores {")
    print("    trawl::bm25 parameters;")
    print("    std::string_view query;")
    print(f"    double of_documents[{len(texts)}];")
    print("};")
    print()
    print("inline constexpr scores expected[] = {")
    for variant in ["lucene", "okapi", "robertson", "atire"]:
        for k1, b in PARAMETERS:
            for query in QUERIES:
                if variant == "okapi":
                    values = by_rank_bm25(texts, query, k1, b)
                else:
                    values = by_bm25s(texts, query, variant, k1, b)
                listed = ", ".join(numpy.format_float_positional(v, precision=9, trim="-") for v in values)
                parameters = f".variant = trawl::bm25_variant::{variant}, .k1 = {k1}, .b = {b}"
                print(f'    {{{{{parameters}}}, "{query}",')
                print(f"        {{{listed}}}}},")
    print("};")
    print()
    print("} // namespace golden")


main()
