// SPDX-License-Identifier: MIT
#include "line_input.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <utility>

#ifdef CLI_LIBEDIT
#include <histedit.h>
#endif

#include "terminal.hpp"

namespace cli {

#ifdef CLI_LIBEDIT

struct line_input::editor {
    explicit editor(std::string shown) : prompt(std::move(shown)) {
        HistEvent event;
        ::history(past, &event, H_SETSIZE, 1000);
        ::history(past, &event, H_SETUNIQUE, 1);
        if (!file.empty()) ::history(past, &event, H_LOAD, file.c_str());
        ::el_set(line, EL_CLIENTDATA, this);
        ::el_set(line, EL_PROMPT, &editor::prompt_of);
        ::el_set(line, EL_EDITOR, "emacs");
        ::el_set(line, EL_HIST, ::history, past);
        ::el_source(line, nullptr);
    }
    editor(editor const&) = delete;
    editor& operator=(editor const&) = delete;
    ~editor() {
        HistEvent event;
        if (!file.empty()) ::history(past, &event, H_SAVE, file.c_str());
        ::history_end(past);
        ::el_end(line);
    }

    [[nodiscard]] std::optional<std::string> next() {
        int length = 0;
        auto const* const read = ::el_gets(line, &length);
        if (read == nullptr || length <= 0) return std::nullopt;
        std::string text(read, static_cast<std::size_t>(length));
        while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
        HistEvent event;
        if (!text.empty()) ::history(past, &event, H_ENTER, text.c_str());
        return text;
    }

    static std::string history_file() {
        auto const* const home = std::getenv("HOME");
        return home == nullptr ? std::string() : std::string(home) + "/.trawl_history";
    }
    static char* prompt_of(EditLine* of) {
        void* self = nullptr;
        ::el_get(of, EL_CLIENTDATA, &self);
        return static_cast<editor*>(self)->prompt.data();
    }

    std::string prompt;
    std::string file = history_file();
    EditLine* line = ::el_init("trawl", stdin, stdout, stderr);
    History* past = ::history_init();
};

line_input::line_input(std::string prompt) : prompt_(std::move(prompt)) {
    if (is_terminal(stdin) && is_terminal(stdout)) editor_ = std::make_unique<editor>(prompt_);
}

#else

struct line_input::editor {
    [[nodiscard]] static std::optional<std::string> next() { return std::nullopt; }
};

line_input::line_input(std::string prompt) : prompt_(std::move(prompt)) {}

#endif

line_input::~line_input() = default;

std::optional<std::string> line_input::next() {
    if (editor_) return editor_->next();
    if (is_terminal(stdin)) std::fputs(prompt_.c_str(), stderr);
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
}

} // namespace cli
