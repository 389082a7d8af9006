// What a good programmer writes for a world in which few agents move: a grid whose cells are linked lists. An
// agent that leaves its cell is taken out of one list and put into another, whatever the number of agents,
// and nothing else is touched. There are no snapshots: a move shows at once, so there is nothing to commit.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench/compare/by_hand/cells.hpp"
#include "bench/compare/by_hand/lanes.hpp"
#include "bench/compare/by_hand/room.hpp"
#include "bench/compare/index.hpp"

namespace throng::bench {

namespace {

using by_hand::Cells;
using by_hand::Corners;
using by_hand::Room;
using workload::Rect;

class ListsIndex final : public Index {
public:
    bool can(Ability ability) const override {
        return ability == Ability::edits || ability == Ability::removals || ability == Ability::single_calls;
    }

    // Every agent moved. The grid is laid out again only if the world's size or the number of agents has
    // changed.
    void update(const workload::World& w) override {
        widen_to(w);
        if (w.size() != agents_.size() || w.side != side_ || removed_) return make(w);
        for (std::uint32_t id = 0; id < agents_.size(); ++id) move(w, id);
    }
    void stage(const workload::World& w, std::span<const std::uint32_t> ids) override {
        for (const std::uint32_t id : ids) {
            reach_x_ = std::max(reach_x_, w.hx[id] + slack_);
            reach_y_ = std::max(reach_y_, w.hy[id] + slack_);
            move(w, id);
        }
    }
    void stage_removals(std::span<const std::uint32_t> ids) override {
        for (const std::uint32_t id : ids) take_out(id);
        removed_ = true;
    }
    void commit() override {}

    // Each pair from that of the two agents whose cell comes first, and in one list from the first.
    void find_pairs() override {
        pairs_.clear();
        std::uint32_t cell = 0;
        for (std::int32_t row = 0; row < cells_.rows; ++row)
            for (std::int32_t column = 0; column < cells_.columns; ++column, ++cell)
                for (std::uint32_t id = first_[cell]; id != no_agent; id = agents_[id].next)
                    find_pairs_of(id, row, column);
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const by_hand::Pair& pair : pairs_.all()) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<Rect>& queries) override {
        answers_.clear();
        ends_.clear();
        for (const Rect& query : queries) {
            find(query, answers_);
            ends_.push_back(answers_.size());
        }
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const std::uint32_t id : answers_.all()) sum.hit(id);
        return sum;
    }
    std::uint64_t search(const Rect& query) override {
        found_.clear();
        find(query, found_);
        return found_.size();
    }
    std::span<const std::uint32_t> searched() const override { return found_.all(); }
    std::uint64_t count(const Rect& query) override {
        std::uint64_t sum = 0;
        visit(query, [&](std::uint32_t, const Corners&) {
            ++sum;
            return true;
        });
        return sum;
    }

    void search_singly(std::span<const Rect> queries, workload::Checksum* sum) override {
        for (const Rect& query : queries) {
            search(query);
            if (sum != nullptr)
                for (const std::uint32_t id : found_.all()) sum->hit(id);
        }
    }
    workload::Checksum visit_singly(std::span<const Rect> queries) override {
        workload::Checksum sum;
        for (const Rect& query : queries)
            visit(query, [&](std::uint32_t id, const Corners& box) {
                visited(sum, id, box.x0, box.y1());
                return true;
            });
        return sum;
    }
    void search_a_few_singly(std::span<const Rect> queries, std::uint32_t few) override {
        found_.clear();
        for (const Rect& query : queries) {
            std::uint32_t* to = found_.end_with(few);
            const std::uint32_t* const full = to + few;
            visit(query, [&](std::uint32_t id, const Corners&) {
                *to++ = id;
                return to != full;
            });
            found_.end_at(to);
        }
    }

    std::size_t bytes() const override {
        return agents_.size() * sizeof(Agent) + first_.size() * sizeof first_[0];
    }

private:
    static constexpr float agents_in_a_cell = 1;
    static constexpr std::uint32_t no_cell = 0xFFFFFFFFu;

    // All of an agent, on one line of the cache.
    struct alignas(32) Agent {
        Corners corners;
        std::uint32_t next, previous, cell;
    };

