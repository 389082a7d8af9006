#include "engine/src/torus/grown_lists.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <tuple>

#include "engine/src/memory/growth.hpp"

namespace throng::detail {

namespace {

class GrowingLists {
public:
    GrowingLists(const FlatLists& lists, TorusSpace& space) noexcept : lists_(lists), space_(space) {}

    bool run() noexcept {
        Buffer<AddedAnswer>& added = space_.added;
        if (added.size() == 0) return true;
        const auto before = [](const AddedAnswer& a, const AddedAnswer& b) {
            return std::tuple(a.list, a.number) < std::tuple(b.list, b.number);
        };
        if (!std::is_sorted(added.begin(), added.end(), before))
            std::sort(added.begin(), added.end(), before);
        space_.grown.clear();
        space_.ids.clear();
        space_.distances.clear();
        for (std::size_t i = 0; i < added.size();) {
            const std::size_t first = i;
            while (i < added.size() && added[i].list == added[first].list) ++i;
            if (!space_.grown.push_back({added[first].list, space_.ids.size()})) return false;
            if (!grow({added.data() + first, i - first})) return false;
        }
        return place();
    }

private:
    std::span<const AgentId> ids_of(std::uint32_t list) const noexcept {
        return {lists_.ids.data() + begin_of(list), length_of(list)};
    }
    std::size_t begin_of(std::uint32_t list) const noexcept {
        return static_cast<std::size_t>(lists_.offsets[list]);
    }
    std::size_t length_of(std::uint32_t list) const noexcept {
        return static_cast<std::size_t>(lists_.offsets[list + std::size_t{1}] - lists_.offsets[list]);
    }
    float distance_at(std::size_t k) const noexcept {
        return lists_.distances == nullptr ? 0 : (*lists_.distances)[k];
    }

    // One list with what is added to it, behind those before.
    bool grow(std::span<const AddedAnswer> more) noexcept {
        if (lists_.max_count != 0) return grow_nearest(more);
        if (lists_.repeats) return grow_with_repeats(more);
        const std::uint32_t list = more[0].list;
        const std::size_t begin = begin_of(list), length = length_of(list), had = space_.ids.size();
        if (!make_room(had + length + more.size())) return false;
        for (std::size_t k = 0; k < length; ++k) put(had + k, lists_.ids[begin + k], distance_at(begin + k));
        for (std::size_t k = 0; k < more.size(); ++k) put(had + length + k, more[k].id, more[k].distance);
        return true;
    }
    // All that is known of one list, in `sorted`, each agent once: at its least distance, and where it was
    // first.
    bool unite(std::span<const AddedAnswer> more) noexcept {
        Buffer<AddedAnswer>& all = space_.sorted;
        const std::uint32_t list = more[0].list;
        const std::size_t begin = begin_of(list), length = length_of(list);
        if (!resize_amply(all, length + more.size())) return false;
        for (std::size_t k = 0; k < length; ++k)
            all[k] = {list, static_cast<std::uint32_t>(k), lists_.ids[begin + k], distance_at(begin + k)};
        for (std::size_t k = 0; k < more.size(); ++k)
            all[length + k] = {list, static_cast<std::uint32_t>(length + k), more[k].id, more[k].distance};
        std::sort(all.begin(), all.end(), [](const AddedAnswer& a, const AddedAnswer& b) {
            return std::tuple(a.id, a.number) < std::tuple(b.id, b.number);
        });
        std::size_t kept = 0;
        for (const AddedAnswer& one : all)
            if (kept != 0 && all[kept - 1].id == one.id)
                all[kept - 1].distance = std::min(all[kept - 1].distance, one.distance);
            else
                all[kept++] = one;
        return all.resize(kept);
    }
    bool grow_with_repeats(std::span<const AddedAnswer> more) noexcept {
        if (!unite(more)) return false;
        Buffer<AddedAnswer>& all = space_.sorted;
        std::sort(all.begin(), all.end(),
                  [](const AddedAnswer& a, const AddedAnswer& b) { return a.number < b.number; });
        return put_sorted(all.size());
    }
    bool grow_nearest(std::span<const AddedAnswer> more) noexcept {
        if (!unite(more)) return false;
        Buffer<AddedAnswer>& all = space_.sorted;
        std::sort(all.begin(), all.end(), [](const AddedAnswer& a, const AddedAnswer& b) {
            return std::tuple(a.distance, a.id) < std::tuple(b.distance, b.id);
        });
        return put_sorted(std::min<std::size_t>(all.size(), lists_.max_count));
    }

    bool make_room(std::size_t count) noexcept {
        return resize_amply(space_.ids, count) &&
               (lists_.distances == nullptr || resize_amply(space_.distances, count));
    }
    void put(std::size_t k, AgentId id, float distance) noexcept {
        space_.ids[k] = id;
        if (lists_.distances != nullptr) space_.distances[k] = distance;
    }
    bool put_sorted(std::size_t count) noexcept {
        const std::size_t had = space_.ids.size();
        if (!make_room(had + count)) return false;
        for (std::size_t k = 0; k < count; ++k) put(had + k, space_.sorted[k].id, space_.sorted[k].distance);
        return true;
    }

    // How long a list that grew is.
    std::size_t grown_length(std::size_t g) const noexcept {
        const std::uint64_t end =
            g + 1 < space_.grown.size() ? space_.grown[g + 1].begin : std::uint64_t{space_.ids.size()};
        return static_cast<std::size_t>(end - space_.grown[g].begin);
    }
    // No list gets shorter, so all move towards the end, the last ones first.
    bool place() noexcept {
        const std::size_t lists = lists_.offsets.size() - 1;
        const auto old_total = static_cast<std::size_t>(lists_.offsets[lists]);
        std::size_t further = 0;
        for (std::size_t g = 0; g < space_.grown.size(); ++g)
            further += grown_length(g) - length_of(space_.grown[g].list);
        const std::size_t total = old_total + further;
        if (!resize_amply(lists_.ids, total)) return false;
        if (lists_.distances != nullptr && !resize_amply(*lists_.distances, total)) return false;
        std::size_t end = old_total, last = lists;
        for (std::size_t g = space_.grown.size(); g-- > 0;) {
            const std::uint32_t list = space_.grown[g].list;
            const std::size_t begin = begin_of(list), length = length_of(list), now = grown_length(g),
                              behind = begin + length;
            move(behind, end - behind, further);
            for (std::size_t i = last; further != 0 && i > list; --i) lists_.offsets[i] += further;
            further -= now - length;
            copy(static_cast<std::size_t>(space_.grown[g].begin), now, begin + further);
            end = begin;
            last = list;
        }
        return true;
    }
    void move(std::size_t from, std::size_t count, std::size_t further) noexcept {
        if (further == 0 || count == 0) return;
        AgentId* const ids = lists_.ids.data() + from;
        std::memmove(ids + further, ids, count * sizeof(AgentId));
        if (lists_.distances == nullptr) return;
        float* const distances = lists_.distances->data() + from;
        std::memmove(distances + further, distances, count * sizeof(float));
    }
    void copy(std::size_t from, std::size_t count, std::size_t to) noexcept {
        std::copy_n(space_.ids.data() + from, count, lists_.ids.data() + to);
        if (lists_.distances != nullptr)
            std::copy_n(space_.distances.data() + from, count, lists_.distances->data() + to);
    }

    const FlatLists& lists_;
    TorusSpace& space_;
};

}  // namespace

bool add_to_lists(const FlatLists& lists, TorusSpace& space) noexcept {
    return GrowingLists(lists, space).run();
}

}  // namespace throng::detail
