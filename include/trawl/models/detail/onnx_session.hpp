// SPDX-License-Identifier: MIT
#pragma once

/// A model in ONNX Runtime, by its C API.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <onnxruntime_c_api.h>

#include <trawl/error.hpp>
#include <trawl/models/tokenizer.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

/// Integers that a model reads.
struct onnx_input {
    std::string_view name = {};
    std::vector<std::int64_t> values = {};
    std::vector<std::int64_t> shape = {};
};

/// Floats that a model gives.
struct onnx_output {
    std::vector<float> values = {};
    std::vector<std::size_t> shape = {};
};

/// Frees an object of ONNX Runtime with the function that its API has for that.
template <class T>
struct onnx_deleter {
    void(ORT_API_CALL* release)(T*) = nullptr;
    void operator()(T* object) const noexcept { release(object); }
};
template <class T>
using onnx_handle = std::unique_ptr<T, onnx_deleter<T>>;

/// Safe to run from any number of threads.
class onnx_session {
public:
    /// @param threads  of one run; 0: as many as ONNX Runtime likes.
    onnx_session(std::string path, std::size_t threads) : path_(std::move(path)) {
        auto const* const base = OrtGetApiBase();
        api_ = base->GetApi(ORT_API_VERSION);
        if (api_ == nullptr) {
            fail(errc::model,
                join("onnx: the library of ONNX Runtime is version ", base->GetVersionString(),
                    ", too old for the header of API ", ORT_API_VERSION));
        }
        if (std::error_code wrong; !std::filesystem::exists(path_, wrong))
            fail(errc::io, path_ + ": is not there");
        env_ = make(api_->ReleaseEnv,
            [&](OrtEnv** out) { return api_->CreateEnv(ORT_LOGGING_LEVEL_FATAL, "trawl", out); });
        auto const options = make(api_->ReleaseSessionOptions,
            [&](OrtSessionOptions** out) { return api_->CreateSessionOptions(out); });
        check(api_->SetIntraOpNumThreads(options.get(), static_cast<int>(threads)));
        check(api_->SetInterOpNumThreads(options.get(), 1));
        std::filesystem::path const file(path_);
        session_ = make(api_->ReleaseSession, [&](OrtSession** out) {
            return api_->CreateSession(env_.get(), file.c_str(), options.get(), out);
        });
        memory_ = make(api_->ReleaseMemoryInfo, [&](OrtMemoryInfo** out) {
            return api_->CreateCpuMemoryInfo(OrtDeviceAllocator, OrtMemTypeDefault, out);
        });
        inputs_ = names(api_->SessionGetInputCount, api_->SessionGetInputName);
        outputs_ = names(api_->SessionGetOutputCount, api_->SessionGetOutputName);
    }

    [[nodiscard]] std::string const& path() const noexcept { return path_; }
    [[nodiscard]] std::vector<std::string> const& inputs() const noexcept { return inputs_; }

    [[nodiscard]] bool has_input(std::string_view name) const { return has(inputs_, name); }
    [[nodiscard]] bool has_output(std::string_view name) const { return has(outputs_, name); }

    /// The first of these outputs that the model has.
    /// @throws trawl::error (model) if it has none of them.
    [[nodiscard]] std::string output_of(std::span<std::string_view const> wanted) const {
        std::string list;
        for (auto const name : wanted) {
            if (has_output(name)) return std::string(name);
            list.append(list.empty() ? "" : ", ").append(name);
        }
        std::string known;
        for (auto const& name : outputs_) known.append(known.empty() ? "" : ", ").append(name);
        fail(errc::model, join(path_, ": has the outputs ", known, ", none of ", list));
    }

    /// @param output  the name of a float output.
    /// @throws trawl::error (model) with what ONNX Runtime says.
    [[nodiscard]] onnx_output run(std::span<onnx_input> inputs, std::string const& output) const {
        std::vector<onnx_handle<OrtValue>> held;
        std::vector<OrtValue const*> values;
        std::vector<std::string> names;
        std::vector<char const*> pointers;
        for (auto& input : inputs) names.emplace_back(input.name);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            auto& [name, numbers, shape] = inputs[i];
            auto* const data = numbers.data();
            auto const bytes = numbers.size() * sizeof(std::int64_t);
            auto const* const sides = shape.data();
            auto const count = shape.size();
            held.push_back(make(api_->ReleaseValue, [&](OrtValue** out) {
                return api_->CreateTensorWithDataAsOrtValue(memory_.get(), data, bytes, sides,
                    count, ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64, out);
            }));
            values.push_back(held.back().get());
            pointers.push_back(names[i].c_str());
        }
        auto const* const wanted = output.c_str();
        auto const result = make(api_->ReleaseValue, [&](OrtValue** out) {
            return api_->Run(session_.get(), nullptr, pointers.data(), values.data(), values.size(),
                &wanted, 1, out);
        });
        return copied(result.get(), output);
    }

