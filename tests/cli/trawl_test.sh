#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: trawl_test.sh TRAWL, at the project's root: the program on small files, on broken ones, and on SciFact.
set -u
. tests/cli/support.sh
golden=tests/golden/cli
scifact=../shared/data/scifact

# within WHAT VALUE EXPECTED TOLERANCE
within() {
    echo "$1: $2"
    awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { d = a - b; exit !(d <= t && -d <= t && a != "") }' ||
        fail "$1: $2, not within $4 of $3"
}

corpus=$work/corpus.jsonl queries=$work/queries.tsv
cat >"$corpus" <<'END'
{"_id": "a", "title": "Refunds", "text": "A refund takes three days."}
{"_id": "b", "title": "", "text": "PROD-4817 prints nothing."}
{"_id": "c", "text": "PROD-4871 prints refund slips."}
END
printf 'q1\trefund\nq2\tPROD-4817\nq3\tzebra\n' >"$queries"
npy() { # npy FILE ROWS COLS: zeros but for a leading 1 in each row
    python3 - "$@" 2>/dev/null <<'END'
import struct, sys
name, rows, cols = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
head = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }" % (rows, cols)
head += " " * (63 - (10 + len(head)) % 64) + "\n"
row = struct.pack("<%df" % cols, 1, *[0] * (cols - 1))
open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + row * rows)
END
}

# --- search
"$trawl" search --corpus "$corpus" --queries "$queries" --out "$work/run" 2>"$work/err" || fail "search: status $?"
equal "search says nothing when piped" "$(cat "$work/err")" ""
equal "search finds" "$(cut -d' ' -f1,3,4 "$work/run" | tr '\n' ';')" "q1 c 1;q1 a 2;q2 b 1;q2 c 2;"
equal "search to stdout" "$("$trawl" search --corpus "$corpus" --queries "$queries")" "$(cat "$work/run")"
equal "k cuts" "$("$trawl" search --corpus "$corpus" --queries "$queries" --k 1 | wc -l | tr -d ' ')" 2
equal "k 0 gives nothing" "$("$trawl" search --corpus "$corpus" --queries "$queries" --k 0)" ""
: >"$work/empty"
equal "an empty corpus gives an empty run" "$("$trawl" search --corpus "$work/empty" --queries "$queries")" ""

refuses 2 'required' search --queries "$queries"
refuses 2 'Run with --help' search --corpus "$corpus" --queries "$queries" --nonsense
refuses 2 'requires an argument|1 required' search --corpus "$corpus" --queries
refuses 2 'retriever' search --corpus "$corpus" --queries "$queries" --retriever psychic
refuses 2 '--k' search --corpus "$corpus" --queries "$queries" --k -1
refuses 2 'not a number' search --corpus "$corpus" --queries "$queries" --weights .5,x
refuses 2 'subcommand' --version-of-nothing
refuses 2 "There is no command 'serach'. The commands are search, index, query" serach --corpus "$corpus"
refuses 2 'command .* is required: search, index' # without any argument
# An option without effect is refused, not ignored.
for option in '--weights 1,2' '--window 9' '--fusion rrf' '--rrf-k 9' '--norm none' '--complete'; do
    for retriever in bm25 dense; do
        # shellcheck disable=SC2086
        refuses 2 "^${option%% *} has no effect with --retriever $retriever" \
            search --corpus "$corpus" --queries "$queries" --retriever $retriever $option
    done
done
for option in '--k1 1' '--b .5' '--variant lucene' '--byte-lengths' '--title-weight 2'; do
    # shellcheck disable=SC2086
    refuses 2 "^${option%% *} has no effect with --retriever dense" \
        search --corpus "$corpus" --queries "$queries" --retriever dense $option
done
refuses 2 '^--k1 has no effect with --variant tf_ldp' search --corpus "$corpus" --queries "$queries" --variant tf_ldp --k1 1
refuses 2 '^--k1 has no effect with --variant tf_ldp' index --corpus "$corpus" --out "$work/none" --variant tf_ldp --k1 1
refuses 2 '^--explained requires --explanations' search --corpus "$corpus" --queries "$queries" --explained 3
refuses 2 '^--vectors has no effect with --retriever bm25' search --corpus "$corpus" --queries "$queries" --vectors x.npy --query-vectors y.npy
refuses 2 '^--analyzer has no effect with --retriever dense and --vectors' \
    search --corpus "$corpus" --queries "$queries" --retriever dense --vectors x.npy --query-vectors y.npy --analyzer english
refuses 1 "^$work/none: cannot be opened" search --corpus "$work/none" --queries "$queries"
refuses 1 'k1 .*is -1' search --corpus "$corpus" --queries "$queries" --k1 -1
refuses 1 'b .*is 2' search --corpus "$corpus" --queries "$queries" --b 2
refuses 1 '3 weights|weights' search --corpus "$corpus" --queries "$queries" --retriever hybrid --weights 1,1,1
refuses 1 'window' search --corpus "$corpus" --queries "$queries" --retriever hybrid --window 0
refuses 1 'complete' search --corpus "$corpus" --queries "$queries" --retriever hybrid --complete
refuses 1 '--norm goes with' search --corpus "$corpus" --queries "$queries" --retriever hybrid --norm none
refuses 1 '--rrf-k goes with' search --corpus "$corpus" --queries "$queries" --retriever hybrid \
    --fusion weighted --rrf-k 5
