// SPDX-License-Identifier: MIT
#pragma once

/// Bodies of core/thread_executor.hpp.

#include <trawl/core/thread_executor.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

TRAWL_BEGIN_NAMESPACE
namespace detail {

// The tasks of one run(). A helper that comes late finds no task left and never touches the
// borrowed callable.
class parallel_job {
public:
    parallel_job(std::size_t count, function_ref<void(std::size_t)> task)
        : count_(count), task_(task) {}

    void help() noexcept {
        for (auto i = next_.fetch_add(1); i < count_; i = next_.fetch_add(1)) {
            perform(i);
            std::lock_guard const lock(mutex_);
            if (++done_ == count_) finished_.notify_all();
        }
    }

    void wait() {
        std::unique_lock lock(mutex_);
        finished_.wait(lock, [this] { return done_ == count_; });
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    void perform(std::size_t i) noexcept {
#if TRAWL_HAS_EXCEPTIONS
        try {
            task_(i);
        } catch (...) {
            std::lock_guard const lock(mutex_);
            if (!failure_ || i < failed_) {
                failure_ = std::current_exception();
                failed_ = i;
            }
        }
#else
        task_(i);
#endif
    }

    std::size_t count_;
    function_ref<void(std::size_t)> task_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::condition_variable finished_;
    std::size_t done_ = 0;
    std::size_t failed_ = 0;
    std::exception_ptr failure_;
};

class thread_pool {
public:
    // Starts as many of the threads as the system allows.
    void start(std::size_t threads) {
#if TRAWL_HAS_EXCEPTIONS
        try {
            while (workers_.size() < threads) workers_.emplace_back([this] { work(); });
        } catch (std::system_error const&) { // works with those that did start
        }
#else
        while (workers_.size() < threads) workers_.emplace_back([this] { work(); });
#endif
    }

    thread_pool() = default;
    thread_pool(thread_pool const&) = delete;
    thread_pool& operator=(thread_pool const&) = delete;
    ~thread_pool() {
        {
            std::lock_guard const lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        for (auto& worker : workers_) worker.join();
    }

    [[nodiscard]] std::size_t size() const noexcept { return workers_.size(); }

    void run(std::size_t count, function_ref<void(std::size_t)> task) {
        if (count == 0) return;
        auto const shared = std::make_shared<parallel_job>(count, task);
        auto const helpers = (std::min)(workers_.size(), count - 1);
        if (helpers > 0) {
            std::lock_guard const lock(mutex_);
            jobs_.insert(jobs_.end(), helpers, shared);
        }
        for (std::size_t i = 0; i < helpers; ++i) wake_.notify_one();
        shared->help();
        shared->wait();
    }

private:
    void work() {
        for (;;) {
            std::unique_lock lock(mutex_);
            wake_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
            if (jobs_.empty()) return;
            auto const next = std::move(jobs_.front());
            jobs_.pop_front();
            lock.unlock();
            next->help();
        }
    }

    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::shared_ptr<parallel_job>> jobs_;
    bool closing_ = false;
    std::vector<std::thread> workers_;
};

} // namespace detail

TRAWL_INLINE thread_executor::thread_executor(std::size_t threads)
    : pool_(std::make_unique<detail::thread_pool>()) {
    if (threads == 0) threads = (std::max)(1u, std::thread::hardware_concurrency());
    pool_->start(threads - 1);
}

TRAWL_INLINE thread_executor::~thread_executor() = default;

TRAWL_INLINE std::size_t thread_executor::concurrency() const noexcept { return pool_->size() + 1; }

TRAWL_INLINE void thread_executor::run(
    std::size_t count, function_ref<void(std::size_t)> task) const {
    pool_->run(count, task);
}

TRAWL_END_NAMESPACE
