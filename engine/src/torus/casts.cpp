// Casts in a world that wraps around: a cast is followed into every image of the world that it comes to.

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "base/unwritten.hpp"
#include "engine/src/casts/cast_check.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "engine/src/torus/image_batch.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

namespace {

// What a cast may touch.
Extent extent_of_cast(const Cast& cast, const Torus& torus) noexcept {
    const double dx{cast.dx}, dy{cast.dy}, r{cast.radius};
    return {cast.start.min_x + std::min(dx, 0.0) - r,
            cast.start.min_y + std::min(dy, 0.0) - r,
            cast.start.max_x + std::max(dx, 0.0) + r,
            cast.start.max_y + std::max(dy, 0.0) + r,
            torus.reach_x(),
            torus.reach_y(),
            false};
}

// Of a legal cast.
Code fault_around(const Cast& cast, const Torus& torus) noexcept {
    const Extent extent = extent_of_cast(cast, torus);
    const bool is_too_long = goes_around_too_often(extent.width(), torus.period.x) ||
                             goes_around_too_often(extent.height(), torus.period.y);
    return is_too_long ? Code::too_large : Code::ok;
}

Cast folded_cast(const Cast& cast, const Period& period) noexcept {
    Cast there = cast;
    there.start = folded(cast.start, period);
    return there;
}
Cast moved_cast(const Cast& cast, int k, int l, const Period& period) noexcept {
    Cast there = cast;
    there.start = moved(cast.start, k, l, period);
    return there;
}

bool comes_first(const CastHit& a, const CastHit& b) noexcept {
    return std::tuple(a.fraction, a.is_static, a.id) < std::tuple(b.fraction, b.is_static, b.id);
}

// Of what is searched: agents, and elements of a static layer unless it is null.
Torus torus_of(const FrameState& agents, const FrameState* elements) noexcept {
    Torus torus = agents.torus;
    if (elements != nullptr) torus.add(elements->torus);
    return torus;
}

const CastHit& plain_hit(const CastHit& hit) noexcept { return hit; }
const CastHit& plain_hit(const HitWithBox& one) noexcept { return one.hit; }

// Leaves each agent and each element once, at its earliest, in the order of times.
template <class Hit>
std::size_t sort_hits_once(std::span<Hit> all) noexcept {
    const auto name = [](const Hit& one) { return std::tuple(plain_hit(one).is_static, plain_hit(one).id); };
    std::sort(all.begin(), all.end(), [&](const Hit& a, const Hit& b) {
        return std::tuple(name(a), plain_hit(a).fraction) < std::tuple(name(b), plain_hit(b).fraction);
    });
    const auto end =
        std::unique(all.begin(), all.end(), [&](const Hit& a, const Hit& b) { return name(a) == name(b); });
    std::sort(all.begin(), end,
              [](const Hit& a, const Hit& b) { return comes_first(plain_hit(a), plain_hit(b)); });
    return static_cast<std::size_t>(end - all.begin());
}

// A batch of casts, folded, and their images.
class CastImages {
public:
    CastImages(const Torus& torus, TorusSpace& space) noexcept : torus_(torus), space_(space) {}

    // All of them are legal.
    Status open(const Casts& casts) noexcept {
        Buffer<Cast>&there = space_.casts.folded, &images = space_.casts.images;
        space_.owners.clear();
        images.clear();
        if (!resize_amply(there, casts.size())) return {Code::out_of_memory};
        for (std::size_t i = 0; i < casts.size(); ++i) {
            there[i] = folded_cast(casts[i], torus_.period);
            const bool enough = Moves(torus_, extent_of_cast(there[i], torus_)).each([&](int k, int l) {
                return images.push_back(moved_cast(there[i], k, l, torus_.period)) &&
                       space_.owners.push_back(static_cast<std::uint32_t>(i));
            });
            if (!enough) return {Code::out_of_memory};
        }
        return {};
    }
    Casts casts() const noexcept { return span_of(space_.casts.folded); }
    Casts images() const noexcept { return span_of(space_.casts.images); }
    std::span<const std::uint32_t> owners() const noexcept {
        return {space_.owners.data(), space_.owners.size()};
    }

private:
    static std::span<const Cast> span_of(const Buffer<Cast>& all) noexcept {
        return {all.data(), all.size()};
    }
    const Torus torus_;
    TorusSpace& space_;
};

}  // namespace

