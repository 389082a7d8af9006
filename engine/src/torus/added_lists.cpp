#include "engine/src/torus/added_lists.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <span>

#include "throng/compiler.hpp"

namespace throng::detail {

namespace {

std::size_t list_of(std::uint64_t key) noexcept { return static_cast<std::size_t>(key >> 32); }
std::size_t image_of(std::uint64_t key) noexcept { return key & std::numeric_limits<std::uint32_t>::max(); }

// All lists from the first that grows move up, by as much as all of them may grow. Then they move down again,
// one by one, and each takes what is added to it. If nothing is found twice, they move once.
class AddedLists {
public:
    AddedLists(const FlatLists& lists, const FoundByImages& found, TorusSpace& space) noexcept
        : lists_(lists), found_(found), space_(space) {}

    bool run() noexcept {
        if (space_.keys.size() == 0) return true;
        Buffer<std::uint64_t>& offsets = lists_.offsets;
        const std::size_t lists = offsets.size() - 1;
        std::size_t longest = 0;
        each_list([&](std::size_t list, Images images) {
            const std::size_t added = added_by(images), length = length_of(list);
            longest = std::max(longest, length + added);
            further_ += most_of(length + added) - length;
        });
        const auto old = static_cast<std::size_t>(offsets[lists]);
        if (!resize(old + further_)) return false;
        if (lists_.max_count == 0 && !lists_.repeats) return append(old), true;
        if (lists_.max_count == 0 && !make_table(longest)) return false;
        done_ = list_of(space_.keys[0]);
        to_ = static_cast<std::size_t>(offsets[done_]);
        from_ = to_ + further_;
        move(to_, old - to_, from_);
        each_list([&](std::size_t list, Images images) { keep(list), grow(list, images); });
        keep(lists);
        return resize(to_);
    }

private:
    using Images = std::span<const std::uint64_t>;

    // Calls use(list, images) for the lists to which is added.
    template <class Use>
    void each_list(const Use& use) noexcept {
        const std::uint64_t *first = space_.keys.begin(), *const end = space_.keys.end();
        while (first != end) {
            const std::uint64_t* behind = first + 1;
            while (behind != end && list_of(*behind) == list_of(*first)) ++behind;
            use(list_of(*first), Images(first, behind));
            first = behind;
        }
    }
    std::size_t begin_of(std::uint64_t key) const noexcept {
        return static_cast<std::size_t>(found_.offsets[image_of(key)]);
    }
    std::size_t end_of(std::uint64_t key) const noexcept {
        return static_cast<std::size_t>(found_.offsets[image_of(key) + 1]);
    }
    std::size_t added_by(Images images) const noexcept {
        std::size_t added = 0;
        for (const std::uint64_t key : images) added += end_of(key) - begin_of(key);
        return added;
    }
    // Of a list that did not grow yet.
    std::size_t length_of(std::size_t list) const noexcept {
        return static_cast<std::size_t>(lists_.offsets[list + 1] - lists_.offsets[list]);
    }
    std::size_t most_of(std::size_t length) const noexcept {
        return lists_.max_count == 0 ? length : std::min<std::size_t>(length, lists_.max_count);
    }
    bool resize(std::size_t count) noexcept {
        return resize_amply(lists_.ids, count) &&
               (lists_.distances == nullptr || resize_amply(*lists_.distances, count));
    }
    void move(std::size_t from, std::size_t count, std::size_t to) noexcept {
        if (count == 0 || from == to) return;
        std::memmove(lists_.ids.data() + to, lists_.ids.data() + from, count * sizeof(AgentId));
        if (lists_.distances == nullptr) return;
        std::memmove(lists_.distances->data() + to, lists_.distances->data() + from, count * sizeof(float));
    }
    // The lists before this one stay as they are.
    void keep(std::size_t list) noexcept {
        const std::size_t was = from_ - further_;
        if (list == done_) return;
        const std::size_t count = static_cast<std::size_t>(lists_.offsets[list]) - was;
        move(from_, count, to_);
        for (std::size_t i = done_ + 1; i <= list; ++i) lists_.offsets[i] += to_ - was;
        from_ += count;
        to_ += count;
        done_ = list;
    }
    void grow(std::size_t list, Images images) noexcept {
        const std::size_t length = static_cast<std::size_t>(lists_.offsets[list + 1]) - (from_ - further_);
        lists_.max_count != 0 ? merge(length, images) : unite(length, images);
        from_ += length;
        done_ = list + 1;
        lists_.offsets[done_] = to_;
    }
    // If nothing is found twice, lists move up to where they stay, the last ones first.
    void append(std::size_t end) noexcept {
        Buffer<std::uint64_t>& offsets = lists_.offsets;
        std::size_t list = offsets.size() - 1;  // the lists from this one on are in place
        std::size_t to = end + further_;        // where they begin, and where the one before it ends
        offsets[list] = to;
        for (std::size_t k = space_.keys.size(); k-- != 0;) {
            const std::uint64_t key = space_.keys[k];
            if (const std::size_t next = list_of(key) + 1; next != list) {
                const auto begin = static_cast<std::size_t>(offsets[next]);
                to -= end - begin;
                move(begin, end - begin, to);
                for (std::size_t i = next; i < list; ++i) offsets[i] += to - begin;
                end = begin;
                list = next;
            }
            const std::size_t begin = begin_of(key), count = end_of(key) - begin;
            to -= count;
            std::copy_n(found_.ids + begin, count, lists_.ids.data() + to);
            if (lists_.distances != nullptr)
                std::copy_n(found_.distances + begin, count, lists_.distances->data() + to);
        }
    }

