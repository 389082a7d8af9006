// A batch of queries in a world that wraps around: the same queries folded, and the images of those that
// reach over a seam.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "base/box_reader.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/torus_space.hpp"
#include "engine/src/torus/images.hpp"
#include "throng/labels.hpp"
#include "throng/queries/boxes_or_shapes.hpp"
#include "throng/status.hpp"

namespace throng::detail {

inline Status check_around(const Boxes& boxes, const Torus&) noexcept { return check(BoxesOrShapes(boxes)); }
inline Status check_around(const Shapes& shapes, const Torus& torus) noexcept {
    for (std::size_t i = 0; i < shapes.size(); ++i)
        if (const Code bad = fault_of(shapes[i], torus); bad != Code::ok) return refusal(bad, i);
    return {};
}

class ImageBatch {
public:
    ImageBatch(const Torus& torus, TorusSpace& space) noexcept : torus_(torus), space_(space) {}

    // Boxes that are not legal stay as they are, and are refused by the frame.
    Status open(const BoxesOrShapes& queries) noexcept {
        space_.owners.clear();
        queries_.emplace(queries);
        return queries.visit([&](const auto& all) { return read(all); });
    }
    const BoxesOrShapes& queries() const noexcept { return *queries_; }
    // The images, and the query that each is of: ascending.
    const BoxesOrShapes& images() const noexcept { return *images_; }
    std::span<const std::uint32_t> owners() const noexcept {
        return {space_.owners.data(), space_.owners.size()};
    }
    bool has_images() const noexcept { return space_.owners.size() != 0; }
    // Whether two images of one query, or it and an image, may find the same agent.
    bool repeats() const noexcept { return repeats_; }

private:
    Status read(const Boxes& boxes) noexcept {
        const BoxAt at(boxes);
        return take(
            boxes.size(), space_.boxes, [&](std::size_t i) { return at(i); },
            [&](std::size_t i, const Box& box) { return folded(boxes, i, box, torus_.period); },
            [&](const auto& use) { return each_near_seams(boxes, use); });
    }
    Status read(const Shapes& shapes) noexcept {
        if (const Circle* const circles = shapes.circles(); circles != nullptr)
            return take_all(shapes.size(), space_.circles, [&](std::size_t i) { return circles[i]; });
        if (const Status bad = check_around(shapes, torus_); !bad.ok()) return bad;
        return take_all(shapes.size(), space_.shapes, [&](std::size_t i) { return shapes[i]; });
    }

    static constexpr std::size_t at_once = 16;
    // Whether so many boxes are all far from the seams. Branch-free, so the compiler vectorises it.
    template <bool centre_half>
    bool are_inside(const simd::Columns& boxes) const noexcept {
        const float low_x = low_x_, low_y = low_y_, high_x = high_x_, high_y = high_y_;
        std::int32_t near = 0;
        for (std::size_t i = 0; i < at_once; ++i) {
            const Box box = box_of_form<centre_half>(boxes, i);
            near |= (box.min_x > low_x ? 0 : 1) | (box.max_x < high_x ? 0 : 1) | (box.min_y > low_y ? 0 : 1) |
                    (box.max_y < high_y ? 0 : 1);
        }
        return near == 0;
    }
    // Calls use(i) for all boxes that may touch a seam, and some beside them, until it returns false.
    template <class Use>
    bool each_near_seams(const Boxes& boxes, const Use& use) const noexcept {
        bool more = true;
        const auto look = [&](const simd::Columns& some, std::size_t first, std::size_t count) noexcept {
            for (std::size_t at = 0; at < count && more; at += at_once) {
                const std::size_t now = std::min(at_once, count - at);
                const simd::Columns part = part_of(some, at);
                if (now == at_once && (part.centre_half ? are_inside<true>(part) : are_inside<false>(part)))
                    continue;
                for (std::size_t i = 0; i < now && more; ++i) more = use(first + at + i);
            }
            return more;
        };
        read_boxes(boxes, 0, boxes.size(), look);
        return more;
    }

    // Whether it is far from all seams, as most are: nothing is to be done.
    template <class Query>
    bool is_inside(const Query& query) const noexcept {
        const auto inside = [](double min, double max, double reach, float period) {
            return period == 0 || (min > reach && max < double{period} - reach);
        };
        const Extent e = extent_of(query, torus_);
        return inside(e.min_x, e.max_x, e.reach_x, torus_.period.x) &&
               inside(e.min_y, e.max_y, e.reach_y, torus_.period.y);
    }
    bool is_inside(const Box& box) const noexcept {
        return box.min_x > low_x_ && box.max_x < high_x_ && box.min_y > low_y_ && box.max_y < high_y_;
    }
    // One that is not folded yet may cover all, and say no more of where it is.
    bool is_inside(const Shape& shape) const noexcept {
        return shape.kind() == Shape::Kind::box ? is_inside(shape.box()) : is_inside<Shape>(shape);
    }
    static Code fault(const Box& box) noexcept { return fault_of(box); }
    Code fault(const Shape& shape) const noexcept { return fault_of(shape, torus_); }
    static const Box& as_query(const Box& box) noexcept { return box; }
    static const Circle& as_query(const Circle& circle) noexcept { return circle; }
    static Shape as_query(const MovedShape& shape) noexcept { return shape; }

