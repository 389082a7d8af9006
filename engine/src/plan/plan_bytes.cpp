// The state of a planner as a block of bytes: Engine::plan and Engine::set_plan.
//
//     magic, version | grid | what was tried, what was counted | the map: grids of regions, tiles of cuts
//
// Islands follow from the agents of the frame for which they were planned, and these are gone. So the map is
// part of a plan; with islands it makes plans long. Everything else follows from the agents of the frame to
// build.
//
// A block may come from anywhere. Each number has limits that keep the planner's arithmetic defined, and the
// memory of a frame in proportion to its agents. Combinations of numbers are checked too. Any grid gives
// right answers, since the outermost cells hold everything beyond them.
#include <limits>
#include <type_traits>

#include "base/legal.hpp"
#include "engine/src/plan/islands/island_planner.hpp"
#include "engine/src/plan/numbers.hpp"
#include "engine/src/plan/planner.hpp"
#include "throng/compiler.hpp"
#include "throng/memory.hpp"

namespace throng::detail {

namespace {

using namespace tuned;

// --- Numbers as bytes --------------------------------------------------------------------------------------

// They are the same on every machine: the lowest byte first, nothing in between, zero without a sign, and one
// NaN. A list of fields is a template that takes a writer or a reader, so writing and reading cannot differ:
//
//     fields.number(grid.origin_x, -widest, widest);

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// Writes as many bytes as fit, and counts all.
class FieldWriter {
public:
    explicit FieldWriter(std::span<std::byte> room) noexcept : room_(room) {}

    template <class T>
    void number(T value, T, T, bool = false) noexcept {
        if constexpr (std::is_floating_point_v<T>)
            value = value == 0 ? 0 : value == value ? value : std::numeric_limits<T>::quiet_NaN();
        put<sizeof(T)>(bits_as<BitsOf<T>>(value));
    }
    void flag(bool value) noexcept { put<1>(value); }
    // Sizes have 64 bits on all machines.
    void count(std::size_t value, std::size_t) noexcept { put<8>(value); }
    template <class Enum>
    void one_of(Enum value, Enum) noexcept {
        put<1>(static_cast<std::uint64_t>(value));
    }

    std::size_t total() const noexcept { return at_; }

private:
    // If all fit, a compiler makes one store of them.
    template <std::size_t bytes>
    void put(std::uint64_t bits) noexcept {
        const std::size_t at = at_;
        at_ += bytes;
        if (at_ <= room_.size()) {
            std::byte* const to = room_.data() + at;
            for (std::size_t k = 0; k < bytes; ++k) to[k] = static_cast<std::byte>(bits >> 8 * k);
            return;
        }
        for (std::size_t k = at; k < room_.size(); ++k)
            room_[k] = static_cast<std::byte>(bits >> 8 * (k - at));
    }

    std::span<std::byte> room_;
    std::size_t at_ = 0;
};

// Reads what was written, and refuses numbers outside the limits of a field. After the first refusal, and
// past the end, fields keep their values.
class FieldReader {
public:
    explicit FieldReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

    template <class T>
    void number(T& value, T least, T most, bool may_be_nan = false) noexcept {
        const T read = bits_as<T>(static_cast<BitsOf<T>>(take<sizeof(T)>()));
        if (accept((read >= least && read <= most) || (may_be_nan && read != read))) value = read;
    }
    void flag(bool& value) noexcept { whole<1>(value, 1); }
    void count(std::size_t& value, std::size_t most) noexcept { whole<8>(value, most); }
    template <class Enum>
    void one_of(Enum& value, Enum last) noexcept {
        whole<1>(value, static_cast<std::uint64_t>(last));
    }

