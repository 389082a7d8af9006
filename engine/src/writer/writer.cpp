// The life of a writer: how it begins, how it publishes a frame, and how it gives memory back.
#include "engine/src/writer/writer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/src/frame/lookup/crowded_cells.hpp"
#include "engine/src/frame/lookup/piles.hpp"
#include "engine/src/validation/validation.hpp"

namespace throng::detail {

Writer* Writer::create(const EngineConfig& config, const simd::Kernels& kernels) noexcept {
    Store* store = Store::create(config.memory);
    if (store == nullptr) return nullptr;
    Writer* writer = make<Writer>(store->memory(), *store, config, kernels);
    if (writer != nullptr && writer->builder_.build({}, writer->newest_).ok()) {
        store->publish(*writer->newest_);
        return writer;
    }
    detail::destroy(store->memory(), writer);
    store->drop_reference();
    return nullptr;
}

void Writer::destroy(Writer* writer) noexcept {
    if (writer == nullptr) return;
    Store& store = writer->store_;
    detail::destroy(store.memory(), writer);
    store.drop_reference();
}

// --- Publishing --------------------------------------------------------------------------------------------

namespace {

// Converts an expected number of pairs. It may be NaN where boxes are wider than the range of floats; then
// none are expected.
std::size_t as_count(double expected) noexcept {
    constexpr double most = 1e12;
    return expected > 0 ? static_cast<std::size_t>(std::min(expected, most)) : 0;
}

// What is said of a frame without cells. The plan knows the grid that was turned down for it.
void tell_of_no_cells(Tuning& tuning) noexcept {
    tuning.cell_width = tuning.row_height = tuning.common_width = tuning.common_height = tuning.crowding = 0;
    tuning.columns = tuning.rows = 0;
    tuning.reason = TuningReason::all_oversized;
}

}  // namespace

void Writer::publish(FrameState* frame, std::size_t changes,
                     const std::span<const std::uint32_t>* touched) noexcept {
    frame->number = ++number_;
    frame->id_bound = staging_.id_bound();
    frame->piles = {next_pile, next_crowded_cell, frame};
    const Plan& plan = builder_.planner().plan();
    frame->pairs_expected = as_count(plan.grid.pairs_expected(frame->agents));
    frame->tuning = plan.grid.tuning();
    frame->tuning.times_chosen = builder_.planner().state().times_chosen;
    store_.set_layer(*frame, layer_);
    frame->tuning.oversized = frame->view.oversized.count;
    if (!plan.map->has_cells()) tell_of_no_cells(frame->tuning);
    frame->tuning.islands = plan.map->regions() - 1;
    if (plan.map->has_islands()) frame->tuning.reason = TuningReason::islands;
    if (touched == nullptr)
        store_.publish(*frame);
    else
        store_.publish(*frame, *touched);
    builder_.planner().count_frame(*frame, changes);
    FrameState* old = frame;
    {
        const std::lock_guard lock(mutex_);
        std::swap(newest_, old);
    }
    drop(old);
}

FrameState* Writer::share_newest() const noexcept {
    const std::lock_guard lock(mutex_);
    share(newest_);
    return newest_;
}

Validation Writer::validate() noexcept { return detail::validate(*newest_, &staging_, &store_.memory()); }

// --- Memory ------------------------------------------------------------------------------------------------

// A fixed part of what is kept beside the newest frame, so that a history goes back in a fixed number of
// calls, however long it was.
Portion Writer::next_portion(std::size_t boxes) noexcept {
    constexpr std::size_t calls = 48, bytes_of_a_block = 512, little = std::size_t{1} << 20;
    const std::size_t rows = store_.row_bytes(), kept = store_.blocks.bytes() - rows;
    most_history_ = kept <= 2 * rows + little ? 0 : std::max(most_history_, kept);
    const Portion portion = Portion::of(boxes);
    return {std::max(portion.blocks, most_history_ / (calls * bytes_of_a_block)),
            std::max(portion.bytes, most_history_ / calls)};
}

// The frame before is reclaimed at once if no reader holds it, as part of the cost of this call.
void Writer::tidy_up(std::size_t boxes) noexcept {
    const Portion portion = next_portion(boxes);
    const std::size_t agents = newest_->agents;
    store_.collect(portion);
    staging_.give_back_excess(agents);
    give_back_scratch(agents);
    store_.expect(agents);
    store_.give_back_excess(agents);
    store_.trim(portion);
}

void Writer::give_back_scratch(std::size_t agents) noexcept {
    editor_.give_back_excess(agents);
    merger_.give_back_excess(agents);
    gathered_.give_back_excess(agents);
    builder_.give_back_excess(agents);
    named_.give_back_excess(agents);
    legal_.give_back_excess(agents);
}

// Enough for what was measured of even crowds, islands, one spot and piles, with labels, members of
// structures, one frame that is held, and edits of any number (docs/decisions/memory.md). A part has room for
// the largest block, which is that of a frame's rows.
Status Writer::reserve(std::size_t agents, std::size_t edits) noexcept {
    constexpr std::uint64_t bytes_of_an_agent = 88, bytes_of_an_edit = 107, little = 256 * 1024;
    constexpr std::size_t parts = 2, parts_for_edits = 3;
    if (agents == 0 && edits == 0) return {};
    const std::uint64_t bytes = agents * bytes_of_an_agent + edits * bytes_of_an_edit + little;
    if (bytes > std::numeric_limits<std::size_t>::max() / 4) return {Code::out_of_memory};
    const bool reserved =
        store_.memory().reserve(edits == 0 ? parts : parts_for_edits, static_cast<std::size_t>(bytes));
    return {reserved ? Code::ok : Code::out_of_memory};
}

void Writer::release_memory() noexcept {
    store_.collect(Portion::all());
    store_.release_older();
    store_.spaces.release();
    store_.oversized_tree.give_back_excess(0);
    staging_.give_back_excess(newest_->agents);
    give_back_scratch(0);
    store_.blocks.release();
    store_.memory().let_go();
    most_history_ = 0;
}

MemoryReport Writer::memory() const noexcept {
    MemoryReport report;
    report.rows = store_.row_bytes();
    report.history = store_.blocks.bytes() - report.rows;
    report.tables = store_.table_bytes();
    report.agents = staging_.table_bytes();
    report.staged = staging_.edit_bytes();
    // All other memory taken from the host is scratch.
    const std::size_t known = report.total();
    const std::size_t held = store_.memory().bytes() + sizeof(Store);
    report.scratch = held > known ? held - known : 0;
    report.allocations = store_.memory().allocations() + 1;
    return report;
}

}  // namespace throng::detail
