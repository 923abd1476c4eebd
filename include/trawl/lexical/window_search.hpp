// SPDX-License-Identifier: MIT
#pragma once

/// The best k documents for a few weighted terms: sums in windows of rows that fit the cache, and windows,
/// blocks and documents left out that cannot enter the best k.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include <trawl/core/doc_set.hpp>
#include <trawl/core/search_options.hpp>
#include <trawl/core/top_k.hpp>
#include <trawl/lexical/index_snapshot.hpp>
#include <trawl/lexical/score_scale.hpp>
#include <trawl/lexical/tf_part.hpp>

namespace trawl::inline v0_1::detail {

/// Block-max MaxScore over windows. In each window a term has a bound, the largest of its blocks'. Terms
/// whose bounds together do not reach the k-th score so far cannot bring a document in by themselves: only
/// the blocks of the other terms are read, and of these only such as could bring one in with all bounds of
/// the others. Their documents' sums, where they may still suffice, are completed from the remaining lists.
/// All in integers: what is left out is left out rightly to the bit.
/// @par Source  Turtle, Flood, "Query evaluation: strategies and optimizations", 1995; Ding, Suel, "Faster
/// top-k document retrieval using block-max indexes", SIGIR 2011.
class window_search {
public:
    struct term {
        index_snapshot::number number;
        posting_scoring scoring;
    };

    /// Borrows all that it is given.
    window_search(index_snapshot const& index, std::span<term const> terms, score_scale const& scale,
        search_options const& options)
        : index_(index), terms_(terms), scale_(scale), options_(options), best_(options.k) {}

    [[nodiscard]] ranking best() && {
        if (options_.k == 0 || terms_.empty()) return {};
        for (auto const& part : *index_.parts) {
            begin(part);
            if (lists_.empty()) continue;
            if (always_positive()) {
                search_positive();
            } else {
                search_any();
            }
            if (stopped_) return best_.take();
        }
        search_tail();
        return best_.take();
    }

private:
    static constexpr std::uint32_t window = 4096; // 64 groups of sums

    /// A term's list in the segment at hand.
    struct list {
        list(packed_lists const& lists, list_entry const& entry, posting_scoring const& how)
            : cursor(lists, entry), scoring(how) {}

        posting_cursor cursor;
        posting_scoring scoring;
        std::size_t block = 0;                             ///< the first that may reach into the window
        std::int32_t bound = 0;                            ///< of all contributions in the window
        std::vector<std::int32_t> block_bounds = {};       ///< from `block` on
        std::size_t scored = static_cast<std::size_t>(-1); ///< the block that `contributions` are of
        std::array<std::int32_t, block_size> contributions;
    };

    void begin(index_part const& part) {
        part_ = &part;
        rows_ = part.rows.get();
        lists_.clear();
        for (auto const& asked : terms_) {
            if (auto const* const entry = rows_->lists().find(asked.number)) {
                lists_.emplace_back(rows_->lists(), *entry, asked.scoring);
            }
        }
        if (rows_->rows() > 0) {
            // Of documents that tie, the lower id is the better: behind all others, a tie does not suffice.
            ties_lose_ = highest_id_ < std::int64_t{rows_->id(0)};
            highest_id_ = (std::max)(highest_id_, std::int64_t{rows_->id(rows_->rows() - 1)});
        }
        set_floor();
    }

    /// Whether every match has a sum above 0, with a step to spare for a part's rounding.
    [[nodiscard]] bool always_positive() const noexcept {
        return std::all_of(lists_.begin(), lists_.end(),
            [&](list const& l) { return l.scoring.contribution(1, rows_->longest()) > 1; });
    }

    [[nodiscard]] static std::int32_t bound_of(
        posting_scoring const& scoring, block_header const& header) noexcept {
        std::int32_t most = 0;
        for (std::size_t pair = 0; pair < 2; ++pair) {
            most = (std::max)(most, header.most[pair] == 255
                                        ? scoring.most() // of any tf
                                        : scoring.bound(header.most[pair], header.least[pair]));
        }
        return most;
    }

    /// Sums up to the floor cannot enter.
    void set_floor() {
        threshold_ = best_.threshold();
        floor_ = threshold_ < 0 ? 0 : scale_.last_sum(threshold_, ties_lose_);
    }

    void push(std::uint32_t row, std::int32_t sum) {
        best_.push({rows_->id(row), scale_.score(sum)});
        if (best_.threshold() != threshold_) set_floor();
    }