refuses 1 '--norm goes with the rules .*weighted_sum.*not with --fusion rrf' search --corpus "$corpus" \
    --queries "$queries" --retriever hybrid --norm none

# --- every rule, and the stages
for rule in rrf weighted weighted_sum comb_sum comb_mnz comb_anz comb_med comb_min comb_max comb_gmnz wmnz mixed dbsf \
    borda condorcet isr log_isr logn_isr rbc elastic_rrf elastic_linear opensearch qdrant_rrf qdrant_dbsf \
    weaviate_ranked weaviate_relative langchain; do
    "$trawl" search --corpus "$corpus" --queries "$queries" --retriever hybrid --fusion $rule >"$work/out" 2>"$work/err" ||
        fail "search --fusion $rule: $(cat "$work/err")"
    equal "first hit of --fusion $rule" "$(sed -n '/^q2/{p;q;}' "$work/out" | cut -d' ' -f3)" b
done
# Two runs, three documents: a is first and second, b second and absent, c third and first.
printf 'q1 Q0 a 1 3 x\nq1 Q0 b 2 2 x\nq1 Q0 c 3 1 x\n' >"$work/one.run"
printf 'q1 Q0 c 1 9 y\nq1 Q0 a 2 5 y\n' >"$work/two.run"
fused() { "$trawl" fuse --runs "$work/one.run" "$work/two.run" "$@" | awk '{ printf "%s %.4f;", $3, $5 }'; }
# Cormack and others 2009: 1/61 + 1/62; 1/63 + 1/61; 1/62.
equal "fuse by rrf" "$(fused)" "a 0.0325;c 0.0323;b 0.0161;"
equal "fuse by rrf, k 1" "$(fused --rrf-k 1)" "a 0.8333;c 0.7500;b 0.3333;"
# Borda with 3 candidates: a 3 + 2, c 1 + 3, b 2 + 1 (the one place that the second run leaves).
equal "fuse by borda" "$(fused --fusion borda | tr -d '.0-9 ')" "a;c;b;"
# CombSUM of min-max scores: a 1 + 0, c 0 + 1, b .5: the tie goes to the lower key.
equal "fuse by comb_sum" "$(fused --fusion comb_sum)" "a 1.0000;c 1.0000;b 0.5000;"
equal "another field of a rule" "$(fused --fusion-option k=1)" "$(fused --rrf-k 1)"
refuses 1 "kk" fuse --runs "$work/one.run" "$work/two.run" --fusion-option kk=1
refuses 1 "not NAME=VALUE" fuse --runs "$work/one.run" "$work/two.run" --fusion-option k
refuses 2 'fusion' fuse --runs "$work/one.run" --fusion nonsense

stages() { "$trawl" search --corpus "$corpus" --queries "$queries" "$@" | sed -n 's/^q1 Q0 \([^ ]*\) .*/\1/p' | tr '\n' ' '; }
# BM25 ranks the short c before a for "refund"; the overlap reranker gives both 1, and ties keep their order.
equal "rerank" "$(stages --rerank overlap)" "c a "
equal "a floor above all scores" "$(stages --score-floor 99)" ""
equal "a floor below all scores" "$(stages --score-floor 0)" "c a "
equal "autocut" "$(stages --retriever hybrid --fusion weighted --autocut 3 | wc -w | tr -d ' ')" 3
refuses 1 "autocut.* needs scores" search --corpus "$corpus" --queries "$queries" --retriever hybrid --autocut 1
refuses 2 '^--mmr has no effect with --retriever bm25' search --corpus "$corpus" --queries "$queries" --mmr .5
refuses 2 '^--dedupe has no effect with --retriever bm25' search --corpus "$corpus" --queries "$queries" --dedupe .9
refuses 2 '^--metric has no effect with --retriever bm25' search --corpus "$corpus" --queries "$queries" --metric cosine
refuses 2 'rerank' search --corpus "$corpus" --queries "$queries" --rerank-depth 5
refuses 1 'cosine' search --corpus "$corpus" --queries "$queries" --retriever hybrid --dedupe 2
if npy "$work/three.npy" 3 4; then
    # Three equal vectors: only the best of them is left.
    same="--vectors $work/three.npy --query-vectors $work/three.npy"
    # shellcheck disable=SC2086
    equal "dedupe" "$(stages --retriever hybrid $same --dedupe .9 | wc -w | tr -d ' ')" 1
    # shellcheck disable=SC2086
    equal "mmr of lambda 1 keeps the order" "$(stages --retriever hybrid $same --mmr 1)" "$(stages --retriever hybrid $same)"
    # shellcheck disable=SC2086
    equal "minus the squared distance of equal vectors" "$("$trawl" search --corpus "$corpus" --queries "$queries" \
        --retriever dense $same --metric euclidean | awk '$1 == "q1" { printf "%.3f ", $5 + 0 }')" "0.000 -0.000 -0.000 "
fi

