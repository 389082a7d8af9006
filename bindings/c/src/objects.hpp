// What is behind the opaque pointers. Each object begins with its host; host.hpp makes and destroys them.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/statuses.hpp"
#include "throng.h"
#include "throng/engine.hpp"
#include "throng/frame.hpp"
#include "throng/memory.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/queries/pairs.hpp"
#include "throng/results.hpp"
#include "throng/static_layer.hpp"
#include "throng/status.hpp"
#include "throng/views/visitors.hpp"

namespace throng::c_api {

// The block that the next call is to make, if any, and where the block after it begins.
struct Block {
    bool is_wanted = false;
    std::size_t max_bytes = 0;
    AnswerPlace place;
};

// Where agents are, for trial moves: the centres of their boxes by id, and NaN for an id that is not in use.
// They are read from a frame, and kept as long as only trials write.
struct Centres {
    std::uint64_t frame = std::numeric_limits<std::uint64_t>::max();  // the number of the frame that has them
    throng::detail::Buffer<Point> of;
};

}  // namespace throng::c_api

struct throng_engine {
    throng_engine(throng::c_api::Host* its_host, const throng::EngineConfig& config) noexcept
        : host(its_host),
          engine(config),
          period{config.period_x, config.period_y},
          centres{.of = throng::detail::Buffer<throng::Point>(its_host)} {}

    throng::c_api::Host* host;
    throng::Engine engine;
    const throng::Point period;
    throng::c_api::Centres centres;
};

struct throng_frame {
    throng_frame(throng::c_api::Host* its_host, throng::Frame its_frame) noexcept
        : host(its_host), frame(std::move(its_frame)) {}

    throng::c_api::Host* host;
    std::atomic<std::uint64_t> held{1};
    throng::Frame frame;
};

struct throng_static_layer {
    throng_static_layer(throng::c_api::Host* its_host, throng::StaticLayer its_layer) noexcept
        : host(its_host), layer(std::move(its_layer)) {}

    throng::c_api::Host* host;
    throng::StaticLayer layer;
};

// Results.
struct throng_hits {
    explicit throng_hits(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::OverlapLists lists;
    throng::c_api::Block block;
};
struct throng_hits_as_found {
    explicit throng_hits_as_found(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::OverlapsAsFound lists;
};
struct throng_pairs {
    explicit throng_pairs(throng::c_api::Host* its_host) noexcept : host(its_host), list(its_host) {}
    throng::c_api::Host* host;
    throng::PairList list;
};
struct throng_neighbours {
    explicit throng_neighbours(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::NeighbourLists lists;
    throng::c_api::Block block;
};
struct throng_cast_hits {
    explicit throng_cast_hits(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::CastHits lists;
    throng::c_api::Block block;
};
struct throng_pair_changes {
    explicit throng_pair_changes(throng::c_api::Host* its_host) noexcept
        : host(its_host), changes(its_host) {}
    throng::c_api::Host* host;
    throng::PairChanges changes;
};
struct throng_kept_neighbours {
    throng_kept_neighbours(throng::c_api::Host* its_host, const throng::KeptNeighbourhood& wanted) noexcept
        : host(its_host), kept(wanted, its_host) {}
    throng::c_api::Host* host;
    throng::KeptNeighbours kept;
};
struct throng_memory {
    explicit throng_memory(throng::c_api::Host* its_host) noexcept : host(its_host), bytes(its_host) {}
    throng::c_api::Host* host;
    throng::detail::Buffer<std::byte> bytes;
};

namespace throng::c_api {

// Stores a frame in the handle *to if it has no other holder, and in a new handle otherwise.
Status hand_out(Host* host, Frame frame, throng_frame** to) noexcept;

// Fills a result: all() makes the whole of it, and some(limit, visitor) the block that is wanted.
template <class Result, class All, class Some>
Status fill(Result& result, const All& all, const Some& some) {
    if (!result.block.is_wanted) return all();
    result.block.is_wanted = false;
    const AnswerLimit limit{.max_bytes = result.block.max_bytes, .place = &result.block.place};
    return some(limit, [](std::size_t, const auto&...) { return false; });
}
// For calls that make no blocks.
template <class Result>
Status is_whole(const Result* result) noexcept {
    return result != nullptr && result->block.is_wanted ? Status{Code::bad_config, Argument::output}
                                                        : Status{};
}

}  // namespace throng::c_api
