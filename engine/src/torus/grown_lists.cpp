#include "engine/src/torus/grown_lists.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <tuple>

#include "engine/src/memory/growth.hpp"

namespace throng::detail {

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
    if (added.size() == 0) return true;
    const auto before = [](const AddedAnswer& a, const AddedAnswer& b) {
        return std::tuple(a.list, a.number) < std::tuple(b.list, b.number);
    };
    if (!std::is_sorted(added.begin(), added.end(), before)) std::sort(added.begin(), added.end(), before);
    return GrowingLists(lists, space.sorted).add(added);
}

}  // namespace throng::detail
