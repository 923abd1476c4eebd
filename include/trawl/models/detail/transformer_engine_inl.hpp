// SPDX-License-Identifier: MIT
#pragma once

/// The bodies of transformer_engine.hpp.

#include <trawl/models/detail/transformer_engine.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/detail/floating_point.hpp>
#include <trawl/detail/math.hpp>
#include <trawl/detail/simd/scalar/matrix_product.hpp>
#include <trawl/detail/simd/scalar/transformer.hpp>
#include <trawl/error.hpp>
#include <trawl/models/detail/activate.hpp>
#include <trawl/storage/checksum.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Tokens of texts that are encoded together, at most, unless one text alone has more: enough to use
/// the weights often, few enough that their states stay in a processor's second cache.
inline constexpr std::size_t tokens_of_group = 256;

/// Rows that a step computes before the next step reads them.
inline constexpr std::size_t rows_of_block = 128;

[[nodiscard]] inline bool is_distilbert(transformer_config const& config) noexcept {
    return config.type == model_type::distilbert;
}

TRAWL_INLINE spare_memory::~spare_memory() {
    for (auto& place : places_) delete place.load();
}

TRAWL_INLINE encoder_memory* spare_memory::take() {
    for (auto& place : places_) {
        if (auto* const found = place.exchange(nullptr); found != nullptr) return found;
    }
    return new encoder_memory;
}

TRAWL_INLINE void spare_memory::give_back(encoder_memory* memory) noexcept {
    for (auto& place : places_) {
        encoder_memory* none = nullptr;
        if (place.compare_exchange_strong(none, memory)) return;
    }
    delete memory;
}

[[nodiscard]] inline float_rows rows_in(
    buffer<float>& memory, std::size_t count, std::size_t width) {
    auto const stride = padded_width(width);
    if (memory.size() < count * stride) memory.resize(count * stride);
    return {memory.data(), stride, count};
}

// The prefix of tensors' names: models with a head have one.
[[nodiscard]] inline std::string prefix_of(safetensors const& file) {
    for (auto const* const prefix :
        {"", "bert.", "roberta.", "distilbert.", "model.", "encoder."}) {
        if (file.contains(std::string(prefix) + "embeddings.word_embeddings.weight")) return prefix;
    }
    fail(errc::corrupt,
        join(file.path(), ": there is no tensor embeddings.word_embeddings.weight, with or without"
                          " the prefix bert, roberta, distilbert, model or encoder"));
}

[[nodiscard]] inline buffer<float> floats_of(
    safetensors const& file, std::string const& name, std::span<std::size_t const> shape) {
    auto const tensor = file.floats(name, shape);
    buffer<float> made(tensor.size());
    copy_floats(tensor, {made.data(), made.size()});
    return made;
}

TRAWL_INLINE transformer_engine::transformer_engine(
    safetensors const& file, transformer_config const& config, weight_type weights)
    : run_(active_transformer_kernels()), file_(file), config_(config), weights_(weights) {
    if (config.type == model_type::model2vec)
        fail(errc::invalid_argument,
            join(file.path(), ": a static embedding has no encoder: open it as static_embedding"));
    if (config.hidden == 0 || config.heads == 0 || config.hidden % config.heads != 0
        || config.positions <= config.position_begin)
        fail(errc::invalid_argument,
            join("transformer: hidden is ", config.hidden, ", heads are ", config.heads,
                ", positions ", config.positions, " from ", config.position_begin,
                "; hidden must be a multiple of the heads, and there must be positions"));
    prefix_ = prefix_of(file);
    auto const hidden = config.hidden;
    std::size_t const word_shape[] = {config.vocabulary, hidden};
    words_ = file.floats(prefix_ + "embeddings.word_embeddings.weight", word_shape);
    if (words_.type != tensor_type::f32 && words_.type != tensor_type::f16
        && words_.type != tensor_type::bf16 && words_.type != tensor_type::f64)
        fail(errc::corrupt, join(file.path(), ": the word embeddings are ", name_of(words_.type),
                                ", must be floats"));
    std::size_t const position_shape[] = {config.positions, hidden};
    positions_ = floats_of(file, prefix_ + "embeddings.position_embeddings.weight", position_shape);
    if (config.token_types > 0) {
        std::size_t const type_shape[] = {config.token_types, hidden};
        types_ = floats_of(file, prefix_ + "embeddings.token_type_embeddings.weight", type_shape);
    }
    embedding_norm_ = read_norm(prefix_ + "embeddings.LayerNorm");
    read_layers();
    read_head();
}

