// What a good programmer writes for a small world: the agents sorted by their left edges, and each compared
// with those that begin before it ends, eight at a time. The order of the frame before is nearly right, so an
// insertion sort repairs it.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "bench/compare/by_hand/lanes.hpp"
#include "bench/compare/by_hand/room.hpp"
#include "bench/compare/index.hpp"
#include "throng/compiler.hpp"

namespace throng::bench {

namespace {

using by_hand::Corners;
using by_hand::lanes;
using by_hand::Room;
using workload::Rect;

// A left edge as a number that orders as it does, and behind it the id.
std::uint64_t key_of(float edge, std::uint32_t id) {
    const auto bits = detail::bits_as<std::uint32_t>(edge + 0.0f);  // there is one zero
    const std::uint32_t flip =
        static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000u;
    return std::uint64_t{bits ^ flip} << 32 | id;
}

class SweepIndex final : public Index {
public:
    explicit SweepIndex(const Setup& setup) : corners_(setup.agents + lanes, by_hand::nowhere) {
        for (std::uint32_t id = 0; id < setup.agents; ++id) keys_.push_back(id);
        ids_.resize(setup.agents + lanes);
    }

    bool can(Ability ability) const override { return ability == Ability::single_calls; }

    BY_HAND_WIDE void update(const workload::World& w) override {
        sort(w);
        widest_ = 0;
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            const auto id = static_cast<std::uint32_t>(keys_[i]);
            ids_[i] = id;
            corners_[i] = by_hand::corners_around(w.x[id], w.y[id], w.hx[id], w.hy[id]);
            widest_ = std::max(widest_, w.hx[id]);
        }
        // Enough for the roundings.
        widest_ = 2 * widest_ + 1e-6f * w.side;
    }

    BY_HAND_WIDE void find_pairs() override {
        pairs_.clear();
        const std::size_t count = keys_.size();
        for (std::size_t i = 0; i < count; ++i) {
            const Corners probe = by_hand::probe_of(corners_[i]);
            by_hand::Pair* to = pairs_.end_with(count + lanes);
            // Behind the last agent there are eight that begin nowhere.
            for (std::size_t at = i + 1; corners_[at].x0 <= probe.x0; at += lanes)
                to = by_hand::append(to, ids_[i], &ids_[at], by_hand::overlapping(&corners_[at], probe));
            pairs_.end_at(to);
        }
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const by_hand::Pair& pair : pairs_.all()) sum.pair(pair.a, pair.b);
        return sum;
    }

    BY_HAND_WIDE void answer(const std::vector<Rect>& queries) override {
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
    BY_HAND_WIDE std::uint64_t search(const Rect& query) override {
        found_.clear();
        find(query, found_);
        return found_.size();
    }
    std::span<const std::uint32_t> searched() const override { return found_.all(); }
    std::uint64_t count(const Rect& query) override { return search(query); }

    void search_singly(std::span<const Rect> queries, workload::Checksum* sum) override {
        for (const Rect& query : queries) {
            search(query);
            if (sum != nullptr)
                for (const std::uint32_t id : found_.all()) sum->hit(id);
        }
    }
    BY_HAND_WIDE workload::Checksum visit_singly(std::span<const Rect> queries) override {
        workload::Checksum sum;
        for (const Rect& query : queries) {
            const Corners probe = by_hand::probe_of(query.x0, query.y0, query.x1, query.y1);
            const Run run = run_of(query);
            for (std::size_t at = run.first; at < run.last; at += lanes)
                for (by_hand::Mask mask =
                         by_hand::overlapping(&corners_[at], probe) & by_hand::first_of(run.last - at);
                     mask != 0; mask &= mask - 1) {
                    const std::size_t i = at + static_cast<std::size_t>(std::countr_zero(mask));
                    visited(sum, ids_[i], corners_[i].x0, corners_[i].y1());
                }
        }
        return sum;
    }
    void search_a_few_singly(std::span<const Rect> queries, std::uint32_t few) override {
        few_.clear();
        for (const Rect& query : queries) {
            const Corners probe = by_hand::probe_of(query.x0, query.y0, query.x1, query.y1);
            const Run run = run_of(query);
            std::uint32_t* to = few_.end_with(few);
            const std::uint32_t* const full = to + few;
            for (std::size_t i = run.first; i < run.last && to != full; ++i)
                if (by_hand::overlaps(corners_[i], probe)) *to++ = ids_[i];
            few_.end_at(to);
        }
        found_ = few_;
    }

    std::size_t bytes() const override {
        return keys_.size() * sizeof keys_[0] + corners_.size() * sizeof corners_[0] +
               ids_.size() * sizeof ids_[0];
    }

private:
    struct Run {
        std::size_t first, last;
    };

    // Costs as much as it moves; where the order is far from right, a sort from nothing costs less.
    BY_HAND_WIDE void sort(const workload::World& w) {
        const auto renewed = [&w](std::uint64_t key) {
            const auto id = static_cast<std::uint32_t>(key);
            return key_of(w.x[id] - w.hx[id], id);
        };
        std::size_t patience = 16 * keys_.size();
        for (std::size_t i = 0; i < keys_.size(); ++i) {
            const std::uint64_t key = renewed(keys_[i]);
            std::size_t at = i;
            for (; at > 0 && keys_[at - 1] > key; --at) keys_[at] = keys_[at - 1];
            keys_[at] = key;
            if (i - at > patience) {
                for (std::size_t rest = i + 1; rest < keys_.size(); ++rest)
                    keys_[rest] = renewed(keys_[rest]);
                return std::sort(keys_.begin(), keys_.end());
            }
            patience -= i - at;
        }
    }

    // Those that begin before the query ends, and not so far before it begins that they end there.
    Run run_of(const Rect& query) const {
        const auto first =
            std::lower_bound(keys_.begin(), keys_.end(), key_of(query.x0 - widest_, 0)) - keys_.begin();
        const auto last =
            std::upper_bound(keys_.begin(), keys_.end(), key_of(query.x1, no_agent)) - keys_.begin();
        return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
    }
    BY_HAND_WIDE void find(const Rect& query, Room<std::uint32_t>& found) const {
        const Corners probe = by_hand::probe_of(query.x0, query.y0, query.x1, query.y1);
        const Run run = run_of(query);
        std::uint32_t* to = found.end_with(run.last - run.first);
        for (std::size_t at = run.first; at < run.last; at += lanes)
            to = by_hand::append(
                to, &ids_[at], by_hand::overlapping(&corners_[at], probe) & by_hand::first_of(run.last - at));
        found.end_at(to);
    }

    std::vector<std::uint64_t> keys_;  // in order, from frame to frame
    std::vector<Corners> corners_;     // in the same order
    std::vector<std::uint32_t> ids_;
    float widest_ = 0;
    Room<by_hand::Pair> pairs_;
    Room<std::uint32_t> answers_, found_, few_;
    std::vector<std::size_t> ends_;
};

}  // namespace

std::unique_ptr<Index> make_sweep_index(const Setup& setup) { return std::make_unique<SweepIndex>(setup); }

}  // namespace throng::bench