Status FrameCalls::check_batch(const Casts& casts) const noexcept {
    const Status status = check_all(executor_, casts);
    // A call that was told to end, or whose executor failed, names no cast.
    if (!status.ok() && status.index == Status::no_index) return status;
    const std::size_t legal = status.ok() ? casts.size() : status.index;
    for (std::size_t i = 0; wraps_ && i < legal; ++i)
        if (const Code bad = fault_around(casts[i], state_->torus); bad != Code::ok) return refusal(bad, i);
    return status;
}

// --- One cast ----------------------------------------------------------------------------------------------

FirstHit FrameCalls::first_hit_around(const Cast& cast, const Filter& filter) const noexcept {
    const Torus& torus = state_->torus;
    if (const Code bad = fault_around(cast, torus); bad != Code::ok)
        return {.status = refusal(bad, 0), .hit = {}};
    const Frame flat = unrolled();
    const Cast there = folded_cast(cast, torus.period);
    FirstHit first = flat.first_hit(there, filter);
    Moves(torus, extent_of_cast(there, torus)).each([&](int k, int l) {
        const FirstHit other = flat.first_hit(moved_cast(there, k, l, torus.period), filter);
        if (other.hit.found() && comes_first(other.hit, first.hit)) first.hit = other.hit;
        return true;
    });
    return first;
}

Found FrameCalls::blocked_around(const Cast& cast, const Filter& filter) const noexcept {
    const Torus& torus = state_->torus;
    if (const Code bad = fault_around(cast, torus); bad != Code::ok) return {.status = refusal(bad, 0)};
    const Frame flat = unrolled();
    const Cast there = folded_cast(cast, torus.period);
    Found found = flat.blocked(there, filter);
    Moves(torus, extent_of_cast(there, torus)).each([&](int k, int l) {
        if (found.found) return false;
        found = flat.blocked(moved_cast(there, k, l, torus.period), filter);
        return true;
    });
    return found;
}

// All hits with their boxes, in order, in `hits`.
Status FrameCalls::gather_hits_around(const Cast& cast, const Filter& filter, const Frame* elements,
                                      Buffer<HitWithBox>& hits) const noexcept {
    const Torus torus = torus_of(*state_, elements == nullptr ? nullptr : elements->state_);
    if (const Code bad = fault_around(cast, torus); bad != Code::ok) return refusal(bad, 0);
    hits.clear();
    const Frame flat = unrolled();
    const Cast there = folded_cast(cast, torus.period);
    Status status;
    const auto add = [&](const Cast& one) {
        bool enough = true;
        const auto keep = [&](const CastHit& hit, const Box& box) {
            return enough = hits.push_back({hit, box});
        };
        status = flat.visit_hits(one, filter, elements, any_box_visitor<CastHit>(keep));
        if (!enough) status = {Code::out_of_memory};
        return status.ok();
    };
    if (add(there))
        Moves(torus, extent_of_cast(there, torus)).each([&](int k, int l) {
            return add(moved_cast(there, k, l, torus.period));
        });
    if (!status.ok()) return status;
    (void)hits.resize(sort_hits_once(std::span<HitWithBox>(hits.data(), hits.size())));
    return {};
}