private:
    static bool has(std::vector<std::string> const& names, std::string_view name) {
        for (auto const& known : names)
            if (known == name) return true;
        return false;
    }

    void check(OrtStatus* status) const {
        if (status == nullptr) return;
        auto const text = std::string(api_->GetErrorMessage(status));
        api_->ReleaseStatus(status);
        fail(errc::model, join(path_, ": ONNX Runtime: ", text));
    }

    template <class T, class Make>
    onnx_handle<T> make(void(ORT_API_CALL* release)(T*), Make const& create) const {
        T* object = nullptr;
        check(create(&object));
        return onnx_handle<T>(object, {release});
    }

    template <class Count, class Name>
    std::vector<std::string> names(Count count_of, Name name_of) const {
        OrtAllocator* allocator = nullptr;
        check(api_->GetAllocatorWithDefaultOptions(&allocator));
        std::size_t count = 0;
        check(count_of(session_.get(), &count));
        std::vector<std::string> out;
        for (std::size_t i = 0; i < count; ++i) {
            char* name = nullptr;
            check(name_of(session_.get(), i, allocator, &name));
            out.emplace_back(name);
            check(api_->AllocatorFree(allocator, name));
        }
        return out;
    }

    onnx_output copied(OrtValue* value, std::string const& name) const {
        auto const info =
            make(api_->ReleaseTensorTypeAndShapeInfo, [&](OrtTensorTypeAndShapeInfo** out) {
                return api_->GetTensorTypeAndShape(value, out);
            });
        auto type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
        check(api_->GetTensorElementType(info.get(), &type));
        if (type != ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT)
            fail(errc::model, join(path_, ": the output ", name, " is not float32"));
        std::size_t sides = 0;
        check(api_->GetDimensionsCount(info.get(), &sides));
        std::vector<std::int64_t> shape(sides);
        check(api_->GetDimensions(info.get(), shape.data(), sides));
        onnx_output out;
        std::size_t count = 1;
        for (auto const side : shape) {
            out.shape.push_back(static_cast<std::size_t>(side));
            count *= out.shape.back();
        }
        void* data = nullptr;
        check(api_->GetTensorMutableData(value, &data));
        auto const* const floats = static_cast<float const*>(data);
        out.values.assign(floats, floats + count);
        return out;
    }

    std::string path_;
    OrtApi const* api_ = nullptr;
    onnx_handle<OrtEnv> env_;
    onnx_handle<OrtSession> session_; // released before its environment
    onnx_handle<OrtMemoryInfo> memory_;
    std::vector<std::string> inputs_;
    std::vector<std::string> outputs_;
};

/// The inputs of an encoder, padded to the longest of these encodings; the attention mask is 0 on
/// padding. Inputs that the model lacks are left out.
inline std::vector<onnx_input> onnx_inputs(onnx_session const& session,
    std::span<token_encoding const* const> encodings, std::int64_t padding) {
    std::size_t longest = 1; // an empty text without special tokens
    for (auto const* encoding : encodings)
        if (encoding->size() > longest) longest = encoding->size();
    std::vector<std::int64_t> const shape{
        static_cast<std::int64_t>(encodings.size()), static_cast<std::int64_t>(longest)};
    auto const count = encodings.size() * longest;
    onnx_input ids{"input_ids", std::vector<std::int64_t>(count, padding), shape};
    onnx_input mask{"attention_mask", std::vector<std::int64_t>(count), shape};
    onnx_input types{"token_type_ids", std::vector<std::int64_t>(count), shape};
    for (std::size_t row = 0; row < encodings.size(); ++row) {
        auto const& encoding = *encodings[row];
        for (std::size_t i = 0; i < encoding.size(); ++i) {
            ids.values[row * longest + i] = encoding.ids[i];
            mask.values[row * longest + i] = 1;
            types.values[row * longest + i] = encoding.types[i];
        }
    }
    std::vector<onnx_input> out;
    for (auto* const input : {&ids, &mask, &types})
        if (session.has_input(input->name)) out.push_back(std::move(*input));
    return out;
}

} // namespace detail
TRAWL_END_NAMESPACE
