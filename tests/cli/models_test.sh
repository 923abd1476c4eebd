#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: models_test.sh TRAWL, at the project's root: what the program does with models, on the small random ones of
# tests/golden/models. What they must give is what sentence-transformers and transformers gave.
set -u
. tests/cli/support.sh
models=tests/golden/models

# same_vectors A B: npy files of the same shape, no value further apart than 1e-4.
same_vectors() {
    python3 - "$1" "$2" <<'END' || fail "$1 is not $2"
import array, sys
def values(path):
    data = open(path, "rb").read()
    begin = 10 + int.from_bytes(data[8:10], "little")
    shape = data[data.index(b"'shape'"):data.index(b")")]
    return shape, array.array("f", data[begin:])
(shape, mine), (expected_shape, expected) = map(values, sys.argv[1:])
assert shape == expected_shape and len(mine) == len(expected) > 0, (shape, expected_shape)
sys.exit(max(abs(a - b) for a, b in zip(mine, expected)) > 1e-4)
END
}

corpus=$work/corpus.jsonl queries=$work/queries.tsv
cat >"$corpus" <<'END'
{"_id": "kept", "title": "", "text": "Backups are kept for 30 days, then deleted."}
{"_id": "orders", "text": "Orders, returns and shipments."}
{"_id": "token", "title": "Tokens", "text": "A token is refused when it is too old."}
END
printf 'q1\tHow long are backups kept?\nq2\trefused token\n' >"$queries"
bert=$models/sentence_bert pairs=$models/bert_classifier

# --- embed
if python3 -c '' 2>/dev/null; then
    python3 - "$models/sentence_bert/golden/cases.json" "$work/texts.jsonl" <<'END'
import json, sys
with open(sys.argv[2], "w") as out:
    for i, text in enumerate(json.load(open(sys.argv[1]))["texts"]):
        out.write(json.dumps({"_id": str(i), "text": text}) + "\n")
END
    "$trawl" embed --model $bert --queries "$work/texts.jsonl" --out "$work/queries.npy" || fail "embed: status $?"
    same_vectors "$work/queries.npy" $bert/golden/queries.npy
    for model in sentence_cls sentence_max static; do
        # `static` has no prompts, the others have one for passages: their vectors are compared in tests/models.
        "$trawl" embed --model $models/$model --corpus "$work/texts.jsonl" --out "$work/$model.npy" ||
            fail "embed with $model: status $?"
    done
    same_vectors "$work/static.npy" $models/static/golden/sentences.npy
else
    echo "python3 is not here: the values of vectors are not checked"
fi
"$trawl" embed --model $bert --corpus "$corpus" --out "$work/corpus.npy" || fail "embed: status $?"
"$trawl" embed --model $bert --queries "$queries" --out "$work/asked.npy" || fail "embed: status $?"
refuses 2 'required' embed --corpus "$corpus" --out "$work/none"
refuses 2 'required' embed --model $bert --out "$work/none"
refuses 2 'excludes' embed --model $bert --corpus "$corpus" --queries "$queries" --out "$work/none"
refuses 2 'does not exist' embed --model "$work/none" --corpus "$corpus" --out "$work/none"
mkdir "$work/empty"
refuses 1 "$work/empty/config.json: " embed --model "$work/empty" --corpus "$corpus" --out "$work/none"
[ ! -e "$work/none" ] || fail "embed wrote a file although it failed"

# --- search and query
search() { "$trawl" search --corpus "$corpus" --queries "$queries" "$@"; }
for retriever in dense hybrid; do
    made=$(search --retriever $retriever --model $bert)
    equal "$retriever search finds" "$(echo "$made" | wc -l | tr -d ' ')" 6
    equal "vectors of a file, queries by the model" "$(search --retriever $retriever --model $bert --vectors "$work/corpus.npy")" "$made"
    equal "all vectors of files" \
        "$(search --retriever $retriever --vectors "$work/corpus.npy" --query-vectors "$work/asked.npy")" "$made"
