// What indexes share that find boxes one search at a time: the agents' boxes, and answers in memory that is
// used again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/compare/index.hpp"

namespace throng::bench {

// The flags of headers that are compiled here, and are no library of Debian's.
#ifndef THRONG_PEER_FLAGS
#define THRONG_PEER_FLAGS "the flags of the build"
#endif

inline bool touch(const workload::Rect& a, const workload::Rect& b) {
    return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}

struct FoundPair {
    std::uint32_t a, b;
};

// `Peer` has `for_each_overlap(box, found)`, which calls `found(id)` for each agent that the box touches.
template <class Peer>
class BoxPeer : public Index {
public:
    // A search around each agent; ids are in rising order in each pair.
    void find_pairs() override {
        pairs_.clear();
        for (std::uint32_t i = 0; i < boxes_.size(); ++i)
            peer().for_each_overlap(boxes_[i], [&](std::uint32_t other) {
                if (i < other) pairs_.push_back({i, other});
            });
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const FoundPair& pair : pairs_) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        hits_.clear();
        ends_.clear();
        for (const workload::Rect& query : queries) {
            peer().for_each_overlap(query, [&](std::uint32_t id) { hits_.push_back(id); });
            ends_.push_back(hits_.size());
        }
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const std::uint32_t id : hits_) sum.hit(id);
        return sum;
    }

    std::uint64_t search(const workload::Rect& query) override {
        found_.clear();
        peer().for_each_overlap(query, [&](std::uint32_t id) { found_.push_back(id); });
        return found_.size();
    }
    std::span<const std::uint32_t> searched() const override { return found_; }
    std::uint64_t count(const workload::Rect& query) override {
        std::uint64_t total = 0;
        peer().for_each_overlap(query, [&](std::uint32_t) { ++total; });
        return total;
    }

    // The heap says how much it holds; see `heap.hpp`.
    std::size_t bytes() const override { return 0; }

protected:
    void take_boxes(const workload::World& w) {
        boxes_.resize(w.size());
        for (std::size_t i = 0; i < boxes_.size(); ++i) boxes_[i] = box_of(w, i);
    }
    static workload::Rect box_of(const workload::World& w, std::size_t i) {
        return {w.x0(i), w.y0(i), w.x1(i), w.y1(i)};
    }

    std::vector<workload::Rect> boxes_;
    std::vector<FoundPair> pairs_;

private:
    Peer& peer() { return static_cast<Peer&>(*this); }

    // The answers to a batch: its hits one query after the other, and where each one's end.
    std::vector<std::uint32_t> hits_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> found_;
};

}  // namespace throng::bench
