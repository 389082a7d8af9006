// Filters for what a rank asks: with the ids of agents to leave out, as the cluster has them, and as one
// engine over all agents does.
#pragma once

#include <span>
#include <vector>

#include "cluster/tests/ranks.hpp"
#include "throng/labels.hpp"

namespace throng::test {

class AskedFilters {
public:
    // Some for a world that has agents.
    AskedFilters(std::size_t agents, std::size_t count, Random& random) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t self = random.below(agents);
            selves_.push_back(global_of(self));
            Filter filter;
            if (random.one_in(3)) filter.categories = 1u << random.below(3);
            if (random.one_in(3)) filter.not_in_group = static_cast<std::uint32_t>(random.below(3));
            const float floor = 1.5f * static_cast<float>(random.below(5));
            if (random.one_in(3)) filter.heights = {floor, floor + 1};
            filters_.push_back(filter);
            local_filters_.push_back(filter);
            local_filters_.back().self = static_cast<AgentId>(self);
        }
    }
    std::span<const cluster::GlobalId> selves() const { return selves_; }
    Filters filters() const { return Filters::of(filters_); }
    Filters local_filters() const { return Filters::of(local_filters_); }

private:
    std::vector<cluster::GlobalId> selves_;
    std::vector<Filter> filters_, local_filters_;
};

}  // namespace throng::test
