// The kernels that answer queries of any shape, one by one.
#pragma once

#include "simd/kernels/search/search.hpp"
#include "simd/kernels/search/shared_walk.hpp"
#include "simd/kernels/shapes/circle_shape.hpp"

namespace throng::simd {

// A convex polygon as the shape of a query: a view wedge, a light, a selection. A box is apart from it if it
// does not overlap the polygon's bounds, or if all of it is to the right of an edge: with the corner of the
// box that is furthest to the left,
//
//     edge.unit_x * (corner_y / 2 - edge.y / 2) - edge.unit_y * (corner_x / 2 - edge.x / 2) < 0
//
// where each operation is rounded by itself (the separating axes of Gottschalk, Lin and Manocha 1996). Halves
// and unit vectors keep it from overflowing. Each operation is monotonic in the corner, so the same
// expression tells for sure whether any box within some bounds is apart, or none is. A polygon without edges
// is its bounds.
template <class V>
class PolygonShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // The polygon must live as long as this.
    explicit PolygonShape(const ShapeQuery& polygon)
        : polygon_(polygon), box_(polygon.circle.bounds), outline_(box_) {}
    PolygonShape(const PolygonShape&) = delete;
    const Query& bounds() const { return polygon_.circle.bounds; }

    std::uint32_t overlap(const Arrays& a, std::size_t j) const {
        std::uint32_t found = box_.overlap(a, j);
        for (std::uint32_t k = 0; k < polygon_.edge_count && found != 0; ++k) {
            const PolygonEdge& e = polygon_.edges[k];
            const Wide half(0.5f);
            const Wide x = half * Wide::load_unaligned((e.unit_y > 0 ? a.min_x : a.max_x) + j);
            const Wide y = half * Wide::load_unaligned((e.unit_x > 0 ? a.max_y : a.min_y) + j);
            const Wide side =
                Wide(e.unit_x) * (y - Wide(0.5f * e.y)) - Wide(e.unit_y) * (x - Wide(0.5f * e.x));
            found &= ~V::bits(side < Wide(0.0f));
        }
        return found;
    }
    bool misses(const float* bounds) const {
        if (outline_.misses(bounds)) return true;
        for (std::uint32_t k = 0; k < polygon_.edge_count; ++k) {
            const PolygonEdge& e = polygon_.edges[k];
            if (side(e, e.unit_y > 0 ? bounds[0] : -bounds[2], e.unit_x > 0 ? -bounds[3] : bounds[1]) < 0)
                return true;
        }
        return false;
    }
    bool covers(const float* bounds) const {
        if (!outline_.covers(bounds)) return false;
        for (std::uint32_t k = 0; k < polygon_.edge_count; ++k) {
            const PolygonEdge& e = polygon_.edges[k];
            if (!(side(e, e.unit_y > 0 ? -bounds[2] : bounds[0], e.unit_x > 0 ? bounds[1] : -bounds[3]) >= 0))
                return false;
        }
        return true;
    }

    Interval touched(double low, double high) const {
        const Query& b = bounds();
        if (polygon_.edge_count == 0)
            return low <= b.max_y && b.min_y <= high ? Interval{b.min_x, b.max_x} : Interval{};
        Interval all;
        for (std::uint32_t k = 0; k < polygon_.edge_count; ++k) {
            const PolygonEdge &e = polygon_.edges[k],
                              &next = polygon_.edges[k + 1 < polygon_.edge_count ? k + 1 : 0];
            if (low <= e.y && e.y <= high) add(all, e.x);
            const bool up = e.y < next.y;
            const double from = up ? e.y : next.y, to = up ? next.y : e.y;
            for (const double y : {low, high})
                if (from < y && y < to)
                    add(all, e.x + (static_cast<double>(next.x) - e.x) *
                                       ((y - e.y) / (static_cast<double>(next.y) - e.y)));
        }
        return all;
    }
    Interval covered(double low, double high) const {
        const Query& b = bounds();
        if (low < b.min_y || b.max_y < high) return {};
        const Interval below = touched(low, low), above = touched(high, high);
        if (below.empty() || above.empty()) return {};
        const double first = below.first < above.first ? above.first : below.first;
        const double last = below.last < above.last ? below.last : above.last;
        const double margin = 0x1p-16 * (last - first);
        return {first + margin, last - margin};
    }

private:
    static float side(const PolygonEdge& e, float x, float y) {
        return e.unit_x * (0.5f * y - 0.5f * e.y) - e.unit_y * (0.5f * x - 0.5f * e.x);
    }
    static void add(Interval& all, double x) {
        if (all.empty()) {
            all = {x, x};
        } else {
            all.first = x < all.first ? x : all.first;
            all.last = x < all.last ? all.last : x;
        }
    }

    const ShapeQuery& polygon_;
    BoxShape<V> box_;
    typename BoxShape<V>::Outline outline_;
};

