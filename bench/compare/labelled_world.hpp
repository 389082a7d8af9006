// Labels for tasks with filters: every agent has one category, and one agent in a thousand a rare one too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bench/compare/trial.hpp"
#include "throng/geometry.hpp"
#include "throng/labels.hpp"

namespace throng::bench {

inline constexpr std::uint32_t common_category = 1, rare_category = 2;

// Two filters that admit every agent: no agent has this id, which the library cannot know; and in a world
// with labels.
inline constexpr Filter without_no_agent{.self = no_agent - 1};
inline constexpr Filter of_common_category{.categories = common_category};

// The world with labels, for as long as this lives.
class LabelledWorld {
public:
    explicit LabelledWorld(Trial& trial) : trial_(trial) {
        std::vector<std::uint32_t> categories(trial.world().size(), common_category);
        for (std::size_t i = 0; i < categories.size(); i += 1000) categories[i] |= rare_category;
        trial.index().update_labelled(trial.world(), categories);
    }
    ~LabelledWorld() { trial_.index().update(trial_.world()); }
    LabelledWorld(const LabelledWorld&) = delete;
    LabelledWorld& operator=(const LabelledWorld&) = delete;

private:
    Trial& trial_;
};

}  // namespace throng::bench
