// AgentHandle: an id with a generation. After an agent is removed, its id may be given to another agent, but
// its handle never is.
#pragma once

#include <cstdint>

#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng {

struct AgentHandle {
    AgentId id = no_agent;
    std::uint32_t generation = 0;
    friend constexpr bool operator==(const AgentHandle&, const AgentHandle&) = default;
};

}  // namespace throng
