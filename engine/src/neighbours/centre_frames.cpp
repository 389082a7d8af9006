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

void CentreFrame::set_id_bound(std::size_t bound) const noexcept { frame.state_->id_bound = bound; }

void CentreFrame::set_ghosts(const FrameState& of) const noexcept {
    frame.state_->ghosts = of.ghosts;
    frame.state_->ghost_count = of.ghost_count;
}

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

bool make_room(const FrameState& frame, CentreFrame& to) noexcept {
    const std::size_t ids = frame.id_bound, some_ids = frame.agents == ids ? 0 : frame.agents;
    return resize_amply(to.rank, ids) && resize_amply(to.by_rank, frame.agents) &&
           resize_amply(to.points, ids) && resize_amply(to.ids, some_ids) &&
           resize_amply(to.traits, frame.labelled() ? ids : 0);
}
void list_agents(const FrameState& frame, CentreFrame& to) noexcept {
    constexpr std::uint32_t none = ~std::uint32_t{0};
    if (frame.agents != frame.id_bound) std::fill(to.rank.begin(), to.rank.end(), none);
    std::uint32_t rank = 0;
    (void)AgentSites(frame).each({0, frame.agents}, false, [&](const simd::Queriers& some) {
        for (std::uint32_t i = 0; i < some.count; ++i) {
            const AgentId id = some.number[i];
            to.points[id] = {some.x[i], some.y[i]};
            to.rank[id] = rank;
            to.by_rank[rank++] = id;
        }
        return true;
    });
    if (frame.labelled())
        (void)for_each_agent(serial_executor(), frame, [&](AgentId id, const simd::Row& row, std::size_t i) {
            to.traits[id] = traits_in(row, frame.extras, i);
        });
    if (frame.agents == frame.id_bound) return;
    // Ids in use move up.
    std::size_t k = 0;
    for (std::size_t id = 0; id < frame.id_bound; ++id) {
        if (to.rank[id] == none) continue;
        to.ids[k] = static_cast<AgentId>(id);
        to.points[k] = to.points[id];
        if (frame.labelled()) to.traits[k] = to.traits[id];
        ++k;
    }
}
// Returns false if there is no memory. On one thread, since other readers wait, also those of the executor.
bool make(const FrameState& frame, CentreFrame& to) noexcept {
    if (!to.engine || !to.engine->status().ok())
        to.engine.emplace(
            EngineConfig{.executor = serial_executor(), .memory = to.host, .isa = frame.kernels->isa});
    to.frame = Frame();
    if (!to.engine->status().ok() || !make_room(frame, to)) return false;
    list_agents(frame, to);
    const Boxes points =
        Boxes::points(&to.points.data()->x, &to.points.data()->y, 0, frame.agents, sizeof(Point));
    UpdateOptions options;
    if (frame.labelled()) options.labels = labels_in(to.traits.data(), frame.agents);
    if (frame.has_heights()) options.heights = heights_in(to.traits.data(), frame.agents);
    const Status status = to.ids.size() == 0
                              ? to.engine->update(points, options)
                              : to.engine->update({to.ids.data(), to.ids.size()}, points, options);
    if (!status.ok()) return false;
    to.frame = to.engine->frame();
    to.set_id_bound(frame.id_bound);
    to.set_ghosts(frame);
    to.rounding = rounding_mode();
    return true;
}

// Null if there is none, or its centres were rounded otherwise.
const CentreFrame* known_centres(const FrameState& frame) noexcept {
    const CentreFrame* const known = frame.centre_frame.load(std::memory_order_acquire);
    return known != nullptr && known->rounding == rounding_mode() ? known : nullptr;
}
const CentreFrame* make_centres(const FrameState& frame) noexcept {
    const std::lock_guard lock(frame.store->making_centre_frame);
    if (frame.centre_frame.load(std::memory_order_relaxed) != nullptr) return known_centres(frame);
    CentreFrame* const centres = frame.store->spaces.centre_frames.take();
    if (centres == nullptr) return nullptr;
    if (!make(frame, *centres)) {
        frame.store->spaces.centre_frames.put_back(centres);
        return nullptr;
    }
    frame.centre_frame.store(centres, std::memory_order_release);
    return centres;
}

}  // namespace

WhereToLook::WhereToLook(const FrameState& asked, const Neighbourhood& wanted) noexcept : asked_(asked) {
    is_noted_ = wanted.agents_as == AgentsAs::centres && may_have_wide_boxes(asked);
    if (!is_noted_) return;
    centres_ = known_centres(asked);
    if (centres_ == nullptr &&
        asked.looks_at_centres.load(std::memory_order_relaxed) >= looks_to_make * asked.agents)
        centres_ = make_centres(asked);
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
        centres_ = known_centres(asked_);
        if (centres_ != nullptr) return;
    }
    const std::uint64_t before =
        adds ? 0 : asked_.looks_at_centres.fetch_add(here, std::memory_order_relaxed);
    if (before + here - there >= looks_to_make * asked_.agents) centres_ = make_centres(asked_);
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