    // Notes whether a value makes sense.
    bool accept(bool sensible) noexcept { return is_good_ = is_good_ && sensible; }
    bool is_good() const noexcept { return is_good_; }
    std::size_t left() const noexcept { return bytes_.size(); }

private:
    template <std::size_t bytes, class T>
    void whole(T& value, std::uint64_t most) noexcept {
        const std::uint64_t bits = take<bytes>();
        if (accept(bits <= most)) value = static_cast<T>(bits);
    }
    template <std::size_t bytes>
    std::uint64_t take() noexcept {
        if (!accept(bytes <= bytes_.size())) return 0;
        const std::byte* const from = bytes_.data();
        std::uint64_t bits = 0;
        for (std::size_t k = 0; k < bytes; ++k) bits |= std::to_integer<std::uint64_t>(from[k]) << 8 * k;
        bytes_ = bytes_.subspan(bytes);
        return bits;
    }

    std::span<const std::byte> bytes_;
    bool is_good_ = true;
};

// A block begins with these. The version changes with the fields and their meaning.
constexpr std::uint32_t plan_magic = 0x4E4C5054, plan_version = 4;  // "TPLN"

// The limits of fields. Cells are so wide that a scale stays below this, and so narrow that the last one is
// within the floats.
constexpr float widest_float = std::numeric_limits<float>::max(),
                least_scale = std::numeric_limits<float>::min(), most_scale = 1.1e37f;
constexpr double widest_grid_of_a_plan = 3.01e38, most_number = std::numeric_limits<double>::max();
constexpr float endless = std::numeric_limits<float>::infinity();
constexpr std::uint32_t any_number = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t any_count = std::numeric_limits<std::size_t>::max();
// For a map: all cells, and the bytes of the tiles of all cuts, two and a bit for each tile.
constexpr std::uint64_t most_cells_in_all = std::uint64_t{1} << 30, most_bytes_of_tiles = 50 << 20;

template <class Fields>
constexpr bool is_reader = std::is_same_v<Fields, FieldReader>;

// --- Grids and tiles ---------------------------------------------------------------------------------------

template <class Fields, class Axes>
void pass_axes(Fields& fields, Axes& axes) noexcept {
    fields.number(axes.origin_x, -widest_float, widest_float);
    fields.number(axes.origin_y, -widest_float, widest_float);
    fields.number(axes.inverse_width, least_scale, most_scale);
    fields.number(axes.inverse_height, least_scale, most_scale);
    fields.number(axes.columns, 1u, simd::max_columns);
    fields.number(axes.rows, 1u,
                  std::is_same_v<std::remove_const_t<Axes>, simd::Grid> ? simd::max_rows : simd::max_columns);
    if constexpr (is_reader<Fields>) {
        axes.last_column = static_cast<float>(axes.columns - 1);
        axes.last_row = static_cast<float>(axes.rows - 1);
        fields.accept(double{axes.last_column} / axes.inverse_width <= widest_grid_of_a_plan &&
                      double{axes.last_row} / axes.inverse_height <= widest_grid_of_a_plan);
    }
}

// If no agent is common, both sizes are -1.
template <class Fields, class Grid>
void pass_grid(Fields& fields, Grid& grid) noexcept {
    pass_axes(fields, grid);
    fields.number(grid.common_width, -1.0f, static_cast<float>(largest_size));
    fields.number(grid.common_height, -1.0f, static_cast<float>(largest_size));
    if constexpr (is_reader<Fields>)
        fields.accept((grid.common_width >= 0 && grid.common_height >= 0) ||
                      (grid.common_width == -1 && grid.common_height == -1));
}

template <class Fields, class Sides>
void pass_sizes(Fields& fields, Sides& sizes) noexcept {
    fields.number(sizes.width, 0.0, double{endless});
    fields.number(sizes.height, 0.0, double{endless});
}

template <class Fields, class Where>
void pass_ground(Fields& fields, Where& ground) noexcept {
    auto& e = ground.extent;
    for (auto* edge : {&e.min_x, &e.min_y, &e.max_x, &e.max_y})
        fields.number(*edge, -widest_float, widest_float);
    fields.count(ground.agents, max_agents);
    fields.number(ground.density, 0.0, double{endless});
    pass_sizes(fields, ground.common);
    if constexpr (is_reader<Fields>) fields.accept(e.min_x <= e.max_x && e.min_y <= e.max_y);
}

}  // namespace

// --- The state without its map -----------------------------------------------------------------------------

// Each field once, in the order of the bytes.
struct PlanFields {
    // All members have names here, so that a new one cannot be forgotten.
    template <class Fields, class State>
    static void pass(Fields& fields, State& state) noexcept {
        auto& [plan, tried, since, last_one_lasted, times_chosen] = state;
        std::uint32_t magic = plan_magic, version = plan_version;
        fields.number(magic, plan_magic, plan_magic);
        fields.number(version, plan_version, plan_version);
        pass_plan(fields, plan);
        pass_tried(fields, tried);
        pass_since(fields, since);
        fields.flag(last_one_lasted);
        fields.number(times_chosen, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max());
    }

private:
    // What the host fixes belongs to the engine.
    template <class Fields>
    static void pass_fixed(Fields& fields, const GridChoice& grid) noexcept {
        for (const double own : {grid.fixed_.width, grid.fixed_.height, grid.fixed_common_}) {
            double size = own;
            fields.number(size, own, own);
        }
    }

