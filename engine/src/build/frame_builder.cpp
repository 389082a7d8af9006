#include "engine/src/build/frame_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

void add_traits(FrameState& frame, std::size_t r, const FrameBuilder::Input& input) noexcept {
    const std::uint32_t stride = stretch_stride(input.map);
    const simd::Row& row = frame.rows[r];
    if (agents_in(row) != 0) {
        const std::uint32_t shared = input.traits_are_by_id ? gather_labels(row, frame.extras, input.labels)
                                                            : gather_labels(row, frame.extras, input.labels,
                                                                            {input.ids, input.boxes.size()});
        parallel::atomically(frame.shared_categories).fetch_and(shared, std::memory_order_relaxed);
        if (frame.has_heights()) frame.row_heights[r] = frame.kernels->rows->shared_heights(row);
    }
    const auto note = input.labels.empty() ? note_usual_stretches : note_stretches;
    note(row, input.map.columns(r), stride, frame.stretches.data() + r * stride);
}

// No comparison with what is behind the common agents of a row holds.
void pad(const simd::Row& row) noexcept {
    for (std::size_t k = 0; k < 4; ++k)
        std::fill_n(const_cast<float*>(row.data) + k * row.stride + row.count, simd::gap, simd::not_a_number);
}
// What sort_row leaves around agents that are all oversized.
void close_unsorted(simd::Row& row, std::uint32_t columns) noexcept {
    std::fill_n(const_cast<std::uint32_t*>(row.cells), columns + 1, 0u);
    row.oversized = std::exchange(row.count, 0u);
    pad(row);
}

// If one cell is enough, there is nothing to count or sort. Gives up if an agent is oversized.
Status build_few(Store& store, const FrameBuilder::Input& input, FrameState& frame, bool& done) noexcept {
    const auto agents = static_cast<std::uint32_t>(input.boxes.size());
    if (input.boxes.size() > few_agents || agents == 0 || input.ids != nullptr ||
        input.extras() != simd::Extras::none || input.map.rows() != 1 || input.map.open().columns != 1 ||
        input.map.has_islands())
        return {};
    const RowLayout layout(agents, 1, simd::Extras::none);
    Block* block = store.take(RowLayout(few_agents, 1, simd::Extras::none).bytes);
    if (block == nullptr) return {Code::out_of_memory};
    float* data = reinterpret_cast<float*>(block->memory);
    std::uint32_t* cells = cells_in(data, layout.stride, simd::Extras::none);
    const simd::Row row{data, cells, layout.stride, agents, 0};
    store.set_row(frame, 0, row, block);
    cells[0] = 0;
    cells[1] = agents;
    AgentId* const ids = reinterpret_cast<AgentId*>(data + std::size_t{4} * layout.stride);
    const BoxAt box_at(input.boxes);
    for (std::uint32_t i = 0; i < agents; ++i) {
        const Box box = box_at(i);
        if (check(box) != Code::ok) return check(input.boxes, i);
        const float edges[4] = {box.min_x, box.min_y, box.max_x, box.max_y};
        for (std::size_t k = 0; k < 4; ++k) data[k * layout.stride + i] = edges[k];
        ids[i] = i;
    }
    pad(row);
    const simd::RowReach reach = frame.reach[0] = input.kernels->rows->measure_row(row);
    done = reach.width <= input.map.open().common_width && reach.height <= input.map.open().common_height;
    if (done) {
        frame.sharing = std::uint64_t{agents} * (agents - 1) / 2;  // commits count from there
    } else {
        store.set_row(frame, 0, {}, nullptr);
        store.blocks.put_back(block);
    }
    return {};
}

// Null if they are not wanted. Lack of memory here is no failure: readers do without.
CentreTable* centres_for(Store& store, const FrameBuilder::Input& input) noexcept {
    if (input.ids != nullptr || !store.wants_centres()) return nullptr;
    CentreTable* const table = store.spaces.centre_tables.take();
    if (table == nullptr) return nullptr;
    table->rounding = rounding_mode();
    if (reserve_amply(table->points, input.boxes.size() + simd::gap) &&
        table->points.resize(input.boxes.size()))
        return table;
    store.spaces.centre_tables.put_back(table);
    return nullptr;
}

// --- The order of ids in a cell ---

// A key has the id of an agent above its slot in the row.
using Key = std::uint64_t;
constexpr Key key_of(AgentId id, std::size_t slot) noexcept { return Key{id} << 32 | slot; }
constexpr AgentId id_in(Key key) noexcept { return static_cast<AgentId>(key >> 32); }
constexpr std::uint32_t slot_in(Key key) noexcept { return static_cast<std::uint32_t>(key); }

