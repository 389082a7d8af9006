#include "engine/src/store/store.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/src/frame/row_layout.hpp"
#include "engine/src/store/spare_rows.hpp"

namespace throng::detail {

namespace {

// Enough for a host that holds a few frames and drops them together. Others are freed with their frames.
constexpr std::size_t max_free_agent_tables = 4, max_free_centre_tables = 2, max_free_shape_frames = 4;

// Puts a frame's tables behind its state, and says where they end. Null: only says that.
std::size_t place_tables(FrameState* frame, const WorldMap& map, simd::Extras extras) noexcept {
    std::size_t end = sizeof(FrameState);
    const auto place = [&]<class T>(Table<T> FrameState::*table, std::size_t count) {
        const std::size_t begin = (end + 63) / 64 * 64;
        end = begin + count * sizeof(T);
        if (frame != nullptr)
            frame->*table = {reinterpret_cast<T*>(reinterpret_cast<std::byte*>(frame) + begin), count};
    };
    const std::size_t rows = map.rows();
    place(&FrameState::rows, rows);
    place(&FrameState::reach, rows);
    place(&FrameState::blocks, rows);
    place(&FrameState::bounds, map.has_islands() ? rows : 0);
    place(&FrameState::islands, map.regions() - 1);
    place(&FrameState::cuts, map.cuts());
    place(&FrameState::cut_extremes, map.cuts());
    place(&FrameState::layers, map.all_layers());
    place(&FrameState::stretches, has_labels(extras) ? stretch_entries(map) : 0);
    place(&FrameState::row_heights, has_heights(extras) ? rows : 0);
    return end;
}

// Calls `visit(block)` for the blocks of a frame's oversized agents.
template <class Visit>
void for_each_tree_block(const FrameState& frame, Visit&& visit) noexcept {
    if (frame.tree_block != nullptr) visit(frame.tree_block);
    for (const GroveNote& note : frame.grove_notes) visit(note.block);
}

// The same, and the block of each row too.
template <class Visit>
void for_each_block(const FrameState& frame, Visit&& visit) noexcept {
    for (Block* block : frame.blocks)
        if (block != nullptr) visit(block);
    for_each_tree_block(frame, visit);
}

}  // namespace

// --- The store itself --------------------------------------------------------------------------------------

TorusSpace::TorusSpace(MemoryResource* memory) noexcept : WorkSpace(memory) {}
TorusSpace::~TorusSpace() = default;

Store* Store::create(MemoryResource* host) noexcept {
    void* memory = throng::allocate(host, sizeof(Store), alignof(Store));
    return memory == nullptr ? nullptr : ::new (memory) Store(host);
}

void Store::drop_reference() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    MemoryResource* host = memory_.host();
    this->~Store();
    throng::give_back(host, this, sizeof(Store), alignof(Store));
}

// Frames and rows are freed with their slabs. Only references to other stores are released one by one.
Store::~Store() {
    for (FrameState* frame = newest_; frame != nullptr && layers_ != 0; frame = frame->older)
        set_layer(*frame, nullptr);
}

// A settled simulation does not come near the bounds. But answers may be many times the agents, so work
// spaces go sooner, unless about as many as had left came back: then the population may swing.
void Store::expect(std::size_t agents) noexcept {
    constexpr std::size_t times = 8, times_for_spaces = 2;
    const bool came_back = most_in_spaces_ > had_left_ / 4 * 3 && most_in_spaces_ / 2 <= had_left_;
    if (most_in_spaces_ / (came_back ? times : times_for_spaces) > agents) {
        had_left_ = std::exchange(most_in_spaces_, agents);
        spaces.sweep_bytes.store(0, std::memory_order_relaxed);
        old_spaces_ = 0;
        spaces.for_each_pool([this](auto& pool) { old_spaces_ += pool.start_again(); });
        portion_of_spaces_ = (old_spaces_ + 7) / 8;
    }
    if (most_agents_ / times <= agents) return;
    most_agents_ = agents;
    release_older();
    blocks.start_again();
}

void Store::free_old_spaces(std::size_t count) noexcept {
    std::size_t left = count = std::min(count, old_spaces_);
    spaces.for_each_pool([&left](auto& pool) { pool.free_old(left); });
    old_spaces_ -= count;
}

void Store::trim(const Portion& portion) noexcept {
    blocks.trim(row_bytes_ + table_bytes_, portion.bytes);
    if (old_spaces_ != 0) free_old_spaces(portion_of_spaces_);
}

// --- Frames ------------------------------------------------------------------------------------------------

Block* Store::take(std::size_t bytes) noexcept {
    Block* block = blocks.take(bytes);
    if (block != nullptr) return block;
    // Before failing, reclaim everything that was dropped.
    collect(Portion::all());
    free_old_spaces(old_spaces_);
    release_spare();
    release_older();
    return blocks.take(bytes);
}

