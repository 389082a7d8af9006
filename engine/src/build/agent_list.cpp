#include "engine/src/build/agent_list.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/blocks.hpp"
#include "base/legal.hpp"
#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/memory/ids.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// Whether each id in the range is larger than the one before it. Ids below 2^31 are subtracted: a negative
// difference shows in its sign. Compilers make vectors of that.
bool ascend(const AgentId* ids, std::size_t begin, std::size_t end) noexcept {
    constexpr std::size_t ids_at_once = 4096;
    constexpr std::uint32_t sign = 0x80000000u;
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; i += ids_at_once) {
        const std::size_t last = std::min(end, i + ids_at_once);
        std::uint32_t differences = sign, all = ids[i - 1];
        for (std::size_t k = i; k < last; ++k) {
            differences &= ids[k - 1] - ids[k];
            all |= ids[k];
        }
        if ((differences & ~all & sign) != 0) continue;
        if ((all & sign) == 0) return false;
        for (std::size_t k = i; k < last; ++k)
            if (ids[k] <= ids[k - 1]) return false;
    }
    return true;
}

// Where ids do not ascend, they are still in a cache when the largest one is looked for.
Status all_ascend(const Executor& executor, std::span<const AgentId> ids, bool& result,
                  AgentId& largest) noexcept {
    constexpr std::size_t ids_at_once = 16384;
    std::mutex mutex;
    result = true;
    largest = 0;
    const parallel::Ran ran = parallel::for_ranges(executor, ids.size(), 65536, [&](parallel::Range part) {
        bool in_order = true;
        AgentId most = 0;
        for (std::size_t i = part.begin; i < part.end; i += ids_at_once) {
            const std::size_t end = std::min(part.end, i + ids_at_once);
            if (ascend(ids.data(), i, end)) {
                most = std::max(most, ids[end - 1]);
                continue;
            }
            in_order = false;
            for (std::size_t k = i; k < end; ++k) most = std::max(most, ids[k]);
        }
        const std::lock_guard lock(mutex);
        result = result && in_order;
        largest = std::max(largest, most);
    });
    return outcome(ran);
}

Status id_too_large(std::size_t element) noexcept { return {Code::too_many, element, Argument::ids}; }
Status seen_twice(std::size_t element) noexcept { return {Code::duplicate_id, element, Argument::ids}; }

// The number of an agent that has none yet.
constexpr std::uint32_t unnumbered = IdTable::none - 1;

}  // namespace

// --- Named agents ---

Status NamedAgents::take(const Executor& executor, std::span<const AgentId> ids, const Boxes& boxes,
                         const Labels& labels, const Heights& heights) noexcept {
    bool in_order = false;
    AgentId largest = 0;
    if (const Status bad = all_ascend(executor, ids, in_order, largest); !bad.ok()) return bad;
    list_ = {boxes, ids.data(), labels, heights, true, in_order};
    return in_order ? take_ascending(ids) : take_in_any_order(ids, largest);
}

Status NamedAgents::take_ascending(std::span<const AgentId> ids) noexcept {
    if (!ids.empty() && ids.back() >= max_ids)
        return id_too_large(static_cast<std::size_t>(
            std::lower_bound(ids.begin(), ids.end(), static_cast<AgentId>(max_ids)) - ids.begin()));
    bound_ = ids.empty() ? 0 : std::size_t{ids.back()} + 1;
    if (bound_ == ids.size()) {
        list_.ids = nullptr;
        return {};
    }
    list_.traits_are_by_id = list_.extras() == simd::Extras::none || !are_sparse(bound_, ids.size());
    return !list_.traits_are_by_id || put_traits_by_id(ids) ? Status{} : Status{Code::out_of_memory};
}

