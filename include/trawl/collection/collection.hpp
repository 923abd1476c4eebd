// SPDX-License-Identifier: MIT
#pragma once

/// A collection of documents: put them, commit, ask. Texts, metadata and vectors are one thing, in
/// one directory.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <trawl/collection/condition.hpp>
#include <trawl/collection/document.hpp>
#include <trawl/collection/options.hpp>
#include <trawl/collection/search.hpp>
#include <trawl/collection/view.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/embed/any_embedder.hpp>

TRAWL_BEGIN_NAMESPACE

/// Documents that survive: each with a key of the caller's, texts, metadata and vectors.
///
///     auto notes = trawl::collection::open("notes.trawl",
///         {.fields = {{"version", trawl::text_field}, {"date", trawl::date_field}}});
///     notes.put({.key = "guide.md", .title = "Guide", .text = markdown, .metadata = {{"version", "3.1"}}});
///     notes.commit();
///     for (auto const& hit : notes.search("refund for PROD-4817",
///              {.k = 5, .where = trawl::field("version") == "3.1", .per_parent = 1}))
///         std::printf("%s  %s\n", hit.key.c_str(), hit.snippet.c_str());
///
/// *Changes.* put and erase prepare changes; commit makes all of them seen, at once, in words,
/// vectors and metadata alike. Searches see what is committed. A commit is durable: after it, a
/// killed process or a power failure loses nothing of it, and one that did not return is there whole
/// or not at all. A member that throws has changed nothing, unless it says otherwise.
///
/// *Threads and processes.* Any number of threads may call any member at once; changes wait for each
/// other, searches for no one. One process writes, holding a lock; any number of others may open the
/// directory with .read_only and see the newest commit when they call refresh().
class collection {
public:
    /// Called as report(done, all) after each batch of texts that is embedded.
    using progress = any_embedder::progress;

    /// Opens the collection in a directory, or makes one there.
    /// @throws trawl::error (io), its text beginning "PATH", if the directory cannot be read or
    /// written, or another process writes; (corrupt) for damaged files; (invalid_argument) for options
    /// that contradict each other or what is stored: another analyzer, embedder, dimension or type.
    /// @par Complexity  O(segments + vectors); texts, lists and vectors are mapped.
    [[nodiscard]] static collection open(
        std::string const& path, collection_options const& options = {});

    /// The same without a directory: gone with the object.
    [[nodiscard]] static collection in_memory(collection_options const& options = {});

    collection(collection&&) noexcept;
    collection& operator=(collection&&) noexcept;
    collection(collection const&) = delete;
    collection& operator=(collection const&) = delete;
    ~collection();

    /// Inserts a document, or replaces the one of its key, with all of its passages. It is checked, cut
    /// into passages and embedded now, and is found after commit().
    /// @throws trawl::error, naming the document's key and what is wrong with it; what the embedder
    /// throws.
    void put(document given);

    /// Puts documents, all or none; of two with the same key, the last.
    void put_all(std::vector<document> documents);
    void put_all(std::vector<document> documents, progress report);

    /// Erases a document.
    /// @return false if there is none of this key.
    bool erase(std::string_view key);

    /// Erases the documents for which a condition is true, those that are put and not committed too.
    /// @return how many.
    /// @throws trawl::error as validate(where, fields()).
    std::size_t erase(condition const& where);

    /// How many documents are put or erased and not committed.
    [[nodiscard]] std::size_t pending() const;

    /// Makes what was put and erased seen and durable, in one step; then merges small segments, up to
    /// 65536 rows, unless .merge_on_commit is false or maintain() is at it.
    /// @throws trawl::error (io): then the changes are still pending and the last commit is current,
    /// unless the text says that the file has been replaced; what the analyzer throws.
    /// @par Complexity  O(what is pending), and O(rows / 64) of each segment of which something is
    /// erased; amortised O(log documents) times that for merges.
    void commit();

    /// Forgets what is not committed.
    void rollback();

    /// Merges all segments into one: the smallest and fastest form, without the texts of erased
    /// documents and the words that no document holds.
    /// @param pool  whose threads help; null: that of the options.
    /// @par Complexity  O(bytes), of time, memory and disk.
    void compact(executor const* pool = nullptr);

    /// Makes the merges that are due, of any size, beside searches, puts and commits of other
    /// threads: for a thread in the background, together with .merge_on_commit = false. Changes wait
    /// only while the manifest is replaced. Segments of a size are merged eight at a time, and one of
    /// which more than half is erased is written anew; compact() does the rest.
    /// @param pool  whose threads help; null: that of the options.
    /// @return whether it merged anything; false also if another thread is merging.
    /// @throws trawl::error (io), and bad_alloc: the state stays as it was.
    /// @par Complexity  amortised O(log documents) for each document.
    bool maintain(executor const* pool = nullptr);

    /// Sees the newest commit of the process that writes. Snapshots stay as they are.
    /// @return whether there was one.
    bool refresh();

    /// Reads every byte of the files and checks it.
    /// @throws trawl::error (corrupt), naming the file and what is damaged.
    void verify() const;

    /// Embeds all passages anew, by another embedder, in one commit. Vectors that were given in this
    /// space are replaced too.
    /// @throws trawl::error (invalid_argument) if there are pending changes; (unknown_id) if there is
    /// no such space; what the embedder throws.
    void refit(std::string_view space, any_embedder embedder);
    void refit(std::string_view space, any_embedder embedder, progress report);

    /// All documents, as they are at each call.
    [[nodiscard]] collection_view const& all() const noexcept { return all_; }

    /// As the members of collection_view.
    [[nodiscard]] collection_result search(
        std::string_view text, collection_search_options const& options = {}) const {
        return all_.search(text, options);
    }
    [[nodiscard]] explanation explain(std::string_view text, std::string_view key,
        collection_search_options const& options = {}) const {
        return all_.explain(text, key, options);
    }
    [[nodiscard]] std::optional<document> get(std::string_view key) const { return all_.get(key); }
    [[nodiscard]] std::size_t size() const { return all_.size(); }
    [[nodiscard]] std::size_t passages() const { return all_.passages(); }
    [[nodiscard]] collection_view snapshot() const { return all_.snapshot(); }
    [[nodiscard]] collection_view view(condition where) const {
        return all_.view(std::move(where));
    }
    [[nodiscard]] std::vector<counted_term> completions(
        std::string_view prefix, std::size_t n = 10) const {
        return all_.completions(prefix, n);
    }
    [[nodiscard]] std::optional<std::string> corrected(std::string_view text) const {
        return all_.corrected(text);
    }
    [[nodiscard]] std::vector<metadata_field> fields() const { return all_.fields(); }

private:
    explicit collection(std::shared_ptr<detail::collection_engine> engine);

    std::shared_ptr<detail::collection_engine> engine_;
    collection_view all_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/collection/detail/collection_inl.hpp>
#endif
