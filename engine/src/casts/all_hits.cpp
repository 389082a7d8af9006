// All hits of casts, in order. A batch is answered in the caller's order, block by block, and then joined.

#include <algorithm>
#include <atomic>
#include <cstring>
#include <tuple>

#include "base/blocks.hpp"
#include "base/kernels.hpp"
#include "engine/src/answers/lists/place_answers.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "engine/src/casts/casts.hpp"
#include "engine/src/store/store.hpp"
#include "parallel/blocks.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// The parts that may be hit, each with the filters of the casts for it.
struct HitTargets {
    const Scope& scope;
    simd::LabelFilters filters, element_filters{};
};

// If boxes are wanted, `is_static` has the number of the hit's box above the bit that says whether it is an
// element's.
constexpr std::uint32_t is_of_element = 1;

// An object: it is expanded where a function would be called.
constexpr auto comes_before = [](const CastHit& a, const CastHit& b) noexcept {
    if (a.fraction != b.fraction) return a.fraction < b.fraction;
    const std::uint32_t kind = a.is_static & is_of_element, other = b.is_static & is_of_element;
    return kind != other ? kind < other : a.id < b.id;
};

// Appends the hits of a cast as it lies, for one part. The filters are those of number `n`. Unless `boxes` is
// null, it gets the boxes in the order in which they are found, and `is_static` of each hit holds the number
// of its box above the lowest bit. Returns false if there is no memory.
THRONG_ALWAYS_INLINE inline bool append_of(const Part& part, const HitTargets& targets, const Cast& cast,
                                           std::size_t n, Buffer<CastHit>& hits,
                                           Buffer<Box>* boxes) noexcept {
    const FrameState& frame = *part.frame;
    const std::size_t before = hits.size();
    std::atomic<bool> out_of_memory{false};
    KeepHits keep(&hits, &out_of_memory, boxes);
    simd::CastSink sink;
    if (!keep.open(sink, before)) return false;
    frame.kernels->casts->all(frame.view, part.is_layer ? targets.element_filters : targets.filters,
                              *as_kernel(&cast), frame.has_heights() ? heights_of(cast) : nullptr, n, sink);
    if (!keep.close(sink)) return false;
    for (std::size_t i = before; (part.is_layer || boxes != nullptr) && i < hits.size(); ++i) {
        const std::size_t number = boxes == nullptr ? 0 : i;
        hits[i].is_static = static_cast<std::uint32_t>(number) << 1 | (part.is_layer ? is_of_element : 0);
    }
    return true;
}
THRONG_NOINLINE bool append_of_parts(const HitTargets& targets, const Cast& cast, std::size_t n,
                                     Buffer<CastHit>& hits, Buffer<Box>* boxes) noexcept {
    bool enough = true;
    targets.scope.each([&](const Part& part) {
        enough = append_of(part, targets, cast, n, hits, boxes);
        return enough;
    });
    return enough;
}
// Leaves each agent and each element once, at its earliest.
void leave_once(Buffer<CastHit>& hits, std::size_t first) noexcept {
    const auto name = [](const CastHit& hit) { return std::tuple(hit.is_static & is_of_element, hit.id); };
    CastHit* const begin = hits.begin() + first;
    std::sort(begin, hits.end(), [&](const CastHit& a, const CastHit& b) {
        return std::tuple(name(a), a.fraction) < std::tuple(name(b), b.fraction);
    });
    CastHit* const end = std::unique(begin, hits.end(),
                                     [&](const CastHit& a, const CastHit& b) { return name(a) == name(b); });
    (void)hits.resize(static_cast<std::size_t>(end - hits.begin()));
}
// For a cast and all its images, in no order.
THRONG_NOINLINE bool append_around(const HitTargets& targets, const Cast& cast, std::size_t n,
                                   Buffer<CastHit>& hits, Buffer<Box>* boxes) noexcept {
    const std::size_t before = hits.size();
    const Torus torus = targets.scope.torus();
    const Cast there = folded(cast, torus.period);
    const Moves moves(torus, extent_of(there, torus));
    const bool enough = append_of_parts(targets, there, n, hits, boxes) && moves.each([&](int k, int l) {
        return append_of_parts(targets, moved(there, k, l, torus.period), n, hits, boxes);
    });
    if (enough && !moves.alone()) leave_once(hits, before);
    return enough;
}
THRONG_ALWAYS_INLINE inline bool append_unsorted_hits(const HitTargets& targets, const Cast& cast,
                                                      std::size_t n, Buffer<CastHit>& hits,
                                                      Buffer<Box>* boxes = nullptr) noexcept {
    const Scope& scope = targets.scope;
    if (scope.wraps()) return append_around(targets, cast, n, hits, boxes);
    if (scope.layer() != nullptr) return append_of_parts(targets, cast, n, hits, boxes);
    return append_of({&scope.agents(), false}, targets, cast, n, hits, boxes);
}
bool append_hits(const HitTargets& targets, const Cast& cast, std::size_t n, Buffer<CastHit>& hits) noexcept {
    const std::size_t before = hits.size();
    if (!append_unsorted_hits(targets, cast, n, hits)) return false;
    std::sort(hits.begin() + before, hits.end(), comes_before);
    return true;
}

