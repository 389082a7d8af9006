#include "engine/src/neighbours/centre_frames.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "engine/src/frame/frame_reader.hpp"
#include "engine/src/frame/row_layout.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/store.hpp"
#include "simd/kernels.hpp"

namespace throng::detail {

namespace {

// In agents that a search compares in cells. A centre frame takes about the first of these to make, for each
// of its agents; a search in it about the second; an answer that has to be put in order the third; and an
// agent that is compared in the tree the last: leaves are short, and near agents are not gathered for many
// searches at once.
constexpr std::uint64_t looks_to_make = 128, looks_of_search = 192, looks_of_answer = 16, looks_in_tree = 4;

// The cost of the agents that searches compared.
std::uint64_t looks(const FrameState& frame, std::uint64_t compared) noexcept {
    return frame.view.oversized.count > few_in_tree ? looks_in_tree * compared : compared;
}

}  // namespace

WhereToLook::WhereToLook(const FrameState& asked, const Neighbourhood& wanted) noexcept : asked_(asked) {
    is_noted_ = wanted.agents_as == AgentsAs::centres && may_have_wide_boxes(asked);
    if (!is_noted_) return;
    centres_ = known_shapes(asked, AgentsAs::centres);
    if (centres_ == nullptr &&
        asked.looks_at_centres.load(std::memory_order_relaxed) >= looks_to_make * asked.agents)
        centres_ = make_shapes(asked, AgentsAs::centres);
}

void WhereToLook::note(std::uint64_t compared) const noexcept {
    if (is_noted_ && centres_ == nullptr)
        asked_.looks_at_centres.fetch_add(looks(asked_, compared), std::memory_order_relaxed);
}

void WhereToLook::choose(const Neighbourhood& wanted, const Sample& sample) noexcept {
    if (sample.count == 0) return;
    std::uint32_t counts[Sample::most] = {};
    simd::NeighbourQuery query = kernel_query(wanted);
    query.radii = sample.radii;
    query.half = query.distances = false;
    simd::NeighbourOutput output{};
    output.counts = counts;
    search_sites(asked_, {}, {sample.x, sample.y, sample.number, nullptr, sample.count}, query, output);
    std::uint64_t found = 0;
    if (!wanted.is_nearest)
        for (const std::uint32_t count : counts) found += count;
    const auto of_all = [&](std::uint64_t looks) { return looks * sample.sites / sample.count; };
    const std::uint64_t here = of_all(looks(asked_, output.compared)),
                        there = looks_of_search * sample.sites + looks_of_answer * of_all(found);
    if (here <= there) return;
    // Lists to which others add have the same order in each call only if they are made in the same way.
    const bool adds = !wanted.radii.empty() && (wanted.either_reaches || wanted.half);
    if (!adds) {
        centres_ = known_shapes(asked_, AgentsAs::centres);
        if (centres_ != nullptr) return;
    }
    const std::uint64_t before =
        adds ? 0 : asked_.looks_at_centres.fetch_add(here, std::memory_order_relaxed);
    if (before + here - there >= looks_to_make * asked_.agents)
        centres_ = make_shapes(asked_, AgentsAs::centres);
}

// The keys are the ranks, each followed by the bits of the distance.
void WhereToLook::put_in_order(AgentId* ids, float* distances, std::size_t count,
                               std::uint64_t* keys) const noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t distance = distances == nullptr ? 0 : bits_as<std::uint32_t>(distances[i]);
        keys[i] = std::uint64_t{centres_->rank[ids[i]]} << 32 | distance;
    }
    std::sort(keys, keys + count);
    for (std::size_t i = 0; i < count; ++i) {
        ids[i] = centres_->by_rank[static_cast<std::size_t>(keys[i] >> 32)];
        if (distances != nullptr) distances[i] = bits_as<float>(static_cast<std::uint32_t>(keys[i]));
    }
}

Status WhereToLook::in_order(const Status& made, const Executor& executor,
                             const ListResult& result) const noexcept {
    if (!made.ok() || centres_ == nullptr || result.max_count != 0) return made;
    constexpr std::size_t lists_in_a_block = 256;
    std::atomic<bool> out_of_memory{false};
    const parallel::Ran ran = parallel::for_ranges(
        executor, result.offsets.size() - 1, lists_in_a_block, [&](parallel::Range lists) {
            const Lease<AnswerSpace> space(asked_.store->spaces.answers);
            for (std::size_t i = lists.begin; i < lists.end; ++i) {
                const auto begin = static_cast<std::size_t>(result.offsets[i]),
                           count = static_cast<std::size_t>(result.offsets[i + 1]) - begin;
                if (count < 2) continue;
                if (!space || !resize_amply(space->ends, count))
                    return out_of_memory.store(true, std::memory_order_relaxed);
                put_in_order(result.ids.data() + begin,
                             result.distances == nullptr ? nullptr : result.distances->data() + begin, count,
                             space->ends.data());
            }
        });
    return outcome(ran, out_of_memory);
}

}  // namespace throng::detail