// A segment with a width as the shape of a query: all points within `radius` of it. A box overlaps it if it
// overlaps its bounds, and
//
//     the box overlaps the segment: it overlaps the segment's own bounds and is not all on one side of it; or
//     an end of the segment is within the radius of the nearest point of the box; or
//     a corner of the box is within the radius of the nearest point of the segment:
//         along = clamp(dx * unit_x + dy * unit_y, 0, length),  dx, dy from its start to the corner
//         squared distance of (along * unit_x, along * unit_y) and (dx, dy)
//
// where each operation is rounded by itself. A segment of no length is a circle.
template <class V>
class SegmentShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Wide = typename V::Wide;

    // The segment must live as long as this.
    explicit SegmentShape(const ShapeQuery& s)
        : segment_(s),
          box_(s.circle.bounds),
          from_x_(s.circle.x),
          from_y_(s.circle.y),
          to_x_(s.to_x),
          to_y_(s.to_y),
          unit_x_(s.unit_x),
          unit_y_(s.unit_y),
          length_(s.length),
          limit_(s.circle.radius * s.circle.radius) {}
    SegmentShape(const SegmentShape&) = delete;
    const Query& bounds() const { return segment_.circle.bounds; }

    std::uint32_t overlap(const Arrays& a, std::size_t j) const {
        const std::uint32_t found = box_.overlap(a, j);
        if (found == 0) return 0;
        const Wide min_x = Wide::load_unaligned(a.min_x + j), max_x = Wide::load_unaligned(a.max_x + j);
        const Wide min_y = Wide::load_unaligned(a.min_y + j), max_y = Wide::load_unaligned(a.max_y + j);
        const auto ends = (to_box(from_x_, from_y_, min_x, min_y, max_x, max_y) <= limit_) |
                          (to_box(to_x_, to_y_, min_x, min_y, max_x, max_y) <= limit_);
        const Mask inside = crosses(min_x, min_y, max_x, max_y);
        const auto corners = (to_segment(min_x, min_y) <= limit_) | (to_segment(max_x, min_y) <= limit_) |
                             (to_segment(min_x, max_y) <= limit_) | (to_segment(max_x, max_y) <= limit_);
        return found & V::bits(ends | inside | corners);
    }

    Interval touched(double low, double high) const {
        if (!(segment_.circle.radius * segment_.circle.radius < Base::largest)) return Interval::everywhere();
        const double x = segment_.circle.x, y = segment_.circle.y, dx = segment_.to_x - x,
                     dy = segment_.to_y - y;
        const double reach =
            segment_.circle.radius + 0x1p-18 * (segment_.circle.radius + segment_.length) + 0x1p-60;
        const double from = low - reach, to = high + reach;
        double begin = 0, end = 1;
        if (dy == 0) {
            if (y < from || to < y) return {};
        } else {
            const double a = (from - y) / dy, b = (to - y) / dy;
            begin = a < b ? a : b;
            end = a < b ? b : a;
            begin = begin < 0 ? 0 : begin;
            end = end > 1 ? 1 : end;
            if (begin > end) return {};
        }
        const double a = x + dx * begin, b = x + dx * end;
        return {(a < b ? a : b) - reach, (a < b ? b : a) + reach};
    }
    // A band is never covered: segments are thin.
    Interval covered(double, double) const { return {}; }
    bool misses(const float* bounds) const { return typename BoxShape<V>::Outline(box_).misses(bounds); }
    bool covers(const float*) const { return false; }

private:
    using Mask = typename Wide::batch_bool_type;

    static Wide to_box(const Wide& x, const Wide& y, const Wide& min_x, const Wide& min_y, const Wide& max_x,
                       const Wide& max_y) {
        using Circle = CircleShape<V, AgentsAs::boxes>;
        return Circle::squared(Circle::outside(min_x - x, x - max_x), Circle::outside(min_y - y, y - max_y));
    }
    Wide to_segment(const Wide& x, const Wide& y) const {
        const Wide zero(0.0f), dx = x - from_x_, dy = y - from_y_;
        Wide along = dx * unit_x_ + dy * unit_y_;
        along = xsimd::select(along > zero, along, zero);
        along = xsimd::select(along < length_, along, length_);
        const Wide off_x = dx - along * unit_x_, off_y = dy - along * unit_y_;
        return off_x * off_x + off_y * off_y;
    }
    // Above zero for a corner to the left of the segment; see PolygonShape.
    Wide side(const Wide& x, const Wide& y) const {
        const Wide half(0.5f);
        return unit_x_ * (half * y - half * from_y_) - unit_y_ * (half * x - half * from_x_);
    }
    Mask crosses(const Wide& min_x, const Wide& min_y, const Wide& max_x, const Wide& max_y) const {
        const Wide zero(0.0f);
        const bool right = segment_.unit_x > 0, up = segment_.unit_y > 0;
        const bool to_right = segment_.circle.x < segment_.to_x, to_top = segment_.circle.y < segment_.to_y;
        const Wide &low_x = to_right ? from_x_ : to_x_, &high_x = to_right ? to_x_ : from_x_;
        const Wide &low_y = to_top ? from_y_ : to_y_, &high_y = to_top ? to_y_ : from_y_;
        const Mask near_it = ((min_x <= high_x) & (low_x <= max_x)) & ((min_y <= high_y) & (low_y <= max_y));
        const Wide left = side(up ? min_x : max_x, right ? max_y : min_y);
        const Wide other = side(up ? max_x : min_x, right ? min_y : max_y);
        return near_it & (left >= zero) & (other <= zero);
    }

    const ShapeQuery& segment_;
    BoxShape<V> box_;
    Wide from_x_, from_y_, to_x_, to_y_, unit_x_, unit_y_, length_, limit_;
};

