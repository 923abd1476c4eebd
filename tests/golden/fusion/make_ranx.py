# SPDX-License-Identifier: MIT
"""Writes ranx.json: random runs, with ties, and what ranx fuses them to.

    pip install ranx==0.3.21 && python make_ranx.py

Scores are multiples of 1/8, so that they are exact in float. ranx gives a list of equal scores 0 under min-max,
where trawl gives 1 (an enum's default, see fusion/normaliser.hpp): the lists here are not constant. ranx reads a
run's order from its scores and leaves ties in no defined order: the RRF cases have none inside an arm; ties
between fused scores remain, and tests compare scores, not places.
"""
import json
import pathlib
import random

import ranx

METHODS = {"rrf": ("rrf", None), "min-max": ("wsum", "min-max"), "z-score": ("wsum", "zmuv"), "none": ("wsum", None)}


def arm(rng, size, tied):
    ids = rng.sample(range(60), size)
    scores = [rng.randrange(-40, 80) / 8 for _ in ids] if tied else rng.sample([s / 8 for s in range(-160, 320)], size)
    scores[0] = max(scores) + 1
    hits = sorted(zip(ids, scores), key=lambda h: (-h[1], h[0]))
    return [[i, s] for i, s in hits]


def main():
    rng = random.Random(20261130)
    cases = []
    for name, (method, norm) in METHODS.items():
        for number in range(12):
            arms = [arm(rng, rng.randrange(2, 40), tied=method != "rrf") for _ in range(rng.randrange(2, 5))]
            weights = [1.0] * len(arms) if method == "rrf" else [rng.randrange(1, 16) / 16 for _ in arms]
            runs = [ranx.Run({"q": {str(i): s for i, s in a}}) for a in arms]
            params = {"k": 60} if method == "rrf" else {"weights": weights}
            fused = ranx.fuse(runs=runs, norm=norm, method=method, params=params)
            scores = {int(k): float(v) for k, v in fused.run["q"].items()}
            cases.append({"rule": name, "weights": weights, "arms": arms, "fused": sorted(scores.items())})
    out = pathlib.Path(__file__).with_name("ranx.json")
    out.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")


if __name__ == "__main__":
    main()
