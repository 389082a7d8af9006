// Lists of ids in ascending order, in place: the threads that sort ask for no memory.
#include <algorithm>
#include <span>

#include "base/blocks.hpp"
#include "parallel/blocks.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/results.hpp"

namespace throng {

namespace {

// A shell sort, since the standard library sorts no two arrays together.
void sort_with_distances(AgentId* ids, float* distances, std::size_t count) noexcept {
    std::size_t gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap != 0; gap /= 3)
        for (std::size_t i = gap; i < count; ++i) {
            const AgentId id = ids[i];
            const float distance = distances[i];
            std::size_t to = i;
            for (; to >= gap && ids[to - gap] > id; to -= gap) {
                ids[to] = ids[to - gap];
                distances[to] = distances[to - gap];
            }
            ids[to] = id;
            distances[to] = distance;
        }
}

// `distances` may be null.
Status sort_each_list(const Executor& executor, std::span<const std::uint64_t> offsets, AgentId* ids,
                      float* distances) noexcept {
    constexpr std::size_t lists_in_a_block = 64;
    if (!parallel::has_what_it_names(executor)) return {Code::bad_config, Argument::executor};
    if (offsets.empty()) return {};
    return detail::outcome(parallel::for_ranges(
        executor, offsets.size() - 1, lists_in_a_block, [&](const parallel::Range& part) {
            for (std::size_t i = part.begin; i < part.end; ++i) {
                const auto begin = static_cast<std::size_t>(offsets[i]),
                           end = static_cast<std::size_t>(offsets[i + 1]);
                if (distances == nullptr)
                    std::sort(ids + begin, ids + end);
                else
                    sort_with_distances(ids + begin, distances + begin, end - begin);
            }
        }));
}

}  // namespace

Status OverlapLists::sort(const Executor& executor) noexcept {
    const Status status = sort_each_list(executor, offsets(), answers_.data(), nullptr);
    if (!status.ok() && status.code != Code::bad_config) clear();
    return status;
}

Status NeighbourLists::sort(const Executor& executor) noexcept {
    const Status status = sort_each_list(executor, offsets(), answers_.data(),
                                         distances_.size() == 0 ? nullptr : distances_.data());
    if (!status.ok() && status.code != Code::bad_config) clear();
    return status;
}

}  // namespace throng