TRAWL_INLINE transformer_engine::norm transformer_engine::read_norm(std::string const& name) const {
    std::size_t const shape[] = {config_.hidden};
    // Checkpoints of TensorFlow have gamma and beta.
    bool const old = !file_.contains(name + ".weight") && file_.contains(name + ".gamma");
    return {floats_of(file_, name + (old ? ".gamma" : ".weight"), shape),
        floats_of(file_, name + (old ? ".beta" : ".bias"), shape)};
}

TRAWL_INLINE linear_layer transformer_engine::read_linear(
    std::string const& name, std::size_t in, std::size_t out, weight_type type) const {
    std::string_view const names[] = {name};
    return {file_, names, in, out, type};
}

TRAWL_INLINE void transformer_engine::read_layers() {
    bool const distil = is_distilbert(config_);
    auto const hidden = config_.hidden;
    auto const inner = config_.intermediate;
    for (std::size_t i = 0; i < config_.layers; ++i) {
        auto const at = join(prefix_, distil ? "transformer.layer." : "encoder.layer.", i, ".");
        auto const self = at + (distil ? "attention." : "attention.self.");
        std::string const parts[] = {self + (distil ? "q_lin" : "query"),
            self + (distil ? "k_lin" : "key"), self + (distil ? "v_lin" : "value")};
        std::string_view const heads[] = {parts[0], parts[1], parts[2]};
        layer made;
        made.heads = {file_, heads, hidden, hidden, weights_};
        made.context = read_linear(at + (distil ? "attention.out_lin" : "attention.output.dense"),
            hidden, hidden, weights_);
        made.first = read_norm(at + (distil ? "sa_layer_norm" : "attention.output.LayerNorm"));
        made.up =
            read_linear(at + (distil ? "ffn.lin1" : "intermediate.dense"), hidden, inner, weights_);
        made.down =
            read_linear(at + (distil ? "ffn.lin2" : "output.dense"), inner, hidden, weights_);
        made.second = read_norm(at + (distil ? "output_layer_norm" : "output.LayerNorm"));
        layers_.push_back(std::move(made));
    }
}

TRAWL_INLINE void transformer_engine::read_head() {
    auto const hidden = config_.hidden;
    constexpr auto exact = weight_type::float32; // a row for each text: no time to be saved
    has_pooler_ = file_.contains(prefix_ + "pooler.dense.weight");
    if (has_pooler_) pooler_ = read_linear(prefix_ + "pooler.dense", hidden, hidden, exact);
    if (file_.contains("classifier.out_proj.weight")) { // RoBERTa
        before_head_ = read_linear("classifier.dense", hidden, hidden, exact);
        head_ = read_linear(
            "classifier.out_proj", hidden, file_.tensor("classifier.out_proj.bias").size(), exact);
    } else if (file_.contains("classifier.weight")) {
        if (is_distilbert(config_))
            before_head_ = read_linear("pre_classifier", hidden, hidden, exact);
        head_ = read_linear("classifier", hidden, file_.tensor("classifier.bias").size(), exact);
    }
}

