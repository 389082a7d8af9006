// The first step of a frame: agents become records, chunk by chunk.
#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "base/blocks.hpp"
#include "base/box_reader.hpp"
#include "base/legal.hpp"
#include "engine/src/build/frame_builder.hpp"
#include "engine/src/memory/growth.hpp"
#include "engine/src/store/spaces.hpp"
#include "parallel/blocks.hpp"
#include "simd/neighbour_kernels.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

// Two chunks for each worker, or more if these would be large. There are counts by chunk and row, so with
// many rows a chunk has more agents.
std::size_t chunks_for(const Executor& executor, std::size_t agents, std::size_t bundles) noexcept {
    constexpr std::size_t worth_a_step = 16384, smallest = 1024, large = 65536, agents_a_count = 4;
    if (agents < worth_a_step) return 1;
    const std::size_t many = agents / (large * parallel::workers_of(executor));
    return parallel::blocks_for(executor, agents, std::max(smallest, agents_a_count * bundles),
                                std::max<std::size_t>(many, 2));
}

// Whether chunks are sorted before it is known where rows begin: a step fewer, but records lie twice in
// memory. It pays for many workers, or if agents are too many for the caches of single ones, but not if both
// are more than a shared cache holds.
bool are_sorted_in_chunks(const Executor& executor, std::size_t agents) noexcept {
    constexpr std::size_t fewest = 131072, most = 262144;
    return agents <= most && agents * parallel::workers_of(executor) >= fewest;
}

// Calls use(k, heights) for each of some agents, counted from 0 on.
template <class Use>
void for_each_height(const AgentList& agents, const parallel::Range& part, const Use& use) noexcept {
    agents.heights.with_reader([&](const auto& read) {
        if (agents.ids != nullptr && agents.traits_are_by_id)
            for (std::size_t k = 0; k < part.size(); ++k) use(k, read(agents.ids[part.begin + k]));
        else
            for (std::size_t k = 0; k < part.size(); ++k) use(k, read(part.begin + k));
    });
}

// How many structures are read before their agents are counted, while they are in the cache.
constexpr std::size_t gathered_at_once = 4096;

}  // namespace

bool FrameBuilder::bundle_rows(const WorldMap& map, bool joined) noexcept {
    constexpr std::size_t fewest_columns = 16, most_cells = 2048;
    const bool rows_vary = map.has_islands();
    const std::uint32_t rows = map.rows();
    if (!resize_by_rows(rows_vary, regions_, map.regions()) || !resize_by_rows(rows_vary, bundles_, rows + 1))
        return false;
    std::uint32_t count = 0;
    for (std::uint32_t row = 0, next = 0; row < rows; row = next) {
        const std::uint32_t region = map.region_of_row(row), in_region = map.rows_of(region);
        const simd::Grid& grid = map.grid_of_region(region);
        next = row + in_region;
        if (rows_vary) regions_[region] = map.tables().regions[region];
        regions_[region].first_row = static_cast<std::uint16_t>(count);
        const bool joins = joined && region != 0 && in_region > 1 && in_region == grid.rows &&
                           grid.columns >= fewest_columns &&
                           grid.rows * std::size_t{grid.columns} <= most_cells;
        if (joins) regions_[region].last_row = 0;
        for (std::uint32_t r = 0; r < in_region; r += joins ? in_region : 1) bundles_[count++] = row + r;
    }
    bundles_[count] = rows;
    bundle_count_ = count;
    return true;
}

// Structures are mostly larger than the part that is read. So writing arrays now and reading them later is
// faster than reading the structures a second time.
bool FrameBuilder::read_structures(const Input& input) noexcept {
    boxes_ = input.boxes;
    gathers_ = !input.boxes.has_stride(sizeof(float)) && !are_close_reals(input.boxes);
    if (!gathers_) return true;
    const Boxes::Form form = form_as_read(input.boxes);
    const std::size_t count = input.boxes.size(), arrays = form == Boxes::Form::points ? 2 : 4;
    if (!resize_amply(gathered_, arrays * count)) return false;
    std::array<const float*, 4> first{};
    for (std::size_t k = 0; k < arrays; ++k) first[k] = gathered_.data() + k * count;
    constexpr std::size_t natural = sizeof(float);
    boxes_ = Boxes::strided(form, first, {natural, natural, natural, natural}, count, input.boxes.radius());
    return true;
}

void FrameBuilder::gather(const Boxes& from, const parallel::Range& part) noexcept {
    const std::size_t count = from.size();
    float* const to = gathered_.data() + part.begin;
    detail::gather<Coordinates::all>(from, part.begin, part.size(),
                                     {to, to + count, to + 2 * count, to + 3 * count});
}

