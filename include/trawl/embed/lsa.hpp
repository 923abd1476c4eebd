// SPDX-License-Identifier: MIT
#pragma once

/// An embedder that needs no model file: latent semantic analysis, fitted on texts of the caller.
/// Words that occur together with the same words get similar vectors. Needs Eigen.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Jacobi>
#include <Eigen/SparseCore>

#include <trawl/core/concepts.hpp>
#include <trawl/core/key_table.hpp>
#include <trawl/core/matrix_view.hpp>
#include <trawl/core/words.hpp>
#include <trawl/detail/random.hpp>
#include <trawl/error.hpp>
#include <trawl/storage/checksum.hpp>
#include <trawl/text/analyzed_sample.hpp>
#include <trawl/text/analyzers/standard_analyzer.hpp>

TRAWL_BEGIN_NAMESPACE

struct lsa_options {
    std::size_t dim = 128; ///< values of an embedding, >= 1
    /// terms that occur in fewer texts are ignored, as they relate no two texts
    std::size_t least_df = 2;
    std::size_t power_iterations = 2; ///< more come closer to the exact decomposition
    std::size_t oversampling = 10;    ///< directions computed in addition to the dim that are kept
    std::uint64_t seed = 1;
};

namespace detail {

/// How indexes are opened: storage/open.hpp.
template <class Index>
struct stored;

/// Replaces the columns by an orthonormal basis of their span, by descending singular value, and
/// returns the singular values. A column whose singular value is below a millionth of the largest
/// becomes 0. Uses the eigenvectors of the Gram matrix (cyclic Jacobi), which compile in a third of
/// the time of a QR decomposition.
inline std::vector<double> orthonormalise(Eigen::MatrixXd& columns) {
    using index = Eigen::Index;
    auto const n = columns.cols();
    Eigen::MatrixXd gram(n, n);
    gram.noalias() = columns.transpose() * columns;
    Eigen::MatrixXd vectors = Eigen::MatrixXd::Identity(n, n);
    auto const negligible = 1e-20 * gram.trace();
    for (bool turned = true; turned;) {
        turned = false;
        for (index p = 0; p < n; ++p) {
            for (index q = p + 1; q < n; ++q) {
                auto const together = std::abs(gram(p, q));
                if (together <= negligible + 1e-15 * std::sqrt(std::abs(gram(p, p) * gram(q, q))))
                    continue;
                Eigen::JacobiRotation<double> rotation;
                rotation.makeJacobi(gram, p, q);
                gram.applyOnTheLeft(p, q, rotation.adjoint());
                gram.applyOnTheRight(p, q, rotation);
                vectors.applyOnTheRight(p, q, rotation);
                gram(p, q) = gram(q, p) = 0;
                turned = true;
            }
        }
    }

    std::vector<index> order(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<index>(i);
    std::sort(order.begin(), order.end(), [&](index a, index b) {
        return gram(a, a) != gram(b, b) ? gram(a, a) > gram(b, b) : a < b;
    });

    Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(n, n);
    std::vector<double> values(order.size(), 0.0);
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const squared = gram(order[i], order[i]);
        if (!(squared > 1e-12 * gram(order[0], order[0]))) break;
        values[i] = std::sqrt(squared);
        turn.col(static_cast<index>(i)) = vectors.col(order[i]) / values[i];
    }
    Eigen::MatrixXd basis(columns.rows(), n);
    basis.noalias() = columns * turn;
    columns.swap(basis);
    return values;
}

// If a program compiles Eigen with OpenMP, sums of Eigen depend on the number of threads.
class one_eigen_thread {
public:
#ifdef EIGEN_HAS_OPENMP
    one_eigen_thread() : before_(Eigen::nbThreads()) { Eigen::setNbThreads(1); }
    one_eigen_thread(one_eigen_thread const&) = delete;
    one_eigen_thread& operator=(one_eigen_thread const&) = delete;
    ~one_eigen_thread() { Eigen::setNbThreads(before_); }

private:
    int before_;
#endif
};

/// The right singular vectors of a sparse matrix as columns, by descending singular value; at most
/// options.dim + options.oversampling of them.
/// @par Source Halko, Martinsson, Tropp, "Finding structure with randomness", SIAM Review 53(2),
/// 2011, algorithm 4.4 (randomised subspace iteration), section 5.1.
inline Eigen::MatrixXd right_singular_vectors(
    Eigen::SparseMatrix<double, Eigen::RowMajor> const& matrix, lsa_options const& options) {
    [[maybe_unused]] one_eigen_thread const guard;
    auto const width = (std::min)({static_cast<Eigen::Index>(options.dim + options.oversampling),
        matrix.rows(), matrix.cols()});
    random numbers(options.seed);
    Eigen::MatrixXd right(matrix.cols(), width);
    for (auto& value : right.reshaped()) value = numbers.normal();
    Eigen::MatrixXd left;
    for (std::size_t i = 0; i <= options.power_iterations; ++i) {
        left = matrix * right;
        orthonormalise(left);
        right = matrix.transpose() * left;
        orthonormalise(right);
    }
    return right;
}

} // namespace detail

