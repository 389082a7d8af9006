#include "engine/src/answers/lists_by_id.hpp"

#include "engine/src/memory/scratch.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/places.hpp"
#include "parallel/blocks.hpp"

namespace throng::detail {

namespace {

// What stands for an id that is not in use: a centre has no extent.
constexpr simd::Query not_in_use{0, 0, 1, 1};
bool is_in_use(const simd::Record& record) noexcept { return !(record.min_x < record.max_x); }

simd::Query centre_of(const Box& box) noexcept {
    const float x = box.min_x / 2 + box.max_x / 2, y = box.min_y / 2 + box.max_y / 2;
    return {x, y, x, y};
}

}  // namespace

ListsById::ListsById(const FrameState& searched, const AgentTable& agents, bool same,
                     const Executor& executor, const Neighbourhood& wanted, const FilterBatch& filters,
                     std::size_t first, std::size_t count) noexcept
    : searched_(searched),
      agents_(agents),
      executor_(executor),
      query_(kernel_query(wanted)),
      filters_(filters.from(first)),
      wanted_(wanted),
      leaves_out_(same && !wanted.with_self),
      first_(first),
      count_(count) {
    query_.half = false;
    if (query_.max_count != 0 && leaves_out_) ++query_.max_count;
    if (query_.radii != nullptr) query_.radii += first;
}

Status ListsById::make(ListResult& result) const noexcept {
    ListBatch lists(searched_, executor_, result);
    BatchSpace* const space = lists.space();
    if (space == nullptr || !resize_amply(space->queries, count_)) return {Code::out_of_memory};
    if (!read_centres(space->queries.data())) return {Code::bad_executor};
    Packets packets(searched_, executor_, *space);
    if (const Status bad = packets.sort(space->queries.data(), count_); !bad.ok()) return bad;
    return lists.lists_by_number(
        0, count_, packets.blocks(), [&](std::size_t b, AnswerSpace& answers, simd::NeighbourOutput& output) {
            return packets.for_each_row(b, answers, [&](const simd::Record* records, std::size_t some) {
                search(records, some, output);
            });
        });
}

bool ListsById::read_centres(simd::Query* to) const noexcept {
    const std::size_t blocks = parallel::blocks_for(executor_, count_, 4096);
    return parallel::for_blocks(executor_, blocks, [&](std::size_t b) {
        const parallel::Range some = parallel::range_of(count_, blocks, b);
        for (std::size_t i = some.begin; i < some.end; ++i) {
            const Box& box = agents_.box(static_cast<AgentId>(first_ + i));
            to[i] = box == no_box ? not_in_use : centre_of(box);
        }
    });
}

void ListsById::search(const simd::Record* records, std::size_t count,
                       simd::NeighbourOutput& output) const noexcept {
    alignas(64) float x[places_at_once + simd::gap], y[places_at_once + simd::gap];
    std::uint32_t numbers[places_at_once];
    std::uint32_t some = 0;
    const auto around = [&] {
        const simd::Queriers queriers{x, y, numbers, nullptr, some};
        if (some != 0)
            searched_.kernels->neighbours->around(searched_.view, filters_, queriers, query_, output);
        some = 0;
    };
    for (const simd::Record* record = records; record != records + count; ++record) {
        if (!is_in_use(*record)) continue;
        x[some] = record->min_x;
        y[some] = record->min_y;
        numbers[some] = record->id;
        if (++some == places_at_once) around();
    }
    around();
}

void ListsById::trim(ListResult& result) const noexcept {
    if (!leaves_out_ && !wanted_.half) return;
    const std::uint64_t most = wanted_.max_count == 0 ? result.found : wanted_.max_count;
    AgentId* const ids = result.ids.data();
    float* const distances = result.distances == nullptr ? nullptr : result.distances->data();
    std::uint64_t kept = 0, from = 0;
    for (std::size_t i = 0; i < count_; ++i) {
        const std::uint64_t begin = kept, end = result.offsets[i + 1];
        const auto own = static_cast<AgentId>(first_ + i);
        for (; from < end; ++from) {
            const bool keep = wanted_.half ? ids[from] > own : ids[from] != own;
            ids[kept] = ids[from];
            if (distances != nullptr) distances[kept] = distances[from];
            kept += keep && kept - begin < most;
        }
        result.offsets[i + 1] = kept;
    }
    result.found = kept;
}

}  // namespace throng::detail
