// SPDX-License-Identifier: MIT
#pragma once

/// The best k documents of several fields for a few weighted terms.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/counted_ptr.hpp>
#include <trawl/lexical/detail/scoring/field_tf.hpp>
#include <trawl/lexical/detail/scoring/score_quantizer.hpp>
#include <trawl/lexical/detail/search/admitted_rows.hpp>
#include <trawl/lexical/detail/search/topk_scores.hpp>
#include <trawl/lexical/detail/segments/index_snapshot.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// MaxScore over windows, as block_max_maxscore, but a term has a list in each field. The fields'
/// frequencies are added first, in the order of the fields, and the sum is then saturated. The
/// bound of a term in a window is the saturated sum of its lists' bounds.
class field_search {
public:
    struct term {
        array_ref<term_id const> ids; ///< one a field
        posting_scoring scoring;      ///< without its tf factor
    };

    /// Borrows all that it is given.
    field_search(buffer<counted_ptr<index_snapshot const>> const& fields, field_tf const& factor,
        array_ref<term const> terms, score_quantizer const& quantizer,
        search_options const& options)
        : fields_(fields),
          factor_(factor),
          asked_(terms),
          options_(options),
          best_(quantizer, options.k) {}

    [[nodiscard]] ranking best() && {
        if (options_.k == 0 || asked_.empty()) return {};
        auto const& segments = *fields_[0]->segments;
        for (std::size_t p = 0; p < segments.size(); ++p) {
            begin(p);
            if (terms_.empty()) continue;
            auto const* const allowed = options_.where.set();
            if (allowed != nullptr && allowed->count() <= rows_->rows() / 16) {
                search_allowed(*allowed);
            } else {
                search_windows();
            }
            if (stopped_) return best_.take();
        }
        search_tail();
        return best_.take();
    }

private:
    /// A term's list in a field of the segment at hand.
    struct list {
        list(packed_lists const& lists, list_place const& place, std::size_t of, segment const& in)
            : cursor(lists, place), field(of), rows(&in) {}

        posting_cursor cursor;
        std::size_t field;
        segment const* rows;   ///< of the field, for its lengths
        std::size_t block = 0; ///< the first that may reach into the window
        /// upper bounds of what each block in the window adds, from `block` on
        std::vector<double> block_bounds = {};
        double bound = 0;        ///< of what the list adds in the window
        double bound_of_all = 0; ///< of a list without headers
    };

    struct scored_lists {
        posting_scoring scoring;
        std::vector<list> lists;
        std::int32_t bound = 0; ///< of the contributions in the window
        /// Of a term that is in one field: what small counts at small lengths contribute, by the count
        /// less 1 and the length, as far as it is known. Most postings have them, and each would cost
        /// two divisions.
        std::vector<std::int32_t> contributions = {};
    };
    static constexpr std::uint32_t kept_counts = 4;
    static constexpr std::uint32_t kept_lengths = 256;
    static constexpr std::int32_t not_known = (std::numeric_limits<std::int32_t>::min)();

    void begin(std::size_t p) {
        terms_.clear();
        live_ = &(*fields_[0]->segments)[p];
        rows_ = live_->rows.get();
        restricted_ = live_->live != nullptr || !options_.where.admits_all();
        for (auto const& asked : asked_) {
            scored_lists made{asked.scoring, {}};
            for (std::size_t field = 0; field < fields_.size(); ++field) {
                auto const& rows = *(*fields_[field]->segments)[p].rows;
                auto const place = rows.lists().find(asked.ids[field]);
                if (!place) continue;
                made.lists.emplace_back(rows.lists(), *place, field, rows);
                auto& l = made.lists.back();
                if (l.cursor.headers() == nullptr) l.bound_of_all = largest_in(l);
            }
            if (made.lists.size() == 1)
                made.contributions.assign(std::size_t{kept_counts} * kept_lengths, not_known);
            if (!made.lists.empty()) terms_.push_back(std::move(made));
        }
        every_match_ = !std::all_of(terms_.begin(), terms_.end(), [&](scored_lists const& t) {
            return std::all_of(t.lists.begin(), t.lists.end(), [&](list const& l) {
                return t.scoring.of_factor(
                           factor_(factor_.normalised(l.field, 1, l.rows->longest())))
                       > 1;
            });
        });
        if (rows_->rows() > 0) go_to(0);
    }

    /// Of a list that is one block.
    [[nodiscard]] double largest_in(list& l) const {
        double largest = 0;
        if (l.cursor.blocks() > 0) l.cursor.decode(0);
        for (std::size_t i = 0; i < (l.cursor.blocks() > 0 ? l.cursor.rows().size() : 0); ++i) {
            largest = (std::max)(largest, normalised(l, l.cursor.rows()[i], l.cursor.counts()[i]));
        }
        return largest;
    }

    [[nodiscard]] double normalised(
        list const& l, std::uint32_t row, std::uint32_t count) const noexcept {
        return factor_.normalised(l.field, static_cast<float>(count), l.rows->length(row));
    }

