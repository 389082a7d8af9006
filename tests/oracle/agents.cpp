// What the agents of a frame of the twin are.
#include <algorithm>

#include "oracle/brute_force.hpp"

namespace throng::oracle {

std::vector<AgentId> BruteForceFrame::ids() const {
    std::vector<AgentId> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.id);
    return all;
}

std::vector<Box> BruteForceFrame::boxes() const {
    std::vector<Box> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.box);
    return all;
}

std::vector<Label> BruteForceFrame::labels() const {
    std::vector<Label> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.label);
    return all;
}

std::vector<Band> BruteForceFrame::heights() const {
    std::vector<Band> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.height);
    return all;
}

std::vector<bool> BruteForceFrame::ghosts() const {
    std::vector<bool> all;
    if (agents_ != nullptr)
        for (const Agent& agent : *agents_) all.push_back(agent.is_ghost);
    return all;
}

bool BruteForceFrame::is_ghost(AgentId id) const {
    return agents_ != nullptr && std::any_of(agents_->begin(), agents_->end(), [&](const Agent& agent) {
               return agent.id == id && agent.is_ghost;
           });
}

Filled BruteForceFrame::row_order(std::span<AgentId> out) const {
    const std::vector<AgentId> all = ids();
    const std::size_t written = std::min(all.size(), out.size());
    std::copy_n(all.begin(), written, out.begin());
    return {.status = {}, .total = all.size(), .written = written};
}

}  // namespace throng::oracle