done
search --retriever dense --model $bert >/dev/null 2>"$work/err"
equal "search with a model says nothing" "$(cat "$work/err")" ""
ids() { sed -n 's/^ *[0-9][0-9]*  [^ ]* *\([a-z]*\)  .*/\1/p' | tr '\n' ' '; }
asked="How long are backups kept?"
plain=$("$trawl" query --corpus "$corpus" --model $bert "$asked")
equal "query" "$(echo "$plain" | ids)" "$(search --retriever hybrid --model $bert | sed -n 's/^q1 Q0 \([^ ]*\) .*/\1/p' | tr '\n' ' ')"
equal "query with vectors of a file" "$("$trawl" query --corpus "$corpus" --model $bert --vectors "$work/corpus.npy" "$asked")" "$plain"
refuses 2 '^--model has no effect with --retriever bm25' search --corpus "$corpus" --queries "$queries" --model $bert
refuses 2 '^--vectors requires --query-vectors or --model' search --corpus "$corpus" --queries "$queries" \
    --retriever dense --vectors "$work/corpus.npy"
refuses 2 '^--vectors requires --model' query --corpus "$corpus" --vectors "$work/corpus.npy" "$asked"
refuses 2 '^--model excludes --query-vectors' search --corpus "$corpus" --queries "$queries" --retriever dense \
    --vectors "$work/corpus.npy" --query-vectors "$work/asked.npy" --model $bert
refuses 2 '^--analyzer has no effect with --retriever dense and --model' search --corpus "$corpus" \
    --queries "$queries" --retriever dense --model $bert --analyzer english
refuses 1 'vectors have 32 values, those of .*static 24' search --corpus "$corpus" --queries "$queries" \
    --retriever dense --vectors "$work/corpus.npy" --model $models/static

# --- rerank: transformers' logits of the pairs are 1.0501 and 1.1375
"$trawl" query --corpus "$corpus" --retriever bm25 --rerank $pairs "$asked" >"$work/out" || fail "query --rerank: status $?"
equal "reranked" "$(ids <"$work/out")" "kept "
equal "the logit is the score" "$(sed -n 's/^  1  \(1.05[0-9]*\) .*/\1/p' "$work/out" | cut -c1-6)" "1.0501"
"$trawl" query --corpus "$corpus" --model $bert --rerank $pairs "$asked" >"$work/out" || fail "query --rerank: status $?"
equal "reranked arms" "$(ids <"$work/out" | sed 's/token //')" "orders kept "
grep -Eq '^ *[0-9]  1\.1375[0-9]* ' "$work/out" || fail "the score of orders is not 1.1375: $(cat "$work/out")"
equal "a mixture of the score before alone keeps the order" \
    "$("$trawl" query --corpus "$corpus" --model $bert --rerank $pairs --rerank-mix 1 "$asked" | ids)" \
    "$("$trawl" query --corpus "$corpus" --model $bert "$asked" | ids)"
refuses 2 '^--rerank-mix' query --corpus "$corpus" --rerank $pairs --rerank-mix 2 "$asked"
equal "a depth of 1 keeps the order" "$("$trawl" query --corpus "$corpus" --model $bert --rerank $pairs --rerank-depth 1 "$asked" | ids)" \
    "$(echo "$plain" | ids)"
refuses 2 'rerank' search --corpus "$corpus" --queries "$queries" --rerank nonsense
refuses 1 "$bert" search --corpus "$corpus" --queries "$queries" --rerank $bert # no head
refuses 1 "$work/empty/config.json: " search --corpus "$corpus" --queries "$queries" --rerank "$work/empty"

# --- index
"$trawl" index --corpus "$corpus" --model $bert --out "$work/index" || fail "index: status $?"
equal "an index with vectors" "$("$trawl" query "$work/index" --explain "$asked")" \
    "$("$trawl" query --corpus "$corpus" --model $bert --explain "$asked")"
equal "one arm of it" "$("$trawl" query "$work/index" --retriever bm25 "$asked")" \
    "$("$trawl" query --corpus "$corpus" --retriever bm25 "$asked")"