    /// Goes to the rows from this one on.
    void go_to(std::uint32_t row) {
        first_ = row;
        threshold_ = best_.threshold(rows_->id(row));
    }

    void push(std::uint32_t row, std::int32_t sum) {
        if (!every_match_ && sum <= threshold_) return;
        best_.push(rows_->id(row), sum);
        threshold_ = best_.threshold(rows_->id(first_));
    }

    [[nodiscard]] bool admits(std::uint32_t row) const noexcept {
        return live_->is_live(row) && options_.where.admits(rows_->id(row));
    }

    /// Few documents may be returned: they are looked up.
    void search_allowed(doc_set const& allowed) {
        allowed.for_each([&](doc_id id) {
            auto const row = rows_->row_of(id);
            if (!row || !live_->is_live(*row) || stopped_) return;
            if (++looked_up_ % window_rows == 0) stopped_ = options_.stopped();
            if (auto const sum = look_up(*row, terms_.size())) push(*row, *sum);
        });
    }

    void search_windows() {
        collected_.assign(window_rows, 0);
        sums_.assign(window_rows, 0);
        for (std::uint32_t first = 0; first < rows_->rows(); first += window_rows) {
            if ((stopped_ = options_.stopped())) return;
            go_to(first);
            last_ = (std::min)(rows_->rows() - first, window_rows) - 1 + first;
            for (auto& t : terms_) enter(t);
            search_window();
        }
    }

    /// Moves a term's lists to the window and bounds the term there.
    void enter(scored_lists& t) {
        double largest = 0;
        for (auto& l : t.lists) {
            l.block = l.cursor.block_of(first_, l.block);
            l.block_bounds.clear();
            l.bound = 0;
            for (auto b = l.block; reaches_window(l, b); ++b) {
                l.block_bounds.push_back(block_bound(l, b));
                l.bound = (std::max)(l.bound, l.block_bounds.back());
            }
            largest += l.bound;
        }
        t.bound = largest > 0 ? t.scoring.of_factor(factor_.bound(largest)) : 0;
    }

    [[nodiscard]] double block_bound(list const& l, std::size_t block) const noexcept {
        if (l.cursor.headers() == nullptr) return l.bound_of_all;
        auto const& header = l.cursor.headers()[block];
        double largest = 0;
        for (std::size_t pair = 0; pair < block_pairs; ++pair) {
            auto const bound = header.max_counts[pair] == 255
                                   ? field_tf::any_tf
                                   : factor_.normalised(l.field, header.max_counts[pair],
                                       length_of_byte(header.least[pair]));
            largest = (std::max)(largest, bound);
        }
        return largest;
    }

    /// Whether the block can contain rows of the window; all earlier blocks must, too. A block of a
    /// damaged file that goes back cannot, so that no row comes twice.
    [[nodiscard]] bool reaches_window(list const& l, std::size_t block) const noexcept {
        if (block == l.block || block >= l.cursor.blocks()) return block < l.cursor.blocks();
        auto const before = l.cursor.last_row(block - 1);
        return before < last_ && before < l.cursor.last_row(block);
    }

    void search_window() {
        std::size_t optional = 0; // terms that cannot bring a document in by themselves
        std::int32_t left_out = 0;
        if (!every_match_) {
            std::sort(terms_.begin(), terms_.end(),
                [](scored_lists const& a, scored_lists const& b) { return a.bound < b.bound; });
            while (optional < terms_.size() && left_out + terms_[optional].bound <= threshold_) {
                left_out += terms_[optional++].bound;
            }
            if (optional == terms_.size()) return;
        }
        std::int32_t all = 0;
        for (auto const& t : terms_) all += t.bound;
        for (auto i = optional; i < terms_.size(); ++i) add(terms_[i], all - terms_[i].bound);
        for (std::uint32_t group = 0; group < window_rows / 64; ++group) {
            for (auto bits = std::exchange(matched_[group], 0); bits != 0; bits &= bits - 1) {
                auto const place = 64 * group + static_cast<std::uint32_t>(std::countr_zero(bits));
                auto const sum = std::exchange(sums_[place], 0);
                if (!every_match_ && sum + left_out <= threshold_) continue;
                push(first_ + place, sum + look_up(first_ + place, optional).value_or(0));
            }
        }
    }

    /// What a posting of a term that is in one field contributes.
    [[nodiscard]] std::int32_t contribution(
        scored_lists& t, std::uint32_t row, std::uint32_t count) const noexcept {
        auto const& l = t.lists.front();
        auto const length = l.rows->length(row);
        auto const computed = [&] {
            return t.scoring.of_factor(
                factor_(factor_.normalised(l.field, static_cast<float>(count), length)));
        };
        if (count - 1 >= kept_counts || length >= kept_lengths) return computed();
        auto& kept = t.contributions[std::size_t{count - 1} * kept_lengths + length];
        if (kept == not_known) kept = computed();
        return kept;
    }

