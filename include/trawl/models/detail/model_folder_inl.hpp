// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of model_folder.hpp.

#include <trawl/models/model_folder.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <trawl/error.hpp>
#include <trawl/models/detail/json_reader.hpp>
#include <trawl/models/detail/model_files.hpp>
#include <trawl/storage/file.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// Of "torch.nn.modules.activation.Tanh", "Tanh".
[[nodiscard]] inline std::string_view class_name(std::string_view path) noexcept {
    return path.substr(path.rfind('.') + 1); // npos + 1 is 0
}

inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 24;

class model_folder_reader {
public:
    model_folder_reader(std::string const& path, model_weights where) : where_(where) {
        out_.path = path;
        out_.encoder = path;
    }

    [[nodiscard]] model_folder read() {
        auto const modules = file_in(out_.path, "modules.json");
        if (file_exists(modules)) read_modules(modules);
        auto const config = file_in(out_.encoder, "config.json");
        if (!static_ || file_exists(config)) read_config(config);
        read_limits();
        read_prompts();
        find_weights();
        return std::move(out_);
    }

private:
    // Passes the members of the object in a file to member(in, key), which reads the value.
    template <class Member>
    void read_object(std::string const& path, Member member) {
        auto const text = read_file(path);
        json_reader in(text, path);
        members(in, member);
        in.finish();
    }
    template <class Member>
    static void members(json_reader& in, Member member) {
        std::string key;
        for (in.enter_object(); in.next_key(key);) member(in, key);
    }
    [[nodiscard]] static std::size_t size(json_reader& in) {
        auto const value = in.natural(largest_size);
        if (value == 0) in.fail("is 0, must be 1 or more");
        return static_cast<std::size_t>(value);
    }

    void read_modules(std::string const& path) {
        auto const text = read_file(path);
        json_reader in(text, path);
        bool pooled = false;
        for (in.enter_array(); in.next_item();) {
            std::string type;
            std::string folder;
            members(in, [&](json_reader& at, std::string const& key) {
                if (key == "type") {
                    type = at.string();
                } else if (key == "path") {
                    folder = at.string();
                    check_inside(at, folder);
                } else {
                    at.skip();
                }
            });
            auto const name = class_name(type);
            auto const place = file_in(out_.path, folder);
            if (name == "Transformer") {
                out_.encoder = place;
            } else if (name == "StaticEmbedding") {
                out_.encoder = place;
                out_.config.type = model_type::model2vec;
                static_ = true;
            } else if (name == "Pooling") {
                if (pooled) in.fail("two modules of type Pooling are not supported");
                pooled = true;
                read_pooling(file_in(place, "config.json"));
            } else if (name == "Dense") {
                read_dense(place);
            } else if (name == "Normalize") {
                out_.normalise = true;
            } else if (name == "MultiVectorMask") {
                read_mask(file_in(place, "config.json"));
            } else {
                in.fail(join("a module of type '", type,
                    "' is not supported, only Transformer, StaticEmbedding, Pooling, Dense, "
                    "Normalize "
                    "and MultiVectorMask"));
            }
        }
        in.finish();
    }

    // A folder that a file names must not lead out of the model's.
    static void check_inside(json_reader const& in, std::string_view folder) {
        if (folder.find('\0') != folder.npos) in.fail("the path has a NUL byte");
        auto const out = folder.substr(0, 1) == "/" || folder.find('\\') != folder.npos
                         || folder.find(':') != folder.npos
                         || ("/" + std::string(folder) + "/").find("/../") != std::string::npos;
        if (out) in.fail(join("the path '", folder, "' is not a folder below the model's"));
    }

