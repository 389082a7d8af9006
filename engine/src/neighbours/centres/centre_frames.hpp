// Where searches by centres look. The grid and the tree of a frame are made for boxes. If these are much
// larger than the distances between agents, as ranges of sight are, a cell holds very many agents, and a
// search by centres would compare a large part of all. Then it looks in a second frame, of the centres alone
// (frame/centres.hpp). That is made when it pays, and lives as long as the first:
//
//     frame            [ large boxes, few cells ]      overlaps, pairs, casts; neighbours by boxes
//     centre frame     [ points, cells for these ]     neighbours by centres
//
// Answers are the same, to the last bit, and lists are put into the order of the frame. So a centre frame
// changes only the time, and without memory there is none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/src/frame/centres.hpp"
#include "engine/src/frame/frame_state.hpp"
#include "engine/src/neighbours/asked.hpp"
#include "engine/src/neighbours/list_batch.hpp"
#include "engine/src/neighbours/sites.hpp"
#include "simd/neighbour_kernels.hpp"
#include "throng/geometry.hpp"
#include "throng/queries/neighbours.hpp"

namespace throng::detail {

// Whether a search by centres may have to compare very many agents. It takes a few loads.
inline constexpr std::size_t few_in_tree = 256;
inline bool may_have_wide_boxes(const FrameState& frame) noexcept {
    constexpr std::size_t few_agents = 2048, few_in_cell = 16;
    return frame.agents >= few_agents &&
           (frame.view.oversized.count > few_in_tree || frame.sharing > few_in_cell * frame.agents);
}

// Some sites of a batch, which tell how much each search has to look at.
class SampledSites {
public:
    static constexpr std::size_t most = 16;

    // For `sites` sites. site_at(i, add) calls add(point, number) for site i.
    template <class SiteAt>
    SampledSites(std::size_t sites, const Neighbourhood& wanted, const SiteAt& site_at) noexcept
        : sites_(sites) {
        const std::size_t some = sites < most ? sites : most;
        for (std::size_t s = 0; s < some; ++s)
            site_at((2 * s + 1) * sites / (2 * some), [&](const Point& at, std::size_t number) {
                const float radius = wanted.radii.empty() ? wanted.radius : wanted.radii[number];
                // In blocks, lists may not have checked it yet.
                if (check_radius(radius, wanted.is_nearest) != Code::ok) return;
                x_[count_] = at.x;
                y_[count_] = at.y;
                radii_[count_] = radius;
                number_[count_] = count_;
                ++count_;
            });
    }

private:
    friend class WhereToLook;

    const std::size_t sites_;
    std::uint32_t count_ = 0;
    alignas(64) float x_[most + simd::gap] = {}, y_[most + simd::gap] = {};
    float radii_[most];
    std::uint32_t number_[most];
};

// The frame in which a batch or a single search looks: the one that the host asked, or its centre frame.
class WhereToLook {
public:
    // In that frame.
    explicit WhereToLook(const FrameState& asked) noexcept : asked_(asked) {}
    // For one search: the centre frame if there is one, or if enough was looked at by now for it to pay.
    WhereToLook(const FrameState& asked, const Neighbourhood& wanted) noexcept;
    // For a batch; `sample()` gives some of its sites.
    template <class Sample>
    WhereToLook(const FrameState& asked, const Neighbourhood& wanted, const Sample& sample) noexcept
        : asked_(asked) {
        if (wanted.agents_as == AgentsAs::centres && may_have_wide_boxes(asked)) choose(wanted, sample());
    }

    const FrameState& frame() const noexcept { return centres_ == nullptr ? asked_ : centres_->state(); }
    bool is_among_centres() const noexcept { return centres_ != nullptr; }
    // How many agents a single search has compared.
    void note(std::uint64_t compared) const noexcept;

    // Puts ids, and their squared distances unless these are null, into the order of the frame that was
    // asked. There is room for as many keys.
    void put_in_order(AgentId* ids, float* distances, std::size_t count, std::uint64_t* keys) const noexcept;
    // The same with each list, after all were made. The nearest have an order of their own.
    Status in_order(const Status& made, const Executor& executor, const ListResult& result) const noexcept;

private:
    void choose(const Neighbourhood& wanted, const SampledSites& sample) noexcept;

    const FrameState& asked_;
    const CentreFrame* centres_ = nullptr;
    bool is_noted_ = false;
};

}  // namespace throng::detail
