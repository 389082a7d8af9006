// A survey of the agents: statistics of a sample, from which the tuner chooses a grid. The same agents give
// the same survey on every machine. The sample is stratified by id (sample.hpp), so no order of ids can hide
// a part of the agents.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/src/base/box_check.hpp"
#include "engine/src/frame/world_map.hpp"
#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/sample.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

// `most` is the size of the largest sample that it can take.
template <std::size_t most>
class SurveyUpTo {
public:
    static constexpr std::size_t capacity = most;

    // The first survey has a large sample; later ones, every few frames, only have to notice a change.
    static constexpr std::size_t at_first = 2048, max_for_review = 1024, for_a_glance = 128;
    // An agent in the sample costs as much as several in a frame, so where there are few agents a later survey looks at some.
    static constexpr std::size_t at_most(std::size_t looked_at, std::size_t agents) noexcept {
        constexpr std::size_t one_in = 8, least = 256;
        return std::min(looked_at, std::max(agents / one_in, least));
    }

    // `box_at(i)` is the box of the i-th of `count` agents, in an order that depends on the data alone; it is
    // called with ascending i. Illegal boxes are left out. If the agents are themselves a sample, `agents` is
    // how many they stand for.
    template <class BoxAt>
    void take(std::size_t count, std::size_t max_looked_at, BoxAt&& box_at, std::size_t agents) noexcept {
        agents_ = agents;
        size_ = 0;
        chosen_size.reset();
        const std::size_t wanted = count < max_looked_at ? count : max_looked_at;
        for (std::size_t k = 0; k < wanted; ++k) {
            const Box box = box_at(sampled(k, wanted, count));
            if (check(box) == Code::ok) sample_[size_++] = box;
        }
        summarise();
    }
    template <class BoxAt>
    void take(std::size_t agents, std::size_t max_looked_at, BoxAt&& box_at) noexcept {
        take(agents, max_looked_at, box_at, agents);
    }

    std::size_t agents() const noexcept { return agents_; }
    bool empty() const noexcept { return size_ == 0; }
    bool is_a_glance() const noexcept { return size_ <= for_a_glance; }

    // The range of nearly all lower left corners. The outermost ones do not count, so a few strays cannot
    // stretch the grid.
    const Box& extent() const noexcept { return extent_; }
    // The lower quartile of the distance from one corner to the next on each axis, times their number. Zero
    // if that many share one place. Computed on demand.
    Sizes steps() const noexcept;
    // The eighths of the lower left corners on each axis, and of widths and heights.
    struct Eighths {
        static constexpr std::size_t count = 9;
        std::array<std::array<float, count>, 4> of;
        // Whether each quarter is where the other has it, to an eighth: so it is in two samples of the same agents, at whatever
        // scales they are, and however far the outermost ones. Scales of a power law are never the same.
        bool are_about(const Eighths& other) const noexcept;
    };
    Eighths eighths() const noexcept;
    // Three times the range of the middle three quarters of the corners.
    Box middle() const noexcept;
    // The number of agents to a unit of area, around the average agent.
    double density() const noexcept { return density_; }
    // The number of others in a square of that side around the average agent.
    double others_within(double side) const noexcept;
    // The same in a box of these sides. In a world that is thinner than the box, only the other side counts.
    double others_within(double width, double height) const noexcept;
    // The number of pairs of overlapping boxes for each agent: at least so many, as far as a part of the sample can tell.
    // Unlike the counts above it sees boxes, so it holds at every scale.
    struct Pairs {
        double all;
        double of_common;  // those of boxes up to a size, which are common on a map, too, if there is one
        double
            of_others;  // half of what each other box overlaps, but no more than it costs where it is oversized
    };
    Pairs overlapping_pairs(const Sizes& common, const WorldMap* map = nullptr,
                            double cost_of_oversized = 0) const noexcept;
    // The number of others that cover the middle of an agent, as far as a part of the sample can tell. Slivers that cross overlap many
    // and cover few.
    double others_over_middles() const noexcept;
    // The share of the agents within this width and height, as every so many of the sample tell.
    double share_within(double width, double height, std::size_t step = 1) const noexcept;
    // The share of the agents with their lower left corner in a box.
    double share_in(const Box& box) const noexcept;
    // The mean of `of(sizes)` over about sixteen boxes wider or higher than a size; `share` is the share of the agents that are.
    template <class Of>
    double mean_of_larger(const Sizes& size, double share, Of&& of) const noexcept {
        constexpr double some = 16;
        const auto step = static_cast<std::size_t>(share * static_cast<double>(size_) / some) + 1;
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
    // What `common_size` chose, kept for its next call.
    mutable std::optional<Sizes> chosen_size;
    // The largest width and the largest height that are not above a limit; the limit where there are none.
    Sizes largest_within(const Sizes& limit) const noexcept;

private:
    using Values = std::array<float, most>;
    using Some = std::array<float, 256>;
    static constexpr unsigned quarterings = 16;
    static constexpr std::size_t min_compared = 128, max_compared = 512;

    template <class Corner>
    std::size_t sort_some(Some& some, Corner&& corner) const noexcept;
    void summarise() noexcept;
    void find_extent() noexcept;
    void find_density() noexcept;
    std::size_t mark_quarters(double longer) noexcept;
    double others_seen(std::size_t inside, unsigned level) noexcept;
    Sizes sides() const noexcept;
    double area_of(double side) const noexcept;
    float at(const Values& sorted, double share) const noexcept;
    // In a sorted sample that is not empty.
    std::size_t place_of(double share) const noexcept;

    std::size_t agents_ = 0, size_ = 0;
    Box extent_;
    double density_ = 0;
    double side_ = 0;  // of the largest square
    unsigned levels_ = 0;
    std::array<double, quarterings + 1> others_;  // by how often the largest square was quartered
    std::array<Box, most> sample_;
    Values widths_, heights_;
    std::array<double, most> exact_widths_, exact_heights_;  // of the sample, in its order
    std::array<std::uint32_t, most> quarters_;
    std::array<std::uint8_t, most> together_until_;
};

using Survey = SurveyUpTo<2048>;
// Of one region among many.
using RegionSurvey = SurveyUpTo<384>;

}  // namespace throng::detail