    template <class Query, class At>
    Status take_all(std::size_t count, ImageSpace<Query>& to, const At& at) noexcept {
        const auto fold = [&](std::size_t, const auto& query) { return Query{folded(query, torus_.period)}; };
        return take(count, to, at, fold, [&](const auto& use) {
            for (std::size_t i = 0; i < count; ++i)
                if (!use(i)) return false;
            return true;
        });
    }
    // `each(use)` calls use(i) for all queries that may touch a seam, until it returns false.
    template <class Query, class At, class Fold, class Each>
    Status take(std::size_t count, ImageSpace<Query>& to, const At& at, const Fold& fold,
                const Each& each) noexcept {
        to.folded.clear();
        to.images.clear();
        const bool enough = each([&](std::size_t i) noexcept {
            const auto given = at(i);
            // A polygon that is not legal may have no corners; in NaN nothing is inside.
            if constexpr (!std::is_same_v<Query, MovedShape>)
                if (is_inside(given)) return true;
            if (fault(given) != Code::ok || is_inside(given)) return true;
            const Query there = fold(i, given);
            if (!same(given, there)) {
                if (to.folded.size() == 0 && !copy_all(count, to.folded, at)) return false;
                to.folded[i] = there;
            }
            return add_images(static_cast<std::uint32_t>(i), there, to.images);
        });
        if (!enough) return {Code::out_of_memory};
        if (to.folded.size() != 0) queries_.emplace(std::span<const Query>(to.folded.data(), count));
        images_.emplace(std::span<const Query>(to.images.data(), to.images.size()));
        return {};
    }

    template <class Query, class At>
    static bool copy_all(std::size_t count, Buffer<Query>& folded, const At& at) noexcept {
        if (!resize_amply(folded, count)) return false;
        for (std::size_t i = 0; i < count; ++i) folded[i] = as_stored<Query>(at(i));
        return true;
    }
    template <class Query, class Given>
    static Query as_stored(const Given& given) noexcept {
        if constexpr (std::is_same_v<Query, MovedShape>)
            return {.shape = given};
        else
            return given;
    }
    static bool same(const Box& a, const Box& b) noexcept { return a == b; }
    static bool same(const Circle& a, const Circle& b) noexcept { return a.x == b.x && a.y == b.y; }
    // A moved polygon has corners of its own, so it is one more.
    static bool same(const Shape&, const MovedShape&) noexcept { return false; }

    template <class Query>
    bool add_images(std::uint32_t owner, const Query& query, Buffer<Query>& images) noexcept {
        const auto& there = as_query(query);
        const Moves moves(torus_, extent_of(there, torus_));
        repeats_ |= moves.repeats();
        return moves.each([&](int k, int l) {
            return images.push_back(Query{moved(there, k, l, torus_.period)}) &&
                   space_.owners.push_back(owner);
        });
    }

    const Torus torus_;
    TorusSpace& space_;
    // Boxes between these touch no seam.
    const float low_x_ = low(torus_.period.x, torus_.reach_x()),
                low_y_ = low(torus_.period.y, torus_.reach_y()),
                high_x_ = high(torus_.period.x, torus_.reach_x()),
                high_y_ = high(torus_.period.y, torus_.reach_y());
    std::optional<BoxesOrShapes> queries_, images_;
    bool repeats_ = false;

    static float low(float period, double reach) noexcept {
        return period == 0 ? -std::numeric_limits<float>::infinity() : float_at_least(reach);
    }
    static float high(float period, double reach) noexcept {
        return period == 0 ? std::numeric_limits<float>::infinity() : float_at_most(double{period} - reach);
    }
};

// The filters of images: one for all, or one for each, which go to `memory`. Returns false if there is none.
[[nodiscard]] inline bool filters_for(const Filters& filters, std::span<const std::uint32_t> owners,
                                      Buffer<Filter>& memory, Filters& out) noexcept {
    out = filters;
    if (filters.one_for_all() && !filters.each_leaves_out_itself()) return true;
    if (!resize_amply(memory, owners.size())) return false;
    for (std::size_t i = 0; i < owners.size(); ++i) memory[i] = filters[owners[i]];
    out = Filters::of({memory.data(), memory.size()});
    return true;
}

}  // namespace throng::detail
