// The nearest agents of each owned one. The local frame knows all agents that are within the margin of this
// rank's part, so a list whose farthest agent is no further than that is right already. Of the others, the
// ranks are asked whose parts a list's farthest agent might be in: none beyond can have a nearer one.
//
//     question   the element, its id and its place, how far to look
//     answer     the element, how many, and the id and the squared distance of each
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "cluster/src/partition/domain.hpp"
#include "cluster/src/queries/lists_inside.hpp"
#include "cluster/src/world/cluster_state.hpp"

namespace throng::cluster::detail {

namespace {

struct Question {
    GlobalId id;
    Point place;
    float radius;
    std::uint32_t element;
};

struct Found {
    GlobalId id;
    float squared_distance;
    std::uint32_t element;

    friend bool operator<(const Found& one, const Found& other) noexcept {
        return std::tie(one.element, one.squared_distance, one.id) <
               std::tie(other.element, other.squared_distance, other.id);
    }
};

constexpr std::size_t question_words = words_of<Question>(), found_words = words_of<Found>();

// A radius that reaches what is at this squared distance.
float radius_of(float squared_distance, float most) noexcept {
    const double root = World::widened(std::sqrt(double{squared_distance}));
    return root < double{most} ? std::nextafterf(static_cast<float>(root), most) : most;
}

class NearestSearch {
public:
    NearestSearch(ClusterState& state, const Nearest& wanted, const Filter& filter) noexcept
        : state_(state),
          wanted_(wanted),
          filter_(filter),
          questions_(state.memory),
          asked_(state.memory),
          from_(state.memory),
          points_(state.memory),
          radii_(state.memory),
          filters_(state.memory),
          found_(state.memory) {
        wanted_.distances = true;
    }

    ClusterStatus run(Lists& lists) noexcept {
        state_.trouble = {};
        state_.fail(state_.now.frame.neighbours(wanted_, state_.neighbour_lists, filter_));
        if (state_.trouble.ok()) list_questions();
        Summary mine;
        mine.fault = state_.trouble;
        mine.flags = questions_.size();
        const Summary all = sum_up(state_.ranks, mine, state_.report);
        if (!all.fault.ok()) return all.fault;
        if (all.flags != 0) {
            ask();
            answer();
            const ClusterStatus status = agree(state_.ranks, state_.trouble, state_.report);
            if (!status.ok()) return status;
        }
        return write(lists) ? ClusterStatus() : refusal(Status(Code::out_of_memory), state_.rank());
    }

private:
    void list_questions() noexcept;
    void ask() noexcept;
    bool ask_local() noexcept;
    void answer() noexcept;
    bool write(Lists& lists) noexcept;
    float radius_for(AgentId local) const noexcept;