Status FrameCalls::visit_hits_around(const Cast& cast, const Filter& filter, const Frame* elements,
                                     AnyBoxVisitor<CastHit> visitor) const {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    const Buffer<HitWithBox>& all = space->hits_with_boxes;
    if (const Status bad = gather_hits_around(cast, filter, elements, space->hits_with_boxes); !bad.ok())
        return bad;
    constexpr std::size_t at_once = 64;
    Unwritten<CastHit, at_once> hits;
    Unwritten<Box, at_once> boxes;
    for (std::size_t first = 0; first < all.size(); first += at_once) {
        const std::size_t count = std::min(at_once, all.size() - first);
        for (std::size_t i = 0; i < count; ++i) {
            hits[i] = all[first + i].hit;
            boxes[i] = all[first + i].box;
        }
        if (!visitor(hits.data(), boxes.data(), count)) break;
    }
    return {};
}

Filled FrameCalls::fill_hits_around(const Cast& cast, std::span<CastHit> out, const Filter& filter,
                                    const Frame* elements) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {.status = {Code::out_of_memory}};
    const Buffer<HitWithBox>& all = space->hits_with_boxes;
    if (const Status bad = gather_hits_around(cast, filter, elements, space->hits_with_boxes); !bad.ok())
        return {.status = bad};
    const std::size_t written = std::min(all.size(), out.size());
    for (std::size_t i = 0; i < written; ++i) out[i] = all[i].hit;
    return {.status = {}, .total = all.size(), .written = written};
}

// --- Batches -----------------------------------------------------------------------------------------------

namespace {

void add_image(CastHit& to, const CastHit& more) noexcept {
    if (more.found() && comes_first(more, to)) to = more;
}
void add_image(std::uint8_t& to, std::uint8_t more) noexcept { to |= more; }
void add_element(CastHit& to, CastHit element) noexcept {
    element.is_static = element.found();
    add_image(to, element);
}
void add_element(std::uint8_t& to, std::uint8_t element) noexcept { to |= element; }

Status cast_in(const Frame& frame, const Casts& casts, std::span<CastHit> hits,
               const Filters& filters) noexcept {
    return frame.first_hits(casts, hits, filters);
}
Status cast_in(const Frame& frame, const Casts& casts, std::span<std::uint8_t> answers,
               const Filters& filters) noexcept {
    return frame.blocked(casts, answers, filters);
}

// If it fails, there may be answers without those of the images.
template <class Answer>
Status cast_folded(const Frame& flat, const FrameState& frame, const Casts& casts, std::span<Answer> answers,
                   const Filters& filters, Buffer<Answer> TorusSpace::*of_images) noexcept {
    const Lease<TorusSpace> space(frame.store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    CastImages batch(frame.torus, *space);
    if (const Status bad = batch.open(casts); !bad.ok()) return bad;
    Status status = cast_in(flat, batch.casts(), answers, filters);
    const std::span<const std::uint32_t> owners = batch.owners();
    if (!status.ok() || owners.empty()) return status;
    Filters their_filters;
    Buffer<Answer>& more = *space.*of_images;
    if (!filters_for(filters, owners, space->filters, their_filters) || !resize_amply(more, owners.size()))
        return {Code::out_of_memory};
    status = cast_in(flat, batch.images(), {more.data(), owners.size()}, their_filters);
    for (std::size_t i = 0; i < owners.size() && status.ok(); ++i) add_image(answers[owners[i]], more[i]);
    return status;
}

template <class Answer>
Status cast_all_around(const Frame& flat, const Status& checked, const FrameState& frame, const Casts& casts,
                       std::span<Answer> answers, const Filters& filters,
                       Buffer<Answer> TorusSpace::*of_images) noexcept {
    const Status status =
        checked.ok() ? cast_folded(flat, frame, casts, answers, filters, of_images) : checked;
    if (!status.ok()) std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}

// What a static layer adds to the answers of the agents.
template <class Answer>
Status add_all_elements(const Frame& layer, const Lease<TorusSpace>& space, const Casts& casts,
                        std::span<Answer> answers, const Filters& filters,
                        Buffer<Answer> TorusSpace::*memory) noexcept {
    answers = answers.first(casts.size());
    Status status{Code::out_of_memory};
    if (space && resize_amply((*space).*memory, casts.size())) {
        const std::span<Answer> elements(((*space).*memory).data(), casts.size());
        status = cast_in(layer, casts, elements, filters);
        for (std::size_t i = 0; i < answers.size() && status.ok(); ++i) add_element(answers[i], elements[i]);
    }
    if (!status.ok()) std::fill(answers.begin(), answers.end(), Answer{});
    return status;
}

}  // namespace

Status FrameCalls::first_hits_around(const Casts& casts, std::span<CastHit> hits,
                                     const Filters& filters) const noexcept {
    hits = hits.first(casts.size());
    return cast_all_around(unrolled(), check_batch(casts), *state_, casts, hits, filters,
                           &TorusSpace::cast_hits);
}
Status FrameCalls::blocked_around(const Casts& casts, std::span<std::uint8_t> answers,
                                  const Filters& filters) const noexcept {
    answers = answers.first(casts.size());
    return cast_all_around(unrolled(), check_batch(casts), *state_, casts, answers, filters,
                           &TorusSpace::found);
}

Status FrameCalls::add_elements_around(const Casts& casts, std::span<CastHit> hits,
                                       const Filters& filters) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    return add_all_elements(frame(), space, casts, hits, filters.of_elements(), &TorusSpace::cast_hits);
}
Status FrameCalls::add_elements_around(const Casts& casts, std::span<std::uint8_t> answers,
                                       const Filters& filters) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    return add_all_elements(frame(), space, casts, answers, filters.of_elements(), &TorusSpace::found);
}