bool FrameBuilder::prepare(const Input& input, bool collects) noexcept {
    noted_ = 0;
    record_size_ = input.heights.empty() ? sizeof(simd::Record) : sizeof(simd::TallRecord);
    if (!bundle_rows(input.map, !collects)) return false;
    const std::size_t agents = input.boxes.size(), bundles = bundle_count_;
    const bool rows_vary = input.map.has_islands();
    chunks_ = chunks_for(input.executor, agents, bundles);
    in_chunks_ = collects || (!in_place_ && chunks_ > 1 && are_sorted_in_chunks(input.executor, agents));
    return reserve_amply(bundle_of_, agents + simd::gap) && bundle_of_.resize(agents + simd::gap) &&
           resize_by_rows(rows_vary, counts_, chunks_ * bundles) &&
           resize_by_rows(rows_vary, starts_, bundles + 1) && resize_by_rows(rows_vary, records_, bundles) &&
           resize_by_rows(rows_vary, cursors_, chunks_ * (bundles + 1)) &&
           (!in_chunks_ || resize_amply(chunk_records_, agents * record_size_)) && read_structures(input);
}

void FrameBuilder::count(const Input& input, std::size_t chunk, const parallel::Range& part) noexcept {
    std::uint32_t* const histogram = counts_of(chunk);
    std::fill_n(histogram, bundle_count_, 0u);
    const simd::RegionMap map{input.map.tables().tiles, regions_.data()};
    // Agents without heights stay between storeys.
    const bool leads = input.map.has_storeys() && !input.heights.empty();
    std::uint32_t* const counted = leads ? nullptr : histogram;
    const auto count_rows = [&](const simd::Columns& columns, std::size_t first, std::size_t some) {
        std::uint16_t* const bundle_of = bundle_of_.data() + first;
        if (input.map.has_islands())
            input.kernels->rows->count_region_rows(map, columns, some, bundle_of, counted);
        else
            input.kernels->rows->count_rows(input.map.open(), columns, some, bundle_of, counted);
        if (leads) lead_agents(input, first, some, histogram);
        return true;
    };
    const std::size_t at_once = gathers_ ? gathered_at_once : part.size();
    for (std::size_t begin = part.begin; begin < part.end; begin += at_once) {
        const std::size_t end = std::min(begin + at_once, part.end);
        if (gathers_) gather(input.boxes, {begin, end});
        if (input.map.has_islands())
            read_boxes(boxes_, begin, end, count_rows);
        else
            read_boxes<Coordinates::min_y>(boxes_, begin, end, count_rows);
    }
}

// In a region with storeys each row is a bundle.
void FrameBuilder::lead_agents(const Input& input, std::size_t first, std::size_t count,
                               std::uint32_t* histogram) noexcept {
    lead_to_storeys(
        *input.kernels->rows, input.map, count,
        [&](std::size_t begin, std::size_t some, float* min_z, float* max_z) {
            for_each_height(input, {first + begin, first + begin + some},
                            [&](std::size_t k, const Band& band) {
                                min_z[k] = band.min_z;
                                max_z[k] = band.max_z;
                            });
        },
        [&](std::uint32_t bundle) { return bundles_[bundle]; }, bundle_of_.data() + first, histogram);
}

// Returns whether all are legal.
bool FrameBuilder::read_heights(const Input& input, const parallel::Range& part, float* to) noexcept {
    std::uint32_t illegal = 0;
    for_each_height(input, part, [&](std::size_t k, const Band& band) {
        to[2 * k] = band.min_z;
        to[2 * k + 1] = band.max_z;
        illegal += band.min_z <= band.max_z ? 0 : 1;
    });
    return illegal == 0;
}

