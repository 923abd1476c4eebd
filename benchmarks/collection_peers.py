# SPDX-License-Identifier: MIT
"""Peers of the collection on the files that benchmarks/collection.cpp writes: collection_peers.py FOLDER

vectors: float32 [n x dim]; queries: float32 [m x dim]; texts, questions: a line each; best: uint32 [m x 10], the nearest
documents inside the filter; shape: "n dim". Document i has part i % 10; the filter is part = 3.
Answers each line with one line, "- reason" where it cannot:
  about             versions
  load PEER         seconds, and megabytes on disk
  ask PEER          seconds of a question, the mean over all
  recall PEER       recall@10 of its vector search inside the filter
Seconds are the processor's, of all threads of this program, which has one core."""

import os
import sys
import time
from importlib.metadata import version
from pathlib import Path

os.environ.setdefault("ANONYMIZED_TELEMETRY", "False")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

import numpy as np

try:
    import pysqlite3 as sqlite3  # Python's own may come without extensions
except ImportError:
    import sqlite3

FOLDER = Path(sys.argv[1])
N, DIM = map(int, (FOLDER / "shape").read_text().split())
X = np.fromfile(FOLDER / "vectors", dtype=np.float32).reshape(N, DIM)
Q = np.fromfile(FOLDER / "queries", dtype=np.float32).reshape(-1, DIM)
BEST = np.fromfile(FOLDER / "best", dtype=np.uint32).reshape(-1, 10)
TEXTS = (FOLDER / "texts").read_text().splitlines()
QUESTIONS = (FOLDER / "questions").read_text().splitlines()


class Chroma:
    """A persistent client, cosine, the documents' texts stored with them; HNSW as it comes."""

    def load(self):
        import chromadb

        client = chromadb.PersistentClient(path=str(FOLDER / "chroma"))
        self.docs = client.create_collection("docs", embedding_function=None, metadata={"hnsw:space": "cosine"})
        for first in range(0, N, 5000):
            rows = range(first, min(N, first + 5000))
            self.docs.add(
                ids=[str(i) for i in rows],
                embeddings=X[first : rows.stop],
                documents=TEXTS[first : rows.stop],
                metadatas=[{"part": i % 10} for i in rows],
            )
        return FOLDER / "chroma"

    def vectors(self, i):
        return [int(x) for x in self.docs.query(query_embeddings=Q[i : i + 1], n_results=10, where={"part": 3})["ids"][0]]

    ask = vectors


class Lance:
    """A table with an FTS index of the texts and a bitmap index of the part; its default reranker, RRF."""

    def load(self):
        import lancedb
        import pyarrow as pa

        self.docs = lancedb.connect(str(FOLDER / self.name)).create_table(
            "docs",
            pa.table(
                {
                    "id": pa.array(range(N), pa.int64()),
                    "part": pa.array([i % 10 for i in range(N)], pa.int32()),
                    "text": pa.array(TEXTS),
                    "vector": pa.FixedSizeListArray.from_arrays(pa.array(X.reshape(-1)), DIM),
                }
            ),
        )
        self.docs.create_fts_index("text", with_position=False)
        self.docs.create_scalar_index("part", index_type="BITMAP")
        self.index()
        return FOLDER / self.name

    def tuned(self, query):
        return query

    def ask(self, i):
        query = self.docs.search(query_type="hybrid").vector(Q[i]).text(QUESTIONS[i])
        return self.tuned(query.distance_type("cosine").where("part = 3", prefilter=True).limit(10)).to_list()

    def vectors(self, i):
        query = self.docs.search(Q[i]).distance_type("cosine").where("part = 3", prefilter=True).limit(10)
        return [row["id"] for row in self.tuned(query).to_list()]


class LanceFlat(Lance):
    """Vectors scanned exactly, as its documentation advises up to some 100,000 rows."""

    name = "lance"

    def index(self):
        pass


class LanceIndexed(Lance):
    """Vectors in an IVF_PQ index of the defaults, ten times as many rescored."""

    name = "lance_pq"

    def index(self):
        self.docs.create_index(metric="cosine", vector_column_name="vector", index_type="IVF_PQ")

    def tuned(self, query):
        return query.refine_factor(10)


class Sqlite:
    """An FTS5 table and a vec0 table with the part as a metadata column, and RRF of the best 50 of each in SQL, as
    sqlite-vec's documentation does it."""

    HYBRID = """
        with near as (select id, row_number() over (order by distance) as place from
                (select id, distance from vectors where embedding match :vector and k = 50 and part = 3)),
            words as (select id, row_number() over (order by rank) as place from
                (select docs.id, texts.rank from texts cross join docs on docs.id = texts.rowid
                 where texts match :text and docs.part = 3 order by texts.rank limit 50)),
            fused as (select coalesce(near.id, words.id) as id,
                coalesce(1.0 / (60 + near.place), 0) + coalesce(1.0 / (60 + words.place), 0) as score
                from near full outer join words on near.id = words.id)
        select docs.id, docs.text, score from fused join docs using (id) order by score desc limit 10"""

    def load(self):
        import sqlite_vec

        folder = FOLDER / "sqlite"
        folder.mkdir(exist_ok=True)
        self.db = sqlite3.connect(folder / "docs.db")
        self.db.enable_load_extension(True)
        sqlite_vec.load(self.db)
        self.db.execute("pragma journal_mode = wal")
        self.db.execute("create table docs (id integer primary key, part integer, text text)")
        self.db.execute("create virtual table texts using fts5 (text, content = docs, content_rowid = id)")
        self.db.execute(
            f"create virtual table vectors using vec0 (id integer primary key, part integer, embedding float[{DIM}] distance_metric=cosine)"
        )
        with self.db:
            self.db.executemany("insert into docs values (?, ?, ?)", ((i, i % 10, TEXTS[i]) for i in range(N)))
            self.db.execute("insert into texts (rowid, text) select id, text from docs")
            self.db.executemany("insert into vectors values (?, ?, ?)", ((i, i % 10, X[i].tobytes()) for i in range(N)))
            self.db.execute("create index parts on docs (part)")
        return folder

    def ask(self, i):
        words = " OR ".join(f'"{word}"' for word in QUESTIONS[i].split())
        return self.db.execute(self.HYBRID, {"vector": Q[i].tobytes(), "text": words}).fetchall()

    def vectors(self, i):
        found = self.db.execute(
            "select id from vectors where embedding match ? and k = 10 and part = 3 order by distance", [Q[i].tobytes()]
        )
        return [row[0] for row in found]


PEERS = {"chroma": Chroma(), "lance": LanceFlat(), "lance_pq": LanceIndexed(), "sqlite": Sqlite()}


def answer(command, *words):
    if command == "about":
        return f"chromadb {version('chromadb')}, LanceDB {version('lancedb')}, sqlite-vec {version('sqlite-vec')}, SQLite {sqlite3.sqlite_version}"
    peer = PEERS[words[0]]
    started = time.process_time()
    if command == "load":
        folder = peer.load()
        took = time.process_time() - started
        size = sum(f.stat().st_size for f in folder.rglob("*") if f.is_file())
        return f"{took} {size / 1e6}"
    if command == "ask":
        for i in range(len(Q)):
            peer.ask(i)
        return (time.process_time() - started) / len(Q)
    if command == "recall":
        return sum(len(set(peer.vectors(i)) & set(BEST[i].tolist())) for i in range(len(Q))) / BEST.size
    raise ValueError(command)


for line in sys.stdin:
    try:
        print(answer(*line.split()), flush=True)
    except Exception as problem:
        print("-", type(problem).__name__, str(problem).replace("\n", " ")[:300], flush=True)
