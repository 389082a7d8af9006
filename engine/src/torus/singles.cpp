// Single queries in a world that wraps around, on the calling thread.

#include <algorithm>
#include <span>

#include "base/unwritten.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/images.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// Lets each agent pass once, image after image.
class EachOnce {
public:
    EachOnce(const FrameState& frame, bool repeats) noexcept : space_(frame.store->spaces.torus) {
        repeats_ = repeats;
    }

    // Null if there is no memory.
    [[nodiscard]] bool open() noexcept {
        if (!repeats_) return true;
        TorusSpace* const space = space_.get();
        if (space == nullptr) return false;
        space->seen.clear();
        return true;
    }
    // The ids and boxes that are new, at the front of the arrays; how many, or `no_memory`.
    bool keep_new(AgentId* ids, Box* boxes, std::size_t& count) noexcept {
        if (!repeats_) return true;
        Buffer<AgentId>& seen = space_.get()->seen;
        std::size_t kept = 0;
        for (std::size_t i = 0; i < count; ++i) {
            if (std::binary_search(seen.begin(), seen.begin() + before_, ids[i])) continue;
            ids[kept] = ids[i];
            boxes[kept++] = boxes[i];
        }
        count = kept;
        for (std::size_t i = 0; i < kept; ++i)
            if (!seen.push_back(ids[i])) return false;
        return true;
    }
    void next_image() noexcept {
        if (!repeats_) return;
        Buffer<AgentId>& seen = space_.get()->seen;
        std::sort(seen.begin(), seen.end());
        before_ = static_cast<std::ptrdiff_t>(seen.size());
    }

private:
    LateLease<TorusSpace> space_;
    bool repeats_;
    std::ptrdiff_t before_ = 0;
};

template <class Use>
BoxVisitor visitor_of(Use& use) noexcept {
    return {&use, [](void* to, const AgentId* ids, const Box* boxes, std::size_t count) {
                return (*static_cast<Use*>(to))(ids, boxes, count);
            }};
}

// Calls use(ids, boxes, count) with all that a shape or its images overlap, until it returns false.
// `search(shape, visitor)` looks them up as without seams.
template <class Search, class Use>
Status each_overlap(const FrameState& frame, const Shape& shape, const Search& search, const Use& use) {
    const Torus& torus = frame.torus;
    if (const Code bad = fault_of(shape, torus); bad != Code::ok) return refusal(bad, 0);
    const MovedShape there = folded(shape, torus.period);
    const Shape query = there;
    const Moves moves(torus, extent_of(query, torus));
    EachOnce once(frame, moves.repeats());
    if (!once.open()) return {Code::out_of_memory};
    bool more = true, enough = true;
    auto take = [&](const AgentId* ids, const Box* boxes, std::size_t count) {
        constexpr std::size_t at_once = 256;
        Unwritten<AgentId, at_once> some;
        Unwritten<Box, at_once> their_boxes;
        for (std::size_t first = 0; first < count && more && enough; first += at_once) {
            std::size_t now = std::min(at_once, count - first);
            std::copy_n(ids + first, now, some.data());
            std::copy_n(boxes + first, now, their_boxes.data());
            enough = once.keep_new(some.data(), their_boxes.data(), now);
            if (enough && now != 0) more = use(some.data(), their_boxes.data(), now);
        }
        return more && enough;
    };
    Status status = search(query, visitor_of(take));
    if (!moves.alone())
        moves.each([&](int k, int l) {
            if (!status.ok() || !more || !enough) return false;
            once.next_image();
            const MovedShape image = moved(query, k, l, torus.period);
            status = search(image, visitor_of(take));
            return true;
        });
    return enough ? status : Status{Code::out_of_memory};
}

}  // namespace

Status FrameCalls::visit_around(const Shape& shape, const Filter& filter, BoxVisitor visitor) const {
    const auto search = [&](const Shape& one, BoxVisitor to) { return visit_unrolled(one, filter, to); };
    return each_overlap(*state_, shape, search, [&](const AgentId* ids, const Box* boxes, std::size_t count) {
        return visitor(ids, boxes, count);
    });
}

Status FrameCalls::visit_ids_around(const Shape& shape, const Filter& filter, IdVisitor visitor) const {
    const auto search = [&](const Shape& one, BoxVisitor to) { return visit_unrolled(one, filter, to); };
    return each_overlap(*state_, shape, search, [&](const AgentId* ids, const Box*, std::size_t count) {
        return visitor(ids, count);
    });
}

Filled FrameCalls::list_around(const Shape& shape, std::span<AgentId> out,
                               const Filter& filter) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    std::uint64_t total = 0;
    const auto search = [&](const Shape& one, BoxVisitor to) { return visit_unrolled(one, filter, to); };
    const Status status =
        each_overlap(*state_, shape, search, [&](const AgentId* ids, const Box*, std::size_t count) {
            for (std::size_t i = 0; i < count && total + i < out.size(); ++i)
                out[static_cast<std::size_t>(total) + i] = ids[i];
            total += count;
            return true;
        });
    if (!status.ok()) return {.status = status};
    return {.status = {}, .total = total, .written = std::min<std::uint64_t>(total, out.size())};
}

Count FrameCalls::count_around(const Shape& shape, const Filter& filter) const noexcept {
    const Torus& torus = state_->torus;
    if (const Code bad = fault_of(shape, torus); bad != Code::ok) return {.status = refusal(bad, 0)};
    const MovedShape there = folded(shape, torus.period);
    const Moves moves(torus, extent_of(Shape(there), torus));
    const Frame flat = unrolled();
    if (moves.alone()) return flat.count(Shape(there), filter);
    if (moves.repeats()) {
        const Filled all = list_around(shape, {}, filter);
        return {.status = all.status, .total = all.total};
    }
    Count sum = flat.count(Shape(there), filter);
    moves.each([&](int k, int l) {
        sum.total += flat.count(Shape(moved(Shape(there), k, l, torus.period)), filter).total;
        return true;
    });
    return sum;
}

Found FrameCalls::any_around(const Shape& shape, const Filter& filter) const noexcept {
    const Torus& torus = state_->torus;
    if (const Code bad = fault_of(shape, torus); bad != Code::ok) return {.status = refusal(bad, 0)};
    const MovedShape there = folded(shape, torus.period);
    const Frame flat = unrolled();
    Found found = flat.any(Shape(there), filter);
    Moves(torus, extent_of(Shape(there), torus)).each([&](int k, int l) {
        if (!found.status.ok() || found.found) return false;
        found = flat.any(Shape(moved(Shape(there), k, l, torus.period)), filter);
        return true;
    });
    return found;
}

}  // namespace throng
