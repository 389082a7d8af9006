// A survey of the agents: statistics of a sample, from which a grid is chosen. The same agents give the same
// survey on every machine. The sample is stratified by id (base/sample.hpp), so no order of ids can hide a
// part of the agents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/legal.hpp"
#include "base/sample.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/grid_choice.hpp"
#include "engine/src/plan/numbers.hpp"
#include "simd/types.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"
#include "throng/views/visitors.hpp"

namespace throng::detail {

// The agents that a plan is made for: boxes of an update or of a frame, and any heights.
class Agents {
public:
    // `reader.box(i)` and `reader.band(i)` are called with ascending i, and again from 0 on. What they give
    // depends only on the data. The reader must live as long as this.
    template <class Reader>
    Agents(std::size_t count, Reader& reader, bool have_heights) noexcept
        : count_(count),
          have_heights_(have_heights),
          reader_(erased(reader)),
          box_([](void* from, std::size_t i) noexcept { return restored<Reader>(from).box(i); }),
          band_([](void* from, std::size_t i) noexcept { return restored<Reader>(from).band(i); }) {}
    // Boxes alone: `box_at(i)`.
    template <class BoxAt>
    Agents(std::size_t count, const BoxAt& box_at) noexcept
        : count_(count),
          reader_(erased(box_at)),
          box_([](void* from, std::size_t i) noexcept -> Box { return restored<const BoxAt>(from)(i); }) {}

    std::size_t count() const noexcept { return count_; }
    bool have_heights() const noexcept { return have_heights_; }
    Box operator()(std::size_t i) const noexcept { return box_(reader_, i); }
    Band band(std::size_t i) const noexcept { return band_(reader_, i); }

private:
    std::size_t count_;
    bool have_heights_ = false;
    void* reader_;
    Box (*box_)(void*, std::size_t) noexcept;
    Band (*band_)(void*, std::size_t) noexcept = nullptr;
};

// --- Floors: the heights that divide a world into storeys, from a sample of the agents' bands ---

// The floors for which a search would look at the fewest agents, if these stood anywhere in the plane: at
// those of its storey, and at all that a floor goes through. None if no floors save enough. There are at most
// `most` storeys.
simd::Floors find_floors(std::span<const Band> bands, std::size_t most) noexcept;
// How many of these agents such a search looks at with some floors, on average.
double looks_with(const simd::Floors& floors, std::span<const Band> bands) noexcept;

class Survey {
public:
    static constexpr std::size_t most = tuned::surveyed;

    // Illegal boxes are left out. If the agents are themselves a sample, `stand_for` is how many they stand
    // for.
    void take(const Agents& agents, std::size_t max_looked_at, std::size_t stand_for) noexcept;
    void take(const Agents& agents, std::size_t max_looked_at) noexcept {
        take(agents, max_looked_at, agents.count());
    }

    std::size_t agents() const noexcept { return agents_; }
    bool empty() const noexcept { return size_ == 0; }

    // The range of nearly all lower left corners. The outermost ones do not count, so a few strays cannot
    // stretch the grid.
    const Box& extent() const noexcept { return extent_; }
    // The eighths of the lower left corners on each axis, and of widths and heights.
    struct Eighths {
        static constexpr std::size_t count = 9;
        std::array<std::array<float, count>, 4> of;
        // Whether each quarter is in the same place as the other's, to an eighth. That is so in two samples
        // of the same agents, at any scale, however far the outermost ones are. Scales of a power law are
        // never the same.
        bool are_about(const Eighths& other) const noexcept;
    };
    Eighths eighths() const noexcept;
    // The floors between storeys if agents stand above each other. Then all numbers are those of one storey,
    // as if the others were elsewhere.
    const simd::Floors& floors() const noexcept { return floors_; }
    std::size_t storeys() const noexcept { return floors_.count + std::size_t{1}; }
    // Between other floors, or none.
    void divide(const simd::Floors& floors) noexcept {
        floors_ = floors;
        find_density();
    }
    // How many agents of the sample a search looks at with some floors, wherever they stand in the plane.
    double looks_with(const simd::Floors& floors) const noexcept {
        return detail::looks_with(floors, {bands_.data(), has_bands_ ? size_ : 0});
    }
    // The number of agents for each unit of area, around the average agent.
    double density() const noexcept { return density_; }
    // The number of others in a square of that side around the average agent.
    double others_within(double side) const noexcept;
    // The same in a box of these sides. In a world that is thinner than the box, only the other side counts.
    double others_within(double width, double height) const noexcept;
    // The share of the agents within this width and height.
    double share_within(double width, double height) const noexcept;
    // The share of the agents with their lower left corner in a box.
    double share_in(const Box& box) const noexcept;
    // The mean of `of(sizes)` over about sixteen boxes wider or higher than a size. `share` is the share of
    // such agents.
    template <class Of>
    double mean_of_larger(const Sizes& size, double share, Of&& of) const noexcept {
        const auto step =
            static_cast<std::size_t>(share * static_cast<double>(size_) / tuned::asked_oversized) + 1;
        double sum = 0;
        std::size_t seen = 0, told = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            const Sizes box{exact_widths_[i], exact_heights_[i]};
            if (box.width <= size.width && box.height <= size.height) continue;
            if (seen++ % step != 0) continue;
            sum += of(box);
            ++told;
        }
        return told == 0 ? 0 : sum / static_cast<double>(told);
    }
    // The quantile of widths and of heights: `share` is from 0 to 1.
    float width_at(double share) const noexcept { return at(widths_, share); }
    float height_at(double share) const noexcept { return at(heights_, share); }
    // The largest width and the largest height that are not above a limit; the limit where there are none.
    Sizes largest_within(const Sizes& limit) const noexcept;

private:
    using Values = std::array<float, most>;
    static constexpr unsigned quarterings = tuned::quarterings;
    // So many of the smallest squares make room for the number of a storey.
    static constexpr unsigned quarterings_for_storeys = 3;
    static_assert(simd::Floors::most + 2 <= 1u << 2 * quarterings_for_storeys && quarterings == 16);

    void summarise() noexcept;
    void find_extent() noexcept;
    void find_density() noexcept;
    void find_storeys() noexcept;
    std::size_t mark_quarters(double longer) noexcept;
    double others_seen(std::size_t inside, unsigned level) noexcept;
    Sizes sides() const noexcept;
    double area_of(double side) const noexcept;
    float at(const Values& sorted, double share) const noexcept;
    // For a sorted sample that is not empty.
    std::size_t place_of(double share) const noexcept;

    std::size_t agents_ = 0, size_ = 0;
    Box extent_;
    double density_ = 0;
    double side_ = 0;  // of the largest square
    unsigned levels_ = 0;
    std::array<double, quarterings + 1> others_;  // by how often the largest square was quartered
    std::array<Box, most> sample_;
    bool has_bands_ = false;
    std::array<Band, most> bands_;
    simd::Floors floors_;
    Values widths_, heights_;
    std::array<double, most> exact_widths_, exact_heights_;  // of the sample, in its order
    std::array<std::uint32_t, most> quarters_;
    std::array<std::uint8_t, most> together_until_;
};

}  // namespace throng::detail
