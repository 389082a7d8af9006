// The batches of boxes and shapes in a world that wraps around, and lists that grow by what images find.

#include "engine/src/query/opened_batch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <tuple>

#include "base/fold.hpp"
#include "engine/src/torus/each_once.hpp"
#include "engine/src/torus/moves.hpp"
#include "throng/frame.hpp"

namespace throng::detail {

// --- Lists that grow ---------------------------------------------------------------------------------------

namespace {

// Keeps each agent once: at its least distance, at its first place. The nearest come by distance, and only so
// many of them.
void unite(Buffer<AddedAnswer>& all, std::uint32_t max_count) noexcept {
    std::sort(all.begin(), all.end(), [](const AddedAnswer& a, const AddedAnswer& b) {
        return std::tuple(a.id, a.number) < std::tuple(b.id, b.number);
    });
    std::size_t kept = 0;
    for (const AddedAnswer& one : all)
        if (kept != 0 && all[kept - 1].id == one.id)
            all[kept - 1].distance = std::min(all[kept - 1].distance, one.distance);
        else
            all[kept++] = one;
    std::sort(all.begin(), all.begin() + kept, [=](const AddedAnswer& a, const AddedAnswer& b) {
        if (max_count == 0) return a.number < b.number;
        return std::tuple(a.distance, a.id) < std::tuple(b.distance, b.id);
    });
    (void)all.resize(max_count == 0 ? kept : std::min<std::size_t>(kept, max_count));
}

// Moves all lists towards the end, the last ones first, with as much room as they may need.
class GrowingLists {
public:
    GrowingLists(const FlatLists& lists, Buffer<AddedAnswer>& sorted) noexcept
        : lists_(lists), sorted_(sorted), next_(lists.offsets.size() - 1) {}

    // A full list of the nearest stays as long, and where it is. What is for other lists stays in `added`.
    void insert_into_full(Buffer<AddedAnswer>& added) noexcept {
        if (lists_.max_count == 0 || lists_.repeats) return;
        std::size_t kept = 0;
        for (const AddedAnswer& one : added) {
            const std::uint64_t* const edge = lists_.offsets.data() + one.list;
            if (edge[1] - edge[0] == lists_.max_count)
                insert(static_cast<std::size_t>(edge[0]), static_cast<std::size_t>(edge[1]), one);
            else
                added[kept++] = one;
        }
        (void)added.resize(kept);
    }
    // Additions, by list.
    bool add(const Buffer<AddedAnswer>& added) noexcept {
        Buffer<std::uint64_t>& offsets = lists_.offsets;
        const std::size_t lists = next_;
        from_ = static_cast<std::size_t>(offsets[lists]);
        to_ = from_ + added.size();
        offsets[lists] = to_;
        if (!resize(to_)) return false;
        for (std::size_t end = added.size(), first = end; end != 0; end = first) {
            while (first != 0 && added[first - 1].list == added[end - 1].list) --first;
            if (!grow({added.data() + first, end - first})) return false;
        }
        // An agent that was found twice left a gap.
        const std::size_t gap = to_ - from_, total = static_cast<std::size_t>(offsets[lists]);
        if (gap == 0) return true;
        move(to_, total - to_, from_);
        for (std::size_t i = next_; i <= lists; ++i) offsets[i] -= gap;
        return resize(total - gap);
    }

private:
    // By distance, then by id, if it comes before the last.
    void insert(std::size_t begin, std::size_t end, const AddedAnswer& one) noexcept {
        AgentId* const ids = lists_.ids.data();
        float* const distances = lists_.distances->data();
        const auto is_before = [&](std::size_t k) {
            return std::tuple(one.distance, one.id) < std::tuple(distances[k], ids[k]);
        };
        if (!is_before(end - 1)) return;
        std::size_t at = end - 1;
        for (; at != begin && is_before(at - 1); --at) {
            ids[at] = ids[at - 1];
            distances[at] = distances[at - 1];
        }
        ids[at] = one.id;
        distances[at] = one.distance;
    }
    bool resize(std::size_t count) noexcept {
        return resize_amply(lists_.ids, count) &&
               (lists_.distances == nullptr || resize_amply(*lists_.distances, count));
    }
    void move(std::size_t from, std::size_t count, std::size_t to) noexcept {
        if (count == 0) return;
        std::memmove(lists_.ids.data() + to, lists_.ids.data() + from, count * sizeof(AgentId));
        if (lists_.distances == nullptr) return;
        std::memmove(lists_.distances->data() + to, lists_.distances->data() + from, count * sizeof(float));
    }
    void put(std::span<const AddedAnswer> some) noexcept {
        to_ -= some.size();
        for (std::size_t k = 0; k < some.size(); ++k) {
            lists_.ids[to_ + k] = some[k].id;
            if (lists_.distances != nullptr) (*lists_.distances)[to_ + k] = some[k].distance;
        }
    }
    // The lists from this one on, up to those that were moved before.
    void move_from(std::size_t list) noexcept {
        if (list == next_) return;
        for (std::size_t i = list + 1; i < next_; ++i) lists_.offsets[i] += to_ - from_;
        const auto begin = static_cast<std::size_t>(lists_.offsets[list]);
        to_ -= from_ - begin;
        move(begin, from_ - begin, to_);
        reach(list, begin);
    }
    void reach(std::size_t list, std::size_t begin) noexcept {
        from_ = begin;
        next_ = list;
        lists_.offsets[list] = to_;
    }
    // One list with its additions, behind what it has.
    bool grow(std::span<const AddedAnswer> more) noexcept {
        const std::uint32_t list = more[0].list;
        move_from(list + std::size_t{1});
        if (lists_.max_count == 0 && !lists_.repeats) {
            put(more);
            move_from(list);
            return true;
        }
        const auto begin = static_cast<std::size_t>(lists_.offsets[list]);
        const std::size_t length = from_ - begin;
        if (!resize_amply(sorted_, length + more.size())) return false;
        for (std::size_t k = 0; k < sorted_.size(); ++k) {
            sorted_[k] = k < length ? AddedAnswer{list, 0, lists_.ids[begin + k], distance_at(begin + k)}
                                    : more[k - length];
            sorted_[k].number = static_cast<std::uint32_t>(k);
        }
        unite(sorted_, lists_.max_count);
        put({sorted_.data(), sorted_.size()});
        reach(list, begin);
        return true;
    }
    float distance_at(std::size_t k) const noexcept {
        return lists_.distances == nullptr ? 0 : (*lists_.distances)[k];
    }

