// The first step of a frame: how many agents each row will have.
#include <algorithm>
#include <array>

#include "engine/src/base/box_reader.hpp"
#include "engine/src/memory/scratch.hpp"
#include "engine/src/write/frame_builder.hpp"
#include "simd/row_kernels.hpp"

namespace throng::detail {

namespace {

constexpr std::size_t smallest_chunk = 16384;
// Structures that are read before their agents are counted, while what was read is in the cache.
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
        const std::uint32_t region = map.region_of_row(row);
        const simd::Grid& grid = map.grid_of_region(region);
        next = row + grid.rows;
        if (rows_vary) regions_[region] = map.tables().regions[region];
        regions_[region].first_row = static_cast<std::uint16_t>(count);
        const bool joins = joined && region != 0 && grid.rows > 1 && grid.columns >= fewest_columns &&
                           grid.rows * std::size_t{grid.columns} <= most_cells;
        if (joins) regions_[region].last_row = 0;
        for (std::uint32_t r = 0; r < grid.rows; r += joins ? grid.rows : 1) bundles_[count++] = row + r;
    }
    bundles_[count] = rows;
    bundle_count_ = count;
    return true;
}

// Structures are mostly larger than what is read of them. So reading them a second time would take longer than to write
// arrays now, and to read these then.
bool FrameBuilder::make_room(const Input& input) noexcept {
    boxes_ = input.boxes;
    gathers_ = !input.boxes.has_stride(sizeof(float));
    if (!gathers_) return true;
    const std::size_t count = input.boxes.size(), arrays = input.boxes.form() == Boxes::Form::points ? 2 : 4;
    if (!resize_amply(gathered_, arrays * count)) return false;
    std::array<const float*, 4> first{};
    for (std::size_t k = 0; k < arrays; ++k) first[k] = gathered_.data() + k * count;
    constexpr std::size_t natural = sizeof(float);
    boxes_ = Boxes::strided(input.boxes.form(), first, {natural, natural, natural, natural}, count,
                            input.boxes.radius());
    return true;
}

void FrameBuilder::gather(const Boxes& from, const parallel::Range& part) noexcept {
    const std::size_t count = from.size();
    float* const to = gathered_.data() + part.begin;
    detail::gather<Coordinates::all>(from, part.begin, part.size(),
                                     {to, to + count, to + 2 * count, to + 3 * count});
}

Status FrameBuilder::count(const Input& input, bool joined) noexcept {
    noted_ = 0;
    if (!bundle_rows(input.map, joined)) return {Code::out_of_memory};
    const std::size_t agents = input.boxes.size(), bundles = bundle_count_;
    const bool rows_vary = input.map.has_islands();
    chunks_ = parallel::blocks_for(input.executor, agents, smallest_chunk);
    if (!reserve_amply(bundle_of_, agents + simd::gap) || !bundle_of_.resize(agents + simd::gap) ||
        !resize_by_rows(rows_vary, counts_, chunks_ * bundles) ||
        !resize_by_rows(rows_vary, starts_, bundles + 1) || !resize_by_rows(rows_vary, records_, bundles) ||
        !resize_by_rows(rows_vary, cursors_, chunks_ * bundles) || !make_room(input))
        return {Code::out_of_memory};
    const bool ran = parallel::for_blocks(input.executor, chunks_, [&](std::size_t chunk) {
        std::uint32_t* histogram = counts_.data() + chunk * bundles;
        std::fill_n(histogram, bundles, 0u);
        const parallel::Range part = parallel::range_of(agents, chunks_, chunk);
        const simd::RegionMap map{input.map.tables().tiles, regions_.data()};
        const auto count_rows = [&](const simd::Columns& columns, std::size_t first, std::size_t some) {
            std::uint16_t* const bundle_of = bundle_of_.data() + first;
            if (input.map.has_islands())
                input.kernels->rows->count_region_rows(map, columns, some, bundle_of, histogram);
            else
                input.kernels->rows->count_rows(input.map.open(), columns, some, bundle_of, histogram);
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
    });
    if (!ran) return {Code::bad_executor};
    noted_ = input.ids == nullptr ? agents : 0;
    parallel::scan_bins(counts_.data(), chunks_, bundles, starts_.data());
    return {};
}

}  // namespace throng::detail
