// The batches of boxes and shapes in a world that wraps around.

#include "engine/src/query/opened_batch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "base/fold.hpp"
#include "engine/src/torus/added_lists.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

namespace {

// Folds queries when they are opened, and makes their images.
class Images {
public:
    Images(const Torus& torus, ImagedBatch& batch, BatchSpace& space, TorusSpace& around) noexcept
        : torus_(torus), batch_(batch), space_(space), around_(around) {}

    Status make(const BoxesOrShapes& queries) noexcept {
        around_.owners.clear();
        around_.repeating.clear();
        around_.boxes.clear();
        around_.shapes.clear();
        around_.edges.clear();
        const Status bad = queries.visit(
            [&](const auto& all) { return each_near_seams([&](auto i) { return add(all, i); }); });
        if (!bad.ok()) return bad;
        const simd::PolygonEdge* edges = around_.edges.data();
        for (simd::ShapeQuery& shape : around_.shapes)
            if (shape.edge_count != 0) edges = (shape.edges = edges) + shape.edge_count;
        batch_.images = {reinterpret_cast<const simd::Query*>(around_.boxes.data()),
                         batch_.queries.shapes() == nullptr ? nullptr : around_.shapes.data(),
                         around_.boxes.size()};
        batch_.owners = {around_.owners.data(), around_.owners.size()};
        batch_.repeating = {around_.repeating.data(), around_.repeating.size()};
        return {filters_for(batch_.filters, batch_.owners, around_.filters, batch_.their_filters)
                    ? Code::ok
                    : Code::out_of_memory};
    }

private:
    static constexpr std::size_t at_once = 16;

    // Whether so many are all far from the seams, as most are.
    bool are_inside(const simd::Query* queries, std::size_t count) const noexcept {
        const Inside inside = inside_;
        std::int32_t near = 0;
        for (std::size_t i = 0; i < count; ++i) near |= inside.has(queries[i]) ? 0 : 1;
        return near == 0;
    }
    // Calls add(i) for all whose bounds may touch a seam, until it fails.
    template <class Add>
    Status each_near_seams(const Add& add) noexcept {
        const std::size_t count = batch_.queries.size();
        for (std::size_t at = 0; at < count; at += at_once) {
            const std::size_t end = std::min(at + at_once, count);
            if (end == at + at_once && are_inside(batch_.queries.data() + at, at_once)) continue;
            for (std::size_t i = at; i < end; ++i) {
                if (inside_.has(batch_.queries.data()[i])) continue;
                if (const Status bad = add(i); !bad.ok()) return bad;
            }
        }
        return {};
    }

    // Illegal boxes stay as they are, and are refused by whoever checks them.
    Status add(const Boxes& boxes, std::size_t i) noexcept {
        const Box given = box_of(batch_.queries.data()[i]);
        if (check(given) != Code::ok) return {};
        const Box there = folded(boxes, i, given, torus_.period);
        if (!(there == given)) {
            if (!take_over()) return {Code::out_of_memory};
            space_.queries[i] = query_of(there);
        }
        return add_images(i, Moves(torus_, extent_of(there, torus_)), [&](int k, int l) {
            return around_.boxes.push_back(moved(there, k, l, torus_.period));
        });
    }
    // The host's own array is left as it is.
    bool take_over() noexcept {
        const std::size_t count = batch_.queries.size();
        if (batch_.queries.data() == space_.queries.data()) return true;
        if (!resize_amply(space_.queries, count)) return false;
        std::memcpy(space_.queries.data(), batch_.queries.data(), count * sizeof(simd::Query));
        batch_.queries = {space_.queries.data(), nullptr, count};
        return true;
    }

