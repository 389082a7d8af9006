// All ids in the order of the rows.

#include <algorithm>
#include <cstddef>
#include <span>

#include "engine/src/neighbours/places.hpp"
#include "throng/frame.hpp"

namespace throng {

using namespace detail;

Filled Frame::order(std::span<AgentId> ids) const noexcept {
    if (ids.data() == nullptr && !ids.empty()) return {.status = {Code::null_view, Argument::output}};
    if (state_ == nullptr) return {.status = status()};
    const std::size_t written = std::min(ids.size(), state_->agents);
    AgentPlaces(*state_).ids({0, written}, ids.data());
    return {.status = {}, .total = state_->agents, .written = written};
}

}  // namespace throng