    const FlatLists& lists_;
    Buffer<AddedAnswer>& sorted_;
    std::size_t next_;               // the first list that was moved
    std::size_t from_ = 0, to_ = 0;  // where it began, and where it begins
};

}  // namespace

bool add_to_lists(const FlatLists& lists, TorusSpace& space) noexcept {
    Buffer<AddedAnswer>& added = space.added;
    GrowingLists growing(lists, space.sorted);
    growing.insert_into_full(added);
    if (added.size() == 0) return true;
    const auto before = [](const AddedAnswer& a, const AddedAnswer& b) {
        return std::tuple(a.list, a.number) < std::tuple(b.list, b.number);
    };
    if (!std::is_sorted(added.begin(), added.end(), before)) std::sort(added.begin(), added.end(), before);
    return growing.add(added);
}

// --- Batches -----------------------------------------------------------------------------------------------

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
            if (end == at + at_once && !circles_reach_ && are_inside(batch_.queries.data() + at, at_once))
                continue;
            for (std::size_t i = at; i < end; ++i) {
                if (inside_.has(batch_.queries.data()[i]) && !(circles_reach_ && is_in_circles(i))) continue;
                if (const Status bad = add(i); !bad.ok()) return bad;
            }
        }
        return {};
    }

    bool is_in_circles(std::size_t i) const noexcept {
        const simd::ShapeQuery& shape = batch_.queries.shapes()[i];
        return shape.kind == simd::ShapeQuery::Kind::circle && shape.agents_as != AgentsAs::boxes;
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
    // The circle in a box that covers everything in one direction does not.
    const bool circles_reach_ = batch_.queries.shapes() != nullptr && (torus_.has_wide || torus_.has_high);
    const Inside inside_{torus_};
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
    Buffer<AddedAnswer>& added = around.added;
    const auto first = std::lower_bound(batch.owners.begin(), batch.owners.end(), batch.first + placed);
    const auto first_image = static_cast<std::size_t>(first - batch.owners.begin());
    const auto begin = static_cast<std::size_t>(around.more_offsets[first_image]);
    const std::uint32_t* const order = to.order;
    const std::size_t lists = order == nullptr ? 0 : batch.queries.size();
    if (!resize_amply(added, around.more_ids.size() - begin) || !resize_amply(around.places, lists))
        return false;
    for (std::size_t k = 0; k < lists; ++k) around.places[order[k]] = static_cast<std::uint32_t>(k);
    std::size_t at = 0;
    std::uint32_t number = 0;
    for (std::size_t i = first_image; i < batch.owners.size(); ++i) {
        const std::uint32_t owner = batch.owners[i] - batch.first;
        const std::uint32_t list = order == nullptr ? owner : around.places[owner];
        if (at != 0 && added[at - 1].list != list) number = 0;
        for (; begin + at < around.more_offsets[i + 1]; ++at)
            added[at] = {list, number++, around.more_ids[begin + at], 0};
    }
    return add_to_lists({to.offsets, to.ids, nullptr, 0, !batch.repeating.empty()}, around);
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
