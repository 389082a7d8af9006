// Neighbours of points of any rank. Within a radius, all ranks are asked that a point's circle touches. For
// the nearest, the rank is asked whose part holds the point; it asks others in turn where it cannot know.
#include "cluster/src/inquiries/batch.hpp"
#include "cluster/src/queries/around.hpp"
#include "cluster/src/queries/nearest.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace detail {

namespace {

Query point_query(const Plane& plane, const Points& points, const throng::detail::Neighbourhood& wanted,
                  std::size_t q) noexcept {
    const Box at = plane.box_of(points.boxes(), q);
    const float radius = wanted.radii.size() != 0 ? wanted.radii[q] : wanted.radius;
    return Query(Shape(Circle{at.min_x, at.min_y, radius, wanted.agents_as}));
}

// Sends the points. Not ok if any rank may not ask.
template <class Wanted, class Route>
ClusterStatus ask_of_points(Batch& batch, const Points& points, const Wanted& wanted,
                            const Route& route) noexcept {
    const throng::detail::Neighbourhood as = wanted;
    Status bad = batch.state.nobody.neighbours(points, wanted, batch.state.neighbour_lists);
    // A rank without points needs no radius.
    if (points.empty() && bad == Code::not_finite) bad = {};
    return batch.ask(
        points.size(), bad, shared_options(as.max_count, as.agents_as),
        [&](std::size_t q) { return point_query(batch.state.plane, points, as, q); }, route);
}

// Takes the answers to the ranks that asked.
ClusterStatus write_lists(Batch& batch, std::size_t points, bool distances, Lists& lists) noexcept {
    if (batch.state.trouble.ok()) batch.state.need(batch.inquiry.write(points, lists, distances));
    const ClusterStatus status = batch.inquiry.end();
    if (!status.ok()) lists.clear();
    return status;
}

}  // namespace

}  // namespace detail

ClusterStatus ClusterEngine::neighbours(const Points& points, const Within& wanted, Lists& lists,
                                        const Filters& filters, std::span<const GlobalId> selves) noexcept {
    lists.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::Batch batch(*state_, filters, selves);
    const ClusterStatus refused = detail::ask_of_points(
        batch, points, wanted, [&](const detail::Query& query) { return batch.touched_by(query); });
    if (!refused.ok()) return refused;
    throng::NeighbourLists& found = state_->neighbour_lists;
    detail::Around around(*state_);
    around.add_all(batch);
    around.find_within(wanted.agents_as, found);
    batch.inquiry.answer([&](std::size_t q, const auto& answer) {
        for (std::size_t k = 0; k < found[q].size(); ++k)
            if (batch.answers(q, found[q][k]))
                answer({state_->now.global(found[q][k]), found.squared_distances(q)[k],
                        detail::number_of(batch, q)});
    });
    return detail::write_lists(batch, points.size(), wanted.distances, lists);
}

ClusterStatus ClusterEngine::neighbours(const Points& points, const Nearest& wanted, Lists& lists,
                                        const Filters& filters, std::span<const GlobalId> selves) noexcept {
    lists.clear();
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    detail::ClusterState& state = *state_;
    detail::Batch batch(state, filters, selves);
    const ClusterStatus refused =
        detail::ask_of_points(batch, points, wanted, [&](const detail::Query& query) {
            const Point at = state.plane.folded(Point{query.numbers[0], query.numbers[1]});
            state.touched[0] = state.partition.owner(at);
            return std::span<const int>(state.touched.data(), 1);
        });
    if (!refused.ok()) return refused;
    throng::NeighbourLists& here = state.neighbour_lists;
    detail::Around around(state);
    around.add_all(batch);
    around.find_nearest(wanted.count, wanted.agents_as, here);
    detail::NearestSearch search(state, wanted.count, wanted.agents_as);
    const auto asked = [&](std::size_t q) { return detail::Query(batch.inquiry.query(q)); };
    const auto known = [&](std::size_t q) {
        return detail::KnownNearest{here[q], here.squared_distances(q)};
    };
    const ClusterStatus failed = search.run(
        batch.inquiry.asked(), [&](std::size_t q) { return asked(q).shape(nullptr).circle(); }, known,
        [&](std::size_t q, detail::Query& query) { query.set_filter(asked(q)); });
    if (!failed.ok()) return failed;
    batch.inquiry.answer([&](std::size_t q, const auto& answer) {
        search.list(q, known(q), [&](GlobalId id, float squared_distance) {
            answer({id, squared_distance, detail::number_of(batch, q)});
        });
    });
    return detail::write_lists(batch, points.size(), wanted.distances, lists);
}

}  // namespace throng::cluster
