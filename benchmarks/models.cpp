// SPDX-License-Identifier: MIT
// Models in process: tokenizing beside Hugging Face's tokenizers, on one thread; encoding beside ONNX
// Runtime.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "coprocess.hpp"
#include "harness.hpp"
#include "models_encoding.hpp"
#include "models_tokenizing.hpp"

int main(int argc, char** argv) {
    bench::report report("models", bench::parse(argc, argv));
    auto const folder =
        std::filesystem::temp_directory_path() / ("trawl_bench_models_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    {
        char const* const python = std::getenv("BENCH_PYTHON");
        bench::coprocess peers({python == nullptr ? "python3" : python,
            BENCH_SOURCE "/models_peers.py", folder.string()});
        bench::tokenizing(report, peers);
        bench::coprocess runtime({python == nullptr ? "python3" : python,
            BENCH_SOURCE "/models_encoding_peers.py", folder.string()});
        bench::encoding(report, runtime);
    }
    std::filesystem::remove_all(folder);
    return report.finish();
}
