// SPDX-License-Identifier: MIT
#pragma once

/// Lines that a person types, with editing and a history, or those of a file.

#include <memory>
#include <optional>
#include <string>

namespace cli {

/// Reads stdin line by line. On a terminal, where the program was built with libedit, a line can be
/// edited, and those of earlier sessions are recalled from $HOME/.trawl_history.
class line_input {
public:
    /// @param prompt  shown on a terminal only
    explicit line_input(std::string prompt);
    ~line_input();
    line_input(line_input const&) = delete;
    line_input& operator=(line_input const&) = delete;

    /// The next line without its end; nothing after the last one.
    [[nodiscard]] std::optional<std::string> next();

private:
    struct editor;
    std::string prompt_;
    std::unique_ptr<editor> editor_; ///< null: lines are read as they come
};

} // namespace cli