    void read_pooling(std::string const& path) {
        std::size_t chosen = 0;
        auto const choose = [&](json_reader& in, std::string_view mode) {
            using enum pooling;
            static constexpr std::pair<std::string_view, enum pooling> modes[] = {{"cls", cls},
                {"cls_token", cls}, {"mean", mean}, {"mean_tokens", mean}, {"max", max},
                {"max_tokens", max}, {"mean_sqrt_len", mean_sqrt_length},
                {"mean_sqrt_len_tokens", mean_sqrt_length}, {"lasttoken", last}};
            for (auto const& [name, meant] : modes) {
                if (name != mode) continue;
                out_.pooling = meant;
                ++chosen;
                return;
            }
            in.fail(join("pooling '", mode, "' is not supported"));
        };
        constexpr std::string_view prefix = "pooling_mode_";
        read_object(path, [&](json_reader& in, std::string const& key) {
            if (key == "pooling_mode") {
                if (in.kind() == json_kind::string) return choose(in, in.string());
                for (in.enter_array(); in.next_item();) choose(in, in.string());
            } else if (key.starts_with(prefix)) {
                if (in.boolean()) choose(in, std::string_view(key).substr(prefix.size()));
            } else if (key == "include_prompt") {
                if (!in.boolean()) in.fail("include_prompt: false is not supported");
            } else {
                in.skip();
            }
        });
        if (chosen != 1) {
            fail(errc::parse,
                join(path, ": names ", chosen, " ways of pooling, only 1 is supported"));
        }
    }

    void read_dense(std::string const& place) {
        dense_layer layer{.path = file_in(place, "model.safetensors")};
        read_object(file_in(place, "config.json"), [&](json_reader& in, std::string const& key) {
            if (key == "in_features") {
                layer.in = size(in);
            } else if (key == "out_features") {
                layer.out = size(in);
            } else if (key == "bias") {
                layer.bias = in.boolean();
            } else if (key == "activation_function") {
                layer.act = read_activation(in);
            } else if (key == "module_input_name") {
                layer.of_tokens = in.string() == "token_embeddings";
            } else if (key == "use_residual") {
                if (in.boolean()) in.fail("use_residual: true is not supported");
            } else {
                in.skip();
            }
        });
        if (layer.in == 0 || layer.out == 0) {
            fail(errc::parse,
                join(file_in(place, "config.json"), ": lacks in_features or out_features"));
        }
        require_weights(layer.path);
        out_.dense.push_back(std::move(layer));
    }

    void read_mask(std::string const& path) {
        read_object(path, [&](json_reader& in, std::string const& key) {
            if (key == "skiplist_words" && !in.null()) {
                for (in.enter_array(); in.next_item();) out_.skipped_words.push_back(in.string());
            } else if (key == "keep_only_token_ids") {
                if (!in.null()) in.fail("keep_only_token_ids is not supported");
            } else if (key != "skiplist_words") {
                in.skip();
            }
        });
    }

    [[nodiscard]] static activation read_activation(json_reader& in) {
        using enum activation;
        static constexpr std::pair<std::string_view, activation> names[] = {{"gelu", gelu},
            {"GELU", gelu}, {"gelu_new", gelu_tanh}, {"gelu_pytorch_tanh", gelu_tanh},
            {"gelu_fast", gelu_tanh}, {"relu", relu}, {"ReLU", relu}, {"silu", silu},
            {"swish", silu}, {"SiLU", silu}, {"tanh", tanh}, {"Tanh", tanh}, {"linear", identity},
            {"Identity", identity}};
        auto const asked = in.string();
        for (auto const& [name, meant] : names) {
            if (name == class_name(asked)) return meant;
        }
        in.fail(join("activation '", asked, "' is not supported"));
    }

    void read_config(std::string const& path) {
        auto const text = read_file(path);
        // The type decides what the other members are called.
        std::string type;
        json_reader first(text, path);
        members(first, [&](json_reader& in, std::string const& key) {
            if (key == "model_type" && !static_) {
                type = in.string();
                choose_type(in, type);
            } else {
                in.skip();
            }
        });
        first.finish();
        if (type.empty() && !static_) fail(errc::parse, join(path, ": lacks model_type"));
        json_reader in(text, path);
        members(in, [&](json_reader& at, std::string const& key) { read_config_member(at, key); });
        check_config(path);
    }

