#!/usr/bin/env python3
"""Figures of scipy and statsmodels for the tests of significance. Needs both, and numpy.

Writes statistics.tsv: name, case, value; and statistics_cases.tsv: case, then the values of each system.
"""
import pathlib

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests

folder = pathlib.Path(__file__).parent
rng = np.random.default_rng(8)
lines = []


def add(name, case, value):
    lines.append(f"{name}\t{case}\t{float(value)!r}\n")


cases = {}
for n in (2, 5, 12, 30, 80, 250):
    a = rng.random(n)
    cases[f"plain{n}"] = (a, np.clip(a + rng.normal(.03, .1, n), 0, 1))
for n in (12, 60, 300):  # many ties and zeros, as P@5 has
    cases[f"steps{n}"] = (rng.integers(0, 6, n) / 5, rng.integers(0, 6, n) / 5)
cases["close"] = (a := rng.random(40), a + rng.normal(0, 1e-6, 40))

for name, (a, b) in cases.items():
    add("t", name, stats.ttest_rel(a, b).statistic)
    add("t_p", name, stats.ttest_rel(a, b).pvalue)
    d = a - b
    add("effect", name, d.mean() / d.std(ddof=1))
    nonzero = d[d != 0]
    ties = len(np.unique(np.abs(nonzero))) < len(nonzero)
    if len(nonzero) > 50:
        w = stats.wilcoxon(a, b, method="approx", correction=False)
    elif not ties:
        w = stats.wilcoxon(a, b, method="exact")
    elif len(nonzero) <= 14:  # all 2^n ways
        w = stats.wilcoxon(nonzero, method=stats.PermutationMethod(n_resamples=np.inf))
    else:
        w = None
    if w is not None:
        add("wilcoxon", name, w.statistic)
        add("wilcoxon_p", name, w.pvalue)
    if len(d) <= 12:
        r = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
        count = 0  # as scipy, but |mean| for two sides
        for ways in range(2 ** len(d)):
            signs = np.array([1 if ways >> i & 1 else -1 for i in range(len(d))])
            count += abs((signs * d).mean()) >= abs(d.mean()) - 1e-12
        assert abs(r.pvalue - count / 2 ** len(d)) < 1e-12, (r.pvalue, count)
        add("fisher_p", name, r.pvalue)

p = rng.random(9) ** 3
for i, (raw, adjusted) in enumerate(zip(p, multipletests(p, method="holm")[1])):
    add("holm_raw", i, raw)
    add("holm", i, adjusted)

table = rng.random((40, 4)) + rng.random((40, 1)) + np.array([0, .1, .2, .25])
for j in range(4):
    cases[f"tukey{j}"] = (table[:, j], table[:, j])
one_way = stats.tukey_hsd(*table.T).pvalue
residual = table - table.mean(0) - table.mean(1, keepdims=True) + table.mean()
df = 39 * 3
error = np.sqrt((residual ** 2).sum() / df / 40)
for i in range(4):
    for j in range(i + 1, 4):
        add("tukey_independent", f"{i}{j}", one_way[i, j])
        q = abs(table[:, i].mean() - table[:, j].mean()) / error
        add("tukey_paired", f"{i}{j}", stats.studentized_range.sf(q, 4, df))
for q in (.5, 2, 3.5, 6):
    for k in (2, 3, 10):
        for df in (1, 2, 7, 40, 2000):
            add("range", f"{q},{k},{df}", stats.studentized_range.sf(q, k, df))
for z in (.0001, .01, .3, .5, .77, .999):
    add("quantile", repr(z), stats.norm.ppf(z))

skewed = rng.random(50) ** 4
cases["skewed"] = (skewed, np.zeros(50))
for method in ("percentile", "bca"):
    ends = [stats.bootstrap((skewed,), np.mean, method=method, n_resamples=100_000, rng=s, batch=1000)
            .confidence_interval for s in range(3)]
    add(method, "low", np.mean([e.low for e in ends]))
    add(method, "high", np.mean([e.high for e in ends]))

(folder / "statistics.tsv").write_text("".join(lines))
(folder / "statistics_cases.tsv").write_text("".join(
    f"{name}\t{' '.join(repr(float(v)) for v in a)}\t{' '.join(repr(float(v)) for v in b)}\n"
    for name, (a, b) in cases.items()))