equal "the other" "$("$trawl" query "$work/index" --retriever dense "$asked")" \
    "$("$trawl" query --corpus "$corpus" --model $bert --retriever dense "$asked")"
equal "another rule" "$("$trawl" query "$work/index" --fusion weighted --weights .2,.8 --complete "$asked")" \
    "$("$trawl" query --corpus "$corpus" --model $bert --fusion weighted --weights .2,.8 --complete "$asked")"
cp -R $bert "$work/moved"
equal "a model elsewhere" "$("$trawl" query "$work/index" --model "$work/moved" "$asked")" "$plain"
refuses 1 "^$work/index: its vectors were not made by the model in .*sentence_cls" query "$work/index" --model $models/sentence_cls "$asked"
refuses 2 '^--rerank does not apply to an index file' query "$work/index" --rerank $pairs "$asked"
"$trawl" index --corpus "$corpus" --out "$work/words" || fail "index: status $?"
refuses 2 '^--model does not apply to an index file without vectors' query "$work/words" --model $bert "$asked"
refuses 1 'nowhere: cannot be opened' query "$work/nowhere" --model $bert "$asked"

# --- a collection
"$trawl" add "$work/c.trawl" --model "$work/moved" "$corpus" >"$work/out" || fail "add --model: status $?"
grep -q '^3 added' "$work/out" || fail "add says $(cat "$work/out")"
"$trawl" info "$work/c.trawl" | grep -q 'vectors by the model /.*/moved$' || fail "info does not name the model"
collected() { "$trawl" query "$work/c.trawl" "$@" "$asked"; }
whole=$(collected)
equal "a collection finds all by vectors" "$(echo "$whole" | ids | wc -w | tr -d ' ')" 3
equal "reranked in a collection" "$(collected --rerank $pairs | ids | sed 's/token //')" "orders kept "
"$trawl" add "$work/c.trawl" "$corpus" | grep -q '^0 added, 0 changed, 3 unchanged' || fail "added again, something changed"
mv "$work/moved" "$work/there"
refuses 1 "$work/moved" query "$work/c.trawl" "$asked"
equal "a collection whose model has moved" "$(collected --model "$work/there")" "$whole"
"$trawl" verify "$work/c.trawl" >/dev/null || fail "verify needs the model"
"$trawl" add "$work/c.trawl" --model "$work/there" "$corpus" >/dev/null || fail "add with a model that has moved: status $?"
equal "where the model is now" "$(collected)" "$whole"
refuses 1 'another embedder' add "$work/c.trawl" --model $models/sentence_cls "$corpus"
equal "refused, and nothing has changed" "$(collected)" "$whole"
"$trawl" add "$work/w.trawl" "$corpus" >/dev/null || fail "add: status $?"
refuses 1 '^--model: .* keeps the settings' add "$work/w.trawl" --model $bert "$corpus"
refuses 2 '^--model has no effect' query "$work/w.trawl" --model $bert "$asked"
refuses 2 'excludes' add "$work/x.trawl" --lsa --model $bert "$corpus"

# Weights that are no numbers: the first add fails, and leaves nothing that the next one would trip over.
cp -R $bert "$work/nan"
weights=$work/nan/model.safetensors
tr '\000' '\377' </dev/zero | head -c 4000 \
    | dd of="$weights" bs=1 seek=$(($(wc -c <"$weights") - 4000)) conv=notrunc 2>/dev/null
refuses 1 'nan' add "$work/n.trawl" --model "$work/nan" "$corpus"
[ ! -e "$work/n.trawl" ] || fail "an add that failed left a collection"
"$trawl" add "$work/n.trawl" --model $bert "$corpus" | grep -q '^3 added' || fail "add after one that failed"
refuses 1 'another embedder' add "$work/n.trawl" --model "$work/nan" "$corpus"
[ -e "$work/n.trawl" ] || fail "an add that failed took a collection away"

[ "$failures" = 0 ] && echo "all passed"
exit "$((failures > 0))"
