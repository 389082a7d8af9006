#include "engine/src/store.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace throng::detail {

Store* Store::create(std::pmr::memory_resource* host) noexcept {
    if (host == nullptr) host = std::pmr::new_delete_resource();
    try {
        return ::new (host->allocate(sizeof(Store), alignof(Store))) Store(host);
    } catch (...) {
        return nullptr;
    }
}

void Store::drop_reference() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    std::pmr::memory_resource* host = memory_.host();
    this->~Store();
    host->deallocate(this, sizeof(Store), alignof(Store));
}

Store::~Store() {
    collect();
    for (FrameState* frame : frames_) destroy(memory_, frame);
}

void Store::collect() noexcept {
    FrameState* frame = dropped_.exchange(nullptr, std::memory_order_acquire);
    while (frame != nullptr) recycle(std::exchange(frame, frame->next));
}

FrameState* Store::take_frame() noexcept {
    FrameState* frame = free_frames_;
    if (frame != nullptr) {
        free_frames_ = frame->next;
        --free_frame_count_;
    } else {
        if (!frames_.reserve(frames_.size() + 1)) return nullptr;
        frame = make<FrameState>(memory_, &memory_);
        if (frame == nullptr) return nullptr;
        (void)frames_.push_back(frame);
    }
    frame->store = this;
    frame->references.store(1, std::memory_order_relaxed);
    add_reference();
    return frame;
}

void Store::put_back(FrameState* frame) noexcept {
    recycle(frame);
    // Not the last one: the engine that calls has its own.
    references_.fetch_sub(1, std::memory_order_relaxed);
}

std::size_t Store::table_bytes() const noexcept {
    std::size_t bytes = frames_.bytes();
    for (const FrameState* frame : frames_) bytes += frame->table_bytes();
    return bytes;
}

void Store::drop_rows(FrameState& frame) noexcept {
    for (Block* block : frame.blocks)
        if (block != nullptr) blocks.drop_reference(block);
    frame.blocks.clear();
    frame.rows.clear();
    frame.reach.clear();
    frame.oversized.clear();
    frame.nodes.clear();
    frame.islands.clear();
    frame.cuts.clear();
    frame.sharing = 0;
    frame.bounds.clear();
    if (frame.map.has_islands()) {
        blocks.drop_reference(frame.map.tables().block);
        frame.map = WorldMap();
    }
    frame.stretches.clear();
    frame.hints.clear();
    drop(std::exchange(frame.layer, nullptr));
}

// A few states are kept with their tables. More than a steady simulation needs go back.
void Store::recycle(FrameState* frame) noexcept {
    constexpr std::size_t most_kept = 4;
    drop_rows(*frame);
    if (free_frame_count_ == most_kept) {
        *std::find(frames_.begin(), frames_.end(), frame) = frames_[frames_.size() - 1];
        (void)frames_.resize(frames_.size() - 1);
        destroy(memory_, frame);
        return;
    }
    frame->next = free_frames_;
    free_frames_ = frame;
    ++free_frame_count_;
}

void drop(FrameState* frame) noexcept {
    if (frame == nullptr || frame->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    Store* store = frame->store;
    frame->next = store->dropped_.load(std::memory_order_relaxed);
    while (!store->dropped_.compare_exchange_weak(frame->next, frame, std::memory_order_release,
                                                  std::memory_order_relaxed)) {
    }
    store->drop_reference();
}

}  // namespace throng::detail