/// Latent semantic analysis. A text is the vector of its terms, each weighted (1 + ln tf) * ln((1 +
/// N) / df) and the whole scaled to unit length. An embedding is the projection of that vector on
/// the first right singular vectors of the matrix of the texts it was fitted on. The cosine of two
/// embeddings is the similarity of their topics. Queries and passages are embedded alike.
///
/// The default analyzer is standard_analyzer, for any language in Latin script. For English,
/// `basic_lsa_embedder<english_analyzer>` finds more, because it reduces inflected forms.
///
/// Memory: dim + 1 floats for each term, and the terms themselves. The same texts, options and seed
/// give the same embedder. Its bits may differ between compilers, flags and versions of Eigen.
/// @par Source Deerwester and others, "Indexing by latent semantic analysis", JASIS 41(6), 1990.
template <analyzer Analyzer = standard_analyzer>
class basic_lsa_embedder {
public:
    /// Fits an embedder on texts. Texts without a usable term are allowed.
    /// @throws trawl::error (invalid_argument) if there are no texts, dim is 0, or no term occurs
    /// in least_df texts.
    /// @par Complexity O(p z l + p (n + v) l^2) time, O(z + (n + v) l) space: n texts, v terms, z
    /// different terms summed over the texts, l = dim + oversampling, p = 2 * (power_iterations +
    /// 1).
    [[nodiscard]] static basic_lsa_embedder fit(std::span<std::string_view const> texts,
        lsa_options const& options = {}, Analyzer analyzer = {}) {
        if (texts.empty())
            detail::fail(errc::invalid_argument, "lsa_embedder::fit: there are no texts");
        if (options.dim == 0)
            detail::fail(errc::invalid_argument, "lsa_embedder::fit: dim is 0, must be > 0");
        basic_lsa_embedder result(std::move(analyzer), options.dim);
        result.project(result.weigh(texts, options), options);
        return result;
    }

    [[nodiscard]] std::size_t dim() const noexcept { return dim_; }

    /// The number of terms.
    [[nodiscard]] std::size_t terms() const noexcept { return weights_.size(); }

    /// A checksum of everything that decides an embedding: what the analyzer makes of a sample text,
    /// the terms with their weights, and the projection. Embedders with the same one give the same
    /// embeddings in programs compiled alike; saved and opened, an embedder keeps it.
    /// @par Complexity O(terms * dim).
    [[nodiscard]] std::uint64_t fingerprint() const {
        std::uint64_t terms_seen = 0;
        for (term_id term = 0; term < terms_.next_id(); ++term) {
            auto const text = terms_.key(term);
            std::uint64_t const chain[] = {terms_seen, checksum(std::as_bytes(std::span(text)))};
            terms_seen = checksum(std::as_bytes(std::span(chain)));
        }
        std::uint64_t const parts[] = {fingerprint_version, analyzer_fingerprint(), dim_,
            terms_seen, checksum(std::as_bytes(std::span(weights_))),
            checksum(std::as_bytes(std::span(projection_)))};
        return checksum(std::as_bytes(std::span(parts)));
    }

    /// Embeds texts as rows of unit length. A row is zero if its text has no known term, or only
    /// terms without a component in the kept directions. A row depends on its own text alone.
    /// @param out  [texts x dim]
    /// @throws trawl::error (dimension_mismatch) if out has another shape.
    void embed(
        std::span<std::string_view const> texts, text_role /*role*/, matrix_view<float> out) const {
        if (out.rows != texts.size() || out.cols != dim_) {
            detail::fail(errc::dimension_mismatch,
                detail::join("lsa_embedder::embed: out is ", out.rows, " x ", out.cols,
                    ", must be ", texts.size(), " x ", dim_));
        }
        std::vector<double> sum(dim_);
        for (std::size_t i = 0; i < texts.size(); ++i) embed_one(texts[i], sum, out.row(i));
    }

private:
    friend struct detail::stored<basic_lsa_embedder>;

    /// Changes whenever the same terms, weights and projection give other embeddings.
    static constexpr std::uint64_t fingerprint_version = 1;

    [[nodiscard]] std::uint64_t analyzer_fingerprint() const {
        auto const made = analyzed_sample(analyzer_);
        return checksum(std::as_bytes(std::span(made)));
    }

    using term_id = doc_id; // as key_table numbers them
    using sparse_matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

    struct part {
        term_id term = 0;
        double weight = 0;
    };

    basic_lsa_embedder(Analyzer analyzer, std::size_t dim)
        : analyzer_(std::move(analyzer)), dim_(dim) {}