// Calls use(first, end) with the numbers of hits at their spot, some at a time, until it returns false. So of
// very many hits only the wanted ones are sorted.
template <class Use>
void in_order(Buffer<CastHit>& hits, const Use& use) {
    constexpr std::size_t first_some = 64, times = 16;
    std::size_t first = 0;
    for (std::size_t some = first_some; first < hits.size(); some *= times) {
        const std::size_t end = std::min(first + some, hits.size());
        if (end != hits.size())
            std::nth_element(hits.begin() + first, hits.begin() + end, hits.end(), comes_before);
        std::sort(hits.begin() + first, hits.begin() + end, comes_before);
        if (!use(first, end)) return;
        first = end;
    }
}

// After so many the host is asked whether to end the call.
constexpr std::size_t casts_between_questions = 64;

class AllHits {
public:
    // The casts are legal. An exceeded room counts as lack of memory.
    AllHits(const HitTargets& targets, const Casts& casts, ListRoom* room) noexcept
        : targets_(targets),
          executor_(targets.scope.executor()),
          stop_(executor_),
          casts_(casts),
          room_(room),
          space_(targets.scope.agents().store->spaces.casts) {}

    // Sets `ends`, one for each cast, to where its hits end among all.
    Status find(std::uint64_t* ends, Buffer<CastHit>& hits) noexcept {
        if (!space_) return {Code::out_of_memory};
        const std::size_t count = casts_.size(), blocks = parallel::blocks_for(executor_, count, 64);
        const auto share = [&](std::size_t b) { return parallel::range_of(count, blocks, b); };
        Pool<CastSpace>& spaces = targets_.scope.agents().store->spaces.casts;
        Destination<CastHit> result{&hits, {}, 0, room_};
        const Status status = place_in_turn(
            executor_, SpacesInTurn<CastSpace>{spaces, space_->blocks, space_->pieces}, blocks, result,
            [&](std::size_t b) { return ends + (b == blocks ? count : share(b).begin); },
            [&](std::size_t b, CastSpace& space, std::uint64_t*, std::uint64_t& size) {
                const bool enough = find_some(share(b), space.hits, ends);
                size = space.hits.size();
                return enough;
            },
            [&](const CastSpace& space, std::uint64_t begin) { result.copy(space.hits, begin); });
        if (status.ok()) {
            (void)hits.resize(static_cast<std::size_t>(result.found));
            keep_ample(hits, hits.size());
            for (CastSpace* space : space_->blocks) {
                space->hit_room.follow(longest(space_->pieces));
                (void)space->hits.reserve(space->hit_room.count + 2 * KeepHits::slack);
            }
        }
        spaces.put_back_all(space_->blocks);
        return outcome(stop_, status);
    }

private:
    // Sets the ends among their own hits. Returns false if there is no memory, or if the room is exceeded.
    bool find_some(const parallel::Range& some, Buffer<CastHit>& hits, std::uint64_t* ends) const noexcept {
        hits.clear();
        for (std::size_t i = some.begin; i < some.end; ++i) {
            const std::size_t before = hits.size();
            if (i % casts_between_questions == 0 && stop_.is_wanted()) return false;
            if (!append_hits(targets_, casts_[i], i, hits)) return false;
            ends[i] = hits.size();
            if (room_ != nullptr && !room_->keep(hits.size() - before)) return false;
        }
        return true;
    }

    const HitTargets& targets_;
    const Executor& executor_;
    const parallel::Stop stop_;
    const Casts& casts_;
    ListRoom* const room_;  // null if there is no bound
    Lease<CastSpace> space_;
};

}  // namespace

