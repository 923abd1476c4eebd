// SPDX-License-Identifier: MIT
#include "support/stored_cross_encoder.hpp"

#include <string>

#include <trawl/error.hpp>
#include <trawl/formats/npy.hpp>

namespace learn {

stored_cross_encoder::stored_cross_encoder(corpus const& c)
    : corpus_(c),
      logits_(trawl::read_npy(corpus::default_folder() + "/cross_encoder_logits.npy")) {}

void stored_cross_encoder::operator()(
    trawl::query const& q, std::span<trawl::candidate const> batch, std::span<float> out) const {
    std::size_t row = 0;
    while (row < logits_.rows && corpus_.questions[row].text != q.text) ++row;
    if (row == logits_.rows) {
        throw trawl::error(
            trawl::errc::unknown_id, "there are no logits for the question " + std::string(q.text));
    }
    auto const logits = logits_.view().row(row);
    for (std::size_t i = 0; i < batch.size(); ++i) out[i] = logits[batch[i].id];
}

} // namespace learn
