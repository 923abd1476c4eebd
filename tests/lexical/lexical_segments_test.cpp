// SPDX-License-Identifier: MIT
#include <trawl/lexical/lexical_segments.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <trawl/detail/random.hpp>
#include <trawl/lexical/bm25f_index.hpp>
#include <trawl/lexical/lexical_query.hpp>
#include <trawl/lexical/query_filter.hpp>
#include <trawl/text/analyzers/english_analyzer.hpp>

#include "support/catch.hpp"
#include "support/error_of.hpp"

using support::error_of;
using trawl::doc_id;

namespace {

struct two_texts {
    std::string title;
    std::string text;
};

/// A segment in a file in memory, as a collection keeps it.
struct kept_segment {
    std::vector<doc_id> ids;
    trawl::lexical_segment segment;
    std::shared_ptr<std::vector<std::uint64_t> const> live; ///< null: all
};

/// Documents in segments, and the same in a std::map.
class history {
public:
    explicit history(std::uint64_t seed)
        : random_(seed),
          options_(std::make_shared<trawl::lexical_segment_options const>(
              trawl::lexical_segment_options{.fields = {{"title", 2}, {"text"}},
                  .analyzer = trawl::english_analyzer{},
                  .parameters = {},
                  .keep = {.positions = true}})) {
        publish();
    }

    void add(std::size_t count) {
        std::vector<doc_id> ids;
        for (std::size_t i = 0; i < count; ++i) {
            next_id_ += static_cast<doc_id>(random_.below(3) == 0 ? 2 : 1); // gaps
            ids.push_back(next_id_ - 1);
            documents[ids.back()] = {words(3), words(12)};
        }
        auto const made = trawl::lexical_segment_builder::of_texts(*options_, dictionary_, ids,
            [&](std::size_t row, std::size_t field) -> std::string_view {
                auto const& of = documents.at(ids[row]);
                return field == 0 ? of.title : of.text;
            });
        segments_.push_back(opened(made, ids));
        dictionary_.learn(segments_.back().segment);
        publish();
    }

    void erase(std::size_t count) {
        for (std::size_t i = 0; i < count && !documents.empty(); ++i) {
            auto at = documents.begin();
            std::advance(at, static_cast<std::ptrdiff_t>(random_.below(documents.size())));
            erase_row(at->first);
            documents.erase(at);
        }
        publish();
    }

    void merge(std::size_t first, std::size_t last) {
        auto const all = first == 0 && last == segments_.size();
        auto const inputs = live_segments(first, last);
        auto const made = all ? trawl::lexical_segment_builder::of_all(dictionary_, inputs)
                              : trawl::lexical_segment_builder::of_segments(dictionary_, inputs);
        std::vector<doc_id> ids;
        for (auto i = first; i < last; ++i) {
            for (std::size_t row = 0; row < segments_[i].ids.size(); ++row) {
                if (lives(segments_[i], row)) ids.push_back(segments_[i].ids[row]);
            }
        }
        auto merged = opened(made, std::move(ids));
        segments_.erase(segments_.begin() + static_cast<std::ptrdiff_t>(first),
            segments_.begin() + static_cast<std::ptrdiff_t>(last));
        segments_.insert(segments_.begin() + static_cast<std::ptrdiff_t>(first), std::move(merged));
        if (first == 0) reopen();
        publish();
    }

    /// As another process opens the files.
    void reopen() {
        dictionary_ = trawl::lexical_dictionary(2);
        if (!segments_.empty()) dictionary_ = trawl::lexical_dictionary(segments_[0].segment);
        for (auto const& each : segments_) {
            each.segment.verify();
            dictionary_.learn(each.segment);
        }
        index_.reset();
        publish();
    }

    [[nodiscard]] std::size_t segments() const { return segments_.size(); }
    [[nodiscard]] trawl::lexical_segments const& index() const { return *index_; }

    [[nodiscard]] trawl::basic_bm25f_index<trawl::english_analyzer> fresh() const {
        trawl::basic_bm25f_index<trawl::english_analyzer> made(
            options_->fields, trawl::english_analyzer{}, {}, {.positions = true});
        for (auto const& [id, texts] : documents) made.add(id, {texts.title, texts.text});
        return made;
    }