// Sorts a few keys without a branch on what they are.
void exchange_all(Key* keys, std::size_t count) noexcept {
    for (std::size_t last = count - 1; last != 0; --last)
        for (std::size_t i = 0; i < last; ++i) {
            const Key a = keys[i], b = keys[i + 1];
            keys[i] = std::min(a, b);
            keys[i + 1] = std::max(a, b);
        }
}

void sort_keys(Key* keys, std::size_t begin, std::size_t end) noexcept {
    constexpr std::size_t max_exchanged = 8;
    if (end - begin < 2) return;
    if (end - begin <= max_exchanged)
        exchange_all(keys + begin, end - begin);
    else
        std::sort(keys + begin, keys + end);
}

// The keys of some agents of a row that follow each other, in scratch memory. Their coordinates, perhaps
// their heights, and last their ids are moved.
template <std::size_t arrays>
class Keys {
public:
    Keys(const simd::Row& row, std::size_t begin, std::size_t count, std::byte* scratch) noexcept
        : count_(count) {
        for (std::size_t k = 0; k < arrays; ++k) {
            const std::size_t number = k + 1 == arrays ? 4 : k < 4 ? k : k + 3;
            words_[k] =
                reinterpret_cast<std::uint32_t*>(const_cast<float*>(row.data)) + number * row.stride + begin;
        }
        const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(scratch) % sizeof(Key);
        keys_ = reinterpret_cast<Key*>(scratch + (misaligned == 0 ? 0 : sizeof(Key) - misaligned));
        const std::uint32_t* ids = words_[arrays - 1];
        for (std::size_t i = 0; i < count; ++i) keys_[i] = key_of(ids[i], i);
    }
    void sort(std::size_t begin, std::size_t end) noexcept { sort_keys(keys_, begin, end); }
    // Puts the agents where their keys are.
    void apply() noexcept {
        std::uint32_t* values[arrays - 1];
        for (std::size_t k = 0; k < arrays - 1; ++k)
            values[k] = reinterpret_cast<std::uint32_t*>(keys_ + count_) + k * count_;
        for (std::size_t i = 0; i < count_; ++i) {
            const std::uint32_t slot = slot_in(keys_[i]);
            for (std::size_t k = 0; k < arrays - 1; ++k) values[k][i] = words_[k][slot];
        }
        for (std::size_t k = 0; k < arrays - 1; ++k)
            std::memcpy(words_[k], values[k], count_ * sizeof(std::uint32_t));
        for (std::size_t i = 0; i < count_; ++i) words_[arrays - 1][i] = id_in(keys_[i]);
    }

private:
    std::size_t count_;
    std::uint32_t* words_[arrays];
    Key* keys_;
};

// Puts the agents of each cell of a row in the order of their ids: of a sorted, dense row without labels yet.
// It is for lists of agents whose ids do not ascend, if sorting the row did not do it. `scratch` has
// simd::sort_scratch() bytes for them. Most cells have one to three agents, so a branch on their order would
// be predicted wrongly half of the time. So all keys are sorted, cell by cell, and then the row is put in the
// order of its keys.
template <std::size_t arrays>
void order_by_id(const simd::Row& row, std::uint32_t columns, std::byte* scratch) noexcept {
    if (row.count != 0) {
        Keys<arrays> keys(row, 0, row.count, scratch);
        for (std::uint32_t c = 0; c < columns; ++c) keys.sort(row.cells[c], row.cells[c + 1]);
        keys.apply();
    }
    if (row.oversized > 1) {
        Keys<arrays> keys(row, oversized_begin(row), row.oversized, scratch);
        keys.sort(0, row.oversized);
        keys.apply();
    }
}

}  // namespace

Status FrameBuilder::build(Store& store, const Input& input, FrameState*& frame) noexcept {
    FrameState* made = store.take_frame(input.map, input.extras());
    if (made == nullptr) return {Code::out_of_memory};
    made->kernels = input.kernels;
    std::fill(made->row_heights.begin(), made->row_heights.end(), simd::SharedHeights{});
    in_place_ = !input.map.has_cells();
    bool done = false;
    Status status = build_few(store, input, *made, done);
    if (status.ok() && !done) {
        made->centres = centres_for(store, input);
        status = make_room(store, input, *made);
        if (status.ok())
            status = chunks_ == 1 ? scatter_and_sort(store, input, *made) : sort(store, input, *made);
    }
    made->agents = input.boxes.size();
    if (status.ok() && !choose_tree_marks(*made, store)) status = {Code::out_of_memory};
    return store.hand_on(made, status, frame);
}

