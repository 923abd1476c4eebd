#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes small random models as Hugging Face folders, each with what transformers computes from it.

    python3 tests/golden/models/make_models.py && python3 tests/golden/models/make_onnx.py

The weights are random and seeded, so that a model says nothing about a text, but every operation of its kind takes part.
Made with Python 3.11, torch 2.15, transformers 5.24, tokenizers 0.23, sentencepiece 0.2, sentence-transformers 6.2 on the CPU.

Folders, each a model that a program can open:

    bert                  BertModel with pooler; WordPiece, tokenizer.json and vocab.txt; float32
    xlm_roberta           XLMRobertaModel: positions count from pad + 1; Unigram with a small normalisation map; float16,
                          heads of 12 (no multiple of 8)
    distilbert            DistilBertModel: no token types, no pooler; only vocab.txt and tokenizer_config.json, no
                          tokenizer.json; bfloat16
    bert_classifier       BertForSequenceClassification with one label: a cross-encoder
    roberta_classifier    XLMRobertaForSequenceClassification with one label: dense, tanh, projection
    sentence_bert         a sentence-transformers folder: modules.json, mean pooling, normalisation, prompts, at most 16
                          tokens
    sentence_cls          the same layers, pooled by the first token, not normalised
    sentence_max          the same layers, pooled by the maximum, normalised
    late_interaction      a sentence-transformers folder whose second module is dense without bias: 32 to 12 numbers a token
    static                a model2vec folder: one row of numbers a token; the mean of a text's rows, [UNK] left out

In each folder, `golden/`:

    cases.json            "texts" (or "pairs"), "ids", "types" (where the model has them): what the model was given, special
                          tokens included
    hidden_0.npy ...      (not of sentence_cls and sentence_max) [all tokens x hidden], the tokens of the first text, then those of the second: the embeddings
                          (0) and what each layer makes of them; float32. Each text went through alone, unpadded.
    pooler.npy            [texts x hidden], where the model has a pooler
    logits.npy            [pairs x labels]
    queries.npy           (sentence_bert) as sentences.npy, with the prompt of queries before each text
    sentences.npy         [texts x dimension], by sentence_transformers or model2vec; for late_interaction [all tokens x 12]
"""
import json
import os
import shutil

import numpy
import sentencepiece
import sentencepiece.sentencepiece_model_pb2 as sentencepiece_model
import tokenizers
import torch
import transformers
from safetensors.numpy import save_file

here = os.path.dirname(os.path.abspath(__file__))
corpus = os.path.join(here, "../../../examples/corpus/chunks.jsonl")
torch.set_num_threads(1)

TEXTS = [
    "Orders, returns and shipments.",
    "HTTP 429: how long must a client wait?",
    "Rücksendungen in Frankfurt; l'équipe de l'entrepôt",
    "one",
    "",
    "The worker carries out jobs in the background and the store keeps the data: 東京 and ﬁne print, "
    "café, 3.1 against 2.6, PROD-4817, a\u00a0long line that is longer than sixteen tokens by far.",
    "  spaces \t and\nlines  ",
    "unknown: \u16a0\u16a2 \U0001f600 end",
]
PAIRS = [
    ["How long are backups kept?", "Backups are kept for 30 days, then deleted."],
    ["How long are backups kept?", "Orders, returns and shipments."],
    ["refund PROD-4817", "A refund is paid within a week. "
     "The worker carries out jobs in the background and the store keeps the data of all the orders."],
    ["", "nothing was asked"],
    ["nothing was found", ""],
]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def lines():
    with open(corpus, encoding="utf-8") as file:
        for line in file:
            chunk = json.loads(line)
            yield chunk["title"]
            yield chunk["text"]


def folder_of(name):
    folder = os.path.join(here, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "golden"))
    return folder


def save_json(folder, name, value):
    os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False, indent=1)
        file.write("\n")


def save_cases(folder, value):
    """A line for each text or list of ids."""
    with open(os.path.join(folder, "golden/cases.json"), "w", encoding="utf-8") as file:
        parts = (json.dumps(key) + ": [\n" + ",\n".join(" " + json.dumps(row, ensure_ascii=False) for row in rows) + "]"
                 for key, rows in value.items())
        file.write("{\n" + ",\n".join(parts) + "\n}\n")


def save_npy(folder, name, rows):
    numpy.save(os.path.join(folder, "golden", name), numpy.ascontiguousarray(rows, dtype=numpy.float32))


def word_pieces():
    """A WordPiece of 300 tokens, lower case, as BERT's."""
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.train_from_iterator(
        lines(), tokenizers.trainers.WordPieceTrainer(vocab_size=300, special_tokens=SPECIAL, show_progress=False))
    # The trainer's order of equal counts changes from run to run: take the tokens, in order of their text.
    pieces = SPECIAL + sorted(token for token in made.get_vocab() if token not in SPECIAL)
    return {piece: i for i, piece in enumerate(pieces)}


