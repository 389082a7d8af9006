// Leaves out pairs that the owners of ghosts do not list: a sink between the kernels and the sink of a call.
// Within one frame these are the pairs of two ghosts, and of two frames the pairs of a ghost of the first.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/kernels.hpp"
#include "engine/src/answers/lists/sinks.hpp"
#include "simd/types.hpp"

namespace throng::detail {

class OwnedPairs : public HandOn<OwnedPairs, simd::PairSink, 1024> {
public:
    OwnedPairs(const simd::GhostIds& ghosts, bool of_two_frames, simd::PairSink& out) noexcept
        : HandOn(out.stopped), ghosts_(ghosts), of_two_frames_(of_two_frames), out_(out) {}

    // At most as many at once as there is room for.
    bool take(const Pair* pairs, const NothingBeside*, std::size_t count) noexcept {
        const simd::GhostIds ghosts = ghosts_;
        const simd::Pair *at = as_kernel(pairs), *const end = at + count;
        while (at != end && !out_.stopped) {
            const simd::Pair* const next =
                end - at < static_cast<std::ptrdiff_t>(simd::pair_slack) ? end : at + simd::pair_slack;
            if (out_.at > out_.limit) out_.full(out_);
            simd::Pair* to = out_.at;
            for (; at != next; ++at) {
                *to = *at;
                to += !(of_two_frames_ ? ghosts.has(at->a) : ghosts.has_both(at->a, at->b));
            }
            out_.at = to;
        }
        return !out_.stopped;
    }

private:
    const simd::GhostIds ghosts_;
    const bool of_two_frames_;
    simd::PairSink& out_;
};

// Calls find(sink) with a sink for the pairs found; `out` gets those that are listed.
template <class Find>
auto without_ghosts(const simd::GhostIds& ghosts, bool of_two_frames, simd::PairSink& out,
                    const Find& find) noexcept {
    if (ghosts.empty()) return find(out);
    OwnedPairs owned(ghosts, of_two_frames, out);
    if constexpr (std::is_void_v<decltype(find(out))>) {
        find(owned.sink());
        return owned.flush();
    } else {
        const auto result = find(owned.sink());
        owned.flush();
        return result;
    }
}

}  // namespace throng::detail