// The lists of those with images are put together anew, and so the others are copied.
Status FrameCalls::find_hits_around(const Casts& casts, CastHits& hits, const Filters& filters,
                                    const Frame* elements) const noexcept {
    const Lease<TorusSpace> space(state_->store->spaces.torus);
    if (!space) return {Code::out_of_memory};
    CastImages batch(torus_of(*state_, elements == nullptr ? nullptr : elements->state_), *space);
    if (const Status bad = batch.open(casts); !bad.ok()) return bad;
    const Frame flat = unrolled();
    Status status = flat.find_hits(batch.casts(), hits, filters, elements);
    const std::span<const std::uint32_t> owners = batch.owners();
    if (!status.ok() || owners.empty()) return status;
    Filters their_filters;
    if (!filters_for(filters, owners, space->filters, their_filters)) return {Code::out_of_memory};
    CastHits& more = space->hits_of_casts;
    status = flat.find_hits(batch.images(), more, their_filters, elements);
    Buffer<CastHit>& all = space->cast_hits;
    const std::size_t most = hits.hits().size() + more.hits().size();
    if (status.ok() && !(resize_amply(all, most) && reserve_amply(hits.answers_, most)))
        status = {Code::out_of_memory};
    std::size_t at = 0, image = 0;
    std::uint64_t begin = 0;
    for (std::size_t i = 0; i < casts.size() && status.ok(); ++i) {
        const std::size_t first = at;
        const auto end = hits.offsets_[i + 1];
        for (std::uint64_t h = begin; h < end; ++h) all[at++] = hits.answers_[static_cast<std::size_t>(h)];
        const bool has_images = image < owners.size() && owners[image] == i;
        for (; image < owners.size() && owners[image] == i; ++image)
            at += static_cast<std::size_t>(
                std::copy(more[image].begin(), more[image].end(), all.begin() + at) - (all.begin() + at));
        if (has_images) at = first + sort_hits_once(std::span<CastHit>(all.data() + first, at - first));
        begin = end;
        hits.offsets_[i + 1] = at;
    }
    if (status.ok() && hits.answers_.resize(at))
        std::copy_n(all.data(), at, hits.answers_.data());
    else
        hits.clear();
    return status;
}

}  // namespace throng
