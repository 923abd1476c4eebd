// SPDX-License-Identifier: MIT
#pragma once

/// The Snowball stemmers for many languages, from libstemmer. Link with -lstemmer (Debian:
/// libstemmer-dev).

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <libstemmer.h>

#include <trawl/error.hpp>
#include <trawl/text/token_filter.hpp>

TRAWL_BEGIN_NAMESPACE

/// Stems lower-case words of one language. Place folding after it, not before: the stemmer's rules
/// depend on accents. For the same reason, do not put it behind standard_analyzer, which folds.
///
///     composed_analyzer{word_analyzer{}, lower_case{}, snowball_stemmer{"german"}, folding{}}
///
/// Safe to call from any number of threads. A stemmer of libstemmer serves one thread at a time, so
/// calls take one from a pool and return it; the pool grows to the largest number of simultaneous
/// calls. Copies share the pool.
class snowball_stemmer {
public:
    static constexpr bool reduces_words = true; ///< see surface.hpp

    /// @param language  "german", "french", "porter", …; also their codes: "de", "deu"
    /// @throws trawl::error (invalid_argument) if libstemmer lacks the language; the message lists
    /// those it has.
    explicit snowball_stemmer(std::string_view language)
        : pool_(std::make_shared<pool>(std::string(language))) {
        auto first = pool_->make();
        if (!first) {
            std::string known;
            for (auto const* name = sb_stemmer_list(); *name != nullptr; ++name) {
                known.append(known.empty() ? "" : ", ").append(*name);
            }
            detail::fail(errc::invalid_argument,
                detail::join("snowball_stemmer: no language '", language, "', known are ", known));
        }
        pool_->put_back(std::move(first));
    }

    bool operator()(std::string& term) const {
        auto stemmer = pool_->take();
        auto const* const word = reinterpret_cast<sb_symbol const*>(term.data());
        auto const* const stem =
            sb_stemmer_stem(stemmer.get(), word, static_cast<int>(term.size()));
        if (stem == nullptr) throw_out_of_memory();
        term.assign(reinterpret_cast<char const*>(stem),
            static_cast<std::size_t>(sb_stemmer_length(stemmer.get())));
        pool_->put_back(std::move(stemmer));
        return true;
    }

private:
    struct deleter {
        void operator()(sb_stemmer* stemmer) const noexcept { sb_stemmer_delete(stemmer); }
    };
    using handle = std::unique_ptr<sb_stemmer, deleter>;

    class pool {
    public:
        explicit pool(std::string language) : language_(std::move(language)) {}

        [[nodiscard]] handle make() const {
            return handle(sb_stemmer_new(language_.c_str(), nullptr));
        }

        [[nodiscard]] handle take() {
            {
                std::lock_guard const lock(mutex_);
                if (!idle_.empty()) {
                    auto stemmer = std::move(idle_.back());
                    idle_.pop_back();
                    return stemmer;
                }
            }
            auto stemmer = make();
            if (!stemmer) throw_out_of_memory();
            return stemmer;
        }

        void put_back(handle stemmer) {
            std::lock_guard const lock(mutex_);
            idle_.push_back(std::move(stemmer));
        }

    private:
        std::string language_;
        std::mutex mutex_;
        std::vector<handle> idle_;
    };

    [[noreturn]] static void throw_out_of_memory() {
#if TRAWL_HAS_EXCEPTIONS
        throw std::bad_alloc();
#else
        TRAWL_ON_ERROR("snowball_stemmer: out of memory");
        std::abort();
#endif
    }

    std::shared_ptr<pool> pool_;
};

static_assert(token_filter<snowball_stemmer>);

TRAWL_END_NAMESPACE