Status FrameBuilder::collect(const Input& input) noexcept {
    in_place_ = false;
    if (!prepare(input, true)) return {Code::out_of_memory};
    const Status status = count_chunks(input, nullptr);
    add_up();
    return status;
}

// Counts the agents and lays out their rows.
Status FrameBuilder::make_room(Store& store, const Input& input, FrameState& frame) noexcept {
    if (!prepare(input, false)) return {Code::out_of_memory};
    if (const Status bad = count_chunks(input, &frame); !bad.ok()) return bad;
    add_up();
    return lay_out(store, input, frame) ? Status{} : Status{Code::out_of_memory};
}

// For all rows of a bundle: the most that they can need if there are many.
std::size_t FrameBuilder::bytes_of(const WorldMap& map, simd::Extras extras, std::size_t b) const noexcept {
    const std::size_t agents = agents_of(b), rows = rows_of(b);
    const std::uint32_t columns = map.columns(bundles_[b]);
    if (agents == 0) return 0;
    return rows == 1 ? RowLayout(agents, columns, extras).bytes
                     : RowLayout::most_bytes(agents, std::min(rows, agents), columns, extras);
}

// One block holds all rows, one after the other.
bool FrameBuilder::lay_out(Store& store, const Input& input, FrameState& frame) noexcept {
    const WorldMap& map = input.map;
    const simd::Extras extras = frame.extras;
    std::size_t bytes = 0, used_rows = 0;
    sort_bytes_ = 0;
    for (std::size_t b = 0; b < bundle_count_; ++b) {
        const std::size_t cells =
            rows_of(b) == 1 ? 0 : rows_of(b) * (map.columns(bundles_[b]) + std::size_t{1});
        sort_bytes_ = std::max(
            sort_bytes_, simd::sort_scratch(agents_of(b), record_size_) + cells * sizeof(std::uint32_t));
        bytes += bytes_of(map, extras, b);
        used_rows += std::min(rows_of(b), agents_of(b));
    }
    if (used_rows * 2 > map.rows())
        bytes = std::max(bytes, max_bytes_of_rows(map, input.boxes.size(), extras));
    Block* block = store.take(bytes);
    if (block == nullptr) return false;
    std::byte* at = block->memory;
    for (std::size_t b = 0; b < bundle_count_; ++b) {
        const std::uint32_t agents = agents_of(b);
        for (std::size_t r = bundles_[b]; r < bundles_[b + 1]; ++r) {
            store.set_row(frame, r, {}, agents == 0 ? nullptr : block);
            frame.reach[r] = {};
        }
        if (agents == 0) continue;
        if (rows_of(b) == 1) {
            float* data = reinterpret_cast<float*>(at);
            const RowLayout layout(agents, map.columns(bundles_[b]), extras);
            frame.rows[bundles_[b]] = {data, cells_in(data, layout.stride, extras), layout.stride, agents, 0};
        }
        records_[b] = reinterpret_cast<simd::Record*>(at);
        at += bytes_of(map, extras, b);
    }
    if (starts_[bundle_count_] == 0) store.blocks.put_back(block);
    return true;
}

// Returns whether the agents of each cell are in the order of their ids.
bool FrameBuilder::sort_bundle(const Input& input, FrameState& frame, std::size_t b, std::byte* scratch,
                               Sorted& sorted) const noexcept {
    const simd::RowKernels& kernels = *input.kernels->rows;
    const std::size_t begin = bundles_[b];
    const bool tall = frame.has_heights();
    const simd::Grid& grid = input.map.grid_of_row(begin);
    simd::Row& row = frame.rows[begin];
    if (in_place_) {
        close_unsorted(row, grid.columns);
        return input.ids_ascend;
    }
    simd::Record* records = records_[b];
    if (in_chunks_) join(b, records = reinterpret_cast<simd::Record*>(simd::next_line(scratch)));
    simd::RowSummary summary{.by_id = !input.ids_ascend};
    if (rows_of(b) > 1) {
        (tall ? kernels.sort_tall_rows : kernels.sort_rows)(grid, records, agents_of(b), frame.extras, &row,
                                                            records_[b], scratch, summary);
    } else {
        row = (tall ? kernels.sort_tall_row : kernels.sort_row)(
            grid, records, const_cast<float*>(row.data), row.stride, const_cast<std::uint32_t*>(row.cells),
            row.count, scratch, summary);
        frame.reach[begin] = summary.reach;
    }
    sorted.sharing += summary.sharing;
    return input.ids_ascend || summary.by_id;
}

