// What a good programmer writes in an afternoon: a grid by counting sort (grid.hpp), made again in every
// frame, with vectors over the runs of cells.
#include <algorithm>
#include <cmath>

#include "bench/compare/by_hand/grid.hpp"
#include "bench/compare/index.hpp"

namespace throng::bench {

namespace {

using by_hand::Corners;
using by_hand::Found;
using by_hand::Grid;
using by_hand::Placed;
using by_hand::Room;
using workload::Rect;

class GridIndex final : public Index {
public:
    bool can(Ability ability) const override {
        switch (ability) {
        case Ability::casts:
        case Ability::layouts:
        case Ability::neighbours:
        case Ability::single_calls:
        case Ability::single_casts:
        case Ability::single_neighbours: return true;
        default: return false;
        }
    }

    void update(const workload::World& w) override {
        side_ = w.side;
        grid_.assign(w.size(), w.side,
                     [x = w.x.data(), y = w.y.data(), hx = w.hx.data(), hy = w.hy.data()](std::size_t i) {
                         return Placed{x[i], y[i], hx[i], hy[i]};
                     });
    }
    void update_structs(std::span<const HostAgent> agents) override {
        grid_.assign(agents.size(), side_, [all = agents.data()](std::size_t i) {
            const HostAgent& agent = all[i];
            return Placed{agent.x, agent.y, agent.half_x, agent.half_y};
        });
    }
    void update_points(const workload::World& w, float radius) override {
        side_ = w.side;
        grid_.assign(w.size(), w.side, [x = w.x.data(), y = w.y.data(), radius](std::size_t i) {
            return Placed{x[i], y[i], radius, radius};
        });
    }
    void update_places(const workload::World& w) override {
        side_ = w.side;
        x_ = w.x;
        y_ = w.y;
        grid_.assign_points(x_, y_, w.side);
    }