    template <class Fields, class Choice>
    static void pass_choice(Fields& fields, Choice& grid) noexcept {
        pass_fixed(fields, grid);
        pass_ground(fields, grid.ground_);
        fields.number(grid.shortage_, 0.0, most_number);
        fields.flag(grid.fits_cells_);
        // Not a number if boxes are wider than the floats.
        fields.number(grid.partners_, 0.0, double{endless}, true);
        pass_grid(fields, grid.grid_);
        fields.number(grid.tuning_.cell_width, 0.0f, endless);
        fields.number(grid.tuning_.row_height, 0.0f, endless);
        fields.number(grid.tuning_.crowding, 0.0f, static_cast<float>(huge));
        fields.one_of(grid.tuning_.reason, TuningReason::sparse);
        if constexpr (is_reader<Fields>) complete(fields, grid);
    }

    // What follows from the other fields of a choice.
    static void complete(FieldReader& fields, GridChoice& choice) noexcept {
        Tuning& tuning = choice.tuning_;
        const simd::Grid& grid = choice.grid_;
        const bool has_grid = tuning.reason != TuningReason::nothing_to_fit,
                   is_fixed = choice.fixed_.width > 0 || choice.fixed_.height > 0;
        fields.accept((tuning.reason == TuningReason::set_by_host) == (is_fixed && has_grid));
        // Cells that the host has fixed are never too few, so there are no islands.
        fields.accept(tuning.reason != TuningReason::set_by_host || choice.shortage_ == 0);
        choice.ground_.fixed = has_grid ? choice.fixed_ : Sizes{};
        tuning.origin_x = grid.origin_x;
        tuning.origin_y = grid.origin_y;
        tuning.columns = has_grid ? grid.columns : 0;
        tuning.rows = has_grid ? grid.rows : 0;
        tuning.common_width = has_grid ? grid.common_width : 0;
        tuning.common_height = has_grid ? grid.common_height : 0;
    }

