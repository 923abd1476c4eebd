// SPDX-License-Identifier: MIT
#pragma once

/// An executor over threads of its own. The one header of core that starts threads.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <trawl/config.hpp>
#include <trawl/core/executor.hpp>
#include <trawl/error.hpp>

TRAWL_BEGIN_NAMESPACE

/// A fixed pool of threads. The thread that calls run() works too, so that run() may be called from
/// inside a task. The destructor waits for the threads; no run() may be going on then.
class thread_executor final : public executor {
public:
    /// @param threads  Tasks that run at once, the caller's thread included; 0: as many as the
    /// machine has.
    explicit thread_executor(std::size_t threads = 0) {
        if (threads == 0) threads = (std::max)(1u, std::thread::hardware_concurrency());
        workers_.reserve(threads - 1);
        for (std::size_t i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
    }

    thread_executor(thread_executor const&) = delete;
    thread_executor& operator=(thread_executor const&) = delete;

    ~thread_executor() override {
        {
            std::lock_guard const lock(mutex_);
            closing_ = true;
        }
        wake_.notify_all();
        for (auto& worker : workers_) worker.join();
    }

    [[nodiscard]] std::size_t concurrency() const noexcept override { return workers_.size() + 1; }

    void run(std::size_t count, function_ref<void(std::size_t)> task) const override {
        if (count == 0) return;
        auto const shared = std::make_shared<job>(count, task);
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
    // The tasks of one run(); helpers that come late find no task left and never touch the borrowed
    // callable.
    class job {
    public:
        job(std::size_t count, function_ref<void(std::size_t)> task) : count_(count), task_(task) {}

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

    std::mutex mutable mutex_;
    std::condition_variable mutable wake_;
    std::deque<std::shared_ptr<job>> mutable jobs_;
    bool closing_ = false;
    std::vector<std::thread> workers_;
};

TRAWL_END_NAMESPACE
