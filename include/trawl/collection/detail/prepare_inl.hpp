// SPDX-License-Identifier: MIT
#pragma once

/// How documents are checked, cut into passages and embedded before a collection takes them.

#include <trawl/collection/detail/collection_engine.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/core/matrix_view.hpp>
#include <trawl/error.hpp>
#include <trawl/text/passages/chunker.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Moves the texts of the fields out of a document, in their order.
[[nodiscard]] TRAWL_INLINE std::vector<std::string> texts_of(
    document& given, collection_schema const& schema) {
    std::vector<std::string> made(schema.texts());
    auto const set = [&](std::string_view name, std::string& text) {
        if (text.empty()) return;
        auto const number = schema.text_number(name);
        if (number == made.size()) {
            std::string names;
            for (auto const& field : schema.lexical->fields)
                names += (names.empty() ? "" : ", ") + field.name;
            fail(errc::unknown_id, join("there is no text field ", name, "; there are: ", names));
        }
        if (!made[number].empty())
            fail(errc::duplicate_key, join("text field ", name, " is given twice"));
        made[number] = std::move(text);
    };
    set("title", given.title);
    set("text", given.text);
    for (auto& [field, text] : given.texts) set(field, text);
    for (auto const& text : made) {
        if (text.size() >= 0xFFFFFFFFu)
            fail(errc::invalid_argument, join("a text of ", text.size(), " bytes is too long"));
    }
    return made;
}

/// What an embedder sees of a passage.
[[nodiscard]] TRAWL_INLINE std::string embedded_text(
    std::string_view title, std::string_view passage) {
    std::string made(title);
    if (!title.empty()) made.push_back('\n');
    made.append(passage);
    return made;
}

TRAWL_INLINE void collection_engine::check_vectors(pending_document& of) const {
    auto const now = state();
    auto const& schema = *now->schema;
    of.vectors.resize(schema.spaces.size());
    auto const set = [&](std::size_t space, std::vector<float>& values) {
        if (values.empty()) return;
        flat_segment_builder const shape(schema.spaces[space].dim, schema.spaces[space].metric);
        shape.check(values);
        if (!of.vectors[space].empty()) {
            fail(errc::duplicate_key,
                join("a vector of space ", schema.spaces[space].name, " is given twice"));
        }
        of.vectors[space] = std::move(values);
        of.marks |= given_vectors::in(space);
    };
    if (!of.given.vector.empty() && schema.spaces.empty())
        fail(errc::invalid_argument, "a vector is given, but the collection has no vector space");
    if (!of.given.vector.empty()) set(0, of.given.vector);
    for (auto& [space, values] : of.given.vectors) set(schema.space_number(space), values);
}

TRAWL_INLINE pending_document collection_engine::prepared(document given) const {
    auto const now = state();
    auto const& schema = *now->schema;
    pending_document made;
    made.given = std::move(given);
    auto& of = made.given;
    if (of.key.empty() || of.key.size() > 0xFFFF) {
        fail(errc::invalid_argument,
            join("the key has ", of.key.size(), " bytes, must have 1 to 65535"));
    }
    of.metadata = converted(of.metadata, schema.fields);
    check_vectors(made);
    made.texts = texts_of(of, schema);
    auto const number = schema.text_number("text");
    auto const body =
        number < made.texts.size() ? std::string_view(made.texts[number]) : std::string_view();
    if (schema.chunks && made.marks == 0 && !body.empty()) {
        auto cut = chunk_markdown({}, body, *schema.chunks, schema.lexical->analyzer);
        for (auto& each : cut.chunks) {
            pending_passage passage{each.begin, each.end - each.begin, {}};
            if (each.text != passage.text(body)) passage.other = std::move(each.text);
            made.passages.push_back(std::move(passage));
        }
    }
    if (made.passages.empty()) made.passages.push_back({0, body.size(), {}});
    // The values are kept once.
    std::vector<float>().swap(of.vector);
    std::vector<named_vector>().swap(of.vectors);
    return made;
}

TRAWL_INLINE void collection_engine::embed(
    std::vector<pending_document>& documents, progress const* report) const {
    auto const now = state();
    auto const& schema = *now->schema;
    auto const body_number = schema.text_number("text");
    auto const title_number = schema.text_number("title");
    for (std::size_t space = 0; space < schema.spaces.size(); ++space) {
        auto const& [name, dim, metric, fingerprint, embedder] = schema.spaces[space];
        if (!embedder) continue;
        std::vector<std::string> texts;
        std::vector<pending_document*> owners;
        for (auto& each : documents) {
            if (!each.vectors[space].empty()) continue;
            owners.push_back(&each);
            auto const text = [&](std::size_t number) {
                return number < each.texts.size() ? std::string_view(each.texts[number])
                                                  : std::string_view();
            };
            auto const title = text(title_number);
            auto const body = text(body_number);
            for (auto const& passage : each.passages)
                texts.push_back(embedded_text(title, passage.text(body)));
        }
        if (texts.empty()) continue;
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        std::vector<float> values(texts.size() * dim);
        matrix_view<float> const out{values.data(), texts.size(), dim};
        if (report != nullptr) {
            embedder.embed_all(
                views, text_role::passage, out, any_embedder::default_batch, *report);
        } else {
            embedder.embed_all(views, text_role::passage, out);
        }
        std::size_t at = 0;
        for (auto* const each : owners) {
            auto const count = each->passages.size() * dim;
            each->vectors[space].assign(values.begin() + static_cast<std::ptrdiff_t>(at),
                values.begin() + static_cast<std::ptrdiff_t>(at + count));
            at += count;
        }
    }
}