    Status add(const Shapes& shapes, std::size_t i) noexcept {
        const Shape given = shapes[i];
        if (goes_around_too_often(given, torus_)) return refusal(Code::too_large, i);
        const MovedShape there = folded(given, torus_.period);
        const Shape shape = there;
        const std::size_t edges = edges_of(given);
        if (was_moved(given, shape)) {
            simd::ShapeQuery& query = space_.shapes[i];
            const std::ptrdiff_t first = edges == 0 ? 0 : query.edges - space_.edges.data();
            (void)read_shape(shape, query, space_.edges.data() + first);
            space_.queries[i] = query.circle.bounds;
        }
        return add_images(i, Moves(torus_, extent_of(shape, torus_)), [&](int k, int l) {
            const MovedShape image = moved(shape, k, l, torus_.period);
            const std::size_t shapes_before = around_.shapes.size(), edges_before = around_.edges.size();
            if (!around_.shapes.push_back({}) || !resize_amply(around_.edges, edges_before + edges))
                return false;
            simd::ShapeQuery& moved_query = around_.shapes[shapes_before];
            (void)read_shape(image, moved_query, around_.edges.data() + edges_before);
            return around_.boxes.push_back(box_of(moved_query.circle.bounds));
        });
    }

    template <class Add>
    Status add_images(std::size_t owner, const Moves& moves, const Add& add) noexcept {
        const auto number = static_cast<std::uint32_t>(owner);
        if (moves.alone()) return {};
        batch_.all_repeat &= moves.repeats();
        const bool enough =
            (!moves.repeats() || around_.repeating.push_back(number)) &&
            moves.each([&](int k, int l) { return add(k, l) && around_.owners.push_back(number); });
        return {enough ? Code::ok : Code::out_of_memory};
    }

    const Torus& torus_;
    ImagedBatch& batch_;
    BatchSpace& space_;
    TorusSpace& around_;
    const Inside inside_{torus_.period, std::max(torus_.reach_x(), torus_.circles_x()),
                         std::max(torus_.reach_y(), torus_.circles_y())};
};

}  // namespace

Status OpenedBatch::open(const BoxesOrShapes& queries, const Filters& filters, const Torus* torus) noexcept {
    all_.filters = filters;
    if (!space_) return {Code::out_of_memory};
    const Status bad = all_.queries.open(queries, *space_);
    if (torus == nullptr || bad.code == Code::out_of_memory) return bad;
    if (!bad.ok()) return check(queries, torus);
    TorusSpace* const around = around_.get();
    return around == nullptr ? Status{Code::out_of_memory}
                             : Images(*torus, all_, *space_, *around).make(queries);
}

Status check(const BoxesOrShapes& queries, const Torus* torus) noexcept {
    if (torus == nullptr) return check(queries);
    return queries.visit([&](const auto& all) -> Status {
        if constexpr (std::is_same_v<decltype(all), const Boxes&>) return check(all);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (const Code bad = fault_of(all[i], *torus); bad != Code::ok) return refusal(bad, i);
        return {};
    });
}

// Image i is of the query owners[i], whose list has that number or, unless `order` is null, another.
bool OpenedBatch::add_lists_of_images(const ImagedBatch& batch, const FoundLists& to,
                                      std::size_t placed) noexcept {
    TorusSpace& around = *around_.get();
    const std::uint32_t* const order = to.order;
    const std::size_t lists = order == nullptr ? 0 : batch.queries.size();
    if (!resize_amply(around.places, lists)) return false;
    for (std::size_t k = 0; k < lists; ++k) around.places[order[k]] = static_cast<std::uint32_t>(k);
    const auto first = std::lower_bound(batch.owners.begin(), batch.owners.end(), batch.first + placed);
    const auto list_of = [&](std::size_t image) {
        const std::uint32_t owner = batch.owners[image] - batch.first;
        return order == nullptr ? owner : around.places[owner];
    };
    return add_to_lists({to.offsets, to.ids, nullptr, 0, !batch.repeating.empty()},
                        {around.more_offsets.data(), around.more_ids.data(), nullptr},
                        {static_cast<std::size_t>(first - batch.owners.begin()), batch.owners.size()},
                        list_of, around);
}

}  // namespace throng::detail

namespace throng {

using namespace detail;

Frame Frame::unrolled() const noexcept {
    if (state_ == nullptr) return *this;
    share(state_);
    return {state_, executor_};
}

bool Frame::wraps_like(const Frame& other) const noexcept {
    if (!wraps_ && !other.wraps_) return true;
    if (state_ == nullptr || other.state_ == nullptr) return true;
    return wraps_ == other.wraps_ && state_->torus.period == other.state_->torus.period;
}

const Torus* Frame::torus() const noexcept { return wraps_ ? &state_->torus : nullptr; }

}  // namespace throng
