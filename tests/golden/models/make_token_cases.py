#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tests/golden/models/tokens/: tokenizers of several shapes, and what Hugging Face's tokenizers 0.23.3 makes of texts.

    python3 tests/golden/models/make_token_cases.py

NAME.json is a tokenizer.json. NAME.cases.json has lines of [text, tokens] and of [[text, text], tokens, max tokens, strategy,
add special tokens], where tokens are [ids, types, begins, ends] and offsets are in bytes. Texts are of all of Unicode, half of
them from one or two ranges; the random numbers are seeded. Offsets are null where a text begins with characters that
SentencePiece's map drops: tokenizers then shifts them by as many characters.
"""
import collections
import json
import os
import random

import sentencepiece
import sentencepiece.sentencepiece_model_pb2 as sentencepiece_model
from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, "tokens")
corpus = os.path.join(here, "../../../examples/corpus/chunks.jsonl")
BERT = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
FEW = "naïve café Straße Größe l'été œuvre façade Ångström İstanbul ΑΘΗΝΑ σίγμα Привет мир ё й 東京 タワー 한국어 नमस्ते ไทย 😀 ﬁ ½ ①"


def lines():
    with open(corpus, encoding="utf-8") as file:
        for line in file:
            chunk = json.loads(line)
            yield chunk["title"]
            yield chunk["text"]
    for _ in range(20):
        yield FEW


def word_pieces(normaliser, splitter, processor, size=400, added=(), **model):
    """Characters, frequent words, and frequent beginnings and ends of words. (The trainer of tokenizers breaks ties at random.)"""
    counts, prefix = collections.Counter(), model.get("continuing_subword_prefix", "##")
    single = collections.Counter()
    for line in lines():
        for word, _ in splitter.pre_tokenize_str(normaliser.normalize_str(line)):
            single.update([word[0]] + [prefix + c for c in word[1:]])
            counts[word] += 3
            for i in range(2, len(word)):
                counts[word[:i]] += 1
                counts[prefix + word[-i:]] += 1
    pieces = BERT + sorted(single)
    for piece, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        if len(pieces) < size and piece not in pieces:
            pieces.append(piece)
    made = Tokenizer(models.WordPiece({piece: i for i, piece in enumerate(pieces)}, unk_token="[UNK]", **model))
    made.normalizer, made.pre_tokenizer = normaliser, splitter
    made.add_special_tokens(BERT)
    made.add_tokens(list(added))
    if processor is not None:
        made.post_processor = processor
    return made


RULES = {"\u00a0": " ", "\t": " ", "\r": " ", "ﬁ": "fi", "e\u0301": "é", "\u00ad": "", "\u200d": "", "ß": "ss", "①": "(1)",
         "\u0958": "\u0915\u093c", "İ": "i\u0307"}


def unigrams(name, rule, normaliser, splitter, processor, size=500, byte_fallback=False, added=()):
    """By SentencePiece, with a rule of its own names (nmt_nfkc is XLM-R's and T5's), or RULES."""
    work = os.path.join(folder, name)
    rules = dict(normalization_rule_name=rule)
    if rule is None:
        with open(work + ".tsv", "w", encoding="utf-8") as file:
            for pair in RULES.items():
                file.write("\t".join(" ".join(f"{ord(c):X}" for c in text) for text in pair) + "\n")
        rules = dict(normalization_rule_tsv=work + ".tsv")
    with open(work + ".txt", "w", encoding="utf-8") as file:
        file.writelines(line.replace("\n", " ") + "\n" for line in lines())
    sentencepiece.SentencePieceTrainer.train(
        input=work + ".txt", model_prefix=work, vocab_size=size, model_type="unigram", num_threads=1,
        byte_fallback=byte_fallback, character_coverage=0.998, minloglevel=2, **rules)
    proto = sentencepiece_model.ModelProto()
    with open(work + ".model", "rb") as file:
        proto.ParseFromString(file.read())
    for end in (".txt", ".model", ".vocab") + (() if rule else (".tsv",)):
        os.remove(work + end)
    pieces = [("<s>", 0.0), ("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0)]
    pieces += [(p.piece, round(p.score, 6)) for p in proto.pieces[3:]]
    made = Tokenizer(models.Unigram(pieces, unk_id=3, byte_fallback=byte_fallback))
    made.normalizer = normaliser(proto.normalizer_spec.precompiled_charsmap)
    made.pre_tokenizer = splitter
    made.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True)])
    made.add_tokens(list(added))
    made.post_processor = processor
    return made


def characters(generator):
    ranges = [(0x20, 0x7F), (0x61, 0x7B), (0, 0x300), (0x300, 0x370), (0x370, 0x2000), (0x2000, 0x3000), (0x3000, 0xD800),
              (0xAC00, 0xD7A4), (0x1100, 0x1200), (0xE000, 0x10000), (0x10000, 0x20000), (0x1F300, 0x1FB00), (0x20000, 0x110000)]
    single = [0x20, 0x20, 0x20, 0x9, 0xA, 0xD, 0, 0xA0, 0x200D, 0xFE0F, 0x301, 0x327, 0x345, 0x130, 0xDF, 0xFFFD, 0x37E, 0x2581]
    chosen = generator.sample(ranges, generator.randint(1, 3))
    while True:
        if generator.random() < 0.3:
            yield chr(generator.choice(single))
        else:
            yield chr(generator.randrange(*generator.choice(chosen)))


def texts(generator, count):
    words = " ".join(lines()).split()
    whole = ["[MASK]", "[SEP]", "[CLS", "<mask>", " <mask> ", "</s>", "<s", "Trawl", "TRAWL", "PROD-4817"]
    for i in range(count):
        source = characters(generator)
        text = ""
        for _ in range(generator.randint(0, 24)):
            chance = generator.random()
            if chance < 0.04:
                text += generator.choice(whole)
            elif chance < 0.15:
                text += " " + generator.choice(words)
            else:
                text += next(source)
        yield text
    yield from ["", " ", "a" * 101 + " " + "é" * 100, "no\r\ne\u0301\u0301x", FEW]


def tokens(encoding, firsts):
    def place(i, character):
        text = firsts[encoding.sequence_ids[i] or 0]
        return 0 if encoding.sequence_ids[i] is None else len(text[:character].encode())
    return [encoding.ids, encoding.type_ids, [place(i, a) for i, (a, _) in enumerate(encoding.offsets)],
            [place(i, b) for i, (_, b) in enumerate(encoding.offsets)]]


def save(name, made, seed, count=120, pairs=40):
    made.save(os.path.join(folder, name + ".json"), pretty=False)
    generator = random.Random(seed)
    cases = []
    for text in texts(generator, count):
        found = tokens(made.encode(text), [text])
        if text and "Unigram" in str(type(made.model)) and made.normalizer.normalize_str(text[0]) == "":
            found[2:] = [None, None]
        cases.append([text, found])
    for _ in range(pairs):
        pair = [" ".join(generator.choices(FEW.split(), k=generator.randint(0, 12))) for _ in range(2)]
        special = generator.random() < 0.8
        limit = generator.randint(made.num_special_tokens_to_add(True) if special else 1, 60)
        strategy = generator.choice(["longest_first", "longest_first", "only_first", "only_second"])
        made.enable_truncation(limit, strategy=strategy)
        try:
            cases.append([pair, tokens(made.encode(*pair, add_special_tokens=special), pair), limit, strategy, special])
        except Exception:  # the text that is to be cut is too short
            cases.append([pair, None, limit, strategy, special])
    made.no_truncation()
    with open(os.path.join(folder, name + ".cases.json"), "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")


def main():
    os.makedirs(folder, exist_ok=True)
    bert = pre_tokenizers.BertPreTokenizer()
    bert_template = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)])
    xlm_template = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    metaspace = pre_tokenizers.Metaspace
    save("bert_uncased", word_pieces(
        normalizers.BertNormalizer(), bert, bert_template), 1)
    save("bert_cased", word_pieces(
        normalizers.BertNormalizer(lowercase=False), bert, processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))), 2)
    # Lower case with accents, no cleaning; pieces that continue a word have no prefix; a type of processor for RoBERTa.
    save("bert_german", word_pieces(
        normalizers.BertNormalizer(clean_text=False, handle_chinese_chars=False, strip_accents=False), bert,
        processors.RobertaProcessing(("[SEP]", 3), ("[CLS]", 2), trim_offsets=False), continuing_subword_prefix="@@",
        max_input_chars_per_word=20), 3)
    # Steps of their own, and tokens that are looked for in the normalised text.
    save("steps", word_pieces(
        normalizers.Sequence([
            normalizers.Strip(), normalizers.NFD(), normalizers.Lowercase(), normalizers.StripAccents(),
            normalizers.Replace("ß", "ss"), normalizers.Replace(Regex(" {2,}"), " ")]),
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Punctuation()]), None,
        added=[AddedToken("TRAWL", normalized=True), AddedToken("PROD", normalized=True, rstrip=True)]), 4)
    save("xlm_roberta", unigrams(
        "xlm_roberta", "nmt_nfkc", normalizers.Precompiled,
        pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), metaspace()]), xlm_template), 5)
    # As bge-m3 and T5 have it: blanks are kept together; unknown characters become bytes.
    save("metaspace", unigrams(
        "metaspace", None,
        lambda rules: normalizers.Sequence([normalizers.Precompiled(rules), normalizers.Replace(Regex(" {2,}"), " ")]),
        metaspace(prepend_scheme="first"), processors.TemplateProcessing(
            single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 2)]),
        size=760, byte_fallback=True, added=[AddedToken("Trawl", normalized=False)]), 6)
    save("whole", unigrams(
        "whole", "nfkc", lambda rules: normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]),
        metaspace(prepend_scheme="never", split=False), xlm_template), 7)


if __name__ == "__main__":
    main()