    std::string words(std::size_t most) {
        static constexpr std::string_view known[] = {"refund", "refunds", "dead", "lock", "locks",
            "the", "open-source", "money", "printer", "printing", "PROD-4817", "ticket"};
        std::string made;
        for (auto n = random_.below(most + 1); n > 0; --n) {
            made += random_.below(6) == 0 ? "w" + std::to_string(random_.below(80))
                                          : std::string(known[random_.below(std::size(known))]);
            made += ' ';
        }
        return made;
    }

    std::map<doc_id, two_texts> documents;

private:
    [[nodiscard]] static kept_segment opened(
        trawl::lexical_segment_builder const& made, std::vector<doc_id> ids) {
        trawl::section_writer writer("segment", 1);
        made.add_to(writer);
        auto const file = writer.in_memory("segment");
        file.verify();
        auto const first = ids.empty() ? 0 : ids.front();
        auto const rows = ids.size();
        kept_segment kept{std::move(ids), {}, nullptr};
        kept.segment = trawl::lexical_segment::open(file, 2, first, kept.ids, rows);
        return kept;
    }

    [[nodiscard]] static bool lives(kept_segment const& in, std::size_t row) {
        return in.live == nullptr || ((*in.live)[row / 64] >> row % 64 & 1u) != 0;
    }

    void erase_row(doc_id id) {
        for (auto& each : segments_) {
            auto const at = std::lower_bound(each.ids.begin(), each.ids.end(), id);
            if (at == each.ids.end() || *at != id) continue;
            auto const row = static_cast<std::size_t>(at - each.ids.begin());
            std::vector<std::uint64_t> bits =
                each.live ? *each.live
                          : std::vector<std::uint64_t>((each.ids.size() + 63) / 64, ~0ull);
            bits[row / 64] &= ~(std::uint64_t{1} << row % 64);
            each.live = std::make_shared<std::vector<std::uint64_t> const>(std::move(bits));
        }
    }

    [[nodiscard]] std::vector<trawl::live_lexical_segment> live_segments(
        std::size_t first, std::size_t last) const {
        std::vector<trawl::live_lexical_segment> made;
        for (auto i = first; i < last; ++i)
            made.push_back({segments_[i].segment, segments_[i].live});
        return made;
    }

    void publish() {
        trawl::lexical_segments next(options_, dictionary_, live_segments(0, segments_.size()),
            next_id_, index_ ? &*index_ : nullptr);
        index_ = std::move(next);
    }

    trawl::detail::random random_;
    std::shared_ptr<trawl::lexical_segment_options const> options_;
    trawl::lexical_dictionary dictionary_ = trawl::lexical_dictionary(2);
    std::vector<kept_segment> segments_;
    std::optional<trawl::lexical_segments> index_;
    doc_id next_id_ = 0;
};

void check_same(history& of, trawl::detail::random& random) {
    auto const fresh = of.fresh();
    auto const& index = of.index();
    REQUIRE(index.size() == fresh.size());
    trawl::doc_set where(index.next_id());
    std::vector<doc_id> ids;
    for (auto const& [id, texts] : of.documents) {
        ids.push_back(id);
        if (random.below(2) == 0) where.insert(id);
    }
    for (std::string const& text : {of.words(4), of.words(2), std::string("\"dead lock\" refund"),
             std::string("+refund -lock"), std::string("prin* money"), std::string("title:refund"),
             std::string("refnd~")}) {
        auto const tree = trawl::parse_query(text, fresh.fields(), trawl::syntax_mode::lenient);
        CAPTURE(text);
        for (auto const statistics : {trawl::statistics::whole, trawl::statistics::eligible}) {
            for (bool const filtered : {false, true}) {
                trawl::search_options options{.k = 7, .statistics = statistics};
                if (filtered) options.where = where;
                CHECK(index.search(trawl::query{.text = text}, options)
                      == fresh.search(tree, options));
                CHECK(index.score(trawl::query{.text = text}, ids, options)
                      == (text.empty() ? fresh.score(trawl::query{}, ids, options)
                                       : fresh.score(tree, ids, options)));
            }
        }
        auto matching = index.matching(tree);
        auto expected = fresh.matching(tree); // its universe ends with its newest document
        if (matching) matching->resize(index.next_id());
        if (expected) expected->resize(index.next_id());
        CHECK(matching == expected);
        if (!ids.empty()) {
            auto const why = index.explain(trawl::query{.text = text}, ids[0]);
            CHECK(trawl::adds_up(why));
            CHECK(trawl::to_text(why) == trawl::to_text(fresh.explain(tree, ids[0])));
        }
    }
}

} // namespace