# --- conditions on metadata
cat >"$work/manual.jsonl" <<'END'
{"_id": "old", "text": "refund within 14 days", "version": "2.6", "pages": 3, "published": "2022-05-01"}
{"_id": "new", "text": "refund within 30 days", "version": "3.1", "pages": 12, "published": "2024-02-29", "tags": ["api"]}
{"_id": "draft", "text": "refund", "metadata": {"version": "3.2", "draft": true}}
END
where() { "$trawl" search --corpus "$work/manual.jsonl" --queries "$queries" --where "$@" | sed -n 's/^q1 Q0 \([^ ]*\) .*/\1/p' | sort | tr '\n' ' '; }
equal "where: equality" "$(where 'version = "3.1"')" "new "
equal "where: a date" "$(where 'published < 2024-01-01')" "old "
equal "where: a number, and not" "$(where 'pages >= 3 and not version = "2.6"')" "new "
equal "where: a list" "$(where 'tags contains "api" or draft = true')" "draft new "
equal "where binds both arms" "$(where 'version = "3.1"' --retriever hybrid)" "new "
equal "where of nothing" "$(where 'version = "9"' --retriever hybrid)" ""
refuses 1 "versoin.*version" search --corpus "$work/manual.jsonl" --queries "$queries" --where 'versoin = "3.1"'
refuses 1 "pages" search --corpus "$work/manual.jsonl" --queries "$queries" --where 'pages = "many"'
refuses 1 "column 9" search --corpus "$work/manual.jsonl" --queries "$queries" --where 'version 3'
cat >"$work/own.jsonl" <<'END'
{"_id": "q1", "text": "refund", "where": "version = \"2.6\""}
{"_id": "q2", "text": "refund", "where": {"pages": {"$gt": 5}}}
{"_id": "q3", "text": "refund"}
END
equal "each query's own condition" "$("$trawl" search --corpus "$work/manual.jsonl" --queries "$work/own.jsonl" --where \
    'exists(published)' | cut -d' ' -f1,3 | tr '\n' ';')" "q1 old;q2 new;q3 old;q3 new;"
echo '{"_id": "q", "text": "x", "where": "version ="}' >"$work/wrong.jsonl"
refuses 1 "^$work/wrong.jsonl:1: condition, column" search --corpus "$work/manual.jsonl" --queries "$work/wrong.jsonl"
equal "query with a condition" "$("$trawl" query --corpus "$work/manual.jsonl" --where 'version = "3.1"' refund 2>/dev/null |
    awk '{ print $3 }')" new

# The corpus of the examples: what is not of the version in force counts as ineligible (docs/learn.md has .147 without).
corpus_of_examples=examples/corpus
sed -n 's/^{"_id":"\([^"]*\)".*"version":"3.1".*/\1/p' $corpus_of_examples/chunks.jsonl >"$work/current"
ineligible() {
    "$trawl" search --corpus $corpus_of_examples/chunks.jsonl --queries $corpus_of_examples/queries.jsonl --retriever hybrid \
        --vectors $corpus_of_examples/minilm_chunks.npy --query-vectors $corpus_of_examples/minilm_queries.npy \
        --out "$work/examples.run" "$@" &&
        "$trawl" eval --qrels $corpus_of_examples/qrels.tsv --run "$work/examples.run" --metrics ndcg@10 \
            --eligible "$work/current" 2>/dev/null | awk '/^ineligible/ { print $NF }'
}
echo "ineligible@5 without a condition: $(ineligible)"
equal "ineligible@5 with a condition" "$(ineligible --where 'version = "3.1"')" 0.0000

# --- a collection
mkdir -p "$work/notes/deep"
printf -- '---\ntitle: Refunds\nversion: "3.1"\n---\n# Refunds\n\nA refund takes three days.\n' >"$work/notes/refunds.md"
printf 'PROD-4817 prints nothing.\n' >"$work/notes/deep/printer.txt"
printf 'not read' >"$work/notes/image.png"
add() { "$trawl" add "$work/c.trawl" "$@" 2>&1; }
equal "add" "$(add "$work/notes")" "2 added, 0 changed, 0 unchanged, 0 erased; 2 documents, 2 passages"
equal "add again" "$(add "$work/notes")" "0 added, 0 changed, 2 unchanged, 0 erased; 2 documents, 2 passages"
equal "add lines" "$(add "$work/manual.jsonl")" "3 added, 0 changed, 0 unchanged, 0 erased; 5 documents, 5 passages"
printf 'PROD-4817 prints again.\n' >"$work/notes/deep/printer.txt"
rm "$work/notes/refunds.md"
equal "add what changed" "$(add "$work/notes")" "0 added, 1 changed, 0 unchanged, 1 erased; 4 documents, 4 passages"
ask() { "$trawl" query "$work/c.trawl" "$@" | sed -n 's/^ *[0-9][0-9]*  [^ ]* *\([^ ]*\) .*/\1/p' | tr '\n' ' '; }
equal "query a collection" "$(ask 'PROD-4817')" "deep/printer.txt "
equal "query it under a condition" "$(ask refund --where 'version = "3.1"')" "new "
equal "query it, sorted" "$(ask refund --sort -pages)" "new old draft "
equal "a condition of the query" "$(ask 'refund -14')" "draft new "
equal "the count of its matches" "$("$trawl" query "$work/c.trawl" refund --k 1 | tail -n 1)" "3 documents match"
equal "its facets" "$("$trawl" query "$work/c.trawl" refund --facet version | tail -n 1)" "version: 2.6 (1) 3.1 (1) 3.2 (1)"
equal "a misspelt word" "$("$trawl" query "$work/c.trawl" refnud | head -n 1)" "did you mean: refund"
refuses 1 "versoin.*version" query "$work/c.trawl" refund --where 'versoin = "3.1"'
refuses 2 '^--retriever does not apply to a collection' query "$work/c.trawl" refund --retriever dense
refuses 2 '^--per-parent goes with a collection' query --corpus "$corpus" refund --per-parent 1
equal "reranked" "$(ask 'refund days' --rerank overlap --k 1)" "$(ask 'refund days' --k 1)"
equal "a score floor" "$(ask refund --score-floor 1000)" ""
refuses 2 '^--mmr has no effect: the collection has no vectors' query "$work/c.trawl" refund --mmr .5
refuses 2 '^--fusion has no effect: the collection has no vectors' query "$work/c.trawl" refund --fusion rrf
refuses 2 '^--rerank has no effect with --sort' query "$work/c.trawl" refund --sort pages --rerank overlap
refuses 1 'keeps the settings' add "$work/c.trawl" "$work/notes" --analyzer english
refuses 1 'there is no collection' info "$work/notes"
equal "verify" "$("$trawl" verify "$work/c.trawl")" "$work/c.trawl is whole: 4 documents, 4 passages"
"$trawl" compact "$work/c.trawl" || fail "compact: status $?"
equal "erased text is gone" "$(cat "$work"/c.trawl/*.segment | grep -c 'three days')" 0
"$trawl" export "$work/c.trawl" --out "$work/exported" || fail "export: status $?"
refuses 1 "^$work/exported: " export "$work/c.trawl" --out "$work/exported"
"$trawl" add "$work/d.trawl" "$work/exported/documents.jsonl" >"$work/out" || fail "add what was exported: status $?"
"$trawl" export "$work/d.trawl" --out "$work/exported2" || fail "export again: status $?"
keys() { sed 's/"source":"[^"]*"//; s/,}/}/; s/{,/{/' "$1/documents.jsonl" | sort; }
equal "exported, added and exported" "$(keys "$work/exported2")" "$(keys "$work/exported")"
damaged=$(find "$work/d.trawl" -name '*.segment' | head -n 1)
printf 'xxxx' | dd of="$damaged" bs=1 seek=500 conv=notrunc 2>/dev/null
refuses 1 "segment: " verify "$work/d.trawl"

