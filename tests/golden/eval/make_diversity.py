#!/usr/bin/env python3
"""Figures of ndeval (TREC's program, by pyndeval from PyPI) for alpha-nDCG on random questions.

Writes diversity.tsv: r query doc score, j query subtopic doc, f query measure value.
"""
import pathlib
import random

import pyndeval

random.seed(4)
lines, run, qrels = [], [], []
for q in range(15):
    docs = [f"{i:02}" for i in range(30)]
    for score, doc in zip(range(100, 0, -1), random.sample(docs, 25)):
        run.append((str(q), doc, float(score)))
        lines.append(f"r\t{q}\t{doc}\t{score}\n")
    for subtopic in range(1, 1 + random.randrange(1, 6)):
        for doc in random.sample(docs, random.randrange(1, 7)):
            qrels.append((str(q), str(subtopic), doc, 1))
            lines.append(f"j\t{q}\t{subtopic}\t{doc}\n")
for query, figures in pyndeval.ndeval(qrels, run, measures=["alpha-nDCG@5", "alpha-nDCG@10", "alpha-nDCG@20"]).items():
    for name, value in figures.items():
        lines.append(f"f\t{query}\t{name[11:]}\t{value!r}\n")
(pathlib.Path(__file__).parent / "diversity.tsv").write_text("".join(lines))