    void search_positive() {
        sums_.assign(window, 0);
        places_.resize(window);
        values_.resize(window);
        for (std::uint32_t first = 0; first < rows_->rows(); first += window) {
            if ((stopped_ = options_.stopped())) return;
            first_ = first;
            last_ = (std::min)(rows_->rows() - first, window) - 1 + first;
            if (!admit()) continue;
            for (auto& l : lists_) enter(l);
            if (!order()) continue;
            if (few_admitted_) {
                search_candidates();
            } else {
                search_window();
            }
        }
    }

    /// Which rows of the window may be returned; false if none.
    [[nodiscard]] bool admit() {
        restricted_ = !options_.where.admits_all() || part_->live != nullptr;
        few_admitted_ = false;
        if (!restricted_) return true;
        std::size_t count = 0;
        for (std::uint32_t word = 0; word < window / 64; ++word) {
            auto const row = first_ + 64 * word;
            std::uint64_t bits = 0;
            if (row <= last_) {
                bits = part_->live ? (*part_->live)[row / 64] : ~std::uint64_t{0};
                if (last_ - row < 63) bits &= (std::uint64_t{1} << (last_ - row + 1)) - 1;
                if (!options_.where.admits_all()) bits &= allowed(row);
            }
            admitted_[word] = bits;
            count += static_cast<std::size_t>(std::popcount(bits));
        }
        few_admitted_ = count <= window / 16;
        return count > 0;
    }

    /// The filter's bits for 64 rows.
    [[nodiscard]] std::uint64_t allowed(std::uint32_t row) const noexcept {
        std::uint64_t bits = 0;
        if (rows_->consecutive()) {
            auto const words = options_.where.set()->words();
            auto const id = std::size_t{rows_->id(row)};
            auto const shift = id % 64;
            if (id / 64 < words.size()) bits = words[id / 64] >> shift;
            if (shift > 0 && id / 64 + 1 < words.size()) bits |= words[id / 64 + 1] << (64 - shift);
            return bits;
        }
        for (std::uint32_t i = 0; i < 64 && row + i <= last_; ++i) {
            bits |= std::uint64_t{options_.where.admits(rows_->id(row + i))} << i;
        }
        return bits;
    }

    [[nodiscard]] bool is_admitted(std::uint32_t row) const noexcept {
        return !restricted_ || ((admitted_[(row - first_) / 64] >> (row - first_) % 64) & 1u) != 0;
    }

    /// Moves a list to the window and bounds it there.
    void enter(list& l) {
        auto const& cursor = l.cursor;
        auto const block = cursor.block_of(first_, l.block);
        auto const kept = (std::min)(block - l.block, l.block_bounds.size());
        l.block_bounds.erase(
            l.block_bounds.begin(), l.block_bounds.begin() + static_cast<std::ptrdiff_t>(kept));
        l.block = block;
        l.bound = 0;
        for (auto b = l.block; reaches_window(l, b); ++b) {
            if (b - l.block == l.block_bounds.size()) l.block_bounds.push_back(block_bound(l, b));
            l.bound = (std::max)(l.bound, l.block_bounds[b - l.block]);
        }
    }

    /// Whether a block, the blocks before it doing so, may hold rows of the window. (Blocks of a damaged file
    /// that go back do not, so that no row comes twice.)
    [[nodiscard]] bool reaches_window(list const& l, std::size_t block) const noexcept {
        if (block == l.block || block >= l.cursor.blocks()) return block < l.cursor.blocks();
        auto const before = l.cursor.last_row(block - 1);
        return before < last_ && before < l.cursor.last_row(block);
    }

    [[nodiscard]] std::int32_t block_bound(list& l, std::size_t block) {
        if (l.cursor.headers() != nullptr) return bound_of(l.scoring, l.cursor.headers()[block]);
        score(l, block);
        return *std::max_element(l.contributions.begin(),
            l.contributions.begin() + static_cast<std::ptrdiff_t>(l.cursor.rows().size()));
    }

    void score(list& l, std::size_t block) {
        l.cursor.decode(block);
        if (l.scored == block) return;
        l.scored = block;
        l.scoring.contributions(kernels_, l.cursor.rows().data(), l.cursor.counts().data(),
            l.cursor.rows().size(), rows_->lengths().data(), l.contributions.data());
    }