// An element with too large an id is named unless one before it has another fault.
Status NamedAgents::take_in_any_order(std::span<const AgentId> ids, AgentId largest) noexcept {
    std::size_t legal = ids.size();
    if (largest >= max_ids)
        for (legal = 0, largest = 0; ids[legal] < max_ids; ++legal) largest = std::max(largest, ids[legal]);
    bound_ = std::size_t{largest} + 1;
    const std::span<const AgentId> first = ids.first(legal);
    Status status = are_sparse(bound_, legal) ? sort(first) : mark(first);
    if (status.ok() && legal < ids.size()) status = id_too_large(legal);
    if (status.ok() && list_.traits_are_by_id && !put_traits_by_id(ids)) status = {Code::out_of_memory};
    return status;
}

Status NamedAgents::mark(std::span<const AgentId> ids) noexcept {
    const std::size_t words = (bound_ + 63) / 64;
    if (!resize_amply(marks_, words)) return {Code::out_of_memory};
    std::fill_n(marks_.data(), words, std::uint64_t{0});
    // Ids that follow each other are mostly in one word, so that is stored when another one comes.
    std::uint64_t *const marks = marks_.data(), *here = marks, word = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        if (std::uint64_t* const next = marks + ids[i] / 64; next != here) {
            *here = word;
            word = *(here = next);
        }
        const std::uint64_t bit = std::uint64_t{1} << ids[i] % 64;
        if ((word & bit) != 0) return seen_twice(i);
        word |= bit;
    }
    return {};
}

// Makes the list one of ascending ids.
Status NamedAgents::sort(std::span<const AgentId> ids) noexcept {
    const std::size_t count = ids.size();
    const simd::Extras extras = list_.extras();
    boxes_.clear();
    ids_.clear();
    traits_.clear();
    if (!resize_amply(keys_, count) || !reserve_amply(boxes_, count) || !reserve_amply(ids_, count) ||
        (has_labels(extras) && !reserve_amply(traits_, count)))
        return {Code::out_of_memory};
    for (std::size_t i = 0; i < count; ++i) keys_[i] = std::uint64_t{ids[i]} << 32 | i;
    std::sort(keys_.begin(), keys_.end());
    constexpr std::size_t none = Status::no_index;
    std::size_t twice = none;
    for (std::size_t k = 0; k < count; ++k) {
        const auto id = static_cast<AgentId>(keys_[k] >> 32);
        const std::size_t element = keys_[k] & 0xFFFFFFFFu;
        if (k != 0 && keys_[k - 1] >> 32 == id) twice = std::min(twice, element);
        (void)ids_.push_back(id);
        (void)boxes_.push_back(list_.boxes[element]);
        if (has_labels(extras)) (void)traits_.push_back(list_.traits(element));
    }
    if (twice != none) return seen_twice(twice);
    list_ = {Boxes::of({boxes_.data(), count}), ids_.data(), {}, {}, false, true};
    list_.set_traits(traits_.data(), count, extras);
    return {};
}

// Returns false if there is no memory.
bool NamedAgents::put_traits_by_id(std::span<const AgentId> ids) noexcept {
    const simd::Extras extras = list_.extras();
    if (!has_labels(extras)) return true;
    if (!resize_amply(traits_, bound_)) return false;
    std::fill_n(traits_.data(), bound_, Traits{});
    for (std::size_t i = 0; i < ids.size(); ++i) traits_[ids[i]] = list_.traits(i);
    list_.set_traits(traits_.data(), bound_, extras);
    return true;
}

// --- Legal agents ---

bool LegalAgents::gather(const AgentList& all) noexcept {
    boxes_.clear();
    ids_.clear();
    left_out_.clear();
    traits_.clear();
    const simd::Extras extras = all.extras();
    const std::size_t count = all.boxes.size(),
                      traits = all.traits_are_by_id || !has_labels(extras) ? 0 : count;
    if (!reserve_amply(boxes_, count) || !reserve_amply(ids_, count) || !traits_.reserve(traits))
        return false;
    for (std::size_t i = 0; i < count; ++i) {
        const AgentId id = all.ids == nullptr ? static_cast<AgentId>(i) : all.ids[i];
        const Box box = all.boxes[i];
        if (check(box) != Code::ok || check(all.heights[all.traits_are_by_id ? id : i]) != Code::ok) {
            if (!left_out_.push_back(id)) return false;
            continue;
        }
        (void)boxes_.push_back(box);
        (void)ids_.push_back(id);
        if (traits != 0) (void)traits_.push_back(all.traits(i));
    }
    if (!all.ids_ascend) std::sort(left_out_.begin(), left_out_.end());
    list_ = all;
    list_.boxes = Boxes::of({boxes_.data(), boxes_.size()});
    list_.ids = ids_.data();
    if (traits != 0) list_.set_traits(traits_.data(), traits_.size(), extras);
    return true;
}