TEST_CASE("segments of any history give the bits of an index of their live documents",
    "[lexical][segments]") {
    auto const seed = GENERATE(range(1u, 7u));
    CAPTURE(seed);
    trawl::detail::random random(seed);
    history all(seed);
    for (int step = 0; step < 14; ++step) {
        CAPTURE(step);
        switch (random.below(5)) {
        case 0:
        case 1:
            all.add(1 + random.below(90));
            break;
        case 2:
            all.erase(random.below(40));
            break;
        case 3:
            if (auto const n = all.segments(); n > 0) {
                auto const first = random.below(n);
                all.merge(first, first + 1 + random.below(n - first));
            }
            break;
        default:
            all.reopen();
            break;
        }
        check_same(all, random);
    }
}

TEST_CASE("many erased rows are counted off once, and the scores stay", "[lexical][segments]") {
    trawl::detail::random random(9);
    history all(9);
    all.add(600);
    for (int i = 0; i < 8; ++i) {
        all.erase(60);
        check_same(all, random);
    }
    all.reopen();
    check_same(all, random);
}

TEST_CASE("a full merge drops the terms that nothing holds", "[lexical][segments]") {
    history all(3);
    all.add(50);
    all.add(50);
    all.erase(100);
    CHECK(all.documents.empty());
    all.merge(0, all.segments());
    CHECK(all.index().completions("re", 10).empty());
    all.add(5);
    trawl::detail::random random(4);
    check_same(all, random);
}

TEST_CASE("completions and corrections know only what the filter admits", "[lexical][segments]") {
    auto const options = std::make_shared<trawl::lexical_segment_options const>(
        trawl::lexical_segment_options{.fields = {{"text"}}});
    trawl::lexical_dictionary dictionary(1);
    std::string_view const texts[] = {
        "refund refusal", "refund", "secret refuge", "ticket \u0434\u043E\u043C"};
    std::vector<doc_id> const ids{0, 1, 2, 3};
    auto const made = trawl::lexical_segment_builder::of_texts(
        *options, dictionary, ids, [&](std::size_t row, std::size_t) { return texts[row]; });
    trawl::section_writer writer("segment", 1);
    made.add_to(writer);
    auto const segment =
        trawl::lexical_segment::open(writer.in_memory("segment"), 1, 0, ids, ids.size());
    trawl::lexical_segments const index(
        options, trawl::lexical_dictionary(segment), {{segment}}, 4);
    trawl::doc_set const allowed(4, {0, 1, 3});
    using terms = std::vector<trawl::counted_term>;
    CHECK(index.completions("REF", 10) == terms{{"refund", 2}, {"refuge", 1}, {"refusal", 1}});
    CHECK(index.completions("ref", 10, allowed) == terms{{"refund", 2}, {"refusal", 1}});
    CHECK(index.completions("ref", 1) == terms{{"refund", 2}});
    CHECK(index.completions("", 10).empty());
    CHECK(index.corrected("refnd the tickt") == "refund the ticket");
    CHECK(index.corrected("secrt") == "secret");
    CHECK_FALSE(index.corrected("secrt", allowed));
    CHECK_FALSE(index.corrected("refund ticket"));
    // Letters count, not bytes: of three letters one may be wrong.
    CHECK(index.corrected("\u0434\u043E\u043D") == "\u0434\u043E\u043C");
    CHECK_FALSE(index.corrected("\u0434\u0438\u043D"));
}

TEST_CASE("a damaged segment is refused or stays in bounds", "[lexical][segments]") {
    auto const options = std::make_shared<trawl::lexical_segment_options const>(
        trawl::lexical_segment_options{.fields = {{"text"}}});
    trawl::lexical_dictionary dictionary(1);
    std::vector<doc_id> const ids{0, 1};
    auto const made = trawl::lexical_segment_builder::of_texts(*options, dictionary, ids,
        [](std::size_t row, std::size_t) { return row == 0 ? "a b" : "b c"; });
    trawl::section_writer writer("segment", 1);
    made.add_to(writer);
    auto const file = writer.in_memory("FILE");
    CHECK(error_of([&] {
        static_cast<void>(trawl::lexical_segment::open(file, 1, 0, {}, 3));
    }).names("FILE: its numbers of rows, lengths or terms contradict each other"));
    CHECK(error_of([&] {
        static_cast<void>(trawl::lexical_segment::open(file, 2, 0, {}, 2));
    }).names("FILE: has no section 1 head"));
}