// Returns where the first illegal agent is, at most, or no_bad_box.
std::size_t FrameBuilder::scatter(const Input& input, const FrameState* frame, const parallel::Range& part,
                                  std::size_t chunk) noexcept {
    std::size_t bad = no_bad_box;
    const simd::RowKernels& kernels = *input.kernels->rows;
    CentreTable* const centres = frame == nullptr ? nullptr : frame->centres;
    const bool have_heights = !input.heights.empty();
    constexpr std::size_t heights_at_once = 1024;
    std::array<float, 2 * heights_at_once> heights;
    std::size_t begin = part.begin, end = part.end;
    const auto put = [&](const simd::Columns& columns, std::size_t first, std::size_t count) {
        const std::uint32_t* const ids = input.ids == nullptr ? nullptr : input.ids + first;
        const auto first_id = static_cast<std::uint32_t>(first);
        const std::uint16_t* const bundle_of = bundle_of_.data() + first;
        const float* const tall = have_heights ? heights.data() + 2 * (first - begin) : nullptr;
        const std::size_t taken =
            in_place_ ? kernels.scatter_in_place(columns, count, ids, first_id, bundle_of, frame->rows.data(),
                                                 counts_of(chunk), tall)
            : have_heights
                ? kernels.scatter_tall(columns, tall, count, ids, first_id, bundle_of, cursors_of(chunk),
                                       bundle_count_)
                : kernels.scatter(columns, count, ids, first_id, bundle_of, cursors_of(chunk), bundle_count_);
        if (taken < count) bad = first + taken;
        if (centres != nullptr)
            input.kernels->neighbours->centres_of_boxes(columns, count, &centres->points[first].x);
        return taken == count;
    };
    for (; begin < part.end && bad == no_bad_box; begin = end) {
        if (have_heights) {
            end = std::min(begin + heights_at_once, part.end);
            if (!read_heights(input, {begin, end}, heights.data())) return begin;
        }
        read_boxes(boxes_, begin, end, put);
    }
    return bad;
}

// In the order of bundles, each behind the one before.
void FrameBuilder::begin_in_chunk(std::size_t chunk, std::size_t first_agent) noexcept {
    const std::uint32_t* const counts = counts_of(chunk);
    simd::Record** const cursors = cursors_of(chunk);
    simd::Record* at = behind(reinterpret_cast<simd::Record*>(chunk_records_.data()), first_agent);
    cursors[-1] = at;
    for (std::size_t b = 0; b < bundle_count_; at = behind(at, counts[b++])) cursors[b] = at;
}

void FrameBuilder::begin_in_rows(std::size_t chunk) noexcept {
    const std::uint32_t* const before = counts_of(chunk);
    simd::Record** const cursors = cursors_of(chunk);
    for (std::size_t b = 0; b < bundle_count_; ++b) cursors[b] = behind(records_[b], before[b]);
}

template <class Step>
Status FrameBuilder::for_chunks(const Input& input, const Step& step) noexcept {
    std::atomic<std::size_t> bad{no_bad_box};
    const parallel::Ran ran = parallel::for_blocks(input.executor, chunks_, [&](std::size_t chunk) {
        const std::size_t found = step(chunk, parallel::range_of(input.boxes.size(), chunks_, chunk));
        if (found != no_bad_box) parallel::lower(bad, found);
    });
    if (!ran) return outcome(ran);
    const std::size_t first_bad = bad.load(std::memory_order_relaxed);
    return first_bad == no_bad_box ? Status{} : fault_of(input, first_bad);
}

Status FrameBuilder::fault_of(const Input& input, std::size_t bad) noexcept {
    const Status status = check(input.heights);
    return status.ok() ? check(input.boxes, bad) : status;
}

Status FrameBuilder::count_chunks(const Input& input, const FrameState* frame) noexcept {
    const Status status = for_chunks(input, [&](std::size_t chunk, const parallel::Range& part) {
        count(input, chunk, part);
        if (!in_chunks_) return no_bad_box;
        begin_in_chunk(chunk, part.begin);
        return scatter(input, frame, part, chunk);
    });
    if (status.ok() && input.ids == nullptr) noted_ = input.boxes.size();
    return status;
}

Status FrameBuilder::scatter_chunks(const Input& input, const FrameState& frame) noexcept {
    return for_chunks(input, [&](std::size_t chunk, const parallel::Range& part) {
        begin_in_rows(chunk);
        return scatter(input, &frame, part, chunk);
    });
}

// The counts of a chunk become those of the chunks before it, and the sums of all chunks become the starts of
// bundles.
void FrameBuilder::add_up() noexcept {
    std::uint32_t* const sums = starts_.data();
    std::fill_n(sums, bundle_count_ + 1, 0u);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
        std::uint32_t* const counts = counts_of(chunk);
        for (std::size_t b = 0; b < bundle_count_; ++b) {
            const std::uint32_t before = sums[b];
            sums[b] += counts[b];
            counts[b] = before;
        }
    }
    std::uint32_t sum = 0;
    for (std::size_t b = 0; b <= bundle_count_; ++b) sum += std::exchange(sums[b], sum);
}

void FrameBuilder::join(std::size_t b, simd::Record* to) const noexcept {
    auto* at = reinterpret_cast<std::byte*>(to);
    for (std::size_t chunk = 0; chunk < chunks_; ++chunk) {
        const simd::Record* const* const ends = cursors_.data() + chunk * (bundle_count_ + 1);
        at = std::copy(reinterpret_cast<const std::byte*>(ends[b]),
                       reinterpret_cast<const std::byte*>(ends[b + 1]), at);
    }
}

}  // namespace throng::detail
