// The input of an update by ids: checks the ids, and puts labels and heights where the builder finds them.
//
//     ids ascend           a scan; the boxes are taken as they are
//     in another order     each id is marked in a bitmap, which shows duplicates; the builder puts each cell
//     in order that, and far apart  the agents are sorted by id, so memory follows their number and not the
//     largest id
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/src/build/agent_list.hpp"
#include "engine/src/memory/growth.hpp"
#include "throng/executor.hpp"
#include "throng/status.hpp"

namespace throng::detail {

class NamedAgents {
public:
    explicit NamedAgents(ScratchList& scratch) noexcept
        : marks_(scratch), keys_(scratch), boxes_(scratch), ids_(scratch), traits_(scratch, scratch.by_id) {}

    // There is an id for each box, and a label and a height for each or none. The status names the lowest
    // element whose id is too large or came before.
    Status take(const Executor& executor, std::span<const AgentId> ids, const Boxes& boxes,
                const Labels& labels, const Heights& heights) noexcept;
    // Valid until the next call, as long as the input is.
    const AgentList& list() const noexcept { return list_; }
    // One more than the largest id.
    std::size_t bound() const noexcept { return bound_; }

private:
    Status take_ascending(std::span<const AgentId> ids) noexcept;
    Status take_in_any_order(std::span<const AgentId> ids) noexcept;
    Status mark(std::span<const AgentId> ids) noexcept;
    Status sort(std::span<const AgentId> ids) noexcept;
    bool put_traits_by_id(std::span<const AgentId> ids) noexcept;

    AgentList list_;
    std::size_t bound_ = 0;
    Scratch<std::uint64_t> marks_;  // a bit for each id
    Scratch<std::uint64_t> keys_;   // an id, and the number of its element
    Scratch<Box> boxes_;
    Scratch<AgentId> ids_;
    Scratch<Traits> traits_;
};

}  // namespace throng::detail
