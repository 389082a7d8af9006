// A memory resource that counts: how often it was called, what is still out, whether everything came back as
// it was handed out, and whether two threads were ever inside at once. It can be told to fail.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <thread>
#include <unordered_map>

#include "throng/memory.hpp"

namespace throng::test {

class CountingResource : public MemoryResource {
public:
    // How often memory was asked for, failures included.
    std::uint64_t calls() const { return calls_; }
    // How often memory was given back.
    std::uint64_t returns() const { return returns_; }
    // Blocks and bytes that were handed out and not given back.
    std::size_t blocks_out() const {
        const std::lock_guard lock(mutex_);
        return blocks_.size();
    }
    std::size_t bytes_out() const { return bytes_out_; }
    std::uint64_t failures() const { return failures_; }
    // A block came back with another size or alignment than it had, or never was handed out.
    bool misused() const { return misused_; }
    // A second call began before the first had returned.
    bool overlapped() const { return overlapped_; }

    // From now on `successes` allocations succeed, and every later one fails.
    void fail_after(std::uint64_t successes) { left_ = static_cast<std::int64_t>(successes); }
    // From now on `successes` allocations succeed, one fails, and the later ones succeed again.
    void fail_once_after(std::uint64_t successes) {
        fail_after(successes);
        only_once_ = true;
    }
    // Takes its time in every call, so that a second thread inside is sure to be seen.
    void dawdle() { dawdling_ = true; }
    void stop_failing() {
        left_ = never;
        only_once_ = false;
    }

private:
    static constexpr std::int64_t never = INT64_MAX;

    struct Block {
        std::size_t bytes, alignment;
    };
    class Inside {
    public:
        explicit Inside(CountingResource& resource) : resource_(resource) {
            if (resource_.inside_.fetch_add(1) != 0) resource_.overlapped_ = true;
            if (resource_.dawdling_) std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        ~Inside() { resource_.inside_.fetch_sub(1); }
        Inside(const Inside&) = delete;
        Inside& operator=(const Inside&) = delete;

    private:
        CountingResource& resource_;
    };

    bool refuses() {
        if (left_ == never) return false;
        if (left_.fetch_sub(1) > 0) return false;
        if (only_once_) stop_failing();
        return true;
    }
    void* allocate(std::size_t bytes, std::size_t alignment) noexcept override {
        const Inside inside(*this);
        ++calls_;
        if (refuses()) {
            ++failures_;
            return nullptr;
        }
        void* memory = ::operator new(bytes, std::align_val_t(alignment));
        const std::lock_guard lock(mutex_);
        blocks_[memory] = {bytes, alignment};
        bytes_out_ += bytes;
        return memory;
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        const Inside inside(*this);
        ++returns_;
        {
            const std::lock_guard lock(mutex_);
            const auto found = blocks_.find(memory);
            if (found == blocks_.end() || found->second.bytes != bytes ||
                found->second.alignment != alignment) {
                misused_ = true;
                return;
            }
            blocks_.erase(found);
            bytes_out_ -= bytes;
        }
        ::operator delete(memory, std::align_val_t(alignment));
    }

    mutable std::mutex mutex_;
    std::unordered_map<void*, Block> blocks_;
    std::atomic<std::uint64_t> calls_ = 0, returns_ = 0, failures_ = 0;
    std::atomic<std::size_t> bytes_out_ = 0;
    std::atomic<std::int64_t> left_ = never;
    std::atomic<int> inside_ = 0;
    std::atomic<bool> only_once_ = false, misused_ = false, overlapped_ = false, dawdling_ = false;
};

}  // namespace throng::test