    void choose_type(json_reader const& in, std::string_view name) {
        auto& config = out_.config;
        if (name == "camembert") name = "xlm-roberta"; // the same encoder
        constexpr auto types = static_cast<std::size_t>(model_type::model2vec) + 1;
        std::size_t type = 0;
        while (type < types && name_of(static_cast<model_type>(type)) != name) ++type;
        if (type == types) {
            in.fail(join("model_type '", name,
                "' is not supported, only bert, distilbert, roberta, xlm-roberta, camembert and "
                "model2vec"));
        }
        config.type = static_cast<model_type>(type);
        static_ = config.type == model_type::model2vec;
        if (static_) return;
        auto const roberta =
            config.type == model_type::roberta || config.type == model_type::xlm_roberta;
        config.vocabulary = roberta ? 50265 : 30522;
        config.hidden = 768;
        config.layers = config.type == model_type::distilbert ? 6 : 12;
        config.heads = 12;
        config.intermediate = 3072;
        config.positions = 512;
        config.token_types = config.type == model_type::distilbert ? 0 : 2;
        config.padding_id = roberta ? 1 : 0;
    }

    void read_config_member(json_reader& in, std::string const& key) {
        auto& config = out_.config;
        auto const distil = config.type == model_type::distilbert;
        auto const is = [&](std::string_view name, std::string_view distilled) {
            return key == (distil ? distilled : name);
        };
        if (key == "architectures" && !in.null()) {
            for (in.enter_array(); in.next_item();) config.architectures.push_back(in.string());
        } else if (static_) {
            if (key == "normalize") {
                out_.normalise = in.boolean() || out_.normalise;
            } else if (key == "max_length" && !in.null()) {
                out_.max_tokens = size(in);
            } else {
                in.skip();
            }
        } else if (key == "vocab_size") {
            config.vocabulary = size(in);
        } else if (is("hidden_size", "dim")) {
            config.hidden = size(in);
        } else if (is("num_hidden_layers", "n_layers")) {
            config.layers = size(in);
        } else if (is("num_attention_heads", "n_heads")) {
            config.heads = size(in);
        } else if (is("intermediate_size", "hidden_dim")) {
            config.intermediate = size(in);
        } else if (key == "max_position_embeddings") {
            config.positions = size(in);
        } else if (key == "type_vocab_size" && !distil) {
            config.token_types = size(in);
        } else if (is("hidden_act", "activation")) {
            config.act = read_activation(in);
        } else if (key == "layer_norm_eps" && !distil) {
            auto const value = in.number();
            if (!(value >= 0 && value <= 1)) in.fail("layer_norm_eps must be from 0 to 1");
            config.layer_norm_epsilon = static_cast<float>(value);
        } else if (key == "pad_token_id") {
            if (!in.null()) config.padding_id = static_cast<std::size_t>(in.natural(largest_size));
        } else if (key == "position_embedding_type") {
            if (!in.null() && in.string() != "absolute")
                in.fail("only positions of type 'absolute' are supported");
        } else if (key == "is_decoder" || key == "add_cross_attention") {
            if (!in.null() && in.boolean()) in.fail(join(key, ": true is not supported"));
        } else if (key == "id2label") {
            if (in.null()) return;
            std::size_t labels = 0;
            members(in, [&](json_reader& at, std::string const&) {
                at.skip();
                ++labels;
            });
            config.labels = labels;
        } else if (key == "num_labels") {
            if (!in.null() && config.labels == 0) config.labels = size(in);
        } else if (key == "sbert_ce_default_activation_function") {
            if (!in.null()) out_.score_activation = class_name(in.string());
        } else if (key == "sentence_transformers" && in.kind() == json_kind::object) {
            members(in, [&](json_reader& at, std::string const& name) {
                if (name == "activation_fn" && !at.null()) {
                    out_.score_activation = class_name(at.string());
                } else if (name != "activation_fn") {
                    at.skip();
                }
            });
        } else if (key != "architectures") {
            in.skip();
        }
    }

    void check_config(std::string const& path) {
        auto& config = out_.config;
        if (static_) return;
        if (config.hidden % config.heads != 0) {
            fail(errc::parse, join(path, ": hidden size ", config.hidden, " is no multiple of ",
                                  config.heads, " heads"));
        }
        if (config.type == model_type::roberta || config.type == model_type::xlm_roberta)
            config.position_begin = config.padding_id + 1;
        if (config.positions <= config.position_begin) {
            fail(errc::parse,
                join(path, ": has ", config.positions, " positions, of which the first ",
                    config.position_begin, " are for no token"));
        }
        if (config.padding_id >= config.vocabulary) {
            fail(errc::parse, join(path, ": pad_token_id is ", config.padding_id,
                                  ", must be below vocab_size ", config.vocabulary));
        }
        bool classifies = false;
        for (auto const& name : config.architectures)
            classifies = classifies || name.ends_with("ForSequenceClassification");
        if (!classifies) {
            config.labels = 0;
        } else if (config.labels == 0) {
            config.labels = 2; // what transformers does not write, because it is its default
        }
    }

