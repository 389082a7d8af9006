// The nearest agents of places in this rank's part, with those of other ranks. The local frame knows all
// agents within the margin of the part, so a list whose farthest agent is within it is already right. For
// other lists, the ranks are asked whose parts are not further away than the farthest agent: no other can
// have a nearer one. A list near the border may end amid ghosts that are as far away as its last agent. So
// these are also looked for among the ghosts alone.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "cluster/src/inquiries/batch.hpp"
#include "cluster/src/queries/around.hpp"
#include "cluster/src/queries/ghosts_alone.hpp"
#include "cluster/src/queries/shared.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/results.hpp"

namespace throng::cluster::detail {

// What the local frame found, the nearest first.
struct KnownNearest {
    std::span<const AgentId> ids;
    std::span<const float> squared_distances;
};

class NearestSearch {
public:
    // `shared` is a number for what must be the same on all ranks, beside the count and what agents are taken
    // as.
    NearestSearch(ClusterState& state, std::uint32_t count, AgentsAs agents_as,
                  std::uint64_t shared = 0) noexcept
        : count_(count),
          agents_as_(agents_as),
          shared_(shared ^ shared_options(count, agents_as)),
          far_(state.memory),
          tied_(state.memory),
          elsewhere_(state, {}, {}),
          theirs_(state.memory),
          ghosts_(state.memory) {}

    // A call of all ranks: a fault of any rank ends it on all. Place e is the centre of `circle(e)`, which is
    // as large as the search may reach. `known(e)` is what is known here, and `fill(e, query)` says
    // which agents it wants.
    template <class CircleOf, class Known, class Fill>
    ClusterStatus run(std::size_t places, const CircleOf& circle, const Known& known,
                      const Fill& fill) noexcept {
        ClusterState& state = elsewhere_.state;
        for (std::size_t e = 0; state.trouble.ok() && e < places; ++e) look_at(e, circle(e), known(e));
        Around tied(state);
        for (std::size_t k = 0; state.trouble.ok() && k < tied_.size(); ++k) {
            const Circle at = circle(tied_[k].place);
            const Circle circle_of_tie{at.x, at.y, tied_[k].radius, agents_as_};
            Query query{Shape(circle_of_tie)};
            fill(tied_[k].place, query);
            tied.add(circle_of_tie, elsewhere_.local_filter(query));
        }
        take_ghosts(tied);
        const auto query = [&](std::size_t k) {
            const Circle from = circle(far_[k].place);
            Query wider{Shape(Circle{from.x, from.y, far_[k].radius, agents_as_})};
            fill(far_[k].place, wider);
            wider.head.query = far_[k].place;
            return wider;
        };
        Summary mine;
        mine.fault = state.trouble;
        mine.flags = far_.size();
        mine.shared = shared_;
        for (std::uint32_t k = 0; k < far_.size(); ++k)
            mine.busiest = std::max<std::uint64_t>(mine.busiest, query(k).words());
        const Summary all = sum_up(state.ranks, mine, state.asking);
        if (!all.fault.ok() || all.flags == 0) return all.fault;
        elsewhere_.inquiry.ask(
            far_.size(), static_cast<std::size_t>(all.busiest),
            [&](std::size_t k) { return others_that_may_know(query(k)); },
            [&](std::size_t k, Word* at) { query(k).pack(at); });
        answer();
        return {};
    }
    // Calls take(id, squared distance) for the nearest of place e, from what is known here and what others
    // found. An agent may have been found several times.
    template <class Take>
    void list(std::size_t e, const KnownNearest& known, const Take& take) const noexcept;
    // How many there are at most beside the known ones.
    std::size_t found() const noexcept { return elsewhere_.inquiry.found.size(); }

private:
    struct Far {
        std::uint32_t place;
        float radius;
    };
    void look_at(std::size_t e, const Circle& circle, const KnownNearest& known) noexcept;
    std::span<const int> others_that_may_know(const Query& query) noexcept;
    // What is found of the ghosts that are as near as the known ones.
    void take_ghosts(Around& tied) noexcept;
    void answer() noexcept;

    const std::uint32_t count_;
    const AgentsAs agents_as_;
    const std::uint64_t shared_;
    throng::detail::Buffer<Far> far_, tied_;
    Batch elsewhere_;
    throng::NeighbourLists theirs_, ghosts_;
};

template <class Take>
void NearestSearch::list(std::size_t e, const KnownNearest& known, const Take& take) const noexcept {
    const World& world = elsewhere_.state.now;
    const std::uint32_t place = static_cast<std::uint32_t>(e);
    const auto& found = elsewhere_.inquiry.found;
    const Found* there = std::lower_bound(found.begin(), found.end(), place,
                                          [](const Found& one, std::uint32_t at) { return one.query < at; });
    ById here(world, known.ids, known.squared_distances);
    GlobalId last = 0;
    for (std::size_t taken = 0; taken < count_;) {
        const bool theirs = there != found.end() && there->query == place;
        if (here.ended() && !theirs) return;
        Found next{};
        if (!here.ended()) next = {here.id(), here.squared_distance(), place};
        if (here.ended() || (theirs && *there < next))
            next = *there++;
        else
            here.next();
        if (taken != 0 && next.id == last) continue;
        take(last = next.id, next.number);
        ++taken;
    }
}

}  // namespace throng::cluster::detail
