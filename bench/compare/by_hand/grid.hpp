// A grid by counting sort. The agents are counted by cell, each cell gets its part of the arrays, and each
// agent is written into that of the cell of its centre: so the cells of a row that lie side by side are one
// run of agents. A query looks at the cells that it covers, widened by the largest half extent of all agents.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/compare/by_hand/cells.hpp"
#include "bench/compare/by_hand/lanes.hpp"
#include "bench/compare/by_hand/room.hpp"
#include "throng/queries/casts.hpp"

namespace throng::bench::by_hand {

struct Placed {
    float x, y, hx, hy;
};

// A hit of a cast, as the library orders them.
struct Hit {
    float time = infinity;
    std::uint32_t id = no_agent;
};

class Grid {
public:
    // Agent i is `agents(i)`; the world is from 0 to that side.
    template <class Agents>
    BY_HAND_WIDE void assign(std::size_t count, float side, const Agents& agents) {
        count_agents(count, side, agents);
        scatter(count, agents);
        has_centres_ = false;
    }
    // Agents without an extent.
    BY_HAND_WIDE void assign_points(std::span<const float> x, std::span<const float> y, float side);

    std::size_t size() const { return size_; }
    std::size_t bytes() const;
    std::span<const std::uint32_t> ids() const { return std::span(ids_).first(size_); }

    // Every overlapping pair.
    BY_HAND_WIDE void find_pairs(Room<Pair>& pairs) const;

    // What overlaps a box: its ids, behind those that are in the room.
    BY_HAND_WIDE void find(float x0, float y0, float x1, float y1, Room<std::uint32_t>& found) const;
    BY_HAND_WIDE std::uint64_t count(float x0, float y0, float x1, float y1) const;
    // The same for a visitor of an id and its corners, until it returns false.
    template <class Visitor>
    BY_HAND_WIDE void visit(float x0, float y0, float x1, float y1, Visitor&& visitor) const {
        const Corners probe = probe_of(x0, y0, x1, y1);
        const Covered covered = cover(x0, y0, x1, y1);
        // Where those found are, for one loop over all of them; many are visited as they come.
        constexpr std::size_t most = 64;
        std::uint32_t found[most + lanes];
        std::uint32_t* to = found;
        for (std::int32_t row = covered.first_row; row <= covered.last_row; ++row) {
            const Run run = run_of(row, covered);
            for (std::size_t at = run.first; at < run.last; at += lanes) {
                to = append(to, at, overlapping(&corners_[at], probe) & first_of(run.last - at));
                if (to < found + most) continue;
                for (const std::uint32_t* i = found; i != to; ++i)
                    if (!visitor(ids_[*i], corners_[*i])) return;
                to = found;
            }
        }
        for (const std::uint32_t* i = found; i != to; ++i)
            if (!visitor(ids_[*i], corners_[*i])) return;
    }

    // Centres within a radius, and the nearest ones with their distances, 32 at most and the nearest first.
    // None is of that id.
    BY_HAND_WIDE void find_within(float x, float y, float radius, std::uint32_t without, bool only_above,
                                  Room<std::uint32_t>& found) const;
    BY_HAND_WIDE void find_within(float x, float y, float radius, Room<Found>& found) const;
    // `near` is scratch memory for the agents that may be among the nearest.
    BY_HAND_WIDE std::size_t find_nearest(float x, float y, std::uint32_t wanted, std::uint32_t without,
                                          Found* found, Room<std::uint64_t>& near) const;
    // The same for each agent: those of id i begin at i * wanted.
    BY_HAND_WIDE void find_nearest_of_all(std::uint32_t wanted, Found* found,
                                          Room<std::uint64_t>& near) const;
    // Makes ready what these need, if the agents came as boxes.
    BY_HAND_WIDE void make_centres();

    // What a box that moves touches first, or anything that it touches.
    BY_HAND_WIDE Hit first_hit(const Cast& cast, bool any) const;

private:
    // Agents in a cell: with fewer a query visits more cells, with more it tests more agents that it does not
    // find.
    static constexpr float agents_in_a_cell = 1.5f;
    static constexpr std::size_t ahead = 12;

    struct Covered {
        std::int32_t first_column, last_column, first_row, last_row;
    };
    struct Run {
        std::size_t first, last;
    };

    template <class Agents>
    BY_HAND_WIDE void count_agents(std::size_t count, float side, const Agents& agents) {
        cells_ = Cells::over(side, count, agents_in_a_cell);
        size_ = count;
        area_of_one_ = side * side / static_cast<float>(std::max<std::size_t>(count, 1));
        start_.assign(cells_.count() + 1, 0);
        cell_of_.resize(count);
        reach_x_ = reach_y_ = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Placed agent = agents(i);
            cell_of_[i] = cells_.at(agent.x, agent.y);
            reach_x_ = std::max(reach_x_, agent.hx);
            reach_y_ = std::max(reach_y_, agent.hy);
        }
        for (const std::uint32_t cell : cell_of_) ++start_[cell + 1];
        std::uint32_t sum = 0;
        for (std::uint32_t& begin : start_) sum += begin, begin = sum - begin;
        // Enough for the roundings of a widened box.
        reach_x_ += 1e-6f * side;
        reach_y_ += 1e-6f * side;
    }
    // `start_[cell + 1]` is where the next agent of the cell goes: when all are written, where the next cell
    // begins.
    template <class Agents>
    BY_HAND_WIDE void scatter(std::size_t count, const Agents& agents) {
        corners_.resize(count + lanes, nowhere);
        ids_.resize(count + lanes);
        for (std::size_t i = 0; i < count; ++i) {
            if (i + ahead < count) THRONG_PREFETCH(&corners_[start_[cell_of_[i + ahead] + 1]], 1);
            const Placed agent = agents(i);
            const std::uint32_t at = start_[cell_of_[i] + 1]++;
            corners_[at] = corners_around(agent.x, agent.y, agent.hx, agent.hy);
            ids_[at] = static_cast<std::uint32_t>(i);
        }
    }

    BY_HAND_WIDE void find_pairs_in(Run run, std::uint32_t id, const Corners& probe,
                                    Room<Pair>& pairs) const {
        Pair* to = pairs.end_with(run.last - run.first);
        for (std::size_t at = run.first; at < run.last; at += lanes)
            to = append(to, id, &ids_[at], overlapping(&corners_[at], probe) & first_of(run.last - at));
        pairs.end_at(to);
    }

    Covered cover(float x0, float y0, float x1, float y1) const {
        return {cells_.column(x0 - reach_x_), cells_.column(x1 + reach_x_), cells_.row(y0 - reach_y_),
                cells_.row(y1 + reach_y_)};
    }
    Run run_of(std::int32_t row, std::int32_t first_column, std::int32_t last_column) const {
        const std::uint32_t* start = start_.data() + cells_.first_of_row(row);
        return {start[first_column], start[last_column + 1]};
    }
    Run run_of(std::int32_t row, const Covered& covered) const {
        return run_of(row, covered.first_column, covered.last_column);
    }

    Cells cells_;
    std::size_t size_ = 0;
    float reach_x_ = 0, reach_y_ = 0;
    float area_of_one_ = 0;               // of a world that were covered evenly
    std::vector<std::uint32_t> start_;    // of each cell in the arrays below, and where the last one ends
    std::vector<std::uint32_t> cell_of_;  // of each agent by id
    std::vector<Corners> corners_;
    std::vector<std::uint32_t> ids_;
    bool has_centres_ = false;
    std::vector<float> centre_x_, centre_y_;
};

}  // namespace throng::bench::by_hand