# with vectors: every rule, every stage
mkdir "$work/pages"
printf '# Refunds\n\nA refund takes three days, and the money comes back.\n' >"$work/pages/a.md"
printf '# Refunds\n\nA refund takes three days, and the money comes back!\n' >"$work/pages/a copy.md"
printf '# Printers\n\nA printer without ink prints nothing; no refund.\n' >"$work/pages/b.md"
printf '# Tickets\n\nOpen a ticket, and support answers in days.\n' >"$work/pages/c.md"
"$trawl" add "$work/v.trawl" --lsa "$work/pages" >"$work/out" || fail "add --lsa: status $?"
ask() { "$trawl" query "$work/v.trawl" "$@" | sed -n 's/^ *[0-9][0-9]*  [^ ]* *\(.*\.md\)  .*/\1/p' | tr '\n' ' '; }
plain=$(ask 'refund days')
equal "four pages" "$(echo "$plain" | tr ' ' '\n' | grep -c '\.md')" 4
equal "mmr of relevance alone" "$(ask 'refund days' --mmr 1)" "$plain"
equal "a copy is dropped" "$(ask 'refund days' --dedupe .99 | tr ' ' '\n' | grep -c '\.md')" 3
equal "a rule of the library" "$(ask 'refund days' --fusion weighted_sum --complete --norm min-max)" "$plain"
equal "a preset and a condition of the query" "$(ask '+ticket' --fusion isr --k 1)" "c.md "
equal "a copy after what is different" "$(ask 'refund days' --mmr .3 --k 2 | grep -o 'a.md\|copy.md' | wc -l | tr -d ' ')" 1
"$trawl" query "$work/v.trawl" refund --fusion rrf --rrf-k 10 --explain >"$work/out" || fail "rrf-k: status $?"
grep -q '1 / (10 + rank 1)' "$work/out" || fail "query --rrf-k --explain of a collection hides the rank"
grep -q 'documents match' "$work/out" || fail "query with a rule of its own counts no matches"
refuses 2 '^--complete has no effect' query "$work/v.trawl" refund --complete
mv "$work/v.trawl/embedder.lsa" "$work/v.trawl/embedder.lsa.new" # as if killed before the last step
equal "a refit that was cut short" "$(ask 'refund days')" "$plain"

{ cat "$corpus" && echo '{"_id": "d", "text": '; } >"$work/broken.jsonl"
refuses 1 "^$work/broken.jsonl:4: " search --corpus "$work/broken.jsonl" --queries "$queries"
{ cat "$corpus" && echo '{"_id": "a", "text": "again"}'; } >"$work/twice.jsonl"
refuses 1 "^$work/twice.jsonl:4: _id 'a'" search --corpus "$work/twice.jsonl" --queries "$queries"
printf 'q1\tone\nq2\n' >"$work/broken.tsv"
refuses 1 "^$work/broken.tsv:2: " search --corpus "$corpus" --queries "$work/broken.tsv"
if npy "$work/three.npy" 3 4; then
    npy "$work/two.npy" 2 4 && npy "$work/other.npy" 3 5
    dense="search --corpus $corpus --queries $queries --retriever dense"
    # shellcheck disable=SC2086
    {
        equal "dense finds every document" \
            "$("$trawl" $dense --vectors "$work/three.npy" --query-vectors "$work/three.npy" | wc -l | tr -d ' ')" 9
        refuses 1 "^$work/two.npy: has 2 rows, there are 3 documents" \
            $dense --vectors "$work/two.npy" --query-vectors "$work/three.npy"
        refuses 1 "^$work/other.npy: vectors have 5 values" \
            $dense --vectors "$work/three.npy" --query-vectors "$work/other.npy"
        refuses 1 "^$corpus: " $dense --vectors "$corpus" --query-vectors "$work/three.npy"
        refuses 2 'requires --query-vectors' $dense --vectors "$work/three.npy"
    }
