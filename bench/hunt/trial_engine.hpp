// Trial moves, which only the C library has: an engine of its own behind throng.h. Without that library there
// are none.
#pragma once

#include <cstdint>
#include <vector>

#include "bench/hunt/subject.hpp"

struct throng_engine;

namespace throng::hunt {

class TrialEngine {
public:
    static bool exists();

    // Throws std::runtime_error where a call of the library fails, as all of these do. The engine is made at
    // the first update.
    explicit TrialEngine(const worlds::Period& period) : period_(period) {}
    ~TrialEngine();
    TrialEngine(const TrialEngine&) = delete;
    TrialEngine& operator=(const TrialEngine&) = delete;

    void update(const worlds::Scene& scene);
    // Accepts all moves, of circles in the agents' boxes. Returns how many others these overlapped, before
    // and after.
    std::uint64_t try_moves(const std::vector<Edit>& moves);

private:
    worlds::Period period_;
    throng_engine* engine_ = nullptr;
};

}  // namespace throng::hunt