TRAWL_INLINE void collection_engine::put_all(
    std::vector<document> documents, progress const* report) {
    std::lock_guard const lock(writing_mutex_);
    require_writable("put");
    std::vector<pending_document> made;
    made.reserve(documents.size());
    for (auto& each : documents) {
#if TRAWL_HAS_EXCEPTIONS
        auto const key = each.key;
        try {
            made.push_back(prepared(std::move(each)));
        } catch (error const& e) {
            fail(e.code(), join("collection::put: document ", key, ": ", e.what()));
        }
#else
        made.push_back(prepared(std::move(each)));
#endif
    }
    embed(made, report);
    // From here on only memory can be missing, and nothing has changed until all of it is there.
    struct undo {
        collection_engine& engine;
        std::size_t size;
        std::vector<std::pair<std::string, std::size_t>> before = {}; ///< size_t(-1): no such key
        bool done = false;
        ~undo() {
            if (done) return;
            for (auto at = before.rbegin(); at != before.rend(); ++at) {
                auto const known = engine.pending_keys_.find(at->first);
                if (known == engine.pending_keys_.end()) continue;
                if (at->second == static_cast<std::size_t>(-1)) {
                    engine.pending_keys_.erase(known);
                } else {
                    known->second = at->second;
                }
            }
            engine.pending_.resize(size);
        }
    } guard{*this, pending_.size()};
    guard.before.reserve(made.size());
    if (pending_.capacity() - pending_.size() < made.size())
        pending_.reserve((std::max)(2 * pending_.size(), pending_.size() + made.size()));
    for (auto& each : made) {
        auto const place = pending_.size();
        auto const known = pending_keys_.find(each.given.key);
        guard.before.emplace_back(each.given.key,
            known == pending_keys_.end() ? static_cast<std::size_t>(-1) : known->second);
        pending_keys_[each.given.key] = place;
        pending_.push_back(std::move(each));
    }
    guard.done = true;
    for (auto const& [key, place] : guard.before) {
        if (place != static_cast<std::size_t>(-1)) pending_[place].replaced = true;
    }
}

TRAWL_INLINE void collection_engine::refit(
    std::string_view space, any_embedder embedder, progress const* report) {
    std::lock_guard const lock(writing_mutex_);
    require_writable("refit");
    if (!embedder) fail(errc::invalid_argument, "collection::refit: there is no embedder");
    if (!pending_keys_.empty() || !erased_keys_.empty()) {
        fail(errc::invalid_argument, "collection::refit: there are changes that are not committed; "
                                     "commit or roll back first");
    }
    auto const now = state();
    auto schema = std::make_shared<collection_schema>(*now->schema);
    auto const number = schema->space_number(space);
    auto& of = schema->spaces[number];
    of.dim = embedder.dim();
    of.fingerprint = embedder.fingerprint();
    of.embedder = std::move(embedder);
    auto next = now->moment;
    next.segments.clear();
    if (now->passages > 0) {
        new_segment made(*now, 0, now->segments.size(), false, options_.pool);
        made.embed_again(*now, number, *schema, report);
        section_writer writer(segment_kind, segment_version);
        made.add_to(writer, options_.pool);
        auto const segment = take_number(next);
        static_cast<void>(store_->write(segment, writer));
        next.segments.push_back({segment, made.rows(), 0, nullptr});
    }
    publish(std::move(next), schema);
    remove_unused();
}

TRAWL_INLINE void new_segment::embed_again(collection_state const& from, std::size_t space,
    collection_schema const& schema, any_embedder::progress const* report) {
    auto const dim = schema.spaces[space].dim;
    auto const metric = schema.spaces[space].metric;
    auto const& embedder = schema.spaces[space].embedder;
    auto const title_number = schema.text_number("title");
    flat_segment_builder fresh(dim, metric);
    constexpr std::size_t together = 1024;
    std::vector<std::string> texts;
    std::vector<doc_id> ids;
    std::vector<float> values;
    std::size_t done = 0;
    auto const embed = [&] {
        std::vector<std::string_view> const views(texts.begin(), texts.end());
        values.resize(texts.size() * dim);
        embedder.embed_all(
            views, text_role::passage, matrix_view<float>{values.data(), texts.size(), dim});
        for (std::size_t i = 0; i < ids.size(); ++i)
            fresh.add(ids[i], std::span(values).subspan(i * dim, dim));
        done += ids.size();
        if (report != nullptr) (*report)(done, rows());
        texts.clear();
        ids.clear();
    };
    for (std::size_t i = 0; i < from.segments.size(); ++i) {
        auto const& segment = *from.segments[i];
        for (std::uint32_t row = 0; row < segment.rows(); ++row) {
            if (!from.is_live({i, row})) continue;
            auto const document = segment.documents.document_of(row);
            auto const title = title_number < schema.texts()
                                   ? segment.documents.text(document, title_number)
                                   : std::string_view();
            texts.push_back(embedded_text(title, segment.documents.passage(row)));
            ids.push_back(segment.id(row));
            if (texts.size() == together) embed();
        }
    }
    if (!texts.empty()) embed();
    vectors_[space] = std::move(fresh);
    documents_.forget_given_vectors(space);
}

} // namespace detail
TRAWL_END_NAMESPACE