Status Frame::all_hits(const Casts& casts, CastHits& hits, const Filters& filters) const noexcept {
    hits.clear();
    const Scope scope(*this);
    Status status = check_call(casts, {}, filters, scope.status());
    if (status.ok()) status = check_all(scope, casts);
    return status.ok() ? find_some_hits(casts, hits, filters, nullptr) : status;
}

Status Frame::find_some_hits(const Casts& casts, CastHits& hits, const Filters& filters,
                             ListRoom* room) const noexcept {
    hits.clear();
    if (!resize_amply(hits.offsets_, casts.size() + 1)) return {Code::out_of_memory};
    std::fill(hits.offsets_.begin(), hits.offsets_.end(), std::uint64_t{0});
    const Scope scope(*this);
    if (scope.is_empty()) return {};
    const Filters of_elements = Scope::of_elements(filters);
    HitTargets targets{scope, FilterBatch(scope.agents(), filters).filters};
    if (scope.layer() != nullptr) targets.element_filters = FilterBatch(*scope.layer(), of_elements).filters;
    const Status status = AllHits(targets, casts, room).find(hits.offsets_.data() + 1, hits.answers_);
    if (!status.ok()) hits.clear();
    return status;
}

namespace {

// Calls use(space), where the hits of one cast lie in no order.
template <class Use>
Status with_hits(const Scope& scope, const Cast& cast, const Filter& filter, bool wants_boxes,
                 const Use& use) {
    if (!has_band(filter)) return check_band(filter);
    if (!scope.status().ok()) return scope.status();
    if (const Code bad = check(cast); bad != Code::ok) return {bad, 0};
    if (scope.wraps() && goes_around_too_often(cast, scope.torus())) return refusal(Code::too_large, 0);
    if (scope.is_empty()) return {};
    const Lease<CastSpace> space(scope.agents().store->spaces.casts);
    if (!space) return {Code::out_of_memory};
    HitTargets targets{scope, kernel_filters(scope.agents(), filter)};
    const Filter of_elements = detail::of_elements(filter);
    if (scope.layer() != nullptr) targets.element_filters = kernel_filters(*scope.layer(), of_elements);
    space->hits.clear();
    space->boxes.clear();
    if (!append_unsorted_hits(targets, cast, 0, space->hits, wants_boxes ? &space->boxes : nullptr))
        return {Code::out_of_memory};
    keep_ample(space->hits, space->hits.size() + 2 * KeepHits::slack);
    if (wants_boxes) keep_ample(space->boxes, space->boxes.size() + 2 * KeepHits::slack);
    if (space->hits.size() != 0) use(*space);
    return {};
}

}  // namespace

Status Frame::visit_hits(const Cast& cast, const Filter& filter, AnyVisitor<CastHit> visitor) const {
    return with_hits(Scope(*this), cast, filter, false, [&](CastSpace& space) {
        in_order(space.hits, [&](std::size_t first, std::size_t end) {
            return visitor(space.hits.data() + first, end - first);
        });
    });
}

Status Frame::visit_hits(const Cast& cast, const Filter& filter, AnyBoxVisitor<CastHit> visitor) const {
    const auto visit = [&](CastSpace& space) {
        constexpr std::size_t hits_at_once = 64;
        Unwritten<Box, hits_at_once> boxes;
        in_order(space.hits, [&](std::size_t first, std::size_t end) {
            for (; first < end; first += hits_at_once) {
                CastHit* const hits = space.hits.data() + first;
                const std::size_t count = std::min(hits_at_once, end - first);
                for (std::size_t i = 0; i < count; ++i) {
                    boxes[i] = space.boxes[hits[i].is_static >> 1];
                    hits[i].is_static &= is_of_element;
                }
                if (!visitor(hits, boxes.data(), count)) return false;
            }
            return true;
        });
    };
    return with_hits(Scope(*this), cast, filter, true, visit);
}

Filled Frame::all_hits(const Cast& cast, std::span<CastHit> out, const Filter& filter) const noexcept {
    if (out.data() == nullptr && !out.empty()) return {.status = {Code::null_view, Argument::output}};
    Filled filled;
    const auto copy = [&](CastSpace& space) {
        CastHit* const hits = space.hits.data();
        const std::size_t total = space.hits.size(), written = std::min(total, out.size());
        if (written < total) std::nth_element(hits, hits + written, hits + total, comes_before);
        std::sort(hits, hits + written, comes_before);
        if (written != 0) std::memcpy(out.data(), hits, written * sizeof(CastHit));
        filled.total = total;
        filled.written = written;
    };
    filled.status = with_hits(Scope(*this), cast, filter, false, copy);
    return filled;
}

}  // namespace throng
