// Leaves out pairs that the owners of ghosts do not list: a sink between the kernels and that of a call. Of
// one frame these are the pairs of two ghosts, and of two frames those of a ghost of the first.
#pragma once

#include <cstddef>
#include <type_traits>

#include "base/unwritten.hpp"
#include "simd/types.hpp"

namespace throng::detail {

class OwnedPairs {
public:
    OwnedPairs(const simd::GhostIds& ghosts, bool of_two_frames, simd::PairSink& out) noexcept
        : ghosts_(ghosts),
          of_two_frames_(of_two_frames),
          out_(out),
          sink_{pairs_.data(), pairs_.data() + at_once, full, this, out.stopped} {}
    OwnedPairs(const OwnedPairs&) = delete;

    simd::PairSink& sink() noexcept { return sink_; }
    // Passes on what it has got.
    void flush() noexcept { full(sink_); }

private:
    static constexpr std::size_t at_once = 1024;

    static void full(simd::PairSink& sink) { static_cast<OwnedPairs*>(sink.context)->pass_on(sink); }
    // At once no more than there is room for.
    void pass_on(simd::PairSink& sink) noexcept {
        const simd::GhostIds ghosts = ghosts_;
        const simd::Pair *at = pairs_.data(), *const end = sink.at;
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
        sink.at = pairs_.data();
        sink.stopped = out_.stopped;
    }

    const simd::GhostIds ghosts_;
    const bool of_two_frames_;
    simd::PairSink& out_;
    Unwritten<simd::Pair, at_once + simd::pair_slack> pairs_;
    simd::PairSink sink_;
};

// Calls find(sink) with a sink for what is found, of which `out` gets what is to be listed.
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