// Any of the shapes, told apart when they are looked at: so the search is compiled once for all of them. Its
// tests are functions of their own, called once for a vector of agents.
template <class V>
class AnyShape {
public:
    using Base = Vectors<V>;
    using Arrays = typename Base::Arrays;
    using Source = ShapeQuery;
    using Covered = ShapeRows<V, AnyShape>;

    // The shape must live as long as this.
    explicit AnyShape(const ShapeQuery& shape) : shape_(shape) {}
    const Query& bounds() const { return shape_.circle.bounds; }
    std::uint32_t overlap(const Arrays& a, std::size_t j) const { return overlap_of(shape_, a, j); }

    using Outline = ShapeOutline<AnyShape>;
    bool misses(const float* bounds) const { return misses_bounds(shape_, bounds); }
    bool covers(const float* bounds) const { return covers_bounds(shape_, bounds); }
    Interval touched(double low, double high) const { return touched_by(shape_, low, high); }
    Interval covered(double low, double high) const { return covered_by(shape_, low, high); }

private:
    template <class Use>
    static auto with(const ShapeQuery& q, const Use& use) {
        switch (q.kind) {
        case ShapeQuery::Kind::polygon: return use(PolygonShape<V>(q));
        case ShapeQuery::Kind::segment: return use(SegmentShape<V>(q));
        case ShapeQuery::Kind::circle: break;
        }
        switch (q.agents_as) {
        case AgentsAs::centres: return use(CircleShape<V, AgentsAs::centres>(q.circle));
        case AgentsAs::circles: return use(CircleShape<V, AgentsAs::circles>(q.circle));
        case AgentsAs::boxes: break;
        }
        return use(CircleShape<V, AgentsAs::boxes>(q.circle));
    }
    THRONG_KERNEL THRONG_NOINLINE static std::uint32_t overlap_of(const ShapeQuery& q, const Arrays& a,
                                                                  std::size_t j) {
        return with(q, [&](const auto& shape) { return shape.overlap(a, j); });
    }
    THRONG_KERNEL THRONG_NOINLINE static bool misses_bounds(const ShapeQuery& q, const float* bounds) {
        return with(q, [&](const auto& shape) { return shape.misses(bounds); });
    }
    THRONG_KERNEL THRONG_NOINLINE static bool covers_bounds(const ShapeQuery& q, const float* bounds) {
        return with(q, [&](const auto& shape) { return shape.covers(bounds); });
    }
    THRONG_KERNEL THRONG_NOINLINE static Interval touched_by(const ShapeQuery& q, double low, double high) {
        return with(q, [&](const auto& shape) { return shape.touched(low, high); });
    }
    THRONG_KERNEL THRONG_NOINLINE static Interval covered_by(const ShapeQuery& q, double low, double high) {
        return with(q, [&](const auto& shape) { return shape.covered(low, high); });
    }
    const ShapeQuery& shape_;
};

template <class V>
struct ShapeQueries : Admission<V> {
    using Base = Admission<V>;
    using typename Base::AnyAdmission;
    using typename Base::Arrays;
    using typename Base::Locator;
    using typename Base::Wide;
    using Tally = typename Takers<V>::Tally;

    // Collects ids, and also the boxes if the sink wants them. That is decided for each vector, so that the
    // search is compiled once for both.
    struct Collect {
        typename Takers<V>::Collect ids;

        explicit Collect(IdSink& sink) : ids(sink) {}

        template <bool cut, class P, class A>
        bool test(const P& probe, const A& a, std::uint32_t begin, std::uint32_t end) {
            if (ids.sink.boxes == nullptr) return ids.template test<cut>(probe, a, begin, end);
            for (std::uint32_t j = begin; j < end && !ids.sink.stopped; j += Wide::size)
                add(a, j, Takers<V>::template found_in<cut>(probe, a, j, end));
            return !ids.sink.stopped;
        }
        template <class A>
        bool take(const A& a, std::uint32_t begin, std::uint32_t end, const std::uint32_t* ahead) {
            if (ids.sink.boxes == nullptr) return ids.take(a, begin, end, ahead);
            for (; begin < end && !ids.sink.stopped; ++begin) add(a, begin, 1);
            return !ids.sink.stopped;
        }

