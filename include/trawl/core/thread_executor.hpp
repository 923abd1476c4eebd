// SPDX-License-Identifier: MIT
#pragma once

/// An executor with threads of its own. The only header of core that starts threads.

#include <cstddef>
#include <memory>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>

TRAWL_BEGIN_NAMESPACE
namespace detail {

class thread_pool;

} // namespace detail

/// A fixed pool of threads. The thread that calls run() works too, so run() may be called from
/// inside a task. The destructor waits for the threads; no run() may be active then.
class thread_executor final : public executor {
public:
    /// @param threads  Tasks that run at once, the caller's thread included; 0: one for each
    /// hardware thread. Where the system refuses to start that many, the pool works with those that
    /// did start, perhaps with the calling thread alone: see concurrency().
    explicit thread_executor(std::size_t threads = 0);

    thread_executor(thread_executor const&) = delete;
    thread_executor& operator=(thread_executor const&) = delete;
    ~thread_executor() override;

    /// The number of threads of the pool, and the caller's.
    [[nodiscard]] std::size_t concurrency() const noexcept override;

    void run(std::size_t count, function_ref<void(std::size_t)> task) const override;

private:
    std::unique_ptr<detail::thread_pool> pool_;
};

TRAWL_END_NAMESPACE

#ifndef TRAWL_COMPILED
#include <trawl/core/detail/thread_executor_inl.hpp>
#endif