    template <class Fields, class Plan>
    static void pass_plan(Fields& fields, Plan& plan) noexcept {
        auto& [grid, map, frames, work_at_first, work_at_last] = plan;
        pass_choice(fields, grid);
        fields.number(frames, 0u, any_number);
        fields.number(work_at_first, 0.0, most_number);
        fields.number(work_at_last, 0.0, most_number);
        static_cast<void>(map);  // it comes last, since it may be long
    }
    template <class Fields, class LastTry>
    static void pass_tried(Fields& fields, LastTry& tried) noexcept {
        auto& [agents, looks, pause, frames_left] = tried;
        for (auto& eighths : agents.of)
            for (auto& eighth : eighths) fields.number(eighth, -endless, endless);
        fields.number(looks, 0.0, most_number);
        fields.number(pause, 1u, longest_pause);
        fields.number(frames_left, 0u, longest_pause);
    }
    template <class Fields, class LastCheck>
    static void pass_since(Fields& fields, LastCheck& since) noexcept {
        auto& [agents, changes, frames, judged_work, edits] = since;
        fields.count(agents, max_agents);
        fields.count(changes, any_count);
        fields.number(frames, 0u, any_number);
        fields.number(judged_work, 0.0, most_number);
        fields.count(edits, any_count);
    }
};

// --- The map -----------------------------------------------------------------------------------------------

namespace {

// In bytes: a grid; an island, with its place in its cut and whether it has storeys; a cut, with its region
// and how many islands it has.
constexpr std::size_t bytes_of_grid = 8 * 4, bytes_of_island = bytes_of_grid + 4 + 1, bytes_of_cut = 8 * 4;

void write_map(FieldWriter& fields, const WorldMap& map) noexcept {
    const WorldMap::Tables& tables = map.tables();
    fields.number(map.regions(), 0u, 0u);
    fields.number(map.cuts(), 0u, 0u);
    pass_grid(fields, map.open());
    fields.flag(map.has_storeys(0));
    const simd::Floors& floors = map.floors();
    fields.number(floors.count, 0u, 0u);
    for (std::uint32_t k = 0; k < floors.count; ++k) fields.number(floors.at[k], 0.0f, 0.0f);
    for (std::uint32_t c = 0; c < map.cuts(); ++c) {
        const WorldMap::Cut& cut = tables.cuts[c];
        pass_axes(fields, tables.tiles[c]);
        fields.number(cut.region, 0u, 0u);
        fields.number(cut.end_island - cut.first_island, 0u, 0u);
    }
    for (std::uint32_t r = 1; r < map.regions(); ++r) {
        pass_grid(fields, tables.grids[r]);
        fields.number(tables.positions[r].tile, 0u, 0u);
        fields.flag(map.has_storeys(r));
    }
}

class MapReader {
public:
    MapReader(FieldReader& fields, MemoryResource* memory) noexcept
        : fields_(fields), regions_(memory), cuts_(memory) {}

    // The map has no reference to its tables yet.
    [[nodiscard]] Status read(Store& store, WorldMap& map) noexcept {
        std::uint32_t regions = 1, cuts = 0;
        fields_.number(regions, 1u, static_cast<std::uint32_t>(most_regions));
        fields_.number(cuts, 0u, regions - 1);
        fields_.accept((regions > 1) == (cuts > 0));
        if (!fields_.accept(fields_.left() >=
                            bytes_of_grid + cuts * bytes_of_cut + (regions - 1) * bytes_of_island))
            return {};
        if (!regions_.resize(regions, PlannedRegion{}) || !cuts_.resize(cuts, PlannedCut{}))
            return {Code::out_of_memory};
        pass_grid(fields_, regions_[0].grid);
        pass_storeys(regions_[0]);
        floors_ = read_floors();
        if (!fields_.accept(fields_.left() == cuts * bytes_of_cut + (regions - 1) * bytes_of_island))
            return {};
        read_cuts();
        read_islands();
        if (!are_few_enough() || !fields_.accept(!has_storeys_ || floors_.count != 0)) return {};
        map = WorldMap(regions_[0].grid, regions_[0].has_storeys ? floors_ : simd::Floors{});
        const bool made = cuts == 0 || make_tables(store, {regions_.data(), regions_.size()},
                                                   {cuts_.data(), cuts_.size()}, floors_, map);
        return {made ? Code::ok : Code::out_of_memory};
    }

private:
    simd::Floors read_floors() noexcept {
        simd::Floors floors;
        std::fill(std::begin(floors.at), std::end(floors.at), simd::not_a_number);
        fields_.number(floors.count, 0u, simd::Floors::most);
        if (!fields_.is_good() || floors.count == 0) return {};
        for (std::uint32_t k = 0; k < floors.count; ++k) {
            fields_.number(floors.at[k], -widest_float, widest_float);
            fields_.accept(k == 0 || floors.at[k - 1] < floors.at[k]);
        }
        return floors;
    }
    // A region with storeys has cells.
    void pass_storeys(PlannedRegion& region) noexcept {
        fields_.flag(region.has_storeys);
        fields_.accept(!region.has_storeys || region.grid.common_width >= 0);
        has_storeys_ |= region.has_storeys;
    }
    // Rows and cells of all layers.
    bool are_few_enough() noexcept {
        std::uint64_t rows = 0, cells = 0;
        for (const PlannedRegion& region : regions_) {
            rows += region.grid.rows * region.layers(floors_);
            cells += count_cells(region.grid) * region.layers(floors_);
        }
        return fields_.accept(rows <= (regions_.size() == 1 ? simd::max_rows : most_rows) &&
                              cells <= most_cells_in_all);
    }