def bert_tokenizer(vocabulary):
    made = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    made.normalizer = tokenizers.normalizers.BertNormalizer()
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(SPECIAL)
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])])
    made.decoder = tokenizers.decoders.WordPiece()
    return made


def save_bert_tokenizer(folder, vocabulary, whole=True):
    if whole:
        bert_tokenizer(vocabulary).save(os.path.join(folder, "tokenizer.json"), pretty=False)
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf-8") as file:
        file.writelines(piece + "\n" for piece in vocabulary)
    save_json(folder, "tokenizer_config.json", {
        "tokenizer_class": "BertTokenizer", "do_lower_case": True, "strip_accents": None, "tokenize_chinese_chars": True,
        "unk_token": "[UNK]", "sep_token": "[SEP]", "pad_token": "[PAD]", "cls_token": "[CLS]", "mask_token": "[MASK]",
        "model_max_length": 48})


def unigram_tokenizer():
    """A Unigram of 300 tokens with byte fallback off, as XLM-R's; its normalisation map has a few rules only."""
    work = os.path.join(here, "unigram")
    rules = {"\u00a0": " ", "ﬁ": "fi", "\t": " ", "\n": " ", "ＰＲ": "PR", "e\u0301": "é", "\u00ad": ""}
    with open(work + ".tsv", "w", encoding="utf-8") as file:
        for source, target in rules.items():
            file.write(" ".join(f"{ord(c):X}" for c in source) + "\t" + " ".join(f"{ord(c):X}" for c in target) + "\n")
    with open(work + ".txt", "w", encoding="utf-8") as file:
        file.writelines(line.replace("\n", " ") + "\n" for line in lines())
    sentencepiece.SentencePieceTrainer.train(
        input=work + ".txt", model_prefix=work, vocab_size=300, model_type="unigram", num_threads=1,
        normalization_rule_tsv=work + ".tsv", character_coverage=0.999, minloglevel=2)
    model = sentencepiece_model.ModelProto()
    with open(work + ".model", "rb") as file:
        model.ParseFromString(file.read())
    for end in (".tsv", ".txt", ".model", ".vocab"):
        os.remove(work + end)
    # XLM-R's order: <s> <pad> </s> <unk>, the pieces without sentencepiece's own three, <mask>.
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    pieces += [(p.piece, round(p.score, 6)) for p in model.pieces[3:]] + [("<mask>", 0.0)]
    made = tokenizers.Tokenizer(tokenizers.models.Unigram(pieces, unk_id=3, byte_fallback=False))
    made.normalizer = tokenizers.normalizers.Precompiled(model.normalizer_spec.precompiled_charsmap)
    made.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([
        tokenizers.pre_tokenizers.WhitespaceSplit(), tokenizers.pre_tokenizers.Metaspace()])
    made.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", tokenizers.AddedToken("<mask>", lstrip=True)])
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    made.decoder = tokenizers.decoders.Metaspace()
    return made


def save_unigram_tokenizer(folder, made):
    made.save(os.path.join(folder, "tokenizer.json"), pretty=False)
    save_json(folder, "tokenizer_config.json", {
        "tokenizer_class": "XLMRobertaTokenizer", "bos_token": "<s>", "eos_token": "</s>", "sep_token": "</s>",
        "cls_token": "<s>", "unk_token": "<unk>", "pad_token": "<pad>", "mask_token": "<mask>", "model_max_length": 48})