fi

# --- query
"$trawl" query --corpus "$corpus" --explain "refund" >"$work/out" 2>"$work/err" || fail "query: status $?"
grep -q '^no --model or --vectors: .*latent semantic' "$work/err" || fail "query does not say where its vectors are from"
grep -q '^  1  .* c  PROD-4871 prints' "$work/out" || fail "query's first line: $(head -n 1 "$work/out")"
grep -q ' round: rrf' "$work/out" || fail "query --explain explains nothing"
grep -q '1 / (60 + rank 1)' "$work/out" || fail "query --explain hides the rank"
equal "a query on each line" \
    "$(printf 'zebra\nrefund\n' | "$trawl" query --corpus "$corpus" --retriever bm25 --k 1 | cut -c1-5)" \
    "$(printf 'nothi\n  1  ')"

# --- index
"$trawl" index --corpus "$corpus" --analyzer english --b 0.4 --out "$work/index" || fail "index: status $?"
for asked in "refund" "webhooks" "zebra"; do
    equal "an index file asked for $asked" \
        "$("$trawl" query "$work/index" --explain "$asked")" \
        "$("$trawl" query --corpus "$corpus" --retriever bm25 --analyzer english --b 0.4 --explain "$asked")"
done
"$trawl" index --corpus "$corpus" --positions --title-weight 2 --out "$work/fields" || fail "index: status $?"
for asked in '"prints nothing"' '+refund -slips' 'title:refunds' 'text:"refund takes" PROD-4871^2' 'pri*'; do
    equal "a file of fields asked for $asked" \
        "$("$trawl" query "$work/fields" --syntax --explain "$asked")" \
        "$("$trawl" query --corpus "$corpus" --retriever bm25 --title-weight 2 --syntax --explain "$asked")"
done
equal "a phrase" "$("$trawl" query "$work/fields" --syntax '"three days"' | cut -c1-3,16-17)" "  1 a"
equal "a field" "$("$trawl" query "$work/fields" --syntax 'title:refunds' | wc -l | tr -d ' ')" 1
refuses 1 "^query, column 2: there is no field 'titel', only title, text" query "$work/fields" --syntax --strict '+titel:a'
refuses 1 'query, column 1: the quotation mark' query "$work/fields" --syntax --strict '"three'
equal "what is pasted is searched, whatever the syntax says of it" \
    "$("$trawl" query "$work/fields" --syntax '"three' | cut -c1-3,16-17)" "  1 a"
for option in '--retriever bm25' '--analyzer english' '--k1 1' '--b .5' '--variant lucene' '--byte-lengths' \
    '--title-weight 2' '--window 9' '--fusion rrf' '--rrf-k 9' '--weights 1,2' '--norm none' '--complete'; do
    # shellcheck disable=SC2086
    refuses 2 "^${option%% *} does not apply to an index file" query "$work/index" refund $option
done
refuses 1 'positions' query "$work/index" --syntax --strict '"three days"'
equal "a phrase without positions asks for its words" \
    "$("$trawl" query "$work/index" --syntax '"days three"' 2>"$work/err" | cut -c1-3,16-17)" "  1 a"
grep -q '^the index keeps no positions: "days three"' "$work/err" || fail "a phrase became words without a word"
refuses 2 '^--strict has no effect without --syntax' query "$work/index" --strict refund
refuses 2 '^--syntax has no effect with --retriever dense' query --corpus "$corpus" --retriever dense --syntax refund
refuses 2 "^the argument 'days' was not expected: quote" query "$work/index" three days
equal "conditions bind the dense arm" \
    "$("$trawl" query --corpus "$corpus" --syntax 'refund -prints' 2>"$work/err" | cut -c17)" a
equal "what is required binds the dense arm" \
    "$("$trawl" query --corpus "$corpus" --syntax '+refund -three' 2>"$work/err" | cut -c17)" c
equal "a query that cannot be parsed does not end a conversation" \
    "$(printf '"x\n"three days"\n' | "$trawl" query "$work/fields" --syntax --strict 2>/dev/null | cut -c1-5)" "  1  "
refuses 1 "weight of the field 'title' must be in" index --corpus "$corpus" --title-weight 0 --out "$work/none"
refuses 2 'FILE or --corpus' query
refuses 1 "^$work/none: cannot be opened" query "$work/none" refund
refuses 1 "^$corpus: is no file of trawl's" query "$corpus" refund
refuses 1 "^$work/none/index: cannot be created" index --corpus "$corpus" --out "$work/none/index"