TRAWL_INLINE std::uint64_t transformer_engine::fingerprint() const {
    constexpr std::uint64_t version = 1; // changes whenever the same weights give other outputs
    std::uint64_t seen = 0;
    for (auto const& name : file_.names()) {
        auto const tensor = file_.tensor(name);
        std::uint64_t const chain[] = {seen, checksum(std::as_bytes(std::span(name))),
            checksum(std::as_bytes(tensor.shape)), static_cast<std::uint64_t>(tensor.type),
            checksum(tensor.bytes)};
        seen = checksum(std::as_bytes(std::span(chain)));
    }
    std::uint64_t const parts[] = {version, seen, static_cast<std::uint64_t>(config_.type),
        config_.hidden, config_.layers, config_.heads, config_.position_begin,
        static_cast<std::uint64_t>(config_.act),
        std::bit_cast<std::uint32_t>(config_.layer_norm_epsilon),
        static_cast<std::uint64_t>(weights_)};
    return checksum(std::as_bytes(std::span(parts)));
}

TRAWL_INLINE void transformer_engine::check(token_encoding const& text, std::size_t place) const {
    if (text.size() > config_.max_tokens())
        fail(errc::invalid_argument,
            join("transformer: text ", place, " has ", text.size(),
                " tokens, the model has positions for ", config_.max_tokens()));
    for (auto const id : text.ids) {
        if (id >= config_.vocabulary)
            fail(errc::invalid_argument,
                join("transformer: text ", place, " has token ", id, ", the model has ",
                    config_.vocabulary, " word embeddings"));
    }
    if (config_.token_types == 0) return;
    for (auto const type : text.types) {
        if (type >= config_.token_types)
            fail(errc::invalid_argument, join("transformer: text ", place, " has token type ", type,
                                             ", the model has ", config_.token_types));
    }
}

TRAWL_INLINE void transformer_engine::encode(
    std::span<token_encoding const> texts, receiver use, executor const* pool) const {
    for (std::size_t i = 0; i < texts.size(); ++i) check(texts[i], i);
    std::size_t all = 0;
    buffer<std::size_t> order(texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        order[i] = i;
        all += texts[i].size();
    }
    // Long texts first, so that threads end at about the same time.
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return texts[a].size() > texts[b].size(); });
    auto const threads = pool == nullptr ? 1 : pool->concurrency();
    auto const most = (std::min)(tokens_of_group, all / (2 * threads) + 1);
    buffer<std::size_t> ends; // of groups, in `order`
    std::size_t tokens = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const more = texts[order[i]].size();
        if (tokens > 0 && tokens + more > most) {
            ends.push_back(i);
            tokens = 0;
        }
        tokens += more;
    }
    if (!order.empty()) ends.push_back(order.size());

    // Where there are too few groups for all threads, threads share the rows of a group.
    auto const parts_of = [&](group const& which) {
        constexpr std::size_t least_rows = 8; // fewer wait for the weights
        return ends.size() >= 2 * threads
                   ? std::size_t{1}
                   : (std::clamp)(which.begins.back() / least_rows, std::size_t{1}, threads);
    };
    std::atomic<std::size_t> next = 0;
    auto const work = [&](std::size_t) {
        borrowed_memory const borrowed(spare_);
        auto& memory = *borrowed;
        for (auto g = next.fetch_add(1); g < ends.size(); g = next.fetch_add(1)) {
            auto const first = g == 0 ? 0 : ends[g - 1];
            group which{{order.data() + first, ends[g] - first}, {}};
            which.begins.push_back(0);
            for (auto const text : which.texts)
                which.begins.push_back(which.begins.back() + texts[text].size());
            encode_group(texts, which, memory, {pool, parts_of(which)}, nullptr);
            auto const hidden = config_.hidden;
            auto const stride = padded_width(hidden);
            memory.compact.resize(which.begins.back() * hidden);
            for (std::size_t i = 0; i < which.texts.size(); ++i) {
                auto const rows = which.begins[i + 1] - which.begins[i];
                for (std::size_t r = 0; r < rows; ++r)
                    std::memcpy(memory.compact.data() + r * hidden,
                        memory.states.data() + (which.begins[i] + r) * stride,
                        hidden * sizeof(float));
                use(which.texts[i], {memory.compact.data(), rows, hidden});
            }
        }
    };
    run_tasks(pool, (std::min)(threads, ends.size()), work);
}