FrameBuilder::Sorted FrameBuilder::sort_bundles(const Input& input, FrameState& frame, const RowGroup& group,
                                                std::byte* scratch) const noexcept {
    Sorted sorted;
    for (std::size_t b = group.begin; b < group.end; ++b) {
        const bool by_id = agents_of(b) == 0 || sort_bundle(input, frame, b, scratch, sorted);
        for (std::size_t r = bundles_[b]; r < bundles_[b + 1]; ++r) {
            const simd::Row& row = frame.rows[r];
            if (agents_in(row) != 0) {
                sorted.oversized += row.oversized;
                if (rows_of(b) > 1) frame.reach[r] = input.kernels->rows->measure_row(row);
                const auto order = frame.has_heights() ? order_by_id<7> : order_by_id<5>;
                if (!by_id) order(row, input.map.columns(r), scratch);
                if (input.map.has_islands()) frame.bounds[r] = input.kernels->rows->bound_row(row);
            } else {
                frame.blocks[r] = nullptr;
            }
            if (frame.labelled()) add_traits(frame, r, input);
        }
    }
    return sorted;
}

// On one thread a row is sorted as soon as it has all its agents. With ids in row order it is still in a
// cache then; with ids in any order, rows are complete at the end.
Status FrameBuilder::scatter_and_sort(Store& store, const Input& input, FrameState& frame) noexcept {
    constexpr std::size_t agents_at_once = 4096, bundles_at_once = 16;
    const parallel::Stop stop(input.executor);
    const std::size_t agents = input.boxes.size();
    const Lease<SortSpace> space(store.spaces.sort);
    if (!space || !reserve_amply(space->bytes, sort_bytes_)) return {Code::out_of_memory};
    frame.sharing = frame.view.oversized.count = 0;
    RowGroup complete{0, 0};
    begin_in_rows(0);
    const auto sort_complete = [&] {
        const Sorted sorted = sort_bundles(input, frame, complete, space->bytes.data());
        frame.sharing += sorted.sharing;
        frame.view.oversized.count += sorted.oversized;
        complete.begin = complete.end;
    };
    const auto is_complete = [&](std::size_t b) {
        return agents_of(b) == 0 || cursors_of(0)[b] == behind(records_[b], agents_of(b));
    };
    for (std::size_t begin = 0; begin < agents; begin += agents_at_once) {
        if (stop.is_wanted()) return {Code::cancelled};
        const std::size_t bad = scatter(input, &frame, {begin, std::min(agents, begin + agents_at_once)}, 0);
        if (bad != no_bad_box) return fault_of(input, bad);
        while (complete.end < bundle_count_ && is_complete(complete.end)) ++complete.end;
        sort_complete();
    }
    while (complete.end < bundle_count_ || complete.begin < complete.end) {
        if (stop.is_wanted()) return {Code::cancelled};
        complete.end = std::min<std::size_t>(complete.end + bundles_at_once, bundle_count_);
        sort_complete();
    }
    return {};
}

Status FrameBuilder::sort(Store& store, const Input& input, FrameState& frame) noexcept {
    if (!in_chunks_)
        if (const Status bad = scatter_chunks(input, frame); !bad.ok()) return bad;
    const std::size_t groups = row_groups_for(input.executor, bundle_count_, input.boxes.size());
    const std::size_t at_once =
        parallel::at_once(input.executor, groups, sort_bytes_ / sizeof(simd::Record), input.boxes.size());
    const auto ready = [&](SortSpace& space) { return reserve_amply(space.bytes, sort_bytes_); };
    const auto sort_group = [&](std::size_t index, SortSpace& space) {
        const RowGroup group =
            row_group(bundle_count_, groups, index, [&](std::size_t b) -> std::size_t { return starts_[b]; });
        const Sorted sorted = sort_bundles(input, frame, group, space.bytes.data());
        parallel::atomically(frame.sharing).fetch_add(sorted.sharing, std::memory_order_relaxed);
        parallel::atomically(frame.view.oversized.count)
            .fetch_add(sorted.oversized, std::memory_order_relaxed);
        return true;
    };
    return with_spaces(store.spaces.sort, input.executor, groups, at_once, ready, sort_group);
}

}  // namespace throng::detail