    /// Adds a term's contributions to the sums of the window. Skips blocks whose bound, with those
    /// of the term's other lists and of the other terms, does not exceed the threshold.
    void add(scored_lists& t, std::int32_t others) {
        for (auto& l : t.lists) {
            double rest = 0;
            for (auto const& other : t.lists) rest += &other == &l ? 0 : other.bound;
            for (auto b = l.block; reaches_window(l, b); ++b) {
                auto const largest =
                    t.scoring.of_factor(factor_.bound(rest + l.block_bounds[b - l.block]));
                if (!every_match_ && largest + others <= threshold_) continue;
                l.cursor.decode(b);
                if (t.lists.size() == 1) {
                    collect_alone(t, l);
                } else {
                    collect(l);
                }
            }
        }
        if (t.lists.size() == 1) return;
        for (std::uint32_t group = 0; group < window_rows / 64; ++group) {
            matched_[group] |= touched_[group];
            for (auto bits = std::exchange(touched_[group], 0); bits != 0; bits &= bits - 1) {
                auto const place = 64 * group + static_cast<std::uint32_t>(std::countr_zero(bits));
                sums_[place] += t.scoring.of_factor(factor_(std::exchange(collected_[place], 0)));
            }
        }
    }

    /// Adds the contributions of the decoded block's postings in the window.
    void collect_alone(scored_lists& t, list const& l) {
        auto const rows = l.cursor.rows();
        auto const counts = l.cursor.counts();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const row = rows[i];
            if (row < first_ || row > last_ || (restricted_ && !admits(row))) continue;
            auto const place = row - first_;
            sums_[place] += contribution(t, row, counts[i]);
            matched_[place / 64] |= std::uint64_t{1} << place % 64;
        }
    }

    /// Adds the decoded block's postings in the window, to be saturated with those of other fields.
    void collect(list const& l) {
        auto const rows = l.cursor.rows();
        auto const counts = l.cursor.counts();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const row = rows[i];
            if (row < first_ || row > last_ || (restricted_ && !admits(row))) continue;
            auto const place = row - first_;
            collected_[place] = rounded(collected_[place] + normalised(l, row, counts[i]));
            touched_[place / 64] |= std::uint64_t{1} << place % 64;
        }
    }

    /// What the first `terms` contribute to a row's sum; nothing if it holds none of them. Rows
    /// ascend.
    [[nodiscard]] std::optional<std::int32_t> look_up(std::uint32_t row, std::size_t terms) {
        std::optional<std::int32_t> sum;
        for (std::size_t i = 0; i < terms; ++i) {
            if (terms_[i].lists.size() == 1) {
                auto& l = terms_[i].lists.front();
                l.block = l.cursor.block_of(row, l.block);
                auto const count = l.cursor.count_of(row, l.block);
                if (count != 0) sum = sum.value_or(0) + contribution(terms_[i], row, count);
                continue;
            }
            double collected = 0;
            bool matched = false;
            for (auto& l : terms_[i].lists) {
                l.block = l.cursor.block_of(row, l.block);
                auto const count = l.cursor.count_of(row, l.block);
                if (count == 0) continue;
                matched = true;
                collected = rounded(collected + normalised(l, row, count));
            }
            if (matched) sum = sum.value_or(0) + terms_[i].scoring.of_factor(factor_(collected));
        }
        return sum;
    }

    void search_tail() {
        fields_[0]->for_each_in_tail([&](counted_document const& newest, std::uint32_t slot) {
            if (!options_.where.admits(newest.id)) return;
            std::optional<std::int32_t> sum;
            for (auto const& asked : asked_) {
                double collected = 0;
                bool matched = false;
                for (std::size_t field = 0; field < fields_.size(); ++field) {
                    auto const& document = fields_[field]->tail->documents[slot];
                    auto const count = index_snapshot::count(document, asked.ids[field]);
                    if (count == 0) continue;
                    matched = true;
                    collected = rounded(
                        collected
                        + factor_.normalised(field, static_cast<float>(count), document.length));
                }
                if (matched) sum = sum.value_or(0) + asked.scoring.of_factor(factor_(collected));
            }
            if (sum) best_.push(newest.id, *sum);
        });
    }

    buffer<counted_ptr<index_snapshot const>> const& fields_;
    field_tf const& factor_;
    array_ref<term const> asked_;
    search_options const& options_;
    topk_scores best_;
    bool stopped_ = false;
    std::size_t looked_up_ = 0;

    // The segment at hand.
    live_segment const* live_ = nullptr;
    segment const* rows_ = nullptr;
    bool restricted_ = false;
    std::vector<scored_lists> terms_;
    bool every_match_ = false; ///< sums may be 0 or less: nothing is left out

    // The window at hand.
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
    std::int32_t threshold_ = 0;    ///< sums up to it cannot enter
    std::vector<double> collected_; ///< of one term, over the fields
    buffer<std::int32_t> sums_;
    std::array<std::uint64_t, window_rows / 64> touched_ = {}; ///< by one term
    std::array<std::uint64_t, window_rows / 64> matched_ = {};
};

} // namespace detail
TRAWL_END_NAMESPACE