// --- Renumbering ---

// If each agent of the frame has a number, the order names all of them. Only if not, the wrong element is
// looked for.
Status Renumbering::take(const Executor& executor, const FrameState& frame,
                         std::span<const AgentId> order) noexcept {
    if (order.size() != frame.agents) return {Code::size_mismatch, Argument::ids};
    if (order.size() >= unnumbered) return {Code::too_many, unnumbered};
    bool good = true;
    if (!number(frame, order, good)) return {Code::out_of_memory};
    if (good)
        if (const Status bad = gather(executor, frame, good); !bad.ok()) return bad;
    return good ? Status{} : find_fault(frame, order);
}

// Returns false if there is no memory.
bool Renumbering::number(const FrameState& frame, std::span<const AgentId> order, bool& good) noexcept {
    number_of_.clear();
    if (!number_of_.grow(frame.id_bound, frame.id_bound)) return false;
    for (std::size_t k = 0; k < order.size() && good; ++k) {
        good = order[k] < frame.id_bound;
        if (!good) break;
        if (!number_of_.prepare(order[k])) return false;
        good = number_of_[order[k]] == IdTable::none;
        if (good) number_of_.set_first(order[k], static_cast<std::uint32_t>(k));
    }
    return true;
}

Status Renumbering::gather(const Executor& executor, const FrameState& frame, bool& good) noexcept {
    traits_.clear();
    if (!boxes_.resize(frame.agents) || (frame.labelled() && !traits_.resize(frame.agents)))
        return {Code::out_of_memory};
    std::atomic<bool> all_have_numbers{true};
    const parallel::Ran ran =
        for_each_agent(executor, frame, [&](AgentId id, const simd::Row& row, std::uint32_t i) {
            const std::uint32_t number = number_of_[id];
            if (number == IdTable::none) return all_have_numbers.store(false, std::memory_order_relaxed);
            boxes_[number] = RowArrays(row).box(i);
            if (frame.labelled()) traits_[number] = traits_in(row, frame.extras, i);
        });
    if (!ran) return outcome(ran);
    good = all_have_numbers.load(std::memory_order_relaxed);
    list_ = {Boxes::of({boxes_.data(), boxes_.size()}), nullptr, {}, {}, true, true};
    list_.set_traits(traits_.data(), traits_.size(), frame.extras);
    return {};
}

// The status of the first element that is no agent or came before.
Status Renumbering::find_fault(const FrameState& frame, std::span<const AgentId> order) noexcept {
    number_of_.clear();
    bool enough = number_of_.grow(frame.id_bound, frame.id_bound);
    (void)for_each_agent(serial_executor(), frame, [&](AgentId id, const simd::Row&, std::uint32_t) {
        enough = enough && number_of_.prepare(id);
        if (enough) number_of_.set_first(id, unnumbered);
    });
    if (!enough) return {Code::out_of_memory};
    for (std::size_t k = 0; k < order.size(); ++k) {
        const std::uint32_t number = order[k] < number_of_.size() ? number_of_[order[k]] : IdTable::none;
        if (number == IdTable::none) return {Code::unknown_id, k, Argument::ids};
        if (number != unnumbered) return {Code::duplicate_id, k, Argument::ids};
        number_of_.replace(order[k], static_cast<std::uint32_t>(k));
    }
    return {};
}

}  // namespace throng::detail