FrameState* Store::take_frame(const WorldMap& map, simd::Extras extras) noexcept {
    Block* block = take(place_tables(nullptr, map, extras));
    if (block == nullptr) return nullptr;
    FrameState* frame = place_frame(block, map, extras);
    std::fill(frame->blocks.begin(), frame->blocks.end(), nullptr);
    if (map.has_islands()) blocks.add_reference(map.tables().block);
    table_bytes_ += block->bytes;
    return frame;
}

// Makes a state in a block; its tables are as the block has them.
FrameState* Store::place_frame(Block* block, const WorldMap& map, simd::Extras extras) noexcept {
    auto* frame = ::new (block->memory) FrameState;
    (void)place_tables(frame, map, extras);
    frame->map = map;
    frame->extras = extras;
    frame->store = this;
    frame->self = block;
    frame->references.store(1, std::memory_order_relaxed);
    add_reference();
    return frame;
}

FrameState* Store::take_frame_after(const FrameState& newest, bool& up_to_date) noexcept {
    up_to_date = spare_ != nullptr;
    if (!up_to_date) {
        ++tables_copied_;
        FrameState* frame = take_frame(newest.map, newest.extras);
        if (frame != nullptr) set_marks(*frame, newest.marks);
        return frame;
    }
    recent_.forget_before(spare_->number);
    FrameState* frame = place_frame(std::exchange(spare_, nullptr)->self, newest.map, newest.extras);
    set_marks(*frame, newest.marks);
    const std::size_t stride = newest.labelled() ? stretch_stride(newest.map) : 0;
    for (const std::uint32_t row : recent_.rows()) {
        frame->rows[row] = newest.rows[row];
        frame->reach[row] = newest.reach[row];
        frame->blocks[row] = newest.blocks[row];
        if (newest.bounds.size() != 0) frame->bounds[row] = newest.bounds[row];
        if (newest.has_heights()) frame->row_heights[row] = newest.row_heights[row];
        std::copy_n(newest.stretches.data() + row * stride, stride, frame->stretches.data() + row * stride);
    }
    return frame;
}

void Store::abandon(FrameState* frame) noexcept {
    // Blocks that no published frame has belong to this frame, perhaps with others.
    for_each_block(*frame, [&](Block* block) {
        if (block->rows == 0 && block->taken) blocks.put_back(block);
    });
    give_back_tables(*frame);
    destroy_frame(*frame);
    // Never the last one: the calling engine has its own.
    references_.fetch_sub(1, std::memory_order_relaxed);
}

// A frame whose rows are reclaimed is kept for its tables, if they are the most recent.
void Store::retire(FrameState& frame) noexcept {
    if (frame.number < recent_.since() || (spare_ != nullptr && spare_->number > frame.number))
        return destroy_frame(frame);
    release_spare();
    set_layer(frame, nullptr);
    set_marks(frame, nullptr);
    if (frame.ghost_block != nullptr) set_ghosts(frame, nullptr, {}, 0);
    spare_ = &frame;
}

void Store::release_spare() noexcept {
    if (spare_ != nullptr) destroy_frame(*std::exchange(spare_, nullptr));
}

void Store::destroy_frame(FrameState& frame) noexcept {
    set_layer(frame, nullptr);
    set_marks(frame, nullptr);
    if (frame.ghost_block != nullptr) set_ghosts(frame, nullptr, {}, 0);
    if (frame.map.has_islands()) blocks.drop_reference(frame.map.tables().block);
    table_bytes_ -= frame.self->bytes;
    blocks.put_back(frame.self);
}

void Store::set_layer(FrameState& frame, FrameState* layer) noexcept {
    share(layer);
    layers_ += layer != nullptr;
    layers_ -= frame.layer != nullptr;
    drop(std::exchange(frame.layer, layer));
}

void Store::give_back_tables(FrameState& frame) noexcept {
    if (AgentTable* table = frame.by_id.load(std::memory_order_relaxed); table != nullptr)
        spaces.agent_tables.put_back(table, max_free_agent_tables);
    for (const auto* shapes : {&frame.centre_frame, &frame.circle_frame})
        if (ShapeFrame* const known = shapes->load(std::memory_order_relaxed); known != nullptr)
            spaces.shape_frames.put_back(known, max_free_shape_frames);
    if (frame.centres == nullptr) return;
    spaces.centre_tables.put_back(frame.centres, wants_centres() ? max_free_centre_tables : 0);
    frame.centres = nullptr;
}

void Store::release_older(const FrameState& newest, std::size_t row) noexcept {
    const simd::Row& of = newest.rows[row];
    if (of.is_dense()) return;
    const PatchLayout layout(of.stride, newest.map.columns(row), newest.extras);
    SpareRow(newest.blocks[row], layout).release_older(blocks);
}

void Store::release_older() noexcept {
    if (newest_ == nullptr) return;
    for (std::size_t r = 0; r < newest_->rows.size(); ++r) release_older(*newest_, r);
}

void Store::set_marks(FrameState& frame, Block* marks) noexcept {
    if (marks != nullptr) blocks.add_reference(marks);
    if (frame.marks != nullptr) blocks.drop_reference(frame.marks);
    frame.marks = marks;
}