    void widen_to(const workload::World& w) {
        slack_ = 1e-6f * w.side;
        reach_x_ = w.hx.empty() ? 0 : *std::max_element(w.hx.begin(), w.hx.end()) + slack_;
        reach_y_ = w.hy.empty() ? 0 : *std::max_element(w.hy.begin(), w.hy.end()) + slack_;
    }
    void make(const workload::World& w) {
        side_ = w.side;
        removed_ = false;
        cells_ = Cells::over(w.side, w.size(), agents_in_a_cell);
        first_.assign(cells_.count(), no_agent);
        agents_.assign(w.size(), Agent{by_hand::nowhere, no_agent, no_agent, no_cell});
        // From the last on, so that lists begin with the lowest id.
        for (auto id = static_cast<std::uint32_t>(w.size()); id-- > 0;) move(w, id);
    }

    void move(const workload::World& w, std::uint32_t id) {
        Agent& agent = agents_[id];
        agent.corners = by_hand::corners_around(w.x[id], w.y[id], w.hx[id], w.hy[id]);
        const std::uint32_t cell = cells_.at(w.x[id], w.y[id]);
        if (cell == agent.cell) return;
        if (agent.cell != no_cell) take_out(id);
        agent.cell = cell;
        agent.previous = no_agent;
        agent.next = first_[cell];
        if (agent.next != no_agent) agents_[agent.next].previous = id;
        first_[cell] = id;
    }
    void take_out(std::uint32_t id) {
        Agent& agent = agents_[id];
        (agent.previous == no_agent ? first_[agent.cell] : agents_[agent.previous].next) = agent.next;
        if (agent.next != no_agent) agents_[agent.next].previous = agent.previous;
        agent.cell = no_cell;
    }

    template <class Visitor>
    void visit(const Rect& query, Visitor&& visitor) const {
        const Corners probe = by_hand::probe_of(query.x0, query.y0, query.x1, query.y1);
        const std::int32_t first = cells_.column(query.x0 - reach_x_),
                           last = cells_.column(query.x1 + reach_x_), top = cells_.row(query.y1 + reach_y_);
        for (std::int32_t row = cells_.row(query.y0 - reach_y_); row <= top; ++row)
            for (std::int32_t column = first; column <= last; ++column)
                for (std::uint32_t id = head(row, column); id != no_agent; id = agents_[id].next)
                    if (by_hand::overlaps(agents_[id].corners, probe))
                        if (!visitor(id, agents_[id].corners)) return;
    }
    void find(const Rect& query, Room<std::uint32_t>& found) const {
        visit(query, [&](std::uint32_t id, const Corners&) {
            std::uint32_t* to = found.end_with(1);
            *to = id;
            found.end_at(to + 1);
            return true;
        });
    }
    void find_pairs_of(std::uint32_t id, std::int32_t row, std::int32_t column) {
        const Agent& agent = agents_[id];
        const Corners& box = agent.corners;
        const Corners probe = by_hand::probe_of(box);
        const auto look_at = [&](std::uint32_t other) {
            for (; other != no_agent; other = agents_[other].next) {
                by_hand::Pair* to = pairs_.end_with(1);
                *to = {id, other};
                pairs_.end_at(to + by_hand::overlaps(agents_[other].corners, probe));
            }
        };
        look_at(agent.next);
        const std::int32_t first = cells_.column(box.x0 - reach_x_),
                           last = cells_.column(box.x1() + reach_x_), top = cells_.row(box.y1() + reach_y_);
        for (std::int32_t beside = column + 1; beside <= last; ++beside) look_at(head(row, beside));
        for (std::int32_t above = row + 1; above <= top; ++above)
            for (std::int32_t beside = first; beside <= last; ++beside) look_at(head(above, beside));
    }
    std::uint32_t head(std::int32_t row, std::int32_t column) const {
        return first_[cells_.first_of_row(row) + static_cast<std::uint32_t>(column)];
    }

    Cells cells_;
    float side_ = 0, slack_ = 0, reach_x_ = 0, reach_y_ = 0;
    bool removed_ = false;
    std::vector<std::uint32_t> first_;  // of each cell
    std::vector<Agent> agents_;         // by id
    Room<by_hand::Pair> pairs_;
    Room<std::uint32_t> answers_, found_;
    std::vector<std::size_t> ends_;
};

}  // namespace

std::unique_ptr<Index> make_lists_index(const Setup&) { return std::make_unique<ListsIndex>(); }

}  // namespace throng::bench
