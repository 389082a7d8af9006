// Heights: on which storey an agent is, how tall it is, and at which heights a query looks.
//
//     status = engine.update(boxes, {.heights = throng::Heights::arrays(feet, heads)});
//     status = engine.update(boxes, {.heights = throng::Heights::bases(feet, 1.8f)});   // all equally tall
//     status = engine.move(ids, boxes, throng::Heights::arrays(feet, heads));           // on the stairs
//     status = frame.for_each_overlap(box, visitor, {.heights = {.min_z = 3, .max_z = 4.8f}});
//
// Beside its box an agent may have a band of heights, from `min_z` to `max_z`, both included. An agent
// without one has every height, like a lift shaft or an outer wall. A filter has a band too, and admits
// agents that share a height with it; the default band is every height. Nothing is rounded.
//
// Two agents are a pair only if they share a height, in every kind of pairs. An agent's neighbours are those
// that share a height with it, in every kind of neighbours. A filter may leave out more. Casts may have
// heights of their own and rise (queries/casts.hpp). Boxes, shapes and points have only the heights of their
// filter. Kept lists (queries/kept_neighbours.hpp) may have agents at other heights too.
//
// The search itself tests bands, so a count, a first hit or a nearest agent is one of the admitted agents.
// Heights are meant for what stands on floors: storeys, bridges, stairs. If many agents stand above each
// other, the engine divides them into storeys by itself, and a search looks only at the storeys of its band.
//
// Any float is a legal edge, infinite ones too. A band with a NaN is refused as `not_finite`, and one with
// its minimum above its maximum as `inverted`. Faults of ids come first, then bands, then boxes.
//
// Heights cost sixteen bytes an agent, with the labels that come with them, and a pass over them in each
// update. If all agents have every height, none is stored, and the world costs what it does without heights.
// All types here are plain values, or views of arrays that need to live only as long as the call.
#pragma once

#include <cstddef>
#include <cstring>
#include <limits>

#include "throng/detail/viewed_ranges.hpp"
#include "throng/status.hpp"
#include "throng/views/members.hpp"

namespace throng {

struct Band {
    float min_z = -std::numeric_limits<float>::infinity();
    float max_z = std::numeric_limits<float>::infinity();

    // Whether they share a height.
    constexpr bool overlaps(const Band& other) const noexcept {
        return min_z <= other.max_z && other.min_z <= max_z;
    }
    friend constexpr bool operator==(const Band&, const Band&) = default;
};

// A view of the host's bands, element after element. The stride is in bytes, and the same for both arrays.
class Heights {
public:
    // None: every agent has every height.
    Heights() = default;
    // From a std::vector<Band>, or another contiguous range of Band.
    template <detail::ViewableRangeOf<Band> Range>
    Heights(Range&& bands) noexcept  // NOLINT(google-explicit-constructor): a view of the same elements
        : Heights(of({std::data(bands), std::size(bands)})) {}
    static Heights of(detail::ViewedSpan<Band> bands) noexcept {
        const Band* first = bands.data();
        if (first == nullptr) return {nullptr, nullptr, bands.size(), sizeof(Band)};
        return {&first->min_z, &first->max_z, bands.size(), sizeof(Band)};
    }

    static Heights arrays(detail::ViewedSpan<float> min_z, detail::ViewedSpan<float> max_z) noexcept {
        Heights heights(min_z.data(), max_z.data(), min_z.size(), sizeof(float));
        heights.mismatched_ = min_z.size() != max_z.size();
        return heights;
    }
    // From `base` up to base + height, in float: all are equally tall.
    static Heights bases(detail::ViewedSpan<float> base, float height) noexcept {
        return {base.data(), height, base.size(), sizeof(float)};
    }
    // Members of the host's own structs, or member paths: the two edges, a Band, or the base.
    template <detail::ViewableRange Range, detail::MemberOf<Range, float> Min,
              detail::MemberOf<Range, float> Max>
    static Heights members(Range&& elements, Min min_z, Max max_z) noexcept {
        return {detail::first_of(elements, min_z), detail::first_of(elements, max_z), std::size(elements),
                sizeof(detail::ElementOf<Range>)};
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, Band> Both>
    static Heights members(Range&& elements, Both band) noexcept {
        constexpr std::size_t stride = sizeof(detail::ElementOf<Range>);
        const Band* first = detail::first_of(elements, band);
        if (first == nullptr) return {nullptr, nullptr, std::size(elements), stride};
        return {&first->min_z, &first->max_z, std::size(elements), stride};
    }
    template <detail::ViewableRange Range, detail::MemberOf<Range, float> Base>
    static Heights bases(Range&& elements, Base base, float height) noexcept {
        return {detail::first_of(elements, base), height, std::size(elements),
                sizeof(detail::ElementOf<Range>)};
    }
    // The same from pointers with a stride in bytes.
    static Heights arrays(const float* min_z, const float* max_z, std::size_t count,
                          std::size_t stride = sizeof(float)) noexcept {
        return {min_z, max_z, count, stride};
    }
    static Heights bases(const float* base, float height, std::size_t count,
                         std::size_t stride = sizeof(float)) noexcept {
        return {base, height, count, stride};
    }

    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    // Every height where there are none.
    Band operator[](std::size_t i) const noexcept {
        if (min_z_ == nullptr) return {};
        const float min_z = read(min_z_, i);
        return {min_z, max_z_ == nullptr ? min_z + height_ : read(max_z_, i)};
    }
    // Calls use(read), where read(i) is what [i] is. For loops: it finds out once how the bands lie.
    template <class Use>
    auto with_reader(const Use& use) const noexcept {
        const auto read_at = [stride = stride_](const float* array, std::size_t i) {
            float value;
            std::memcpy(&value, reinterpret_cast<const char*>(array) + i * stride, sizeof value);
            return value;
        };
        if (min_z_ == nullptr) return use([](std::size_t) { return Band{}; });
        if (max_z_ == nullptr)
            return use([=, min_z = min_z_, height = height_](std::size_t i) {
                const float base = read_at(min_z, i);
                return Band{base, base + height};
            });
        return use([=, min_z = min_z_, max_z = max_z_](std::size_t i) {
            return Band{read_at(min_z, i), read_at(max_z, i)};
        });
    }
    // The first fault of the view itself, as of Labels.
    Code fault() const noexcept {
        if (mismatched_) return Code::size_mismatch;
        if (count_ == 0) return Code::ok;
        if (min_z_ == nullptr || (max_z_ == nullptr && !has_bases_)) return Code::null_view;
        return count_ > 1 && stride_ < sizeof(float) ? Code::bad_stride : Code::ok;
    }

private:
    Heights(const float* min_z, const float* max_z, std::size_t count, std::size_t stride) noexcept
        : min_z_(min_z), max_z_(max_z), count_(count), stride_(stride) {}
    Heights(const float* base, float height, std::size_t count, std::size_t stride) noexcept
        : min_z_(base), height_(height), count_(count), stride_(stride), has_bases_(true) {}

    float read(const float* array, std::size_t i) const noexcept {
        float value;
        std::memcpy(&value, reinterpret_cast<const char*>(array) + i * stride_, sizeof value);
        return value;
    }

    const float* min_z_ = nullptr;
    const float* max_z_ = nullptr;
    float height_ = 0;
    std::size_t count_ = 0;
    std::size_t stride_ = sizeof(float);
    bool has_bases_ = false;
    bool mismatched_ = false;
};

}  // namespace throng
