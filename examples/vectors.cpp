// SPDX-License-Identifier: MIT
// The same vectors in five indexes: what each takes, and what it finds; documents of many vectors.
// docs/vectors.md explains the choice.
#include <cstddef>
#include <cstdio>
#include <random>
#include <vector>

#include <trawl/core/matrix.hpp>
#include <trawl/dense/flat_index.hpp>
#include <trawl/dense/inverted_file_index.hpp>
#include <trawl/dense/maxsim_index.hpp>
#include <trawl/dense/quantised_index.hpp>

namespace {

// Vectors round 20 centres; yours come from an embedding model.
trawl::matrix<float> some_vectors(std::size_t rows, std::size_t dim) {
    std::mt19937 random(1);
    auto const uniform = [&] { return static_cast<float>(random()) / 4294967296.0f; };
    std::vector<float> centres(20 * dim);
    for (auto& v : centres) v = uniform() - 0.4f;
    trawl::matrix<float> made{std::vector<float>(rows * dim), rows, dim};
    for (std::size_t i = 0; i < rows; ++i) {
        auto const c = random() % 20;
        for (std::size_t d = 0; d < dim; ++d)
            made.values[i * dim + d] = centres[c * dim + d] + uniform() - 0.5f;
    }
    return made;
}

} // namespace

int main() {
    auto const vectors = some_vectors(2000, 384);
    trawl::matrix_view<float const> const queries{vectors.values.data(), 20, 384};
    auto const q = queries.row(0);

    // -- build
    trawl::flat_index exact(384);
    trawl::bfloat16_index half(384);
    trawl::int8_index bytes(384);
    trawl::one_bit_index bits(384, {.candidates = 100});
    exact.add_all(vectors.view()); // [n x 384], or one by one
    half.add_all(vectors.view());
    bytes.add_all(vectors.view());
    bits.add_all(vectors.view());
    // -- end
    std::printf(
        "exact: document %u, then %u\n", exact.search(q, 2)[0].id, exact.search(q, 2)[1].id);
    std::printf(
        "bfloat16: document %u, then %u\n", half.search(q, 2)[0].id, half.search(q, 2)[1].id);

    // -- recall
    std::printf("int8: recall %.3f\n", bytes.recall(queries, 10));
    std::printf("1 bit: recall %.3f\n", bits.recall(queries, 10));
    // -- end

    // -- lists
    trawl::inverted_file_index lists(384, {.probes = 4});
    lists.add_all(vectors.view());
    lists.train(40); // or train(): the square root of the number of documents
    std::printf("4 of 40 lists: recall %.3f\n", lists.recall(queries, 10));
    lists.set_probes(8);
    std::printf("8 of 40 lists: recall %.3f\n", lists.recall(queries, 10));
    // -- end

    // -- filter
    trawl::doc_set even(2000);
    for (trawl::doc_id id = 0; id < 2000; id += 2) even.insert(id);
    std::printf("even documents: %zu found\n", bits.search(q, 10, even).size());
    // -- end

    // -- change
    exact.update(7, q); // now another copy of document 0
    exact.erase(0);
    exact.compact();
    std::printf("then: document %u\n", exact.search(q, 1)[0].id);
    // -- end

    // -- tokens
    trawl::maxsim_index tokens(384); // a document is a matrix, a vector a token
    for (std::size_t first = 0; first < 2000; first += 50)
        tokens.add(trawl::matrix_view<float const>{vectors.values.data() + first * 384, 50, 384});
    trawl::query const asked{.token_vectors = {vectors.values.data() + 510 * 384, 3, 384}};
    std::printf("tokens: document %u\n", tokens.search(asked, {.k = 1})[0].id);
    // -- end
}