    void find_pairs() override { grid_.find_pairs(pairs_); }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const by_hand::Pair& pair : pairs_.all()) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<Rect>& queries) override {
        answers_.clear();
        ends_.clear();
        for (const Rect& q : queries) {
            grid_.find(q.x0, q.y0, q.x1, q.y1, answers_);
            ends_.push_back(answers_.size());
        }
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const std::uint32_t id : answers_.all()) sum.hit(id);
        return sum;
    }
    std::uint64_t search(const Rect& q) override {
        found_.clear();
        grid_.find(q.x0, q.y0, q.x1, q.y1, found_);
        return found_.size();
    }
    std::span<const std::uint32_t> searched() const override { return found_.all(); }
    std::uint64_t count(const Rect& q) override { return grid_.count(q.x0, q.y0, q.x1, q.y1); }

    void search_singly(std::span<const Rect> queries, workload::Checksum* sum) override {
        for (const Rect& q : queries) {
            search(q);
            if (sum != nullptr)
                for (const std::uint32_t id : found_.all()) sum->hit(id);
        }
    }
    workload::Checksum visit_singly(std::span<const Rect> queries) override {
        workload::Checksum sum;
        for (const Rect& q : queries)
            grid_.visit(q.x0, q.y0, q.x1, q.y1, [&](std::uint32_t id, const Corners& box) {
                visited(sum, id, box.x0, box.y1());
                return true;
            });
        return sum;
    }
    void search_a_few_singly(std::span<const Rect> queries, std::uint32_t few) override {
        found_.clear();
        for (const Rect& q : queries) {
            std::uint32_t* to = found_.end_with(few);
            const std::uint32_t* const full = to + few;
            grid_.visit(q.x0, q.y0, q.x1, q.y1, [&](std::uint32_t id, const Corners&) {
                *to++ = id;
                return to != full;
            });
            found_.end_at(to);
        }
    }

    void find_within_singly(std::span<const Point> points, float radius, workload::Checksum* sum) override {
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            near_.clear();
            grid_.find_within(points[i].x, points[i].y, radius, near_);
            if (sum != nullptr)
                for (const Found& one : near_.all()) sum->found(i, one.id, one.squared_distance);
        }
    }
    void find_nearest_singly(std::span<const Point> points, std::uint32_t count,
                             workload::Checksum* sum) override {
        Found found[8];
        for (std::uint32_t i = 0; i < points.size(); ++i) {
            const Point& at = points[i];
            const std::size_t many = grid_.find_nearest(at.x, at.y, count, no_agent, found, nearby_);
            if (sum != nullptr)
                for (std::size_t k = 0; k < many; ++k)
                    sum->found(i * count, found[k].id, found[k].squared_distance);
        }
    }

    void find_within(float radius, bool half, std::uint32_t) override {
        answers_.clear();
        ends_.clear();
        for (std::uint32_t i = 0; i < x_.size(); ++i) {
            grid_.find_within(x_[i], y_[i], radius, i, half, answers_);
            ends_.push_back(answers_.size());
        }
    }
    workload::Checksum within(bool half) const override {
        workload::Checksum sum;
        for (std::size_t i = 0, at = 0; i < ends_.size(); ++i)
            for (; at < ends_[i]; ++at)
                half ? sum.pair(static_cast<std::uint32_t>(i), answers_.all()[at])
                     : sum.directed(static_cast<std::uint32_t>(i), answers_.all()[at]);
        return sum;
    }
    void find_nearest(std::uint32_t count, std::uint32_t) override {
        wanted_ = count;
        nearest_.resize(grid_.size() * count);
        // Where there are fewer agents than are wanted, lists have an end.
        if (grid_.size() <= count) std::fill(nearest_.begin(), nearest_.end(), Found{no_agent, 0});
        grid_.make_centres();
        grid_.find_nearest_of_all(count, nearest_.data(), nearby_);
    }
    workload::Checksum nearest() const override {
        workload::Checksum sum;
        for (std::size_t i = 0; i < nearest_.size(); ++i)
            if (nearest_[i].id != no_agent)
                sum.found(i / wanted_ * 8 + i % wanted_, nearest_[i].id,
                          std::sqrt(nearest_[i].squared_distance));
        return sum;
    }

    void prepare_casts(const std::vector<workload::Ray>& rays, float half) override {
        casts_.clear();
        for (const workload::Ray& r : rays)
            casts_.push_back(Cast::box(Box::around(r.x, r.y, half, half), r.dx, r.dy));
        first_hits_.resize(casts_.size());
        blocked_.resize(casts_.size());
    }
    void find_first_hits() override {
        for (std::size_t i = 0; i < casts_.size(); ++i) {
            const by_hand::Hit hit = grid_.first_hit(casts_[i], false);
            first_hits_[i] = {hit.id, hit.time};
        }
    }
    void find_blocked() override {
        for (std::size_t i = 0; i < casts_.size(); ++i)
            blocked_[i] = grid_.first_hit(casts_[i], true).id != no_agent;
    }
    void find_first_hits_singly() override { find_first_hits(); }
    void find_blocked_singly() override { find_blocked(); }
    std::span<const CastHit> first_hits() const override { return first_hits_; }
    std::span<const std::uint8_t> blocked() const override { return blocked_; }

    std::size_t bytes() const override { return grid_.bytes(); }

private:
    Grid grid_;
    float side_ = 0;
    std::span<const float> x_, y_;  // the host's, by id
    Room<by_hand::Pair> pairs_;
    Room<std::uint32_t> answers_, found_;
    std::vector<std::size_t> ends_;
    Room<Found> near_;
    Room<std::uint64_t> nearby_;
    std::uint32_t wanted_ = 1;
    std::vector<Found> nearest_;
    std::vector<Cast> casts_;
    std::vector<CastHit> first_hits_;
    std::vector<std::uint8_t> blocked_;
};

}  // namespace

std::unique_ptr<Index> make_grid_index(const Setup&) { return std::make_unique<GridIndex>(); }

}  // namespace throng::bench
