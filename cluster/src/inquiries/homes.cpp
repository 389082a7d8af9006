#include "cluster/src/inquiries/homes.hpp"

#include "cluster/src/inquiries/inquiry.hpp"
#include "cluster/src/inquiries/lists_inside.hpp"

namespace throng::cluster::detail {

ClusterStatus bring_home(ClusterState& state, PairList& pairs) noexcept {
    throng::detail::Buffer<ClusterPair>& brought = PairsInside(pairs).apart;
    const auto home_of = [&](const ClusterPair& pair) { return state.now.agents.homes[pair.a_place]; };
    if (state.need(state.parcels.begin(state.ranks.size(), words_of<ClusterPair>()))) {
        if (state.trouble.ok())
            for (const ClusterPair pair : pairs) state.parcels.count(static_cast<int>(home_of(pair).rank));
        state.need(state.parcels.open());
    }
    if (state.trouble.ok())
        for (const ClusterPair pair : pairs) {
            const Home home = home_of(pair);
            put(state.parcels.place(static_cast<int>(home.rank)),
                ClusterPair{pair.a, pair.b, home.place, ClusterPair::no_place});
        }
    pairs.clear();
    state.fail(state.post.to_any(state.parcels, state.asking.general_exchange, state.asking.waited_seconds,
                                 [&](int, std::span<const Word> words) {
                                     const std::size_t first = brought.size(),
                                                       count = words.size() / words_of<ClusterPair>();
                                     if (!state.trouble.ok() || !state.need(brought.resize(first + count)))
                                         return;
                                     for (std::size_t k = 0; k < count; ++k)
                                         get(words.data() + k * words_of<ClusterPair>(), brought[first + k]);
                                 }));
    const ClusterStatus status = agree(state.ranks, state.trouble, state.asking);
    if (!status.ok()) pairs.clear();
    return status;
}

ClusterStatus bring_home(ClusterState& state, Lists& lists, bool with_numbers) noexcept {
    Inquiry inquiry(state);
    inquiry.deliver(lists.size(), [&](std::size_t e, const auto& to) {
        const Home home = state.now.agents.homes[e];
        for (std::size_t k = 0; k < lists[e].size(); ++k)
            to(static_cast<int>(home.rank), Found{lists[e][k], lists.squared_distances(e)[k], home.place});
    });
    if (state.trouble.ok()) state.need(inquiry.write(state.now.held, lists, with_numbers));
    const ClusterStatus status = inquiry.end();
    if (!status.ok()) lists.clear();
    return status;
}

}  // namespace throng::cluster::detail
