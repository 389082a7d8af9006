// The twin of throng::PairChanges.
#pragma once

#include <compare>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "oracle/brute_force.hpp"
#include "throng/geometry.hpp"

namespace throng::oracle {

class PairChanges {
public:
    // The pairs of the next frame.
    template <class List>
    void see(const List& list) {
        const std::set<Ids> before = std::move(now_);
        now_.clear();
        for (const Pair& pair : list) now_.insert({pair.a, pair.b});
        began_ = those_lacking(now_, before);
        ended_ = those_lacking(before, now_);
    }
    const std::vector<Pair>& began() const { return began_; }
    const std::vector<Pair>& ended() const { return ended_; }
    std::vector<Pair> pairs() const { return those_lacking(now_, {}); }

private:
    struct Ids {
        AgentId a, b;
        auto operator<=>(const Ids&) const = default;
    };
    static std::vector<Pair> those_lacking(const std::set<Ids>& one, const std::set<Ids>& other) {
        std::vector<Pair> lacking;
        for (const Ids& pair : one)
            if (!other.contains(pair)) lacking.push_back({pair.a, pair.b});
        return lacking;
    }

    std::set<Ids> now_;
    std::vector<Pair> began_, ended_;
};

}  // namespace throng::oracle
