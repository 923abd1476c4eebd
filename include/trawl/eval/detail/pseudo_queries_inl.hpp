// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of pseudo_queries.hpp.

#include <trawl/eval/pseudo_queries.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/text/analyzers/word_analyzer.hpp>
#include <trawl/text/passages/markdown.hpp>
#include <trawl/text/passages/sentences.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// The bytes [begin, end) of a text.
struct cut_extent {
    std::size_t begin = 0;
    std::size_t end = 0;
};

[[nodiscard]] inline std::vector<cut_extent> word_extents(std::string_view text) {
    std::vector<cut_extent> out;
    word_analyzer{}.analyze(text, [&](token const& t) { out.push_back({t.begin, t.end}); });
    return out;
}

/// Counts how often pieces stand in texts, word for word.
class piece_counts {
public:
    explicit piece_counts(std::span<pseudo_query const> pieces)
        : pieces_(pieces), counts_(pieces.size()) {
        std::vector<std::vector<cut_extent>> words;
        for (auto const& piece : pieces) {
            words.push_back(word_extents(piece.query));
            fewest_ = (std::min)(fewest_, words.back().size());
        }
        for (std::size_t i = 0; i < pieces.size(); ++i)
            by_start_.emplace(hash_of_start(pieces[i].query, words[i]), i);
    }

    void read(std::string_view text) {
        auto const words = word_extents(text);
        for (std::size_t w = 0; w + fewest_ <= words.size(); ++w) {
            auto const hash = hash_of_start(text, std::span(words).subspan(w));
            auto const [first, last] = by_start_.equal_range(hash);
            for (auto at = first; at != last; ++at) {
                if (text.substr(words[w].begin).starts_with(pieces_[at->second].query))
                    ++counts_[at->second];
            }
        }
    }

    [[nodiscard]] std::size_t count(std::size_t piece) const { return counts_[piece]; }

private:
    // Of as many words as every piece has. FNV-1a.
    [[nodiscard]] std::uint64_t hash_of_start(
        std::string_view text, std::span<cut_extent const> words) const {
        std::uint64_t hash = 0xCBF29CE484222325u;
        for (auto const [begin, end] : words.first(fewest_)) {
            for (char const c : text.substr(begin, end - begin))
                hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
            hash = (hash ^ 0xFFu) * 0x100000001B3u; // no byte of UTF-8
        }
        return hash;
    }

    std::span<pseudo_query const> pieces_;
    std::vector<std::size_t> counts_;
    std::size_t fewest_ = static_cast<std::size_t>(-1); // words that a piece has
    std::unordered_multimap<std::uint64_t, std::size_t> by_start_;
};

/// One call of draw_pseudo_queries, step by step.
class pseudo_query_drawing {
public:
    pseudo_query_drawing(std::span<titled_text const> documents,
        pseudo_query_options const& options,
        function_ref<void(std::string_view, token_sink)> analyze)
        : documents_(documents), options_(options), analyze_(analyze), numbers_(options.seed) {
        if (documents.size() >= no_doc) {
            fail(errc::invalid_argument, join("draw_pseudo_queries: there are ", documents.size(),
                                             " documents, must be fewer than ", no_doc));
        }
        if (options.sources.empty())
            fail(errc::invalid_argument, "draw_pseudo_queries: there are no sources");
        if (options.min_words == 0 || options.min_words > options.max_words) {
            fail(errc::invalid_argument,
                join("draw_pseudo_queries: min_words is ", options.min_words,
                    ", must be from 1 to max_words, ", options.max_words));
        }
        for (auto const length : options.lengths) {
            if (length == 0) fail(errc::invalid_argument, "draw_pseudo_queries: a length is 0");
        }
    }

