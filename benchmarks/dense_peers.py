# SPDX-License-Identifier: MIT
"""Peers of the dense indexes on the files that benchmarks/dense.cpp writes: dense_peers.py FOLDER

vectors: float32 [n x dim]; queries: float32 [m x dim]; best: uint32 [m x 10], the true ones; shape: "n dim".
Answers each line with one line, "- reason" where it cannot:
  about                        versions, BLAS kernels
  search PEER K BATCH THREADS  seconds of one call for the first BATCH queries, of one other query if BATCH is 1
  build PEER                   seconds
  reach PEER RECALL            the fastest setting with that recall@10, and its recall
  each PEER                    seconds of a query, asked one by one
Seconds are the processor's with one thread, the wall's with more."""

import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

FOLDER = Path(sys.argv[1])
N, DIM = map(int, (FOLDER / "shape").read_text().split())
X = np.fromfile(FOLDER / "vectors", dtype=np.float32).reshape(N, DIM)
Q = np.fromfile(FOLDER / "queries", dtype=np.float32).reshape(-1, DIM)
BEST = np.fromfile(FOLDER / "best", dtype=np.uint32).reshape(-1, 10)


def faiss():
    import faiss as module

    return module


def usearch_of(kind, convert):
    """USearch's exact search on rows of a narrower type."""
    from usearch.index import MetricKind, search

    rows, questions = convert(X), convert(Q)
    return lambda q, k, threads: search(rows, questions[q], k, MetricKind.IP, exact=True, threads=threads, dtype=kind).keys


def bfloat16(a):
    return (a.view(np.uint32) + 0x8000 >> 16).astype(np.uint16)


def int8(a):
    return np.clip(np.rint(a * (127 / np.abs(a).max())), -127, 127).astype(np.int8)


def numpy_search(q, k, threads):
    scores = Q[q] @ X.T
    found = np.argpartition(scores, N - k, axis=-1)[..., N - k :]
    return np.take_along_axis(found, np.argsort(-np.take_along_axis(scores, found, -1), -1), -1)


class Flat:
    index = None

    @classmethod
    def get(cls):
        if cls.index is None:
            cls.index = faiss().IndexFlatIP(DIM)
            cls.index.add(X)
        return cls.index


def faiss_flat(threshold):
    """With queries * dim below the threshold, one scan a query; else BLAS. None: as installed."""
    index = Flat.get()
    installed = faiss().cvar.distance_compute_blas_threshold

    def run(q, k, threads):
        faiss().cvar.distance_compute_blas_threshold = installed if threshold is None else threshold
        found = index.search(Q[q], k)[1]
        faiss().cvar.distance_compute_blas_threshold = installed
        return found

    return run


def hnswlib_flat():
    import hnswlib

    index = hnswlib.BFIndex("ip", DIM)
    index.init_index(N)
    index.add_items(X)
    return lambda q, k, threads: index.knn_query(Q[q], k, num_threads=threads)[0]


def refined(base):
    """A faiss index whose candidates are scored exactly."""
    index = faiss().IndexRefine(base, Flat.get())

    def run(q, k, factor):
        return index.search(Q[q], k, params=faiss().IndexRefineSearchParameters(k_factor=factor))[1]

    return run


def sign_bits():
    """Hamming distance of signs, then 1000 candidates scored by numpy."""
    index = faiss().IndexBinaryFlat(DIM)
    index.add(np.packbits(X > 0, axis=1))
    questions = np.packbits(Q > 0, axis=1)

    def run(q, k, threads):
        found = np.sort(index.search(questions[q], 1000)[1], axis=1)
        out = []
        for ids, question in zip(found, Q[q]):
            out.append(ids[np.argsort(-(X[ids] @ question))[:k]])
        return np.array(out)

    return run