# --- fuse
for pair in rrf:rrf weighted:min_max; do
    "$trawl" fuse --runs $golden/a.trec $golden/b.trec --fusion "${pair%:*}" --out "$work/fused" || fail "fuse: $pair"
    tr '\t' ' ' <"$golden/${pair#*:}.tsv" | paste -d' ' - "$work/fused" | awk '
        { d = $3 - $8; if ($1 != $4 || $2 != $6 || d > 1e-6 || -d > 1e-6) { print; bad = 1 } }
        END { exit bad || NR != 89 }' || fail "fuse ${pair%:*} differs from ranx"
done
refuses 1 '3 weights' fuse --runs $golden/a.trec $golden/b.trec --weights 1,1,1
refuses 1 'k is 0' fuse --runs $golden/a.trec $golden/b.trec --rrf-k 0
refuses 1 'weight.*-1' fuse --runs $golden/a.trec $golden/b.trec --weights 1,-1
echo 'q1 Q0 d1 1 high tag' >"$work/broken.trec"
refuses 1 "^$work/broken.trec:1: score 'high'" fuse --runs $golden/a.trec "$work/broken.trec"

# --- eval
printf 'query-id\tcorpus-id\tscore\nq1\ta\t1\nq2\tb\t1\nq4\ta\t1\n' >"$work/qrels.tsv"
equal "eval prints three columns" \
    "$("$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" --metrics hit@1 2>/dev/null | tr -d ' ')" \
    "$(printf 'success_1\tall\t0.3333')"
equal "eval a question" \
    "$("$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" --metrics mrr --per-query 2>/dev/null | cut -f2,3 | tr '\t\n' ' ;')" \
    "q1 0.5000;q2 1.0000;q4 0.0000;all 0.5000;"
"$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" --json 2>/dev/null | grep -q '"success_1": 0.33' || fail "eval --json"
equal "eval's measures" \
    "$("$trawl" eval --qrels "$work/qrels.tsv" --run "$work/run" 2>/dev/null | awk '{ printf "%s ", $1 }')" \
    "ndcg_cut_10 map recip_rank recall_100 success_1 success_10 "
refuses 1 "no measure 'luck'" eval --qrels "$work/qrels.tsv" --run "$work/run" --metrics luck
refuses 1 "^$work/none: " eval --qrels "$work/none" --run "$work/run"
refuses 2 'run is required' eval --qrels "$work/qrels.tsv"
equal "help is no failure" "$("$trawl" --help >/dev/null 2>&1 && echo yes)" yes

# --- conventions, compare, tune
tune() { "$trawl" tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --measure mrr "$@" 2>/dev/null; }
printf 'q1 0 a 1\nq2 0 b 1\nq3 0 c 1\n' >"$work/judged"
printf 'q1 Q0 a 1 2 t\nq2 Q0 b 1 2 t\n' >"$work/found"
equal "sbert counts a missing question" \
    "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --convention sbert --metrics mrr@10 2>/dev/null | cut -f3)" 0.6667
equal "beir does not, but by map" \
    "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --convention beir --metrics map 2>/dev/null | cut -f3)" 1.0000
printf 'q1 Q0 a 1 2 t\nq1 Q0 b 1 3 t\nq1 Q0 b 1 1 t\n' >"$work/repeated"
refuses 1 "^$work/repeated:3: document 'b' is there twice" eval --qrels "$work/judged" --run "$work/repeated"
equal "ranx keeps the last score" \
    "$("$trawl" eval --qrels "$work/judged" --run "$work/repeated" --convention ranx --metrics mrr 2>/dev/null | cut -f3)" 0.3333
printf 'q1 Q0 a 1 1 t\nq1 Q0 b 1 1 t\n' >"$work/tied"
for pair in key_ascending:0.3333 key_descending:0.1667 expected:0.2500; do # q1 of three; first, second, either
    equal "equal scores, ${pair%:*}" "$("$trawl" eval --qrels "$work/judged" --run "$work/tied" --metrics mrr \
        --ties "${pair%:*}" 2>/dev/null | cut -f3)" "${pair#*:}"
done
equal "a level of relevance" \
    "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --metrics mrr --level 2 2>/dev/null | cut -f3)" 0.0000
equal "a result says its rules" "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --convention beir --json \
    2>/dev/null | grep -c '"missing questions": "skip"\|"repeated documents": "keep_last"')" 2
equal "a run against itself" "$("$trawl" compare --qrels "$work/judged" --runs "$work/run" "$work/run" --format csv |
    sed -n 2p | cut -d, -f5-7,9-12)" 0,0,0,0,3,0,1
equal "tune tries every value" "$(tune --try alpha=0,.5 --try window=5,50 --folds 2 --format csv | wc -l | tr -d ' ')" 5
equal "tune's table shows what a setting costs" \
    "$(tune --try depth=0,2 --folds 2 --format csv --untimed | head -n 1)" depth,mrr,calls
equal "an overlap as long as its chunk is left out" \
    "$(tune --try chunk=0,3 --try overlap=0,2,3 --folds 2 --format csv --untimed | sed 1d | cut -d, -f1,2 | sort |
        tr '\n' ' ')" "0,0 3,0 3,2 "
equal "BM25 alone is tuned by k1 and b" \
    "$(tune --retriever bm25 --try k1=.5,1 --try b=0,1 --folds 2 --format csv --untimed | head -n 1)" k1,b,mrr
tune --eligible "$queries" --try alpha=0 --folds 2 --format csv | head -n 1 | grep -q ineligible ||
    fail "tune hides what may not be found"
