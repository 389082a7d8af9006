// AgentHandle: an agent, and not only its id. Once an agent was removed, another may get its id, but never its
// handle.
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