    [[nodiscard]] std::vector<pseudo_query> run() {
        std::vector<doc_id> order(documents_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<doc_id>(i);
        numbers_.shuffle(std::span(order));
        std::vector<pseudo_query> drawn;
        auto batch = options_.count;
        for (auto at = std::span(order); !at.empty() && drawn.size() < options_.count; batch *= 2) {
            // Which pieces stand elsewhere, too, is known only once every document was read: the
            // batches grow, so that few readings do.
            auto const before = drawn.size();
            for (; !at.empty() && drawn.size() - before < batch; at = at.subspan(1)) {
                if (auto piece = cut(at.front())) drawn.push_back(std::move(*piece));
            }
            drop_repeated(drawn, before);
        }
        if (drawn.size() > options_.count) drawn.resize(options_.count);
        std::sort(drawn.begin(), drawn.end(),
            [](pseudo_query const& a, pseudo_query const& b) { return a.document < b.document; });
        return drawn;
    }

private:
    // The piece of a document whose turn it is.
    [[nodiscard]] std::optional<pseudo_query> cut(doc_id id) {
        auto const source = options_.sources[turn_++ % options_.sources.size()];
        auto out = cut(id, source);
        if (!out && source != pseudo_query_source::passage)
            out = cut(id, pseudo_query_source::passage);
        return out;
    }

    [[nodiscard]] std::optional<pseudo_query> cut(doc_id id, pseudo_query_source source) {
        auto const& [title, text] = documents_[id];
        std::optional<cut_extent> where;
        switch (source) {
        case pseudo_query_source::passage:
            where = passage(text);
            break;
        case pseudo_query_source::title:
            where = cut_extent{0, title.size()};
            break;
        case pseudo_query_source::heading:
            where = heading(text);
            break;
        case pseudo_query_source::first_sentence:
            where = first_sentence(text);
            break;
        }
        if (!where) return std::nullopt;
        pseudo_query out{.document = id,
            .source = source,
            .title = std::string(title),
            .text = std::string(text)};
        auto& from = source == pseudo_query_source::title ? out.title : out.text;
        auto const piece = std::string_view(from).substr(where->begin, where->end - where->begin);
        auto const words = word_extents(piece);
        if (words.empty()) return std::nullopt;
        out.query = piece.substr(words.front().begin, words.back().end - words.front().begin);
        // A blank, so that two words do not become one.
        from.replace(where->begin, where->end - where->begin, " ");
        if (terms_of(out.query) < 2 || word_extents(out.text).size() < 5) return std::nullopt;
        return out;
    }

    [[nodiscard]] std::optional<cut_extent> passage(std::string_view text) {
        auto const words = word_extents(text);
        auto const length =
            options_.lengths.empty()
                ? options_.min_words
                      + static_cast<std::size_t>(
                          numbers_.below(options_.max_words - options_.min_words + 1))
                : options_
                      .lengths[static_cast<std::size_t>(numbers_.below(options_.lengths.size()))];
        if (words.size() < length) return std::nullopt;
        auto const first = static_cast<std::size_t>(numbers_.below(words.size() - length + 1));
        return cut_extent{words[first].begin, words[first + length - 1].end};
    }

    [[nodiscard]] std::optional<cut_extent> heading(std::string_view text) {
        auto const parsed = parse_markdown(text);
        std::vector<cut_extent> found;
        for (auto const& block : parsed.blocks) {
            if (block.kind != block_kind::heading || block.title.empty()) continue;
            auto const begin = static_cast<std::size_t>(block.title.data() - text.data());
            found.push_back({begin, begin + block.title.size()});
        }
        if (found.empty()) return std::nullopt;
        return found[static_cast<std::size_t>(numbers_.below(found.size()))];
    }

    [[nodiscard]] static std::optional<cut_extent> first_sentence(std::string_view text) {
        auto const all = sentences(text);
        if (all.empty()) return std::nullopt;
        auto const begin = static_cast<std::size_t>(all[0].data() - text.data());
        return cut_extent{begin, begin + all[0].size()};
    }

    [[nodiscard]] std::size_t terms_of(std::string_view text) const {
        std::vector<std::string> terms;
        analyze_(text, [&](token const& t) { terms.emplace_back(t.term); });
        std::sort(terms.begin(), terms.end());
        return static_cast<std::size_t>(std::unique(terms.begin(), terms.end()) - terms.begin());
    }

    // Drops the pieces from `first` on that stand anywhere but where they were cut out.
    void drop_repeated(std::vector<pseudo_query>& drawn, std::size_t first) const {
        piece_counts counts(std::span<pseudo_query const>(drawn).subspan(first));
        for (auto const& document : documents_) {
            counts.read(document.title);
            counts.read(document.text);
        }
        auto kept = first;
        for (auto i = first; i < drawn.size(); ++i) {
            if (counts.count(i - first) > 1) continue;
            if (kept != i) drawn[kept] = std::move(drawn[i]);
            ++kept;
        }
        drawn.resize(kept);
    }

    std::span<titled_text const> documents_;
    pseudo_query_options const& options_;
    function_ref<void(std::string_view, token_sink)> analyze_;
    random numbers_;
    std::size_t turn_ = 0;
};

TRAWL_INLINE std::vector<pseudo_query> draw_pseudo_queries(std::span<titled_text const> documents,
    pseudo_query_options const& options, function_ref<void(std::string_view, token_sink)> analyze) {
    return pseudo_query_drawing(documents, options, analyze).run();
}

} // namespace detail

TRAWL_INLINE qrels judgements_of(
    std::span<pseudo_query const> queries, function_ref<std::string_view(doc_id)> key_of) {
    std::vector<std::string> keys;
    keys.reserve(queries.size());
    for (auto const& q : queries) keys.emplace_back(key_of(q.document));
    std::vector<qrels_row> rows;
    rows.reserve(keys.size());
    for (auto const& key : keys) rows.push_back({.query = key, .key = key, .value = 1});
    return qrels(rows);
}

TRAWL_INLINE std::size_t count_words(std::string_view text) {
    return detail::word_extents(text).size();
}

TRAWL_END_NAMESPACE