refuses 1 'alpha: goes with --retriever hybrid' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" \
    --retriever bm25 --try alpha=1
refuses 1 'overlap: goes with --try chunk' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" \
    --try overlap=1
refuses 1 'k1 .*is -1' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --try k1=-1
refuses 2 'beta' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --try beta=1
refuses 1 'window.*1.5' tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --try window=1.5
refuses 2 'runs' compare --qrels "$work/judged" --runs "$work/run"

# --- tune --without-judgements
pages() { # eighty documents of words of their own, each word once
    awk 'BEGIN { for (d = 0; d < 80; ++d) { printf "{\"_id\": \"d%d\", \"text\": \"", d
        for (w = 0; w < 26; ++w) printf "t%d%c ", d, 97 + w
        print "\"}" } }'
}
pages >"$work/pages.jsonl"
unjudged() { "$trawl" tune --without-judgements --corpus "$work/pages.jsonl" "$@" 2>/dev/null; }
# No word of a piece is left in its document: BM25 finds nothing.
unjudged --pseudo-queries 40 | grep -q 'passage: 40 queries, 0.0000 by the usual setting' ||
    fail "tune does not tell what pieces are worth"
equal "every k1 and b is tried without judgements" \
    "$(unjudged --retriever bm25 --try k1=.5,1.2 --try b=0,.75 --pseudo-queries 20 --format csv | sed 1d | wc -l | tr -d ' ')" 4
equal "the same seed gives the same choice" "$(unjudged --seed 3 --pseudo-queries 30)" "$(unjudged --seed 3 --pseudo-queries 30)"
refuses 2 '--vectors does not go with --without-judgements' tune --without-judgements --corpus "$corpus" \
    --vectors x --query-vectors x
refuses 2 "--pseudo-queries goes with --without-judgements" tune --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --pseudo-queries 5
refuses 2 "--qrels needs --queries" tune --without-judgements --corpus "$corpus" --qrels "$work/judged"
refuses 2 "--queries is required" tune --corpus "$corpus"

# --- ablate
printf '{"_id": "q1", "text": "refund", "kind": "word"}\n{"_id": "q2", "text": "PROD-4817"}\n' >"$work/labelled"
ablate() { "$trawl" ablate --corpus "$corpus" --queries "$work/labelled" --qrels "$work/judged" "$@" 2>"$work/err"; }
ablate --measure mrr --untimed --label kind --eligible "$queries" >"$work/out" || fail "ablate: status $?"
for words in 'whole *all' 'alone *dense' 'added *rerank' 'left out *MMR' 'Where queries are lost' 'ineligible' \
    '90 % of the queries' 'Measured, mrr: BM25 0.' 'fused by RRF 0.' 'MMR .* it .* mrr by' ' word$'; do
    grep -Eq -- "$words" "$work/out" || fail "ablate lacks $words: $(cat "$work/out")"
done
equal "ablate leaves out what is not there" \
    "$(ablate --untimed --depth 0 --lambda 1 --format csv | grep -c '^alone,\(rerank\|MMR\)')" 0
refuses 1 'ablate needs --retriever hybrid' ablate --corpus "$corpus" --queries "$queries" --qrels "$work/judged" \
    --retriever bm25
refuses 1 "^$queries:1: --label needs" ablate --corpus "$corpus" --queries "$queries" --qrels "$work/judged" --label x

# --- report, forms of files, eligible documents
report() { "$trawl" report --qrels "$work/judged" --runs "$work/found" "$work/run" "$@"; }
report --queries "$queries" --corpus "$corpus" --costs 1,2.5 --title 'A <b> & "c"' --out "$work/report.html" ||
    fail "report: status $?"
grep -q '<h1>A &lt;b&gt; &amp; &quot;c&quot;</h1>' "$work/report.html" || fail "report does not escape its title"
grep -qE 'https?:|src=' "$work/report.html" && fail "report names something outside"
for word in PROD-4817 '"refund"' 'Quality and cost' '<h2>Queries</h2>'; do
    grep -qF "$word" "$work/report.html" || fail "report lacks $word"
done
equal "report's csv has eval's figures" "$(report --metrics mrr --format csv | grep '^found,' | cut -d, -f2,3 | tr '\n' ' ')" \
    "q1,1 q2,1 q3,0 all,0.6666666666666666 "
echo q9 >"$work/nowhere"
report --unanswerable "$work/nowhere" --format text | grep -q 'Saying nothing' || fail "report calibrates no floor"
report --queries "$queries" --format text | grep -q 'Measured, ndcg_cut_10: found 0.' || fail "a profile without figures"
report --format json | grep -q '"Means"' || fail "report --format json"
report --format markdown | grep -q '^## Means' || fail "report --format markdown"
refuses 1 '3 for 2 runs' report --qrels "$work/judged" --runs "$work/found" "$work/run" --names a,b,c
"$trawl" search --corpus "$corpus" --queries "$queries" --explained 1 --explanations "$work/why" --out "$work/run" ||
    fail "search --explanations"
equal "an explanation a question" "$(wc -l <"$work/why" | tr -d ' ')" 2
report --explanations "-,$work/why" | grep -q '"sum"\|"round"' || fail "report has no explanations"
echo '{"query": 1' >>"$work/why"
refuses 1 "^$work/why:3: " report --qrels "$work/judged" --runs "$work/found" "$work/run" --explanations "-,$work/why"

