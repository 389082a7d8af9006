// What is behind the opaque pointers. Each has its host first, and is made and destroyed by host.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "bindings/c/src/host.hpp"
#include "bindings/c/src/statuses.hpp"
#include "throng.h"
#include "throng/engine.hpp"
#include "throng/frame.hpp"
#include "throng/queries/casts.hpp"
#include "throng/queries/neighbours.hpp"
#include "throng/results.hpp"

struct throng_engine {
    throng_engine(throng::c_api::Host* its_host, const throng::EngineConfig& config) noexcept
        : host(its_host), engine(config) {}

    throng::c_api::Host* host;
    throng::Engine engine;
};

struct throng_frame {
    throng_frame(throng::c_api::Host* its_host, throng::Frame its_frame) noexcept
        : host(its_host), frame(std::move(its_frame)) {}

    throng::c_api::Host* host;
    std::atomic<std::uint64_t> held{1};
    throng::Frame frame;
};

// Results.
struct throng_hits {
    explicit throng_hits(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::Hits lists;
};
struct throng_pairs {
    explicit throng_pairs(throng::c_api::Host* its_host) noexcept : host(its_host), list(its_host) {}
    throng::c_api::Host* host;
    throng::PairList list;
};
struct throng_neighbours {
    explicit throng_neighbours(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::Neighbours lists;
};
struct throng_cast_hits {
    explicit throng_cast_hits(throng::c_api::Host* its_host) noexcept : host(its_host), lists(its_host) {}
    throng::c_api::Host* host;
    throng::CastHits lists;
};

namespace throng::c_api {

// Stores a frame in the handle *to if it has no other holder, and in a new handle otherwise.
Status hand_out(Host* host, Frame frame, throng_frame** to) noexcept;

}  // namespace throng::c_api