void Store::set_ghosts(FrameState& frame, Block* block, const simd::GhostIds& ghosts,
                       std::size_t count) noexcept {
    if (block != nullptr) blocks.add_reference(block);
    if (frame.ghost_block != nullptr) blocks.drop_reference(frame.ghost_block);
    frame.ghost_block = block;
    frame.ghosts = ghosts;
    frame.ghost_count = count;
}

// --- Which frame uses which rows ---------------------------------------------------------------------------

void Store::link(FrameState& frame) noexcept {
    if (const std::uint32_t left = frames_with_centres_.load(std::memory_order_relaxed); left != 0)
        frames_with_centres_.store(left - 1, std::memory_order_relaxed);
    frame.older = newest_;
    if (newest_ != nullptr) newest_->newer = &frame;
    newest_ = &frame;
    most_agents_ = std::max(most_agents_, frame.agents);
    most_in_spaces_ = std::max(most_in_spaces_, frame.agents);
}

void Store::leave(Block* block, FrameState& last) noexcept {
    if (--block->rows != 0) return;
    row_bytes_ -= block->bytes;
    block->next = last.used_last;
    last.used_last = block;
}

void Store::enter(Block* block, const FrameState& first) noexcept {
    if (block->rows++ != 0) return;
    block->born = first.number;
    row_bytes_ += block->bytes;
}

void Store::publish(FrameState& frame) noexcept {
    release_older();
    for_each_block(frame, [&](Block* block) { enter(block, frame); });
    if (newest_ != nullptr) for_each_block(*newest_, [&](Block* block) { leave(block, *newest_); });
    recent_.start_at(frame.number);
    release_spare();
    link(frame);
}

void Store::publish(FrameState& frame, std::span<const std::uint32_t> touched) noexcept {
    for (const std::uint32_t row : touched)
        if (Block* block = frame.blocks[row]; block != nullptr) enter(block, frame);
    for (const std::uint32_t row : touched)
        if (Block* block = newest_->blocks[row]; block != nullptr) leave(block, *newest_);
    if (frame.tree_block != newest_->tree_block) exchange_trees(frame);
    recent_.add(frame.number, touched);
    if (spare_ != nullptr && spare_->number < recent_.since()) release_spare();
    link(frame);
}

// Exchanges the tree of the newest frame with that of the next, which edits have made of it. The groves of
// both are in the order of ranks, so one that both have is met in both at once.
void Store::exchange_trees(FrameState& frame) noexcept {
    if (frame.tree_block != nullptr) enter(frame.tree_block, frame);
    const GroveNote *is = frame.grove_notes.begin(), *was = newest_->grove_notes.begin();
    while (is != frame.grove_notes.end() || was != newest_->grove_notes.end()) {
        const bool has_new = is != frame.grove_notes.end(), has_old = was != newest_->grove_notes.end();
        if (has_new && has_old && is->block == was->block) {
            ++is, ++was;
        } else if (!has_old || (has_new && is->first_full_rank < was->first_full_rank)) {
            enter((is++)->block, frame);
        } else {
            leave((was++)->block, *newest_);
        }
    }
    if (newest_->tree_block != nullptr) leave(newest_->tree_block, *newest_);
}

// --- Dropped frames ----------------------------------------------------------------------------------------

void Store::collect(const Portion& portion) noexcept {
    std::size_t left = portion.blocks;
    for (;;) {
        if (waiting_ == nullptr) waiting_ = dropped_.exchange(nullptr, std::memory_order_acquire);
        if (waiting_ == nullptr) return;
        FrameState& frame = *waiting_;
        FrameState* next = frame.next;
        if (!take_back(frame, left)) return;
        waiting_ = next;
    }
}

// Returns false if the portion is used up before the frame is gone; the next call continues with the rest of
// its rows.
bool Store::take_back(FrameState& frame, std::size_t& left) noexcept {
    while (frame.used_last != nullptr) {
        if (left == 0) return false;
        --left;
        Block* block = std::exchange(frame.used_last, frame.used_last->next);
        if (frame.older == nullptr || block->born > frame.older->number) {
            if (block->spare)
                block->idle = true;
            else
                blocks.put_back(block);
        } else {
            block->next = frame.older->used_last;
            frame.older->used_last = block;
        }
    }
    if (left == 0) return false;
    --left;
    if (frame.older != nullptr) frame.older->newer = frame.newer;
    (frame.newer != nullptr ? frame.newer->older : newest_) = frame.older;
    retire(frame);
    return true;
}

void drop(FrameState* frame) noexcept {
    if (frame == nullptr || frame->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    Store* store = frame->store;
    store->give_back_tables(*frame);
    frame->next = store->dropped_.load(std::memory_order_relaxed);
    while (!store->dropped_.compare_exchange_weak(frame->next, frame, std::memory_order_release,
                                                  std::memory_order_relaxed)) {
    }
    store->drop_reference();
}

}  // namespace throng::detail