    // The islands of the first cut are regions 1, 2 .., and those of the next cuts follow. Every later cut
    // belongs to an island of the first one, and no two to the same; so no island lies deeper than two
    // levels.
    void read_cuts() noexcept {
        std::uint32_t next = 1;
        std::uint64_t bytes_of_tiles = 0;
        for (std::size_t c = 0; c < cuts_.size(); ++c) {
            auto& [tiles, cut] = cuts_[c];
            std::uint32_t islands = 0;
            pass_axes(fields_, tiles);
            fields_.number(cut.region, 0u, any_number);
            fields_.number(islands, 1u, any_number);
            tiles.words = (tiles.columns + 63) / 64;
            bytes_of_tiles +=
                (2 * std::uint64_t{tiles.columns} + 8 * std::uint64_t{tiles.words}) * tiles.rows;
            const bool is_island =
                c > 0 && cut.region > cuts_[c - 1].cut.region && cut.region < cuts_[0].cut.end_island;
            if (!fields_.accept(bytes_of_tiles <= most_bytes_of_tiles && islands <= regions_.size() - next &&
                                (is_island || (c == 0 && cut.region == 0))))
                return;
            cut.first_island = next;
            cut.end_island = next += islands;
            regions_[cut.region].own_cut = static_cast<std::uint32_t>(c);
        }
        fields_.accept(next == regions_.size());
    }

    // In each cut, islands are in the order of their tiles.
    void read_islands() noexcept {
        for (std::uint32_t c = 0; c < cuts_.size() && fields_.is_good(); ++c) {
            const auto& [tiles, cut] = cuts_[c];
            std::uint32_t least = 0;
            for (std::uint32_t r = cut.first_island; r < cut.end_island; ++r) {
                PlannedRegion& island = regions_[r];
                pass_grid(fields_, island.grid);
                island.place.cut = c;
                fields_.number(island.place.tile, least, tiles.columns * tiles.rows - 1);
                least = island.place.tile + 1;
                pass_storeys(island);
            }
        }
    }

    FieldReader& fields_;
    Buffer<PlannedRegion> regions_;
    Buffer<PlannedCut> cuts_;
    simd::Floors floors_;
    bool has_storeys_ = false;
};

}  // namespace

THRONG_COLD std::size_t write_plan(const PlannerState& state, std::span<std::byte> bytes) noexcept {
    FieldWriter fields(bytes);
    PlanFields::pass(fields, state);
    write_map(fields, *state.plan.map);
    return fields.total();
}

THRONG_COLD Status read_plan(std::span<const std::byte> bytes, Store& store, PlannerState& state) noexcept {
    FieldReader fields(bytes);
    PlannerState read = state;
    PlanFields::pass(fields, read);
    if (!fields.is_good()) return {Code::bad_plan};
    WorldMap map;
    const Status status = MapReader(fields, &store.memory()).read(store, map);
    if (!status.ok()) return status;
    if (!fields.is_good()) return {Code::bad_plan};
    read.plan.map = HeldMap(store.blocks, map);
    state = read;
    return {};
}

}  // namespace throng::detail
