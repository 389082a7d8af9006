// Plans as a host keeps them, and two engines that have to go the same way.
#pragma once

#include "support/test.hpp"

namespace throng::test {

using PlanBytes = std::vector<std::byte>;

inline PlanBytes plan_of(const Engine& engine) {
    const Filled needed = engine.plan({});
    EXPECT_EQ(needed.status, Status{});
    PlanBytes bytes(static_cast<std::size_t>(needed.total));
    const Filled written = engine.plan(bytes);
    EXPECT_EQ(written.status, Status{});
    EXPECT_TRUE(written.total == bytes.size() && written.written == bytes.size());
    return bytes;
}

// Boxes of some agents, and one around all: enough to see an order.
inline std::vector<Box> some_queries(const std::vector<Box>& boxes) {
    std::vector<Box> queries;
    for (std::size_t i = 0; i < boxes.size(); i += boxes.size() / 12 + 1) queries.push_back(boxes[i]);
    Box all = boxes.empty() ? Box{} : boxes.front();
    for (const Box& box : boxes) all = all.united(box);
    queries.push_back(all);
    return queries;
}

// Whether they answer the same bytes, and will decide alike.
inline ::testing::AssertionResult are_alike(const Engine& one, const Engine& other,
                                            const std::vector<Box>& queries) {
    const Frame frame = one.frame(), other_frame = other.frame();
    std::vector<AgentId> order(frame.size()), other_order(other_frame.size());
    EXPECT_EQ(frame.row_order(order).status, Status{});
    EXPECT_EQ(other_frame.row_order(other_order).status, Status{});
    if (order != other_order) return ::testing::AssertionFailure() << "agents are in another order";
    if (plan_of(one) != plan_of(other)) return ::testing::AssertionFailure() << "other plans";
    return identical(ask(frame, queries), ask(other_frame, queries));
}

// The same frame for both: an update, or, if the number of agents is the same, one in six times a commit of
// some moves and one in six times a commit of all.
class Frames {
public:
    ::testing::AssertionResult make(Engine& engine, Engine& other, const std::vector<Box>& boxes) {
        const bool edits = boxes.size() == before_ && !boxes.empty();
        before_ = boxes.size();
        const std::size_t turn = edits ? number_++ % 6 : 0, step = turn == 2 ? 23 : 1;
        for (Engine* each : {&engine, &other}) {
            if (turn != 2 && turn != 5) {
                if (const Status bad = each->update(boxes); !bad)
                    return ::testing::AssertionFailure() << bad.message();
                continue;
            }
            for (std::size_t i = number_ % step; i < boxes.size(); i += step)
                EXPECT_EQ(each->move(static_cast<AgentId>(i), boxes[i]), Status{});
            if (const Status bad = each->commit(); !bad)
                return ::testing::AssertionFailure() << bad.message();
        }
        return are_alike(engine, other, some_queries(boxes));
    }

private:
    std::size_t number_ = 0, before_ = 0;
};

}  // namespace throng::test