    void read_limits() {
        if (static_) {
            if (out_.max_tokens == 0) out_.max_tokens = static_cast<std::size_t>(-1);
            return;
        }
        auto const most = out_.config.max_tokens();
        auto limit = most;
        auto const at_most = [&](json_reader& in) {
            if (in.null()) return;
            // Where there is no limit, transformers writes 1e30.
            auto const value = in.number();
            if (!(value >= 1)) in.fail("must be 1 or more");
            if (value < static_cast<double>(limit)) limit = static_cast<std::size_t>(value);
        };
        if (auto const path = file_in(out_.encoder, "sentence_bert_config.json");
            file_exists(path)) {
            read_object(path, [&](json_reader& in, std::string const& key) {
                if (key == "max_seq_length") {
                    at_most(in);
                } else if (key == "do_lower_case") {
                    out_.lower_case = in.boolean();
                } else {
                    in.skip();
                }
            });
        }
        if (auto const path = file_in(out_.encoder, "tokenizer_config.json");
            limit == most && file_exists(path)) {
            read_object(path, [&](json_reader& in, std::string const& key) {
                if (key == "model_max_length") {
                    at_most(in);
                } else {
                    in.skip();
                }
            });
        }
        out_.max_tokens = limit;
    }

    void read_prompts() {
        auto const path = file_in(out_.path, "config_sentence_transformers.json");
        if (!file_exists(path)) return;
        read_object(path, [&](json_reader& in, std::string const& key) {
            if (key == "prompts" && !in.null()) {
                members(in, [&](json_reader& at, std::string const& name) {
                    out_.prompts.push_back({name, at.string()});
                });
            } else if (key == "default_prompt_name") {
                if (!in.null()) out_.default_prompt = in.string();
            } else if (key == "activation_fn") {
                if (!in.null()) out_.score_activation = class_name(in.string());
            } else if (key != "prompts") {
                in.skip();
            }
        });
        if (!out_.default_prompt.empty() && !out_.find_prompt(out_.default_prompt)) {
            fail(errc::parse, join(path, ": default_prompt_name '", out_.default_prompt,
                                  "' is none of the prompts"));
        }
    }

    void find_weights() {
        out_.weights = file_in(out_.encoder, "model.safetensors");
        if (where_ == model_weights::elsewhere && !file_exists(out_.weights)) {
            out_.weights.clear();
            return;
        }
        require_weights(out_.weights);
    }

    static void require_weights(std::string const& path) {
        if (file_exists(path)) return;
        auto const folder = path.substr(0, path.rfind('/') + 1);
        if (file_exists(folder + "model.safetensors.index.json"))
            fail(
                errc::io, join(path, ": is not there; weights in several files are not supported"));
        if (file_exists(folder + "pytorch_model.bin")) {
            fail(
                errc::io, join(path, ": is not there; pytorch_model.bin is not supported, save the "
                                     "model with safe_serialization=True"));
        }
        fail(errc::io, join(path, ": is not there"));
    }

    model_weights where_;
    model_folder out_ = {};
    bool static_ = false;
};

} // namespace detail

TRAWL_INLINE std::string_view name_of(model_type type) noexcept {
    constexpr std::string_view names[] = {
        "bert", "distilbert", "roberta", "xlm-roberta", "model2vec"};
    auto const i = static_cast<std::size_t>(type);
    return i < std::size(names) ? names[i] : "";
}

TRAWL_INLINE std::optional<std::string_view> model_folder::find_prompt(
    std::string_view name) const noexcept {
    for (auto const& one : prompts) {
        if (one.name == name) return one.text;
    }
    return std::nullopt;
}

TRAWL_INLINE model_folder read_model_folder(std::string const& path, model_weights where) {
    return detail::model_folder_reader(path, where).read();
}

TRAWL_END_NAMESPACE