printf '{"q1": {"a": 2.5}, "q2": {"b": 1}}' >"$work/found.json"
equal "a run as JSON" "$("$trawl" eval --qrels "$work/judged" --run "$work/found.json" --metrics mrr 2>/dev/null | cut -f3)" 0.6667
equal "fuse reads what eval reads" "$("$trawl" fuse --runs "$work/found.json" "$work/found" --k 1 | cut -d' ' -f1,3 | tr '\n' ';')" \
    "$("$trawl" fuse --runs "$work/found" "$work/found" --k 1 | cut -d' ' -f1,3 | tr '\n' ';')"
if command -v gzip >/dev/null && gzip -c "$work/found" >"$work/found.gz"; then
    if "$trawl" eval --qrels "$work/judged" --run "$work/found.gz" --metrics mrr >"$work/out" 2>"$work/err"; then
        equal "a compressed run" "$(cut -f3 "$work/out")" 0.6667
        head -c 40 "$work/found.gz" >"$work/cut.gz"
        refuses 1 "^$work/cut.gz: " eval --qrels "$work/judged" --run "$work/cut.gz"
    else
        grep -q 'built without zlib' "$work/err" || fail "a compressed run: $(cat "$work/err")"
    fi
fi
printf 'b\nc\n' >"$work/eligible"
equal "what may not be found" "$("$trawl" eval --qrels "$work/judged" --run "$work/found" --metrics mrr \
    --eligible "$work/eligible" 2>/dev/null | cut -f3 | tr '\n' ' ')" "0.6667 0.3333 "

# --- pool, judge, agreement
judge() { "$trawl" judge --pool "$work/pool" --queries "$queries" --corpus "$corpus" --out "$work/ann"; }
"$trawl" pool --runs "$work/found" "$work/run" --depth 1 --qrels "$work/judged" --out "$work/pool" 2>"$work/err" ||
    fail "pool: status $?"
equal "pool" "$(tr '\n' ';' <"$work/pool")" "q1 0 a -1;q1 0 c -1;q2 0 b -1;"
equal "pool tells what is judged" "$(cat "$work/err")" \
    "2 queries, 3 documents to judge, of which 1 are not judged yet"
printf '2\nx\n7\n' | judge >"$work/out" || fail "judge: status $?"
grep -q "'x' is no grade from 0 to 3" "$work/out" || fail "judge takes any word"
grep -q 'query q1: refund' "$work/out" || fail "judge hides the query"
equal "a judgement is kept when the input ends" "$(cat "$work/ann")" "q1 0 a 2"
printf '1\nu\ns\n3\n' | judge >"$work/out"
grep -q '^1 documents are left' "$work/out" || fail "judge: $(tail -n 1 "$work/out")"
equal "judging goes on, skips and goes back" "$(tr '\n' ';' <"$work/ann")" "q1 0 a 2;q2 0 b 3;"
printf 'q1 0 a 2\nq2 0 b 0\n' >"$work/bob"
equal "agreement" "$("$trawl" agreement --qrels "$work/ann" "$work/bob" --format csv | sed -n 2p | cut -d, -f3-5)" \
    "2,0.5,0.25"
refuses 2 'qrels' agreement --qrels "$work/ann"
refuses 1 'depth' pool --runs "$work/found" --depth 0

# --- SciFact
if [ ! -e "$scifact" ]; then
    echo "SciFact is not here ($scifact): its figures are not checked"
else
    base="search --corpus $scifact/corpus.jsonl --queries $scifact/queries.jsonl --out $work/sf"
    words="--analyzer english --k1 .9 --b .4"
    vectors="--vectors $scifact/minilm_corpus.npy --query-vectors $scifact/minilm_queries.npy"
    # shellcheck disable=SC2086
    ndcg() { "$trawl" $base $options "$@" && "$trawl" eval --qrels $scifact/qrels.tsv --run "$work/sf" --metrics ndcg@10 | cut -f3; }
    options=$words
    within "BM25 (Anserini: .6789)" "$(ndcg --retriever bm25)" .6789 .005
    cp "$work/sf" "$work/bm25"
    options=$vectors
    within "MiniLM" "$(ndcg --retriever dense)" .6451 .0005
    cp "$work/sf" "$work/dense"
    options="$words $vectors"
    completed=$(ndcg --retriever hybrid --window 100 --fusion weighted --weights .5,.5 --complete)
    echo "completed min-max: $completed"
    awk -v a="$completed" 'BEGIN { exit !(a >= .730) }' || fail "completed min-max: $completed, below .730"
    for pair in rrf:.7205 weighted:.7276; do # tests/golden/cli/fuse_runs.py prints them, of the same runs
        figure=$(ndcg --retriever hybrid --window 100 --k 1000 --fusion "${pair%:*}")
        within "${pair%:*} in one search" "$figure" "${pair#*:}" .001
        "$trawl" fuse --runs "$work/bm25" "$work/dense" --fusion "${pair%:*}" --out "$work/fused"
        figure=$("$trawl" eval --qrels $scifact/qrels.tsv --run "$work/fused" --metrics ndcg@10 \
            --convention library | cut -f3)
        within "${pair%:*} of two runs" "$figure" "${pair#*:}" .00015
    done
fi

[ "$failures" = 0 ] && echo "all passed"
exit "$((failures > 0))"
