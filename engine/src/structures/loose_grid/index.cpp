#include "engine/src/structures/loose_grid/state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_math.hpp"
#include "engine/src/base/find_kernels.hpp"
#include "engine/src/base/limits.hpp"
#include "engine/src/base/refusals.hpp"
#include "throng/memory.hpp"

namespace throng {

using namespace detail;

namespace {

constexpr std::uint32_t max_stripes = 32768;

// Elements in a loose cell, on average: a miss costs as much as two or three elements.
constexpr double elements_in_cell = 4;
// With narrow cells most pairs are found within a row, as in the engine.
constexpr double width_to_height = 0.4;

std::uint32_t stripes(double extent, double size, double most) noexcept {
    const double count = std::ceil(extent / size);
    return static_cast<std::uint32_t>(count > 1 ? std::min({count, most, double{max_stripes}}) : 1.0);
}

Status check_config(const LooseGrid::Config& c) noexcept {
    const auto legal = [](std::uint32_t count) { return count >= 1 && count <= max_stripes; };
    if (!legal(c.columns) || !legal(c.rows) || !legal(c.tight_columns) || !legal(c.tight_rows))
        return {Code::bad_config};
    if (c.columns > LooseGrid::max_cells / c.rows || !are_legal_extents(c.extents)) return {Code::bad_config};
    return {};
}

// In doubles, since the width of the world may overflow a float.
float stripes_per_unit(double count, float min, float max) noexcept {
    const double extent = double{max} - double{min};
    if (!(extent > 0)) return 0;
    return static_cast<float>(std::min(count / extent, double{std::numeric_limits<float>::max()}));
}

std::uint32_t divided_up(std::uint32_t a, std::uint32_t b) noexcept { return (a + b - 1) / b; }

}  // namespace

LooseGrid::Config LooseGrid::recommended(const Expected& expected) noexcept {
    Config config;
    if (check(expected.extents) != Code::ok) return config;
    config.extents = expected.extents;
    const double width = double{expected.extents.max_x} - double{expected.extents.min_x};
    const double height = double{expected.extents.max_y} - double{expected.extents.min_y};
    const double elements = std::max(1.0, static_cast<double>(expected.elements));
    const double side = std::sqrt(width) * std::sqrt(height) * std::sqrt(elements_in_cell / elements);
    const double smallest = std::max(double{expected.typical_size}, 1e-300);
    const double cell_width = std::max(side * std::sqrt(width_to_height), smallest);
    const double cell_height = std::max(side / std::sqrt(width_to_height), smallest);
    config.columns = stripes(width, cell_width, elements);
    // As wide as high, about.
    config.tight_columns = 4;
    config.tight_rows = 2;
    config.rows = stripes(height, cell_height, std::min(elements, double{max_cells} / config.columns));
    return config;
}

LooseGrid::LooseGrid(const Config& config, MemoryResource* memory) noexcept
    : DynamicStructure(make_state<State>(config, memory)) {}

Isa LooseGrid::isa() const noexcept { return status().ok() ? own<State>().kernels_->isa : Isa::automatic; }

bool LooseGrid::clean_up(std::size_t budget) noexcept {
    return !status().ok() || own<State>().clean_up(budget);
}

LooseGrid::State::State(const Config& config, MemoryResource* memory, Status& status) noexcept
    : StateOf(memory),
      config_(config),
      records_(memory),
      slots_(memory),
      cells_(memory),
      tight_(memory),
      nodes_(memory),
      touched_(memory),
      wide_(memory),
      row_sizes_(memory),
      sorting_(memory),
      row_counts_(memory),
      row_ends_(memory),
      irregular_(memory),
      pair_space_(memory) {
    status = check_config(config);
    if (status) status = find_kernels(config.isa, kernels_);
    if (!status) return;
    const Box& e = config.extents;
    tight_columns_ = divided_up(config.columns, config.tight_columns);
    tight_rows_ = divided_up(config.rows, config.tight_rows);
    const auto axis = [](double stripes_in_extent, std::uint32_t count, float min, float max) {
        return Axis{min, stripes_per_unit(stripes_in_extent, min, max), static_cast<float>(count - 1)};
    };
    columns_ = axis(config.columns, config.columns, e.min_x, e.max_x);
    rows_ = axis(config.rows, config.rows, e.min_y, e.max_y);
    widest_regular_ = 2 / columns_.scale;
    tight_x_ = axis(1.0 * config.columns / config.tight_columns, tight_columns_, e.min_x, e.max_x);
    tight_y_ = axis(1.0 * config.rows / config.tight_rows, tight_rows_, e.min_y, e.max_y);
    const std::size_t cells = std::size_t{config.columns} * config.rows;
    const std::size_t lists = std::size_t{tight_columns_} * tight_rows_ + 1;
    if (!cells_.resize(cells) || !tight_.resize(lists) || !touched_.resize(cells) || !wide_.resize(cells) ||
        !row_sizes_.resize(config.rows)) {
        cells_.release();
        status = {Code::out_of_memory};
        return;
    }
    clear();
}

void LooseGrid::State::clear() noexcept {
    records_.clear();
    slots_.clear();
    forget_cells();
    nodes_.clear();
    std::fill(tight_.begin(), tight_.end(), none);
    wide_.clear();
    has_unlinked_cells_ = false;
}

void LooseGrid::State::forget_cells() noexcept {
    std::fill(cells_.begin(), cells_.end(), Cell{none, empty_bounds});
    std::fill(row_sizes_.begin(), row_sizes_.end(), 0u);
    touched_.clear();
    clean_up_at_ = 0;
}

Status LooseGrid::State::insert(const Box& box, ElementId& id) noexcept {
    if (const Status refused = refused_insert(*this, box); !refused) return refused;
    const std::uint32_t cell = cell_of(box);
    if (!records_.reserve(size() + 1) || !slots_.reserve(size() + 1) || !reserve_links(cell, box))
        return {Code::out_of_memory};
    const std::uint32_t slot = records_.insert({box, none, no_element});
    id = slots_.insert(slot);
    records_[slot].id = id;
    push_record(cell, slot);
    stretch(cell, box);
    return {};
}

// Records are ordered by cell, but hosts move their agents by id, so without a prefetch each move would wait
// for memory.
void LooseGrid::State::fetch_record_of(ElementId id) const noexcept {
    if (id >= slots_.range()) return;
    if (const std::uint32_t slot = slots_[id]; slot < records_.range()) __builtin_prefetch(&records_[slot]);
}

Status LooseGrid::State::move(ElementId id, const Box& box) noexcept {
    if (const Status refused = refused_move(*this, id, box); !refused) return refused;
    fetch_record_of(id + 8);
    std::uint32_t slot = slots_[id];
    const std::uint32_t cell = cell_of(box), left = cell_of(records_[slot].box);
    if (!reserve_links(cell, box)) return {Code::out_of_memory};
    if (left != cell) {
        slot = take_record(left, slot);
        push_record(cell, slot);
    }
    records_[slot].box = box;
    touched_.set(left);
    stretch(cell, box);
    return {};
}

Status LooseGrid::State::remove(ElementId id) noexcept {
    if (const Status refused = refused_remove(*this, id); !refused) return refused;
    const std::uint32_t slot = slots_[id], cell = cell_of(records_[slot].box);
    records_.erase(take_record(cell, slot));
    touched_.set(cell);
    slots_.erase(id);
    return {};
}

void LooseGrid::State::push_record(std::uint32_t cell, std::uint32_t slot) noexcept {
    records_[slot].next = cells_[cell].head;
    cells_[cell].head = slot;
    is_in_order_ = false;
    ++row_sizes_[cell / config_.columns];
}

// Returns the slot of the record afterwards. To avoid a search for the predecessor in a long list, the first
// of the list takes its place.
std::uint32_t LooseGrid::State::take_record(std::uint32_t cell, std::uint32_t slot) noexcept {
    constexpr int max_steps = 32;
    --row_sizes_[cell / config_.columns];
    is_in_order_ = false;
    std::uint32_t* link = &cells_[cell].head;
    for (int step = 0; step < max_steps; ++step) {
        if (*link == slot) {
            *link = records_[slot].next;
            return slot;
        }
        link = &records_[*link].next;
    }
    const std::uint32_t first = cells_[cell].head;
    Record &in_front = records_[first], &inside = records_[slot];
    cells_[cell].head = in_front.next;
    std::swap(in_front.box, inside.box);
    std::swap(in_front.id, inside.id);
    slots_[in_front.id] = first;
    slots_[inside.id] = slot;
    return first;
}

Box LooseGrid::State::settled_bounds(const Cell& cell) const noexcept {
    Box bounds = empty_bounds;
    for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
        bounds = united(bounds, records_[slot].box);
    return bounds;
}

void LooseGrid::State::clean_up() noexcept {
    clean_up_at_ = 0;
    if (touched_.none() && !has_unlinked_cells_) return;
    keep_room_for_moves();
    // Rebuilding all links is faster than changing many of them.
    if (has_unlinked_cells_ || touched_.count() > cells_.size() / 8) {
        touched_.for_each([&](std::size_t cell) { cells_[cell].bounds = settled_bounds(cells_[cell]); });
        relink_all_or_widen();
    } else {
        touched_.for_each([&](std::size_t cell) { shrink(static_cast<std::uint32_t>(cell)); });
        drop_narrow_cells();
    }
    touched_.clear();
}

bool LooseGrid::State::clean_up(std::size_t budget) noexcept {
    bool wide_before = false;
    std::size_t cell = touched_.find_next(std::exchange(clean_up_at_, 0));
    for (; cell != touched_.npos && budget != 0; cell = touched_.find_next(cell + 1), --budget) {
        wide_before |= wide_.test(cell);
        shrink(static_cast<std::uint32_t>(cell));
        touched_.reset(cell);
    }
    if (wide_before) drop_narrow_cells();
    if (cell != touched_.npos) {
        clean_up_at_ = cell;
        return false;
    }
    // Cells without links for lack of memory are linked together with all others.
    if (has_unlinked_cells_) clean_up();
    return true;
}

std::size_t LooseGrid::State::bytes_held() const noexcept {
    return records_.bytes() + slots_.bytes() + cells_.bytes() + tight_.bytes() + nodes_.bytes() +
           touched_.bytes() + wide_.bytes() + row_sizes_.bytes() + sorting_.bytes() + row_counts_.bytes() +
           row_ends_.bytes() + irregular_.bytes() + pair_space_.bytes();
}

void LooseGrid::State::list_elements(IdAnswers& list) const {
    for (const Cell& cell : cells_)
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next)
            if (!list.put(records_[slot].id)) return;
}

void LooseGrid::State::list_parts(PartAnswers& list) const {
    const Box& e = config_.extents;
    const auto edge = [](float min, float max, double share) {
        return static_cast<float>(double{min} + (double{max} - double{min}) * std::min(share, 1.0));
    };
    const auto x = [&](std::uint32_t c) {
        return edge(e.min_x, e.max_x, 1.0 * c * config_.tight_columns / config_.columns);
    };
    const auto y = [&](std::uint32_t r) {
        return edge(e.min_y, e.max_y, 1.0 * r * config_.tight_rows / config_.rows);
    };
    for (std::uint32_t r = 0; r < tight_rows_; ++r)
        for (std::uint32_t c = 0; c < tight_columns_; ++c)
            if (tight_[tight_at(c, r)] != none)
                if (!list.put({{x(c), y(r), x(c + 1), y(r + 1)}, 0, 0, false})) return;
    for (const Cell& cell : cells_) {
        std::uint32_t elements = 0;
        for (std::uint32_t slot = cell.head; slot != none; slot = records_[slot].next) ++elements;
        if (elements != 0 && !list.put({cell.bounds, 1, elements, true})) return;
    }
}

}  // namespace throng