    /// Sorts the lists by bound; the first `optional_` cannot bring a document in by themselves. False if
    /// none can.
    [[nodiscard]] bool order() {
        ordered_.clear();
        for (auto& l : lists_) {
            if (l.bound > 0) ordered_.push_back(&l);
        }
        std::sort(ordered_.begin(), ordered_.end(),
            [](list const* a, list const* b) { return a->bound < b->bound; });
        below_.clear();
        std::int32_t total = 0;
        optional_ = 0;
        for (auto const* const l : ordered_) {
            total += l->bound;
            below_.push_back(total);
            if (total <= floor_) ++optional_;
        }
        return optional_ < ordered_.size();
    }

    void search_window() {
        touched_ = 0;
        for (auto i = optional_; i < ordered_.size(); ++i) {
            add(*ordered_[i], below_.back() - ordered_[i]->bound);
        }
        auto const still = optional_ > 0 ? below_[optional_ - 1] : 0;
        auto const found = kernels_.take_above(
            sums_.data(), touched_, (std::max)(floor_ - still, 0), places_.data(), values_.data());
        probes_.assign(optional_, 0);
        for (std::size_t i = 0; i < found; ++i) complete(first_ + places_[i], values_[i]);
    }

    /// Adds a list's contributions, but for blocks that cannot bring a document in with what others may add.
    void add(list& l, std::int32_t others) {
        for (auto b = l.block; reaches_window(l, b); ++b) {
            if (l.block_bounds[b - l.block] + others <= floor_) continue;
            if (restricted_) {
                add_admitted(l, b);
                continue;
            }
            score(l, b);
            auto const rows = l.cursor.rows();
            if (rows.empty()) continue;
            auto const from =
                rows.front() >= first_ ? rows.begin() : std::lower_bound(rows.begin(), rows.end(), first_);
            auto const to = rows.back() <= last_ ? rows.end() : std::upper_bound(from, rows.end(), last_);
            auto const* const contributions = l.contributions.data() + (from - rows.begin());
            add_to_sums({from, to}, contributions);
        }
    }

    void add_to_sums(std::span<std::uint32_t const> rows, std::int32_t const* contributions) noexcept {
        auto* const sums = sums_.data();
        auto touched = touched_;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto const place = rows[i] - first_;
            sums[place] += contributions[i];
            touched |= std::uint64_t{1} << place / scalar::group_size;
        }
        touched_ = touched;
    }

