// A sink that keeps all ids in one growing buffer. The blocks of a batch share a flag: once one of them runs
// out of memory, all stop.
#pragma once

#include <atomic>
#include <cstddef>

#include "simd/kernels.hpp"
#include "throng/containers/buffer.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

struct KeepIds {
    // How far a kernel may write past the limit.
    static constexpr std::size_t slack = simd::gap + simd::stream_header;

    Buffer<AgentId>* ids = nullptr;
    std::atomic<bool>* out_of_memory = nullptr;

    // Keeps the first `begin` ids and appends to them. The sink points to this object, which must not move.
    bool open(simd::IdSink& sink, std::size_t begin) noexcept {
        (void)ids->resize(begin);
        if (!ids->reserve(begin + 2 * slack)) return false;
        sink = {ids->data() + begin, ids->data() + begin, limit(), full, nullptr, this, false};
        return true;
    }
    // Adopts what was written. Returns false if there was not enough memory for it.
    bool close(const simd::IdSink& sink) noexcept {
        return !sink.stopped && ids->resize(static_cast<std::size_t>(sink.at - ids->data()));
    }

private:
    AgentId* limit() noexcept { return ids->data() + ids->capacity() - slack; }
    static void full(simd::IdSink& sink) {
        KeepIds& keep = *static_cast<KeepIds*>(sink.context);
        const auto begin = static_cast<std::size_t>(sink.begin - keep.ids->data());
        const auto have = static_cast<std::size_t>(sink.at - keep.ids->data());
        (void)keep.ids->resize(have);
        if (keep.out_of_memory->load(std::memory_order_relaxed) ||
            !keep.ids->reserve(have + have / 2 + 2 * slack)) {
            keep.out_of_memory->store(true, std::memory_order_relaxed);
            sink.stopped = true;
            sink.at = sink.begin;
            return;
        }
        sink.begin = keep.ids->data() + begin;
        sink.at = keep.ids->data() + have;
        sink.limit = keep.limit();
    }
};

}  // namespace throng::detail