TRAWL_INLINE void transformer_engine::encode_layers(
    token_encoding const& text, layer_receiver use) const {
    check(text, 0);
    std::size_t const only[] = {0};
    group which{only, {}};
    which.begins.push_back(0);
    which.begins.push_back(text.size());
    borrowed_memory const memory(spare_);
    encode_group({&text, 1}, which, *memory, {nullptr, 1}, &use);
}

TRAWL_INLINE void transformer_engine::report(
    float_rows states, encoder_memory& memory, std::size_t place, layer_receiver const& use) const {
    auto const hidden = config_.hidden;
    memory.compact.resize(states.count * hidden);
    for (std::size_t r = 0; r < states.count; ++r)
        std::memcpy(memory.compact.data() + r * hidden, states.row(r), hidden * sizeof(float));
    use(place, {memory.compact.data(), states.count, hidden});
}

// What a layer computes of a token needs other tokens only in the attention, and of them only keys
// and values. So a thread that has some of the rows goes from the attention of a layer to the keys
// and values of the next one without waiting for the others, who may still read those of this one.
TRAWL_INLINE void transformer_engine::encode_group(std::span<token_encoding const> texts,
    group const& which, encoder_memory& memory, parallel_rows split,
    layer_receiver const* each) const {
    auto const tokens = which.begins.back();
    auto const hidden = config_.hidden;
    group_rows const rows{rows_in(memory.states, tokens, hidden),
        rows_in(memory.results, tokens, hidden), rows_in(memory.heads, tokens, 3 * hidden),
        rows_in(memory.context, tokens, hidden)};
    for (std::size_t i = 0; i < which.texts.size(); ++i)
        embed(texts[which.texts[i]],
            rows.states.from(which.begins[i], which.begins[i + 1] - which.begins[i]));
    if (each != nullptr) report(rows.states, memory, 0, *each);
    auto const next_heads =
        split.parts == 1 ? rows.heads : rows_in(memory.next_heads, tokens, 3 * hidden);
    auto const compute = [&](std::size_t stage, std::size_t first, std::size_t count,
                             encoder_memory& own) {
        auto now = rows;
        now.heads = stage % 2 == 0 ? rows.heads : next_heads; // of the layer before
        auto const then = stage % 2 == 0 ? next_heads : rows.heads;
        if (stage > 0) finish_layer(layers_[stage - 1], which, now, first, count, own);
        if (stage < layers_.size())
            layers_[stage].heads.apply(
                run_, rows.states.from(first, count), then.from(first, count), own.bytes);
    };
    for (std::size_t stage = 0; stage <= layers_.size(); ++stage) {
        if (split.parts == 1) {
            compute(stage, 0, tokens, memory);
        } else {
            auto const part = [&](std::size_t i) {
                borrowed_memory const own(spare_);
                auto const first = i * tokens / split.parts;
                compute(stage, first, (i + 1) * tokens / split.parts - first, *own);
            };
            run_tasks(split.pool, split.parts, part);
        }
        if (each != nullptr && stage > 0) report(rows.states, memory, stage, *each);
    }
}

