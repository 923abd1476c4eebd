#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What ranx makes of two runs.

    ranx_fusion.py                     writes a.trec, b.trec (random) and their fusions rrf.tsv, min_max.tsv
    ranx_fusion.py A.trec B.trec OUT   writes the fusions of two runs as OUT/rrf.trec, OUT/min_max.trec

Made with Python 3.11, ranx 0.3.21, numpy 2. The second form, on the runs that `trawl search` writes for SciFact
(english, k1 .9, b .4; MiniLM vectors; 100 hits each), gives the figures in tests/cli/trawl_test.sh: by `trawl eval
--metrics ndcg@10 --convention library`, since ranx orders equal scores by chance.
"""
import os
import random
import sys

from ranx import Run, fuse

here = os.path.dirname(os.path.abspath(__file__))


def fusions(a, b):
    runs = lambda: [Run.from_file(a, kind="trec"), Run.from_file(b, kind="trec")]
    return {
        "rrf": fuse(runs=runs(), norm=None, method="rrf", params={"k": 60}),
        "min_max": fuse(runs=runs(), norm="min-max", method="sum"),
    }


if len(sys.argv) > 1:
    for name, run in fusions(*sys.argv[1:3]).items():
        with open(os.path.join(sys.argv[3], name + ".trec"), "w") as out:
            for query, hits in run.to_dict().items():
                for rank, (key, score) in enumerate(sorted(hits.items(), key=lambda hit: -hit[1]), 1):
                    out.write(f"{query} Q0 {key} {rank} {score:.12g} ranx\n")
    sys.exit()

random.seed(7)
for name, scale in (("a", 20.0), ("b", 1.0)):
    with open(os.path.join(here, name + ".trec"), "w") as out:
        for query in ("q1", "q2", "q3"):
            keys = random.sample([f"d{i:02}" for i in range(40)], 20)
            scores = sorted((random.random() * scale for _ in keys), reverse=True)
            for rank, (key, score) in enumerate(zip(keys, scores), 1):
                out.write(f"{query} Q0 {key} {rank} {score:.6f} {name}\n")
for name, run in fusions(os.path.join(here, "a.trec"), os.path.join(here, "b.trec")).items():
    with open(os.path.join(here, name + ".tsv"), "w") as out:
        for query, hits in sorted(run.to_dict().items()):
            for key, score in sorted(hits.items(), key=lambda hit: (-hit[1], hit[0])):
                out.write(f"{query}\t{key}\t{score:.9f}\n")