def randomise(model, seed):
    """Weights large enough that every term counts: the usual initial ones are so small that a wrong bias or layer norm
    would hide within the tolerance. The classes' own initial values (ones, zeros) are replaced too."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in sorted(model.named_parameters()):
        noise = torch.randn(tensor.shape, generator=generator)
        with torch.no_grad():
            if "LayerNorm.weight" in name or "layer_norm.weight" in name:
                tensor.copy_(1 + 0.2 * noise)
            elif name.endswith("bias"):
                tensor.copy_(0.2 * noise)
            elif "embeddings" in name:
                tensor.copy_(0.5 * noise)
            else:
                tensor.copy_(noise * (1.5 / tensor.shape[-1] ** 0.5))
    return model.eval()


def save_model(folder, model, kind):
    """Saves the weights as `kind`, and gives the model the values so saved, computed with in float32."""
    model.to(kind).save_pretrained(folder)
    return model.to(torch.float32)


def compute(folder, model, encodings, given, with_layers=True):
    layers, poolers, logits = None, [], []
    for encoding in encodings:
        inputs = {"input_ids": torch.tensor([encoding.ids]), "attention_mask": torch.ones(1, len(encoding.ids), dtype=torch.long)}
        if model.config.model_type == "bert":
            inputs["token_type_ids"] = torch.tensor([encoding.type_ids])
        with torch.no_grad():
            out = model(**inputs, output_hidden_states=True)
        states = [state[0].numpy() for state in out.hidden_states]
        layers = [[] for _ in states] if layers is None else layers
        for layer, state in zip(layers, states):
            layer.append(state)
        if getattr(out, "pooler_output", None) is not None:
            poolers.append(out.pooler_output[0].numpy())
        if hasattr(out, "logits"):
            logits.append(out.logits[0].numpy())
    for i, layer in enumerate(layers if with_layers else []):
        save_npy(folder, f"hidden_{i}.npy", numpy.concatenate(layer))
    if poolers:
        save_npy(folder, "pooler.npy", numpy.stack(poolers))
    if logits:
        save_npy(folder, "logits.npy", numpy.stack(logits))
    given["ids"] = [encoding.ids for encoding in encodings]
    if model.config.model_type == "bert":
        given["types"] = [encoding.type_ids for encoding in encodings]
    save_cases(folder, given)


def encode(tokenizer, texts, longest=48):
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return [tokenizer.encode(*text) if isinstance(text, list) else tokenizer.encode(text) for text in texts]


vocabulary = word_pieces()
SHAPE = dict(vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48,
             max_position_embeddings=48, hidden_act="gelu")


def bert(name, seed, kind=torch.float32):
    folder = folder_of(name)
    config = transformers.BertConfig(**SHAPE, pad_token_id=vocabulary["[PAD]"])
    model = save_model(folder, randomise(transformers.BertModel(config), seed), kind)
    save_bert_tokenizer(folder, vocabulary)
    return folder, model


folder, model = bert("bert", 1)
compute(folder, model, encode(bert_tokenizer(vocabulary), TEXTS), {"texts": TEXTS})

unigram = unigram_tokenizer()
roberta = dict(vocab_size=unigram.get_vocab_size(), hidden_size=36, num_hidden_layers=2, num_attention_heads=3,
               intermediate_size=40, max_position_embeddings=50, type_vocab_size=1, layer_norm_eps=1e-5, pad_token_id=1,
               bos_token_id=0, eos_token_id=2)
folder = folder_of("xlm_roberta")
model = save_model(folder, randomise(transformers.XLMRobertaModel(transformers.XLMRobertaConfig(**roberta)), 2), torch.float16)
save_unigram_tokenizer(folder, unigram)
compute(folder, model, encode(unigram, TEXTS), {"texts": TEXTS})

folder = folder_of("distilbert")
config = transformers.DistilBertConfig(vocab_size=len(vocabulary), dim=32, n_layers=2, n_heads=4, hidden_dim=48,
                                       max_position_embeddings=48, pad_token_id=vocabulary["[PAD]"])
model = save_model(folder, randomise(transformers.DistilBertModel(config), 3), torch.bfloat16)
save_bert_tokenizer(folder, vocabulary, whole=False)
compute(folder, model, encode(bert_tokenizer(vocabulary), TEXTS), {"texts": TEXTS})

folder = folder_of("bert_classifier")
config = transformers.BertConfig(**SHAPE, pad_token_id=vocabulary["[PAD]"], num_labels=1)
model = save_model(folder, randomise(transformers.BertForSequenceClassification(config), 4), torch.float16)
save_bert_tokenizer(folder, vocabulary)
compute(folder, model, encode(bert_tokenizer(vocabulary), PAIRS), {"pairs": PAIRS})

folder = folder_of("roberta_classifier")
config = transformers.XLMRobertaConfig(**roberta, num_labels=1)
model = save_model(folder, randomise(transformers.XLMRobertaForSequenceClassification(config), 5), torch.float16)
save_unigram_tokenizer(folder, unigram)
compute(folder, model, encode(unigram, PAIRS), {"pairs": PAIRS})


def sentence_folder(name, seed, pooling, normalise, more_modules=()):
    folder, model = bert(name, seed, torch.float16)
    modules = [("", "sentence_transformers.models.Transformer")]
    if pooling:
        modules.append(("1_Pooling", "sentence_transformers.models.Pooling"))
        save_json(folder, "1_Pooling/config.json", {
            "word_embedding_dimension": 32, "pooling_mode_cls_token": pooling == "cls",
            "pooling_mode_mean_tokens": pooling == "mean", "pooling_mode_max_tokens": pooling == "max",
            "pooling_mode_mean_sqrt_len_tokens": False, "pooling_mode_weightedmean_tokens": False,
            "pooling_mode_lasttoken": False, "include_prompt": True})
    modules += more_modules
    if normalise:
        modules.append((f"{len(modules)}_Normalize", "sentence_transformers.models.Normalize"))
    save_json(folder, "modules.json", [
        {"idx": i, "name": str(i), "path": path, "type": kind} for i, (path, kind) in enumerate(modules)])
    save_json(folder, "sentence_bert_config.json", {"max_seq_length": 16, "do_lower_case": False})
    save_json(folder, "config_sentence_transformers.json", {
        "prompts": {"query": "query: ", "passage": "passage: "}, "default_prompt_name": None, "similarity_fn_name": "cosine"})
    return folder, model


import sentence_transformers  # noqa: E402: only now, it takes its time

for name, seed, pooling, normalise in (("sentence_bert", 6, "mean", True), ("sentence_cls", 7, "cls", False),
                                       ("sentence_max", 8, "max", True)):
    folder, model = sentence_folder(name, seed, pooling, normalise)
    compute(folder, model, encode(bert_tokenizer(vocabulary), TEXTS, 16), {"texts": TEXTS}, name == "sentence_bert")
    user = sentence_transformers.SentenceTransformer(folder, device="cpu", model_kwargs={"dtype": torch.float32})
    save_npy(folder, "sentences.npy", user.encode(TEXTS, batch_size=1))
    if name == "sentence_bert":
        save_npy(folder, "queries.npy", user.encode(TEXTS, batch_size=1, prompt_name="query"))

folder, model = sentence_folder("late_interaction", 9, None, False, [("1_Dense", "pylate.models.Dense.Dense")])
save_json(folder, "1_Dense/config.json", {"in_features": 32, "out_features": 12, "bias": False,
                                          "activation_function": "torch.nn.modules.linear.Identity"})
weight = torch.randn(12, 32, generator=torch.Generator().manual_seed(9)).numpy()
save_file({"linear.weight": weight}, os.path.join(folder, "1_Dense/model.safetensors"))
encodings = encode(bert_tokenizer(vocabulary), TEXTS, 16)
compute(folder, model, encodings, {"texts": TEXTS})
tokens = numpy.load(os.path.join(folder, "golden/hidden_2.npy")).astype(numpy.float64) @ weight.T.astype(numpy.float64)
save_npy(folder, "sentences.npy", tokens / numpy.linalg.norm(tokens, axis=1, keepdims=True))

from model2vec import StaticModel  # noqa: E402

folder = folder_of("static")
rows = numpy.random.default_rng(10).standard_normal((len(vocabulary), 24)).astype(numpy.float32)
plain = bert_tokenizer(vocabulary)
plain.post_processor = None
static = StaticModel(rows, plain, config={"seq_length": 1000000}, normalize=True)
static.save_pretrained(folder)
os.remove(os.path.join(folder, "README.md"))
save_npy(folder, "sentences.npy", static.encode(TEXTS))
plain.no_truncation()
save_cases(folder, {
    "texts": TEXTS, "ids": [plain.encode(text, add_special_tokens=False).ids for text in TEXTS]})