// The attention and the feed-forward part of a layer for some rows of a group.
TRAWL_INLINE void transformer_engine::finish_layer(layer const& with, group const& which,
    group_rows const& rows, std::size_t first, std::size_t count, encoder_memory& memory) const {
    for (std::size_t i = 0; i < which.texts.size(); ++i) {
        auto const begin = which.begins[i];
        auto const end = which.begins[i + 1];
        auto const from = (std::max)(first, begin);
        auto const to = (std::min)(first + count, end);
        if (from < to)
            attend(rows.heads.from(begin, end - begin), from - begin,
                rows.context.from(from, to - from), memory);
    }
    auto const inner =
        rows_in(memory.inner, (std::min)(rows_of_block, count), config_.intermediate);
    for (auto r = first; r < first + count; r += rows_of_block) {
        auto const block = (std::min)(rows_of_block, first + count - r);
        auto const x = rows.states.from(r, block);
        auto const y = rows.results.from(r, block);
        auto const between = inner.from(0, block);
        with.context.apply(run_, rows.context.from(r, block), y, memory.bytes);
        add_and_normalise(y, x, with.first);
        with.up.apply(run_, x, between, memory.bytes);
        for (std::size_t i = 0; i < block; ++i)
            activate(run_, config_.act, between.row(i), config_.intermediate);
        with.down.apply(run_, between, y, memory.bytes);
        add_and_normalise(y, x, with.second);
    }
}

// Adds the results of a step to the states, and normalises the states.
TRAWL_INLINE void transformer_engine::add_and_normalise(
    float_rows results, float_rows states, norm const& by) const {
    for (std::size_t r = 0; r < states.count; ++r)
        run_.layer_norm(states.row(r), results.row(r), by.weight.data(), by.bias.data(),
            config_.layer_norm_epsilon, config_.hidden);
}

TRAWL_INLINE void transformer_engine::embed(token_encoding const& text, float_rows states) const {
    auto const hidden = config_.hidden;
    auto const width = hidden * size_of(words_.type);
    std::size_t const shape[] = {hidden};
    for (std::size_t t = 0; t < states.count; ++t) {
        auto* const row = states.row(t);
        copy_floats(
            {words_.type, shape, words_.bytes.subspan(text.ids[t] * width, width)}, {row, hidden});
        if (!types_.empty())
            run_.add(
                row, types_.data() + (t < text.types.size() ? text.types[t] : 0) * hidden, hidden);
        run_.layer_norm(row, positions_.data() + (config_.position_begin + t) * hidden,
            embedding_norm_.weight.data(), embedding_norm_.bias.data(), config_.layer_norm_epsilon,
            hidden);
    }
}

// The attention of some tokens of a text, from the first one on, as many as the context has. Of
// each head, blocks of rows: scores of all tokens, their softmax, the weighted mean of the values.
TRAWL_INLINE void transformer_engine::attend(
    float_rows heads, std::size_t first, float_rows context, encoder_memory& memory) const {
    auto const tokens = heads.count;
    auto const hidden = config_.hidden;
    auto const width = hidden / config_.heads;
    auto const panels = (tokens + panel_width - 1) / panel_width;
    auto const head_panels = (width + panel_width - 1) / panel_width;
    bool const whole = width % panel_width == 0;
    auto const most = (std::min)(rows_of_block, context.count);
    auto const scores = rows_in(memory.scores, most, tokens);
    auto const part = rows_in(memory.head, most, width);
    if (auto const room = panels * panel_width * width; memory.keys.size() < room)
        memory.keys.resize(room);
    auto const root =
        divided(1.0f, static_cast<float>(rounded(math::sqrt(rounded(static_cast<double>(width))))));
    for (std::size_t h = 0; h < config_.heads; ++h) {
        float const* const queries = heads.values + h * width;
        float const* const keys = queries + hidden;
        float const* values = keys + hidden;
        run_.interleave(reinterpret_cast<std::uint32_t const*>(keys), heads.stride, tokens, width,
            reinterpret_cast<std::uint32_t*>(memory.keys.data()));
        auto step = heads.stride;
        auto panel = panel_width;
        if (!whole) { // a panel would reach into the next head
            step = panel_width;
            panel = panel_width * tokens;
            memory.values.assign(head_panels * panel, 0.0f);
            for (std::size_t t = 0; t < tokens; ++t) {
                for (std::size_t i = 0; i < width; ++i)
                    memory.values[i / panel_width * panel + t * step + i % panel_width] =
                        values[t * heads.stride + i];
            }
            values = memory.values.data();
        }
        for (std::size_t r = 0; r < context.count; r += rows_of_block) {
            auto const rows = (std::min)(rows_of_block, context.count - r);
            run_.float_matrix_product({.a = queries + (first + r) * heads.stride,
                .a_stride = heads.stride,
                .b = memory.keys.data(),
                .b_panel = panel_width * width,
                .c = scores.values,
                .c_stride = scores.stride,
                .rows = rows,
                .panels = panels,
                .depth = width});
            auto const out = whole ? float_rows{context.row(r) + h * width, context.stride, rows}
                                   : part.from(0, rows);
            float sums[rows_of_block];
            for (std::size_t i = 0; i < rows; ++i)
                sums[i] = run_.softmax_terms(scores.row(i), tokens, root);
            run_.float_matrix_product({.a = scores.values,
                .a_stride = scores.stride,
                .b = values,
                .b_step = step,
                .b_panel = panel,
                .c = out.values,
                .c_stride = out.stride,
                .rows = rows,
                .panels = head_panels,
                .depth = tokens});
            for (std::size_t i = 0; i < rows; ++i) {
                run_.scale(out.row(i), divided(1.0f, sums[i]), width);
                if (!whole)
                    std::memcpy(context.row(r + i) + h * width, out.row(i), width * sizeof(float));
            }
        }
    }
}

