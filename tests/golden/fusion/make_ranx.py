# SPDX-License-Identifier: MIT
"""Writes ranx.json: random runs, and what ranx fuses them to by each rule and each normaliser.

    pip install ranx==0.3.21 && python make_ranx.py

A case is {rule, norm, weights, parameter, arms, fused}, rule and norm by trawl's names. Scores are multiples of
1/8, so that they are exact in float. ranx gives a list of equal scores 0 under min-max, where trawl gives 1: the
lists here are not constant. ranx reads a run's order from its scores and leaves ties in no defined order: the cases
of rank rules have none inside an arm; ties between fused scores remain, and tests compare scores, not places.
Condorcet's cases have an odd number of arms, the same documents in all and no cycle: elsewhere ranx's order depends
on that of a set.
"""
import itertools
import json
import pathlib
import random

import ranx

# trawl's rule: (ranx's, reads scores, weighted, name and value of its parameter)
RULES = {
    "rrf": ("rrf", False, False, ("k", 60)),
    "weighted_sum": ("wsum", True, True, None),
    "comb_sum": ("sum", True, False, None),
    "comb_mnz": ("mnz", True, False, None),
    "comb_anz": ("anz", True, False, None),
    "comb_med": ("med", True, False, None),
    "comb_min": ("min", True, False, None),
    "comb_max": ("max", True, False, None),
    "comb_gmnz": ("gmnz", True, False, ("gamma", 0.5)),
    "wmnz": ("wmnz", True, True, None),
    "mixed": ("mixed", True, True, None),
    "isr": ("isr", False, False, None),
    "log_isr": ("log_isr", False, False, None),
    "logn_isr": ("logn_isr", False, False, ("sigma", 0.25)),
    "rbc": ("rbc", False, False, ("phi", 0.75)),
    "borda": ("bordafuse", False, False, None),
    "weighted_borda": ("w_bordafuse", False, True, None),
    "condorcet": ("condorcet", False, False, None),
    "weighted_condorcet": ("w_condorcet", False, True, None),
}
NORMS = {"none": None, "min-max": "min-max", "z-score": "zmuv", "max": "max", "sum": "sum", "rank": "rank",
         "borda": "borda"}


def arm(rng, ids, tied):
    scores = [rng.randrange(1, 80) / 8 for _ in ids] if tied else rng.sample([s / 8 for s in range(1, 480)], len(ids))
    scores[0] = max(scores) + 1
    return [[i, s] for i, s in sorted(zip(ids, scores), key=lambda h: (-h[1], h[0]))]


def decided(arms, weights):
    """Whether every pair is decided and no cycle exists: some order agrees with all pairs."""
    places = [{d: i for i, (d, _) in enumerate(a)} for a in arms]
    docs = sorted(places[0])
    beats = {d: 0 for d in docs}
    for a, b in itertools.combinations(docs, 2):
        margin = sum(w if p[a] < p[b] else -w for p, w in zip(places, weights))
        if margin == 0:
            return False
        beats[a if margin > 0 else b] += 1
    return sorted(beats.values()) == list(range(len(docs)))


def case(rng, rule, norm, number):
    method, by_scores, weighted, parameter = RULES[rule]
    tied = by_scores and norm in ("none", "min-max", "z-score", "max", "sum")
    while True:
        if "condorcet" in rule:
            ids = rng.sample(range(60), 5)
            arms = [arm(rng, rng.sample(ids, len(ids)), False) for _ in range(3)]
        else:
            arms = [arm(rng, rng.sample(range(40), rng.randrange(2, 20)), tied) for _ in range(2 + number % 3)]
        weights = [rng.randrange(1, 16) / 16 if weighted else 1.0 for _ in arms]
        if "condorcet" not in rule or decided(arms, weights):
            break
    runs = [ranx.Run({"q": {str(i): s for i, s in a}}) for a in arms]
    params = {"weights": weights} if weighted else {}
    if parameter:
        params[parameter[0]] = parameter[1]
    fused = ranx.fuse(runs=runs, norm=NORMS[norm], method=method, params=params)
    scores = sorted((int(k), float(v)) for k, v in fused.run["q"].items())
    return {"rule": rule, "norm": norm, "weights": weights, "parameter": parameter[1] if parameter else 0,
            "arms": arms, "fused": scores}


def main():
    rng = random.Random(20261130)
    wanted = [(rule, "min-max" if by_scores else "none") for rule, (_, by_scores, _, _) in RULES.items()]
    wanted += [("weighted_sum", norm) for norm in NORMS] + [("comb_anz", "z-score"), ("comb_med", "borda")]
    cases = [case(rng, rule, norm, number) for rule, norm in wanted for number in range(4)]
    out = pathlib.Path(__file__).with_name("ranx.json")
    out.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")


if __name__ == "__main__":
    main()
