// Values of owned agents go to their copies, and values of copies come back and are added. Memory is taken
// before the sum that tells all ranks whether anybody failed, and after it only MPI can fail.
#include <limits>

#include "cluster/src/values/links.hpp"
#include "cluster/src/values/numbers.hpp"
#include "throng/cluster/cluster_engine.hpp"

namespace throng::cluster {

namespace detail {

namespace {

using PlacesOf = std::span<const std::uint32_t> (*)(const ClusterState&, int);

// Opens parcels for the values of those places, for each peer. Each parcel is filled up to whole words.
bool open_parcels(const ClusterState& state, PlacesOf places, std::size_t bytes, Parcels& parcels) noexcept {
    if (!parcels.begin(state.ranks.size(), 1)) return false;
    for (const int peer : peers_of(state)) parcels.count(peer, words_for(places(state, peer).size() * bytes));
    return parcels.open();
}

bool fits_messages(const ClusterState& state, PlacesOf places, std::size_t bytes) noexcept {
    constexpr std::size_t most = std::numeric_limits<int>::max();
    for (const int peer : peers_of(state))
        if (places(state, peer).size() > most * sizeof(Word) / bytes) return false;
    return true;
}

// Sends the values at the places `from`, and calls `take(place, value)` for those that came for `to`.
template <class Take>
ClusterStatus move_values(ClusterState& state, std::uint64_t call, const Status& bad, const Values& values,
                          PlacesOf from, PlacesOf to, const Take& take) noexcept {
    Parcels &out = state.parcels, &in = state.values.arrivals;
    const std::size_t bytes = values.bytes();
    state.trouble = {};
    state.fail(bad);
    if (state.trouble.ok() && state.need(find_places(state))) {
        if (!fits_messages(state, from, bytes) || !fits_messages(state, to, bytes))
            state.fail({Code::too_large, Argument::values});
        else
            state.need(open_parcels(state, from, bytes, out) && open_parcels(state, to, bytes, in));
    }
    const ClusterStatus refused =
        state.begin(ClusterStatus(state.trouble), shared_values(call, values)).fault;
    if (!refused.ok()) return refused;
    for (const int peer : peers_of(state)) {
        const std::span<const std::uint32_t> places = from(state, peer);
        std::byte* at = reinterpret_cast<std::byte*>(out.place(peer, out.of(peer).size()));
        for (const std::uint32_t place : places) {
            std::memcpy(at, values.data() + place * bytes, bytes);
            at += bytes;
        }
    }
    const ClusterStatus status =
        state.post.exchange(out, in, peers_of(state), state.asking.ghosting, state.asking.waited_seconds);
    if (!status.ok()) return status;
    for (const int peer : peers_of(state)) {
        const std::byte* at = reinterpret_cast<const std::byte*>(in.of(peer).data());
        for (const std::uint32_t place : to(state, peer)) {
            take(values.data() + place * bytes, at);
            at += bytes;
        }
    }
    return {};
}

}  // namespace

}  // namespace detail

std::size_t ClusterEngine::places() const noexcept { return state_ == nullptr ? 0 : state_->now.elements(); }

ClusterStatus ClusterEngine::forward(const Values& values) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    return detail::move_values(
        *state_, 1, detail::fault_of(values, places()), values, &detail::told_to, &detail::heard_from,
        [bytes = values.bytes()](std::byte* to, const std::byte* from) { std::memcpy(to, from, bytes); });
}

ClusterStatus ClusterEngine::reverse(const Values& values) noexcept {
    if (ClusterStatus ended = status(); !ended.ok()) return ended;
    const detail::Stopwatch asking(state_->asking.seconds);
    Status bad = detail::fault_of(values, places());
    if (bad.ok() && values.number() == Number::bytes) bad = {Code::bad_config, Argument::values};
    const auto add = [&](std::byte* to, const std::byte* from) {
        detail::with_number(values.number(),
                            [&](auto zero) { detail::add<decltype(zero)>(to, from, values.numbers()); });
    };
    return detail::move_values(*state_, 2, bad, values, &detail::heard_from, &detail::told_to, add);
}

}  // namespace throng::cluster
