// A survey of the agents: a sample from which the tuner chooses a grid. The same agents give the same survey
// on every machine. Ids are cut into strata of equal size, and a hash picks one of each (sample.hpp), so no
// order of ids can hide a part of the agents.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/src/base/box_check.hpp"
#include "engine/src/plan/grid_fit.hpp"
#include "engine/src/plan/sample.hpp"
#include "throng/geometry.hpp"

namespace throng::detail {

class Survey {
public:
    // The first survey looks closely; later ones, which come every few frames, only have to notice a change.
    static constexpr std::size_t most = 2048, max_for_review = 1024, for_a_glance = 128;

    // `box_at(i)` is the box of the i-th of `count` agents, in an order that the data alone decides; it is
    // called with ascending i. Boxes that are not legal are left out. Where the agents are themselves a sample,
    // `agents` says for how many they stand.
    template <class BoxAt>
    void take(std::size_t count, std::size_t max_looked_at, BoxAt&& box_at, std::size_t agents) noexcept {
        agents_ = agents;
        size_ = 0;
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

    // The range in which nearly all lower left corners lie. The outermost ones do not count, so that a few
    // agents who strayed far away cannot stretch the grid.
    const Box& extent() const noexcept { return extent_; }
    // How far it is from a corner to the next on each axis, times their number: a quarter of them are as near. Nothing
    // where as many are at one place.
    const Sizes& steps() const noexcept { return steps_; }
    // How many agents there are to a unit of area, as seen by the average agent.
    double density() const noexcept { return density_; }
    // How many others there are in a square of that side, as seen by the average agent in it.
    double others_within(double side) const noexcept;
    // The share of the agents that are neither wider nor higher.
    double share_within(double width, double height) const noexcept;
    // Width and height below which the given share of the agents lies, from 0 to 1.
    float width_at(double share) const noexcept { return at(widths_, share); }
    float height_at(double share) const noexcept { return at(heights_, share); }

private:
    using Values = std::array<float, most>;
    static constexpr unsigned quarterings = 16;

    void summarise() noexcept;
    void find_extent() noexcept;
    void find_density() noexcept;
    std::size_t mark_quarters(double longer) noexcept;
    double others_seen(std::size_t inside, unsigned level) noexcept;
    double area_of(double side) const noexcept;
    float at(const Values& sorted, double share) const noexcept;

    std::size_t agents_ = 0, size_ = 0;
    Box extent_;
    Sizes steps_;
    double density_ = 0;
    double side_ = 0;  // of the largest square
    unsigned levels_ = 0;
    std::array<double, quarterings + 1> others_;  // by how often the largest square was quartered
    std::array<Box, most> sample_;
    Values widths_, heights_;
    Values scratch_;
    std::array<std::uint32_t, most> quarters_;
};

}  // namespace throng::detail