    /// Only documents that may be returned are scored, and a block without one is not even read.
    void add_admitted(list& l, std::size_t block) {
        auto const begin = block == 0 || l.cursor.headers() == nullptr ? 0 : l.cursor.last_row(block - 1) + 1;
        if (!any_admitted((std::max)(begin, first_), (std::min)(l.cursor.last_row(block), last_))) return;
        l.cursor.decode(block);
        auto const rows = l.cursor.rows();
        std::size_t n = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            chosen_rows_[n] = rows[i];
            chosen_counts_[n] = l.cursor.counts()[i];
            if (rows[i] >= first_ && rows[i] <= last_ && is_admitted(rows[i])) ++n;
        }
        std::array<std::int32_t, block_size> contributions;
        l.scoring.contributions(kernels_, chosen_rows_.data(), chosen_counts_.data(), n,
            rows_->lengths().data(), contributions.data());
        add_to_sums({chosen_rows_.data(), n}, contributions.data());
    }

    [[nodiscard]] bool any_admitted(std::uint32_t from, std::uint32_t to) const noexcept {
        if (to < from) return false;
        auto const first = from - first_;
        auto const last = to - first_;
        for (auto word = first / 64; word <= last / 64; ++word) {
            auto bits = admitted_[word];
            if (word == first / 64) bits &= ~std::uint64_t{0} << first % 64;
            if (word == last / 64) bits &= ~std::uint64_t{0} >> (63 - last % 64);
            if (bits != 0) return true;
        }
        return false;
    }

    /// Few documents may be returned: they are looked up in the lists, largest bound first, and given up as
    /// soon as the other bounds do not suffice, so that few are looked up in the long lists of frequent
    /// terms.
    void search_candidates() {
        std::size_t left = 0;
        for (std::uint32_t word = 0; word < window / 64; ++word) {
            for (auto bits = admitted_[word]; bits != 0; bits &= bits - 1) {
                places_[left] = 64 * word + static_cast<std::uint32_t>(std::countr_zero(bits));
                values_[left++] = 0;
            }
        }
        for (auto i = ordered_.size(); i-- > 0 && left > 0;) {
            auto& l = *ordered_[i];
            auto const rest = i > 0 ? below_[i - 1] : 0;
            auto block = l.block;
            std::size_t kept = 0;
            for (std::size_t candidate = 0; candidate < left; ++candidate) {
                auto const row = first_ + places_[candidate];
                auto sum = values_[candidate];
                block = l.cursor.block_of(row, block);
                auto const known = block - l.block;
                if (known < l.block_bounds.size() && sum + rest + l.block_bounds[known] > floor_) {
                    if (auto const count = l.cursor.count_of(row, block); count > 0) {
                        sum += l.scoring.contribution(static_cast<float>(count), rows_->length(row));
                    }
                }
                if (sum + rest <= floor_) continue;
                places_[kept] = places_[candidate];
                values_[kept++] = sum;
            }
            left = kept;
        }
        for (std::size_t i = 0; i < left; ++i) {
            if (values_[i] > floor_) push(first_ + places_[i], values_[i]);
        }
    }

    /// Adds what the optional lists hold of a document, as long as it may still enter.
    void complete(std::uint32_t row, std::int32_t sum) {
        for (auto i = optional_; i-- > 0;) {
            if (sum + below_[i] <= floor_) return;
            auto& l = *ordered_[i];
            auto const block = l.cursor.block_of(row, (std::max)(l.block, probes_[i]));
            probes_[i] = block;
            if (block == l.cursor.blocks()) continue;
            auto const rest = i > 0 ? below_[i - 1] : 0;
            auto const known = block - l.block;
            if (known < l.block_bounds.size() && sum + rest + l.block_bounds[known] <= floor_) return;
            if (auto const count = l.cursor.count_of(row, block); count > 0) {
                sum += l.scoring.contribution(static_cast<float>(count), rows_->length(row));
            }
        }
        if (sum > floor_) push(row, sum);
    }

    /// Sums may be 0 or less: every match counts.
    void search_any() {
        sums_.assign(window, 0);
        doc_set matched(window);
        for (std::uint32_t first = 0; first < rows_->rows(); first += window) {
            if ((stopped_ = options_.stopped())) return;
            first_ = first;
            last_ = (std::min)(rows_->rows() - first, window) - 1 + first;
            if (!admit()) continue;
            for (auto& l : lists_) {
                l.block = l.cursor.block_of(first_, l.block);
                for (auto b = l.block; reaches_window(l, b); ++b) {
                    score(l, b);
                    for (std::size_t i = 0; i < l.cursor.rows().size(); ++i) {
                        auto const row = l.cursor.rows()[i];
                        if (row < first_ || row > last_ || !is_admitted(row)) continue;
                        matched.insert(row - first_);
                        sums_[row - first_] += l.contributions[i];
                    }
                }
            }
            matched.for_each([&](doc_id place) {
                best_.push({rows_->id(first_ + place), scale_.score(std::exchange(sums_[place], 0))});
            });
            matched &= doc_set(); // empty again, with its memory
        }
    }

    void search_tail() {
        index_.for_each_in_tail([&](counted_document const& document, index_snapshot::number) {
            if (!options_.where.admits(document.id)) return;
            std::int32_t sum = 0;
            bool matched = false;
            for (auto const& asked : terms_) {
                auto const count = index_snapshot::count(document, asked.number);
                if (count == 0) continue;
                sum += asked.scoring.contribution(static_cast<float>(count), document.length);
                matched = true;
            }
            if (matched) best_.push({document.id, scale_.score(sum)});
        });
    }

    bm25_kernels const& kernels_ = active_bm25_kernels();
    index_snapshot const& index_;
    std::span<term const> terms_;
    score_scale const& scale_;
    search_options const& options_;
    top_k best_;
    float threshold_ = 0;
    std::int32_t floor_ = 0;
    bool stopped_ = false;

    // The segment at hand.
    index_part const* part_ = nullptr;
    segment const* rows_ = nullptr;
    std::vector<list> lists_;
    std::int64_t highest_id_ = -1;
    bool ties_lose_ = true;

    // The window at hand.
    std::uint32_t first_ = 0;
    std::uint32_t last_ = 0;
    bool restricted_ = false;
    bool few_admitted_ = false;
    std::array<std::uint64_t, window / 64> admitted_ = {};
    std::vector<std::int32_t> sums_;
    std::uint64_t touched_ = 0; ///< groups of sums that are not 0
    std::vector<std::uint32_t> places_;
    std::vector<std::int32_t> values_;
    std::array<std::uint32_t, block_size> chosen_rows_;
    std::array<std::uint32_t, block_size> chosen_counts_;
    std::vector<list*> ordered_;      ///< by bound
    std::vector<std::int32_t> below_; ///< sums of the bounds up to each
    std::size_t optional_ = 0;
    std::vector<std::size_t> probes_;
};

} // namespace trawl::inline v0_1::detail
