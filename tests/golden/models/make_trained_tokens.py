#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes two more tokenizers to tests/golden/models/tokens/, as Hugging Face's own trainers make and save them.

    python3 tests/golden/models/make_trained_tokens.py

The trainers break ties at random: another run gives other vocabularies. Cases are those of make_token_cases.py.
"""
import os

from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from tokenizers.implementations import BertWordPieceTokenizer

from make_token_cases import lines, save


def main():
    bert = BertWordPieceTokenizer(lowercase=True, strip_accents=False)
    bert.train_from_iterator(lines(), vocab_size=400, show_progress=False)
    save("trained_wordpiece", bert._tokenizer, 8, 80, 20)
    unigram = Tokenizer(models.Unigram())
    unigram.normalizer = normalizers.Sequence(
        [normalizers.Replace("``", '"'), normalizers.NFD(), normalizers.StripAccents(), normalizers.Lowercase(),
         normalizers.Strip()])
    unigram.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()])
    unigram.train_from_iterator(lines(), trainers.UnigramTrainer(
        vocab_size=300, special_tokens=["<cls>", "<sep>", "<unk>", "<pad>", "<mask>"], unk_token="<unk>", show_progress=False))
    unigram.post_processor = processors.TemplateProcessing(  # XLNet's
        single="$A:0 <sep>:0 <cls>:2", pair="$A:0 <sep>:0 $B:1 <sep>:1 <cls>:2",
        special_tokens=[("<sep>", unigram.token_to_id("<sep>")), ("<cls>", unigram.token_to_id("<cls>"))])
    save("trained_unigram", unigram, 9, 80, 20)


main()