    // The terms of a text, ascending, each with 1 + ln tf. `lookup` returns the id of a term, or
    // none to skip the term.
    template <class Lookup>
    [[nodiscard]] std::vector<part> count(std::string_view text, Lookup&& lookup) const {
        std::vector<term_id> ids;
        auto const collect = [&](token const& t) {
            if (auto const id = lookup(t.term); id != none) ids.push_back(id);
        };
        analyzer_.analyze(text, collect);
        std::sort(ids.begin(), ids.end());
        std::vector<part> parts;
        for (auto first = ids.begin(); first != ids.end();) {
            auto const last = std::upper_bound(first, ids.end(), *first);
            parts.push_back({*first, 1.0 + std::log(static_cast<double>(last - first))});
            first = last;
        }
        return parts;
    }

    // Collects the terms and their weights. Returns the weighted texts, each of unit length or
    // empty.
    [[nodiscard]] sparse_matrix weigh(
        std::span<std::string_view const> texts, lsa_options const& options) {
        std::vector<part> parts; // of all texts, one after the other
        std::vector<std::size_t> ends;
        key_table all;
        auto const learn = [&](std::string_view term) {
            auto const known = all.find(term);
            return known ? *known : all.add(term);
        };
        for (auto const text : texts) {
            auto const counted = count(text, learn);
            parts.insert(parts.end(), counted.begin(), counted.end());
            ends.push_back(parts.size());
        }

        auto const renumbered = keep_frequent(all, parts, texts.size(), options.least_df);

        sparse_matrix matrix(
            static_cast<Eigen::Index>(texts.size()), static_cast<Eigen::Index>(terms()));
        matrix.reserve(static_cast<Eigen::Index>(parts.size()));
        for (std::size_t i = 0, p = 0; i < ends.size(); ++i) {
            auto const row = static_cast<Eigen::Index>(i);
            matrix.startVec(row);
            double squares = 0;
            for (; p < ends[i]; ++p) {
                auto const term = renumbered[parts[p].term];
                if (term == none) continue;
                auto const weight = parts[p].weight * weights_[term];
                squares += weight * weight;
                matrix.insertBack(row, static_cast<Eigen::Index>(term)) = weight;
            }
            if (squares > 0) matrix.row(row) /= std::sqrt(squares);
        }
        matrix.finalize();
        return matrix;
    }

    // Keeps the terms that are frequent enough, weights them, and returns the new id of each. The
    // order stays.
    [[nodiscard]] std::vector<term_id> keep_frequent(key_table const& all,
        std::span<part const> parts, std::size_t texts, std::size_t least_df) {
        std::vector<std::size_t> df(all.size());
        for (auto const& p : parts) ++df[p.term];
        std::vector<term_id> renumbered(all.size(), none);
        for (term_id term = 0; term < all.next_id(); ++term) {
            if (df[term] < least_df) continue;
            renumbered[term] = terms_.add(all.key(term));
            weights_.push_back(
                std::log((1.0 + static_cast<double>(texts)) / static_cast<double>(df[term])));
        }
        if (weights_.empty()) {
            detail::fail(errc::invalid_argument,
                detail::join("lsa_embedder::fit: none of the ", all.size(), " terms of ", texts,
                    " texts occurs in at least least_df = ", least_df, " of them"));
        }
        return renumbered;
    }

    void project(sparse_matrix const& matrix, lsa_options const& options) {
        auto const vectors = detail::right_singular_vectors(matrix, options);
        auto const kept = (std::min)(dim_, static_cast<std::size_t>(vectors.cols()));
        projection_.assign(terms() * dim_, 0.0f);
        for (std::size_t t = 0; t < terms(); ++t) {
            for (std::size_t j = 0; j < kept; ++j) {
                projection_[t * dim_ + j] = static_cast<float>(
                    vectors(static_cast<Eigen::Index>(t), static_cast<Eigen::Index>(j)));
            }
        }
    }

    void embed_one(std::string_view text, std::vector<double>& sum, std::span<float> out) const {
        auto const known = [&](std::string_view term) { return terms_.find(term).value_or(none); };
        std::fill(sum.begin(), sum.end(), 0.0);
        double before = 0;
        for (auto const& p : count(text, known)) {
            auto const weight = p.weight * weights_[p.term];
            before += weight * weight;
            auto const* const row = projection_.data() + std::size_t{p.term} * dim_;
            for (std::size_t j = 0; j < dim_; ++j) sum[j] += weight * static_cast<double>(row[j]);
        }
        double after = 0;
        for (auto const value : sum) after += value * value;
        // A length below a millionth of the text's own is rounding error; its direction means
        // nothing.
        auto const scale = after > 1e-12 * before ? 1.0 / std::sqrt(after) : 0.0;
        for (std::size_t j = 0; j < dim_; ++j) out[j] = static_cast<float>(sum[j] * scale);
    }

    static constexpr term_id none = no_doc;

    Analyzer analyzer_;
    std::size_t dim_;
    key_table terms_;
    std::vector<double> weights_;   // by term
    std::vector<float> projection_; // [terms x dim]
};

using lsa_embedder = basic_lsa_embedder<>;

static_assert(embedder<lsa_embedder>);

TRAWL_END_NAMESPACE