    ClusterState& state_;
    Nearest wanted_;
    const Filter filter_;
    throng::detail::Buffer<Question> questions_, asked_;
    throng::detail::Buffer<int> from_;  // the rank that asked
    throng::detail::Buffer<Point> points_;
    throng::detail::Buffer<float> radii_;
    throng::detail::Buffer<Filter> filters_;
    throng::detail::Buffer<Found> found_;  // by other ranks
    throng::NeighbourLists theirs_;
};

// How far the nearest of an agent may be, as this rank knows.
float NearestSearch::radius_for(AgentId local) const noexcept {
    const std::span<const float> known = state_.neighbour_lists.squared_distances(local);
    if (known.size() < wanted_.count) return wanted_.max_radius;
    return radius_of(known[known.size() - 1], wanted_.max_radius);
}

void NearestSearch::list_questions() noexcept {
    const World& world = state_.now;
    const Box mine = state_.partition.domains()[static_cast<std::size_t>(state_.rank())];
    const double margin = world.margin();
    if (state_.ranks.size() == 1) return;
    for (std::size_t e = 0; e < world.owned; ++e) {
        const Point centre = world.agents.boxes[e].centre();
        const float radius = radius_for(world.local(e));
        const double far = World::widened(double{radius}) - margin;
        if (keeps(mine, {centre.x, centre.y, centre.x, centre.y}, far)) continue;
        const Question question{world.agents.ids[e], centre, radius, static_cast<std::uint32_t>(e)};
        if (!state_.need(questions_.push_back(question))) return;
    }
}

void NearestSearch::ask() noexcept {
    ClusterState& state = state_;
    state.sends.clear();
    for (std::size_t q = 0; q < questions_.size(); ++q) {
        const Point at = questions_[q].place;
        for (const int rank :
             state.partition.touched({at.x, at.y, at.x, at.y}, World::widened(double{questions_[q].radius}),
                                     {state.touched.data(), state.touched.size()}))
            if (rank != state.rank() &&
                !state.need(state.sends.push_back({rank, static_cast<std::uint32_t>(q)})))
                break;
    }
    if (!state.trouble.ok()) state.sends.clear();
    if (state.need(state.parcels.begin(state.ranks.size(), question_words))) {
        for (const Send& send : state.sends) state.parcels.count(send.rank);
        state.need(state.parcels.open());
    }
    if (state.trouble.ok())
        for (const Send& send : state.sends) put(state.parcels.place(send.rank), questions_[send.element]);
    state.fail(state.post.to_any(
        state.parcels, state.report.general_exchange, state.report.waited_seconds,
        [&](int from, std::span<const Word> words) {
            const std::size_t first = asked_.size();
            const std::size_t count = words.size() / question_words;
            if (!state.need(asked_.resize(first + count) && from_.resize(first + count, from))) {
                asked_.clear();
                return;
            }
            for (std::size_t k = 0; k < count; ++k) get(words.data() + k * question_words, asked_[first + k]);
        }));
}

// What others asked, of the local frame. It leaves out the agent that asks, if it is a ghost here.
bool NearestSearch::ask_local() noexcept {
    const World& world = state_.now;
    const std::size_t count = asked_.size();
    if (!state_.trouble.ok()) return false;
    if (!state_.need(points_.resize(count) && radii_.resize(count) && filters_.resize(count))) return false;
    const GlobalId* const ghosts = world.agents.ids.data() + world.owned;
    const GlobalId* const end = world.agents.ids.data() + world.agents.size();
    for (std::size_t q = 0; q < count; ++q) {
        points_[q] = asked_[q].place;
        radii_[q] = asked_[q].radius;
        filters_[q] = filter_;
        const GlobalId* const self = std::lower_bound(ghosts, end, asked_[q].id);
        if (!wanted_.with_self && self != end && *self == asked_[q].id)
            filters_[q].self = world.local(static_cast<std::size_t>(self - world.agents.ids.data()));
    }
    Nearest nearest;
    nearest.count = wanted_.count;
    nearest.max_radii = std::span<const float>(radii_.data(), count);
    nearest.agents_as = wanted_.agents_as;
    nearest.distances = true;
    state_.fail(world.frame.neighbours(std::span<const Point>(points_.data(), count), nearest, theirs_,
                                       Filters::of(std::span<const Filter>(filters_.data(), count))));
    return state_.trouble.ok();
}

void NearestSearch::answer() noexcept {
    ClusterState& state = state_;
    const bool answers = ask_local();
    if (state.need(state.parcels.begin(state.ranks.size(), found_words))) {
        for (std::size_t q = 0; answers && q < asked_.size(); ++q)
            state.parcels.count(from_[q], theirs_[q].size());
        state.need(state.parcels.open());
    }
    for (std::size_t q = 0; state.trouble.ok() && q < asked_.size(); ++q)
        for (std::size_t k = 0; k < theirs_[q].size(); ++k)
            put(state.parcels.place(from_[q]),
                Found{state.now.global(theirs_[q][k]), theirs_.squared_distances(q)[k], asked_[q].element});
    state.fail(state.post.to_any(state.parcels, state.report.general_exchange, state.report.waited_seconds,
                                 [&](int, std::span<const Word> words) {
                                     const std::size_t first = found_.size();
                                     const std::size_t count = words.size() / found_words;
                                     if (!state.need(found_.resize(first + count))) return;
                                     for (std::size_t k = 0; k < count; ++k)
                                         get(words.data() + k * found_words, found_[first + k]);
                                 }));
}

// The nearest of what is known here and what others found, of which some are the same.
bool NearestSearch::write(Lists& lists) noexcept {
    const World& world = state_.now;
    std::size_t known = 0;
    for (std::size_t e = 0; e < world.owned; ++e) known += state_.neighbour_lists[world.local(e)].size();
    ListsInside to(lists);
    const std::size_t most = known + found_.size();
    if (!to.offsets.resize(world.owned + 1) || !to.ids.resize(most) || !to.distances.resize(most))
        return false;
    throng::detail::Buffer<Found> both(state_.memory);
    std::sort(found_.begin(), found_.end());
    std::size_t at = 0, next = 0;
    for (std::size_t e = 0; e < world.owned; ++e) {
        to.offsets[e] = at;
        const AgentId local = world.local(e);
        const std::span<const AgentId> ids = state_.neighbour_lists[local];
        const std::span<const float> distances = state_.neighbour_lists.squared_distances(local);
        both.clear();
        if (!both.reserve(ids.size() + found_.size() - next)) return false;
        for (std::size_t k = 0; k < ids.size(); ++k)
            (void)both.push_back({world.global(ids[k]), distances[k], static_cast<std::uint32_t>(e)});
        const std::size_t here = both.size();
        for (; next < found_.size() && found_[next].element == e; ++next) (void)both.push_back(found_[next]);
        std::inplace_merge(both.begin(), both.begin() + here, both.end());
        std::size_t taken = 0;
        for (std::size_t k = 0; k < both.size() && taken < wanted_.count; ++k) {
            if (k != 0 && both[k].id == both[k - 1].id) continue;
            to.ids[at] = both[k].id;
            to.distances[at++] = both[k].squared_distance;
            ++taken;
        }
    }
    to.offsets[world.owned] = at;
    return to.ids.resize(at) && to.distances.resize(at);
}

}  // namespace

ClusterStatus ClusterState::nearest(const Nearest& wanted, const Filter& filter, Lists& lists) noexcept {
    return NearestSearch(*this, wanted, filter).run(lists);
}

}  // namespace throng::cluster::detail