def rabitq(factor):
    base = faiss().index_factory(DIM, "RaBitQfs", faiss().METRIC_INNER_PRODUCT)
    base.train(X[:: max(1, N // 65536)])
    base.add(X)
    search = refined(base)
    return lambda q, k, threads: search(q, k, factor)


class Coarse:
    """k-means for faiss' inverted files."""

    index = None
    lists = 1024 if N > 300_000 else 512
    took = 0.0

    @classmethod
    def get(cls):
        if cls.index is None:
            started = clock(1)
            means = faiss().Kmeans(DIM, cls.lists, niter=8, spherical=True, max_points_per_centroid=128, seed=1)
            means.train(X)
            cls.index = faiss().IndexFlatIP(DIM)
            cls.index.add(means.centroids)
            cls.took = clock(1) - started
        return cls.index


class Inverted:
    settings = [[(factor, p) for p in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256)] for factor in (10, 40)]

    def __init__(self, make):
        self.shared = Coarse.took  # seconds that this index need not spend again
        self.base = make(Coarse.get())
        self.base.train(X[:: max(1, N // 262144)])
        self.base.add(X)
        self.search = refined(self.base)

    def set(self, setting):
        self.factor, self.base.nprobe = setting

    def __call__(self, q, k, threads):
        return self.search(q, k, self.factor)


class Graph:
    settings = [[10, 20, 30, 40, 50, 60, 80, 120, 160, 240, 320, 640]]

    def __init__(self):
        import hnswlib

        self.index = hnswlib.Index("ip", DIM)
        self.index.init_index(N, M=16, ef_construction=200, random_seed=100)
        self.index.add_items(X, num_threads=1)

    def set(self, ef):
        self.index.set_ef(ef)

    def __call__(self, q, k, threads):
        return self.index.knn_query(Q[q], k, num_threads=threads)[0]


IP = 0  # faiss.METRIC_INNER_PRODUCT
PEERS = {
    "numpy": lambda: numpy_search,
    "faiss": lambda: faiss_flat(None),
    "faiss_blas": lambda: faiss_flat(0),
    "usearch_f32": lambda: usearch_of("f32", lambda a: a),
    "usearch_f16": lambda: usearch_of("f16", lambda a: a.astype(np.float16)),
    "usearch_bf16": lambda: usearch_of("bf16", bfloat16),
    "usearch_i8": lambda: usearch_of("i8", int8),
    "hnswlib_flat": hnswlib_flat,
    "faiss_sign": sign_bits,
    "faiss_rabitq": lambda: rabitq(40),
    "faiss_ivfpq": lambda: Inverted(lambda c: faiss().IndexIVFPQFastScan(c, DIM, Coarse.lists, DIM // 4, 4, IP)),
    "faiss_ivfrabitq": lambda: Inverted(lambda c: faiss().IndexIVFRaBitQFastScan(c, DIM, Coarse.lists, IP)),
    "hnswlib": Graph,
}


def clock(threads):
    return time.process_time() if threads == 1 else time.perf_counter()


def recall(found):
    return float(np.mean([len(set(a.tolist()) & set(b.tolist())) / 10 for a, b in zip(BEST, found)]))


def main():
    built = {}
    took = {}
    turn = 0

    def peer(name):
        if name not in built:
            started = clock(1)
            built[name] = PEERS[name]()
            took[name] = clock(1) - started + getattr(built[name], "shared", 0)
        return built[name]

    for line in sys.stdin:
        what, *words = line.split()
        try:
            threads = int(words[3]) if what == "search" else 1
            faiss().omp_set_num_threads(threads)
            with threadpool_limits(threads):
                if what == "about":
                    names = " ".join(f"{p} {version(p)}," for p in ("faiss-cpu", "usearch", "hnswlib", "numpy"))
                    kernels = [f"{t['version']} {t.get('architecture')}" for t in threadpool_info() if t["user_api"] == "blas"]
                    answer = f"{names} BLAS kernels: {', '.join(kernels)}"
                elif what == "search":
                    run = peer(words[0])
                    turn = (turn + 1) % len(Q)
                    q = slice(turn, turn + 1) if words[2] == "1" else slice(0, int(words[2]))
                    started = clock(threads)
                    run(q, int(words[1]), threads)
                    answer = clock(threads) - started
                elif what == "build":
                    peer(words[0])
                    answer = took[words[0]]
                elif what == "recall":
                    answer = recall(peer(words[0])(slice(0, len(Q)), 10, 1))
                elif what == "reach":
                    run = peer(words[0])
                    reaching = []
                    for row in run.settings:  # along a row recall and time rise
                        for setting in row:
                            run.set(setting)
                            started = clock(1)
                            reached = recall(run(slice(0, len(Q)), 10, 1))
                            if reached >= float(words[1]):
                                break
                        reaching.append((reached < float(words[1]), clock(1) - started, setting, reached))
                    _, _, setting, reached = min(reaching)
                    run.set(setting)
                    answer = f"{setting} {reached:.3f}"
                elif what == "each":
                    run = peer(words[0])
                    started = clock(1)
                    for q in range(len(Q)):
                        run(slice(q, q + 1), 10, 1)
                    answer = (clock(1) - started) / len(Q)
                elif what == "drop":
                    built.pop(words[0], None)
                    answer = "0"
            print(answer, flush=True)
        except Exception as problem:  # whatever a peer raises is its own
            print("-", type(problem).__name__, str(problem).replace("\n", " ")[:200], flush=True)


def with_known_kernel():
    """faiss-cpu's OpenBLAS takes its SSE3 kernel on processors that it does not know: name it a better one."""
    if "OPENBLAS_CORETYPE" in os.environ:
        return
    faiss()
    if any(t.get("architecture") == "Prescott" for t in threadpool_info()):
        wide = "avx512f" in Path("/proc/cpuinfo").read_text()
        os.environ["OPENBLAS_CORETYPE"] = "SKYLAKEX" if wide else "HASWELL"
        os.execv(sys.executable, [sys.executable, *sys.argv])


with_known_kernel()
main()