    // --- Each agent once ---

    // The table has room for some times as many ids as the longest list, so most are at their first place.
    bool make_table(std::size_t longest) noexcept {
        shift_ = 32 - static_cast<std::uint32_t>(
                          std::clamp(static_cast<int>(std::bit_width(std::uint64_t{4} * longest)), 4, 32));
        if (!resize_amply(space_.listed, std::size_t{1} << (32 - shift_))) return false;
        std::fill(space_.listed.begin(), space_.listed.end(), ListedId{});
        return true;
    }
    // The place of an id in the list, or `at`, where it then is.
    std::size_t note(AgentId id, std::size_t at) noexcept {
        const std::size_t last = (std::size_t{1} << (32 - shift_)) - 1;
        for (std::size_t i = (id * 0x9E3779B9u) >> shift_;; i = (i + 1) & last) {
            ListedId& listed = space_.listed[i];
            if (listed.list != list_) {
                listed = {list_, id, at};
                return at;
            }
            if (listed.id == id) return listed.at;
        }
    }
    void unite(std::size_t length, Images images) noexcept {
        AgentId* const ids = lists_.ids.data();
        float* const distances = lists_.distances == nullptr ? nullptr : lists_.distances->data();
        move(from_, length, to_);
        ++list_;
        for (const std::size_t end = to_ + length; to_ != end; ++to_) (void)note(ids[to_], to_);
        for (const std::uint64_t key : images)
            for (std::size_t k = begin_of(key); k < end_of(key); ++k) {
                const std::size_t at = note(found_.ids[k], to_);
                const bool is_new = at == to_;
                if (is_new) ids[to_++] = found_.ids[k];
                if (distances != nullptr)
                    distances[at] =
                        is_new ? found_.distances[k] : std::min(distances[at], found_.distances[k]);
            }
    }
    // The nearest come by distance, and then by id, and so do those of an image.
    void merge(std::size_t length, Images images) noexcept {
        move(from_, length, to_);
        AgentId* const ids = lists_.ids.data() + to_;
        float* const distances = lists_.distances->data() + to_;
        std::size_t count = length;
        for (const std::uint64_t key : images)
            for (std::size_t k = begin_of(key); k < end_of(key); ++k) {
                const AgentId id = found_.ids[k];
                const float distance = found_.distances[k];
                const auto is_before = [&](std::size_t at) {
                    return distance < distances[at] || (distance == distances[at] && id < ids[at]);
                };
                const bool is_full = count == lists_.max_count;
                if (is_full && !is_before(count - 1)) break;
                std::size_t at =
                    lists_.repeats ? static_cast<std::size_t>(std::find(ids, ids + count, id) - ids) : count;
                if (at == count)
                    is_full ? --at : ++count;
                else if (!is_before(at))
                    continue;
                for (; at != 0 && is_before(at - 1); --at) {
                    ids[at] = ids[at - 1];
                    distances[at] = distances[at - 1];
                }
                ids[at] = id;
                distances[at] = distance;
            }
        to_ += count;
    }

    const FlatLists& lists_;
    const FoundByImages& found_;
    TorusSpace& space_;
    std::size_t done_ = 0;           // how many lists are as they will be
    std::size_t from_ = 0, to_ = 0;  // where the next one is, and where it goes
    std::size_t further_ = 0;        // by how much it was moved up
    std::uint32_t shift_ = 0;        // of the table of ids
    std::uint32_t list_ = 0;         // the number of lists in the table so far
};

}  // namespace

bool add_by_keys(const FlatLists& lists, const FoundByImages& found, TorusSpace& space) noexcept {
    if (!std::is_sorted(space.keys.begin(), space.keys.end()))
        std::sort(space.keys.begin(), space.keys.end());
    return AddedLists(lists, found, space).run();
}

}  // namespace throng::detail
