// SPDX-License-Identifier: MIT
#pragma once

/// Documents and questions like those of a text collection, the same on every machine.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <trawl/detail/random.hpp>

namespace bench {

/// Draws i with probability weights[i] / their sum, in O(1).
/// @par Source Vose, "A linear algorithm for generating random numbers with a given distribution",
/// 1991.
class alias_table {
public:
    explicit alias_table(std::vector<double> weights)
        : keep_(std::move(weights)), other_(keep_.size()) {
        double total = 0;
        for (double const weight : keep_) total += weight;
        std::vector<std::uint32_t> below;
        std::vector<std::uint32_t> above;
        for (std::uint32_t i = 0; i < keep_.size(); ++i) {
            keep_[i] *= static_cast<double>(keep_.size()) / total;
            other_[i] = i;
            (keep_[i] < 1 ? below : above).push_back(i);
        }
        while (!below.empty() && !above.empty()) {
            auto const poor = below.back();
            below.pop_back();
            auto const rich = above.back();
            other_[poor] = rich;
            keep_[rich] -= 1 - keep_[poor];
            if (keep_[rich] < 1) {
                above.pop_back();
                below.push_back(rich);
            }
        }
        for (auto const i : above) keep_[i] = 1;
        for (auto const i : below) keep_[i] = 1;
    }

    [[nodiscard]] std::uint32_t operator()(trawl::detail::random& random) const {
        auto const i = static_cast<std::uint32_t>(random.below(keep_.size()));
        return random.uniform() < keep_[i] ? i : other_[i];
    }

private:
    std::vector<double> keep_;
    std::vector<std::uint32_t> other_;
};

/// A collection of words t0, t1, … in the order of their frequency: Zipf and Mandelbrot's p(r) ~ (r
/// + 3.7)^-1.07 from r = 0; lengths lognormal, 60 on average, sigma .6, within [3, 1000]. Each
/// document has one of 2000 topics of 1500 words beyond the 150 most frequent; a word repeats an
/// earlier one of the document (10 %), comes from the topic (25 %) or from all. A question is two
/// to six different words of one document.
struct zipf_collection {
    std::vector<std::string> words = {};
    std::vector<std::vector<std::uint32_t>> documents = {};
    std::vector<std::vector<std::uint32_t>> questions = {};
};

[[nodiscard]] inline zipf_collection make_zipf(
    std::size_t documents, std::size_t vocabulary, std::size_t questions, std::uint64_t seed) {
    trawl::detail::random random(seed);
    std::vector<double> weights(vocabulary);
    for (std::size_t r = 0; r < vocabulary; ++r)
        weights[r] = std::pow(static_cast<double>(r) + 3.7, -1.07);
    alias_table const any(std::move(weights));

    constexpr std::size_t topic_words = 1500;
    std::vector<std::vector<std::uint32_t>> topics(2000);
    for (auto& topic : topics) {
        while (topic.size() < topic_words) {
            if (auto const word = any(random); word >= 150) topic.push_back(word);
        }
    }
    std::vector<double> inverse(topic_words);
    for (std::size_t r = 0; r < topic_words; ++r) inverse[r] = 1 / (static_cast<double>(r) + 1);
    alias_table const of_topic(std::move(inverse));

    zipf_collection made;
    for (std::size_t r = 0; r < vocabulary; ++r) made.words.push_back("t" + std::to_string(r));
    for (std::size_t i = 0; i < documents; ++i) {
        auto const wanted = std::exp(std::log(60.0) - 0.18 + 0.6 * random.normal());
        auto const length = static_cast<std::size_t>(std::clamp(std::round(wanted), 3.0, 1000.0));
        auto const& topic = topics[random.below(topics.size())];
        std::vector<std::uint32_t> document;
        while (document.size() < length) {
            auto const source = random.uniform();
            if (!document.empty() && source < 0.1) {
                document.push_back(document[random.below(document.size())]);
            } else {
                document.push_back(source < 0.35 ? topic[of_topic(random)] : any(random));
            }
        }
        if (made.questions.size() < questions
            && i * questions / documents >= made.questions.size()) {
            auto asked = document;
            std::sort(asked.begin(), asked.end());
            asked.erase(std::unique(asked.begin(), asked.end()), asked.end());
            random.shuffle(std::span(asked));
            asked.resize((std::min)(asked.size(), std::size_t{2} + random.below(5)));
            made.questions.push_back(std::move(asked));
        }
        made.documents.push_back(std::move(document));
    }
    return made;
}

} // namespace bench
