# SPDX-License-Identifier: MIT
"""Scores of BM25F on small documents of title and text, from the formulas of the papers, as a C++ header:
python bm25f.py > bm25f.hpp

Robertson, Zaragoza, Taylor 2004 with a b for each field (Zaragoza et al., TREC-13, 2004):
    c = sum over fields f of w_f tf_f / (1 - b_f + b_f len_f / avglen_f);  score = sum over terms of idf * part(c)
The part of lucene is c / (k1 + c); other variants take c for tf / B. Needs nothing but Python."""

import math
import random

WORDS = [f"t{i}" for i in range(24)]


def documents(seed=2004, count=30):
    generator = random.Random(seed)

    def text(least, most):
        return " ".join(generator.choices(WORDS, [1 / (i + 1) for i in range(24)], k=generator.randint(least, most)))

    made = [(text(0, 4), text(0, 25)) for _ in range(count)]
    return made + [("", ""), ("t20", ""), ("", "t20"), ("t3 t3 t3", "t3 " * 60)]


QUERIES = ["t0", "t1 t2", "t20", "t5 t0 t12", "t3 t3 t9", "t23 unknown", "t4 t8 t15 t16 t22"]
# weights, b of each field, k1, variant
SETTINGS = [
    ((1, 1), (0.75, 0.75), 1.2, "lucene"),
    ((2, 1), (0.75, 0.75), 1.2, "lucene"),
    ((5, 1), (0.4, 0.9), 0.9, "lucene"),
    ((0.5, 3), (1.0, 0.0), 2.0, "lucene"),
    ((2, 1), (0.5, 0.75), 1.5, "atire"),
    ((2, 1), (0.5, 0.75), 1.5, "bm25l"),
    ((3, 1), (0.75, 0.3), 1.2, "tf_ldp"),
    ((2, 1), (0.6, 0.6), 1.0, "okapi"),
]


def part(variant, c, k1):
    if variant == "lucene":
        return c / (k1 + c)
    if variant in ("atire", "okapi"):
        return (k1 + 1) * c / (k1 + c)
    if variant == "bm25l":
        return (k1 + 1) * (c + 0.5) / (k1 + c + 0.5)
    return 1 + math.log(1 + math.log(c + 1))  # tf_ldp, delta 1


def idf(variant, n, df):
    if variant == "lucene":
        return math.log(1 + (n - df + 0.5) / (df + 0.5))
    if variant == "atire":
        return math.log(n / df)
    if variant == "bm25l":
        return math.log((n + 1) / (df + 0.5))
    if variant == "okapi":
        return math.log((n - df + 0.5) / (df + 0.5))
    return math.log((n + 1) / df)


def scores(texts, weights, bs, k1, variant, query):
    split = [[field.split() for field in document] for document in texts]
    n = len(split)
    average = [sum(len(document[f]) for document in split) / n for f in range(2)]

    def df(term):
        return sum(any(term in field for field in document) for document in split)

    def weight(term):
        value = idf(variant, n, df(term))
        if variant == "okapi" and value < 0:
            known = {word for document in split for field in document for word in field}
            value = 0.25 * sum(idf(variant, n, df(word)) for word in known) / len(known)
        return value

    values = []
    for document in split:
        total = 0
        for term in query.split():
            c = 0
            for f in range(2):
                tf = document[f].count(term)
                if tf > 0:
                    c += weights[f] * tf / (1 - bs[f] + bs[f] * len(document[f]) / average[f])
            if c > 0:
                total += weight(term) * part(variant, c, k1)
        values.append(total)
    return values


def main():
    texts = documents()
    print("// SPDX-License-Identifier: MIT")
    print("#pragma once")
    print()
    print("// Made by bm25f.py.")
    print()
    print("#include <trawl/lexical/bm25.hpp>")
    print()
    print("#include <string_view>")
    print()
    print("namespace golden {")
    print()
    print("struct titled {")
    print("    std::string_view title, text;")
    print("};")
    print()
    print("inline constexpr titled titled_documents[] = {")
    for title, text in texts:
        print(f'    {{"{title}", "{text}"}},')
    print("};")
    print()
    print("struct field_scores {")
    print("    trawl::bm25_variant variant;")
    print("    double k1, weights[2], b[2];")
    print("    std::string_view query;")
    print(f"    double of_documents[{len(texts)}];")
    print("};")
    print()
    print("inline constexpr field_scores of_fields[] = {")
    for weights, bs, k1, variant in SETTINGS:
        for query in QUERIES:
            values = ", ".join(f"{v:.9g}" for v in scores(texts, weights, bs, k1, variant, query))
            print(f"    {{trawl::bm25_variant::{variant}, {k1}, {{{weights[0]}, {weights[1]}}}, {{{bs[0]}, {bs[1]}}},")
            print(f'        "{query}", {{{values}}}}},')
    print("};")
    print()
    print("} // namespace golden")


main()