TRAWL_INLINE void transformer_engine::pool_first(
    std::span<float const> state, std::span<float> out) const {
    if (!has_pooler_) fail(errc::invalid_argument, join(file_.path(), ": the model has no pooler"));
    if (state.size() != config_.hidden || out.size() != config_.hidden)
        fail(errc::dimension_mismatch,
            join("transformer::pool_first: state has ", state.size(), " values and out ",
                out.size(), ", must be ", config_.hidden));
    buffer<float> row(padded_width(config_.hidden)), made(padded_width(config_.hidden));
    std::copy(state.begin(), state.end(), row.begin());
    byte_rows bytes;
    pooler_.apply(run_, {row.data(), row.size(), 1}, {made.data(), made.size(), 1}, bytes);
    activate(run_, activation::tanh, made.data(), config_.hidden);
    std::copy_n(made.data(), config_.hidden, out.begin());
}

TRAWL_INLINE void transformer_engine::classify(
    std::span<float const> state, std::span<float> out) const {
    if (labels() == 0)
        fail(errc::invalid_argument,
            join(file_.path(), ": the model has no classification head: there is no tensor"
                               " classifier.weight or classifier.out_proj.weight"));
    if (state.size() != config_.hidden || out.size() != labels())
        fail(errc::dimension_mismatch,
            join("transformer::classify: state has ", state.size(), " values and out ", out.size(),
                ", must be ", config_.hidden, " and ", labels()));
    buffer<float> row(padded_width(config_.hidden)),
        made(padded_width((std::max)(config_.hidden, labels())));
    std::copy(state.begin(), state.end(), row.begin());
    float_rows const x{row.data(), row.size(), 1};
    float_rows const y{made.data(), made.size(), 1};
    byte_rows bytes;
    if (before_head_.out() != 0) {
        before_head_.apply(run_, x, y, bytes);
        activate(run_, is_distilbert(config_) ? activation::relu : activation::tanh, made.data(),
            config_.hidden);
        std::copy_n(made.data(), config_.hidden, row.data());
    } else if (has_pooler_) {
        pool_first(state, {row.data(), config_.hidden});
    }
    head_.apply(run_, x, y, bytes);
    std::copy_n(made.data(), labels(), out.begin());
}

} // namespace detail
TRAWL_END_NAMESPACE
