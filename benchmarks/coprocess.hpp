// SPDX-License-Identifier: MIT
#pragma once

/// A peer in a program of its own that answers one line for each line it is told, so that it can be
/// measured in turn with ours.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

class coprocess {
public:
    explicit coprocess(std::vector<std::string> command) {
        std::signal(SIGPIPE, SIG_IGN);
        int to[2];
        int from[2];
        // Closed in what starts later: a program ends when nobody can write to it any more.
        if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) std::exit(1);
        child_ = fork();
        if (child_ == 0) {
            dup2(to[0], 0);
            dup2(from[1], 1);
            std::vector<char*> words;
            for (auto& word : command) words.push_back(word.data());
            words.push_back(nullptr);
            execvp(words[0], words.data());
            _exit(127);
        }
        close(to[0]);
        close(from[1]);
        to_ = fdopen(to[1], "w");
        from_ = fdopen(from[0], "r");
    }
    coprocess(coprocess const&) = delete;
    coprocess& operator=(coprocess const&) = delete;
    ~coprocess() {
        std::fclose(to_);
        std::fclose(from_);
        waitpid(child_, nullptr, 0);
    }

    /// The answer without its newline; empty when the program has ended.
    [[nodiscard]] std::string ask(std::string const& line) {
        std::fprintf(to_, "%s\n", line.c_str());
        std::fflush(to_);
        std::string answer;
        for (int c = std::fgetc(from_); c != '\n' && c != EOF; c = std::fgetc(from_))
            answer += static_cast<char>(c);
        return answer;
    }

private:
    pid_t child_;
    std::FILE* to_ = nullptr;
    std::FILE* from_ = nullptr;
};

} // namespace bench