    private:
        // The agents from `j` on whose bits are set.
        THRONG_KERNEL THRONG_NOINLINE void add(const Arrays& a, std::size_t j, std::uint32_t found) {
            for (; found != 0; found &= found - 1) {
                if (ids.at > ids.sink.limit) [[unlikely]]
                    ids.at = ids.make_room(ids.at);
                const std::size_t i = j + Base::lowest(found);
                float* box = ids.sink.boxes + 4 * (ids.at - ids.sink.begin);
                box[0] = a.min_x[i], box[1] = a.min_y[i], box[2] = a.max_x[i], box[3] = a.max_y[i];
                *ids.at++ = a.id[i];
            }
        }
    };

    template <class Taker>
    THRONG_KERNEL THRONG_NOINLINE static void search(const View& view, const ShapeQuery& q,
                                                     const typename AnyAdmission::Filter& filter,
                                                     Taker& taker) {
        const auto reach = Locator(view).reach(q.circle.bounds);
        Search<V, AnyShape<V>, AnyAdmission, Taker>::search(view, reach, q, filter, taker);
    }

    // The number of a query. In an order of their own, shapes lie anywhere, so the next ones are fetched.
    static std::uint32_t number(const ShapeBatch& batch, std::size_t i) {
        constexpr std::size_t ahead = 8;
        if (batch.order == nullptr) return static_cast<std::uint32_t>(i);
        if (i + ahead < batch.count) THRONG_PREFETCH(&batch.shapes[batch.order[i + ahead].id]);
        return batch.order[i].id;
    }

    // Searches for each shape of a batch, with what is known of its answer; see SharedWalk. answer(number,
    // search) calls search(taker), and returns whether to go on.
    template <class Taker, class Answer>
    static void each(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                     const Answer& answer) {
        const bool skips = !filters.are_unfiltered() && view.stretches != nullptr;
        if (!skips && SharedWalk<V>::may_pay(view, batch.count)) {
            const auto bounds = [&](std::size_t i) -> const Query& {
                return batch.shapes[number(batch, i)].circle.bounds;
            };
            return SharedWalk<V>::template each<Told::slots>(
                view, batch.count, bounds, [&](std::size_t i, const Near& near) {
                    const std::uint32_t n = number(batch, i);
                    return answer(i, n, [&](Taker& taker) {
                        Search<V, AnyShape<V>, AnyAdmission, Taker>::search_near(
                            view, near, batch.shapes[n], AnyAdmission::filter(view, filters, n), taker);
                    });
                });
        }
        for (std::size_t i = 0; i < batch.count; ++i) {
            const std::uint32_t n = number(batch, i);
            const auto alone = [&](Taker& taker) {
                search(view, batch.shapes[n], AnyAdmission::filter(view, filters, n), taker);
            };
            if (!answer(i, n, alone)) return;
        }
    }

    THRONG_KERNEL THRONG_NOINLINE static void find(const View& view, const LabelFilters& filters,
                                                   const ShapeBatch& batch, IdSink* streams,
                                                   std::uint32_t shift, std::uint64_t* ends) {
        const Answers<V> to{streams, shift, ends};
        each<Collect>(view, filters, batch, [&](std::size_t i, std::uint32_t n, const auto& search) {
            return to.template collect<Collect>(i, n, search);
        });
    }
    // To `counts`, or whether there is any to `any`.
    THRONG_KERNEL THRONG_NOINLINE static void tally(const View& view, const LabelFilters& filters,
                                                    const ShapeBatch& batch, std::uint32_t* counts,
                                                    std::uint8_t* any) {
        each<Tally>(view, filters, batch, [&](std::size_t, std::uint32_t n, const auto& search) {
            Tally taker{0, any != nullptr};
            search(taker);
            if (any != nullptr)
                any[n] = taker.found != 0;
            else
                counts[n] = static_cast<std::uint32_t>(taker.found);
            return true;
        });
    }
    static void count(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                      std::uint32_t* counts) {
        tally(view, filters, batch, counts, nullptr);
    }
    static void any(const View& view, const LabelFilters& filters, const ShapeBatch& batch,
                    std::uint8_t* answers) {
        tally(view, filters, batch, nullptr, answers);
    }
};

template <class V>
constexpr ShapeKernels shapes_table() {
    return {.find = ShapeQueries<V>::find, .count = ShapeQueries<V>::count, .any = ShapeQueries<V>::any};
}

}  // namespace throng::simd
