// What pedestrian simulations have for their neighbours: a class with a hash map from cells to the agents in
// them, filled anew in every frame, which is asked for each agent's neighbours and copies them out. The cells
// are as large as the radius of the search.
#include <cmath>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bench/compare/index.hpp"

namespace throng::bench {

namespace {

struct Cell {
    int column, row;
    bool operator==(const Cell&) const = default;
};
struct HashOfCell {
    std::size_t operator()(const Cell& cell) const {
        return workload::mix(static_cast<std::uint64_t>(static_cast<std::uint32_t>(cell.column)) << 32 |
                             static_cast<std::uint32_t>(cell.row));
    }
};

class HashIndex final : public Index {
public:
    About about() const override {
        return {"by hand", "std::unordered_map of cells as wide as the radius; " THRONG_PEER_FLAGS};
    }
    bool can(Ability ability) const override {
        return ability == Ability::neighbours || ability == Ability::only_places ||
               ability == Ability::neighbour_lists || ability == Ability::only_within;
    }

    void update_places(const workload::World& w) override {
        for (auto& [cell, agents] : cells_) agents.clear();
        places_.clear();
        for (std::uint32_t i = 0; i < w.size(); ++i) {
            places_.push_back({w.x[i], w.y[i]});
            cells_[cell_at(w.x[i], w.y[i])].push_back(i);
        }
    }
    void find_within(float radius, bool half, std::uint32_t) override {
        if (radius != width_) resize_cells(radius);
        found_.clear();
        ends_.assign(1, 0);
        for (std::uint32_t i = 0; i < places_.size(); ++i) {
            find_around(i, radius, half);
            ends_.push_back(found_.size());
        }
    }
    std::span<const std::uint32_t> list_of(std::uint32_t i) const override {
        return std::span(found_).subspan(ends_[i], ends_[i + 1] - ends_[i]);
    }
    workload::Checksum within(bool half) const override {
        workload::Checksum sum;
        for (std::uint32_t i = 0; i < places_.size(); ++i)
            for (const std::uint32_t id : list_of(i)) half ? sum.pair(i, id) : sum.directed(i, id);
        return sum;
    }
    std::size_t bytes() const override { return 0; }

private:
    Cell cell_at(float x, float y) const {
        return {static_cast<int>(std::floor(x / width_)), static_cast<int>(std::floor(y / width_))};
    }
    void resize_cells(float width) {
        width_ = width;
        cells_.clear();
        for (std::uint32_t i = 0; i < places_.size(); ++i)
            cells_[cell_at(places_[i].x, places_[i].y)].push_back(i);
    }
    void find_around(std::uint32_t i, float radius, bool half) {
        const Point at = places_[i];
        const Cell middle = cell_at(at.x, at.y);
        for (int row = middle.row - 1; row <= middle.row + 1; ++row)
            for (int column = middle.column - 1; column <= middle.column + 1; ++column) {
                const auto cell = cells_.find({column, row});
                if (cell == cells_.end()) continue;
                for (const std::uint32_t other : cell->second) {
                    const float dx = places_[other].x - at.x, dy = places_[other].y - at.y;
                    if (other != i && !(half && other < i) && dx * dx + dy * dy <= radius * radius)
                        found_.push_back(other);
                }
            }
    }

    float width_ = 2;
    std::unordered_map<Cell, std::vector<std::uint32_t>, HashOfCell> cells_;
    std::vector<Point> places_;
    std::vector<std::uint32_t> found_;
    std::vector<std::size_t> ends_;
};

}  // namespace

std::unique_ptr<Index> make_hash_index(const Setup&) { return std::make_unique<HashIndex>(); }

}  // namespace throng::bench
