// SPDX-License-Identifier: MIT
#pragma once

/// Asks one arm of a pipeline, and holds it to its contract.

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <utility>

#include <trawl/core/explanation.hpp>
#include <trawl/detail/buffer.hpp>
#include <trawl/detail/steady_clock.hpp>
#include <trawl/error.hpp>
#include <trawl/pipeline/detail/parts.hpp>
#include <trawl/pipeline/report.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// What a run records: its result, also its trace, also the rankings between its steps.
enum class log_level : unsigned char { result, trace, steps };

class stopwatch {
public:
    explicit stopwatch(log_level level) : running_(level != log_level::result) {
        if (running_) start_ = steady_seconds();
    }
    [[nodiscard]] double seconds() const { return running_ ? steady_seconds() - start_ : 0; }

private:
    bool running_;
    double start_ = 0;
};

/// An arm, and the variant of the query it is asked; 0 is the query itself.
struct arm_place {
    std::size_t arm = 0;
    std::size_t variant = 0;
    [[nodiscard]] std::string name() const {
        return variant == 0 ? join("arm ", arm) : join("arm ", arm, ", variant ", variant);
    }
};

/// What came of one arm.
struct arm_answer {
    bool asked = false;
    bool full = false; ///< it returned as many hits as it was asked for: there may be more
    ranking hits = {};
    stage_trace trace = {};
    std::exception_ptr error = {}; ///< set if it, or its completion, failed
    std::string failure = {};      ///< the text of the error
};

/// Fails if every arm that was asked has failed.
/// @throws  what the first of them threw.
inline void require_one_arm(array_ref<arm_answer const> answers) {
#if TRAWL_HAS_EXCEPTIONS
    for (auto const& answer : answers)
        if (answer.asked && answer.error == nullptr) return;
    for (auto const& answer : answers)
        if (answer.error != nullptr) std::rethrow_exception(answer.error);
#else
    static_cast<void>(answers);
#endif
}

/// Calls work(); under leave_out its exceptions become the answer's failure.
template <class Work>
void guard(failure_policy policy, arm_answer& answer, Work&& work) {
#if TRAWL_HAS_EXCEPTIONS
    if (policy == failure_policy::leave_out) {
        try {
            work();
        } catch (std::bad_alloc const&) {
            throw;
        } catch (std::exception const& e) {
            answer.failure = e.what();
            answer.error = std::current_exception();
        } catch (...) {
            answer.failure = "an exception of unknown type";
            answer.error = std::current_exception();
        }
        return;
    }
#endif
    static_cast<void>(policy);
    static_cast<void>(answer);
    work();
}

// What the query lacks, for an arm that returned nothing: the pipeline cannot know which member of
// the query an arm reads.
[[nodiscard]] inline std::string note_on_nothing(query const& q) {
    auto const no_text = q.text.empty() && q.terms.empty();
    auto const no_vector = q.vector.empty() && q.token_vectors.empty();
    if (no_text && no_vector) return "returned nothing: the query is empty";
    if (no_text) return "returned nothing: the query has no text";
    if (no_vector) return "returned nothing: the query has no vector";
    return "returned nothing";
}

/// Drops every hit of a document but its first.
inline void drop_repeated(ranking& hits) {
    buffer<doc_id> ids;
    ids.reserve(hits.size());
    for (auto const& h : hits) ids.push_back(h.id);
    std::sort(ids.begin(), ids.end());
    if (std::adjacent_find(ids.begin(), ids.end()) == ids.end()) return;
    ids.resize(static_cast<std::size_t>(std::unique(ids.begin(), ids.end()) - ids.begin()));
    buffer<char> seen(ids.size());
    std::size_t kept = 0;
    for (auto const& h : hits) {
        auto const at = std::lower_bound(ids.begin(), ids.end(), h.id) - ids.begin();
        auto& again = seen[static_cast<std::size_t>(at)];
        if (again == 0) hits[kept++] = h;
        again = 1;
    }
    hits.resize(kept);
}

/// Asks an arm whose hits may repeat a document, as of a search for passages of documents, until so
/// many different documents as the window fill it, or the arm has no more.
/// @return whether the arm may have more documents.
[[nodiscard]] inline bool ask_for_distinct(
    arm_ref arm, arm_place place, query const& q, search_options options, ranking& hits) {
    auto const window = options.k;
    for (std::size_t before = 0;;) {
        auto const full = hits.size() == options.k;
        drop_repeated(hits);
        if (!full || hits.size() >= window || hits.size() == before || options.k > no_doc
            || options.stopped()) {
            if (hits.size() > window) hits.resize(window);
            return full && hits.size() > before;
        }
        before = hits.size();
        options.k *= 2;
        hits = arm.call->search(arm.object, q, options);
        check_hits(hits, options.where, options.k,
            [place] { return join("hybrid_search: ", place.name()); });
    }
}

/// @param options  Those of the search, k being the window.
/// @throws trawl::error (model) if the arm breaks its contract; what the arm throws.
inline void ask(arm_ref arm, arm_place place, query const& q, search_options const& options,
    log_level level, arm_answer& answer) {
    answer = {.asked = true};
    answer.trace.partial = options.stopped();
    if (answer.trace.partial) return;
    stopwatch const watch(level);
    auto hits = arm.call->search(arm.object, q, options);
    check_hits(
        hits, options.where, options.k, [place] { return join("hybrid_search: ", place.name()); });
    answer.full = hits.size() == options.k;
    // An index, which offers next_id, repeats none.
    if (arm.call->next_id == nullptr) answer.full = ask_for_distinct(arm, place, q, options, hits);
    answer.hits = std::move(hits);
    if (level == log_level::result) return;
    answer.trace.seconds = watch.seconds();
    answer.trace.candidates_out = answer.hits.size();
    if (answer.hits.empty()) answer.trace.notes.push_back(note_on_nothing(q));
    if (arm.call->warnings != nullptr) arm.call->warnings(arm.object, q, answer.trace.notes);
}

/// Why an arm gives a document this score: its own explanation where it has one whose value has the
/// same bits.
[[nodiscard]] inline explanation explain_arm(
    arm_ref arm, arm_place place, query const& q, hit const& found, search_options const& options) {
    auto const score = static_cast<double>(found.score);
    explanation node{
        .op = operation::opaque, .label = join(place.name(), ": its score"), .value = score};
    if (arm.call->explain == nullptr) return node;
    auto own = arm.call->explain(arm.object, q, found.id, options);
    if (own.role == node_role::no_reason) return node;
    if (same_bits(own.value, score)) return own;
    node.children.push_back(std::move(own));
    return node;
}

} // namespace detail
TRAWL_END_NAMESPACE
