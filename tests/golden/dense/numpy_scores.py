"""Writes numpy_scores.txt: vectors, and the scores and top ten that numpy gives in float64 for three metrics.

    python tests/golden/dense/numpy_scores.py > tests/golden/dense/numpy_scores.txt

Values are multiples of 1/64, so that text holds them exactly; rows 5 and 20 are the same, row 7 is zero.
"""
import numpy as np

rows, dim = 40, 20
random = np.random.default_rng(20250101)
vectors = random.integers(-128, 129, (rows, dim)) / 64
vectors[20] = vectors[5]
vectors[7] = 0
query = random.integers(-128, 129, dim) / 64

dot = vectors @ query
lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
scores = {
    "cosine": np.divide(dot, lengths, out=np.zeros(rows), where=lengths > 0),
    "dot_product": dot,
    "euclidean": -((vectors - query) ** 2).sum(axis=1),
}
print(rows, dim)
for vector in [*vectors, query]:
    print(*vector)
for name, values in scores.items():
    best = np.lexsort((np.arange(rows), -values))[:10]
    print(name, *best, *(repr(float(v)) for v in values))
