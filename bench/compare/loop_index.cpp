// What a good programmer writes in an hour, without a library: four packed arrays of corners, copied at every
// update, and plain loops over them; the opponent of the engine in tiny worlds.
//
// The loops are as fast as plain code was found to get for 20 to 100 agents. Tests of several agents at once
// before any result is looked at, which compilers turn into vectors to a degree, were no faster there. They
// gained a quarter at 500, where brute force is far behind anyway.
#include "bench/compare/index.hpp"

namespace throng::bench {

namespace {

class LoopIndex : public Index {
public:
    About about() const override { return {"by hand", "packed arrays, plain loops; " THRONG_PEER_FLAGS}; }
    explicit LoopIndex(const Setup& setup)
        : x0_(setup.agents), y0_(setup.agents), x1_(setup.agents), y1_(setup.agents), found_(setup.agents) {}

    void update(const workload::World& w) override {
        const std::size_t n = x0_.size();
        for (std::size_t i = 0; i < n; ++i) {
            x0_[i] = w.x[i] - w.hx[i];
            x1_[i] = w.x[i] + w.hx[i];
        }
        for (std::size_t i = 0; i < n; ++i) {
            y0_[i] = w.y[i] - w.hy[i];
            y1_[i] = w.y[i] + w.hy[i];
        }
    }

    void find_pairs() override {
        pairs_.clear();
        const auto n = static_cast<std::uint32_t>(x0_.size());
        for (std::uint32_t a = 0; a < n; ++a)
            for_each_overlap({x0_[a], y0_[a], x1_[a], y1_[a]}, a + 1, [&](std::uint32_t b) {
                pairs_.push_back({a, b});
            });
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const Pair& pair : pairs_) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        hits_.clear();
        ends_.clear();
        for (const workload::Rect& query : queries) {
            for_each_overlap(query, 0, [&](std::uint32_t i) { hits_.push_back(i); });
            ends_.push_back(hits_.size());
        }
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const std::uint32_t id : hits_) sum.hit(id);
        return sum;
    }

    std::uint64_t search(const workload::Rect& query) override {
        written_ = 0;
        for_each_overlap(query, 0, [&](std::uint32_t i) { found_[written_++] = i; });
        return written_;
    }
    std::span<const std::uint32_t> searched() const override { return std::span(found_).first(written_); }
    std::uint64_t count(const workload::Rect& query) override {
        std::uint64_t total = 0;
        for_each_overlap(query, 0, [&](std::uint32_t) { ++total; });
        return total;
    }

    std::size_t bytes() const override { return x0_.size() * sizeof(workload::Rect); }

private:
    struct Pair {
        std::uint32_t a, b;
    };

    // The agents from `first` on that the box touches, in order.
    template <class Found>
    void for_each_overlap(const workload::Rect& box, std::uint32_t first, Found&& found) const {
        const auto n = static_cast<std::uint32_t>(x0_.size());
        const float *x0 = x0_.data(), *y0 = y0_.data(), *x1 = x1_.data(), *y1 = y1_.data();
        for (std::uint32_t i = first; i < n; ++i)
            if (box.x0 <= x1[i] && x0[i] <= box.x1 && box.y0 <= y1[i] && y0[i] <= box.y1) found(i);
    }

    std::vector<float> x0_, y0_, x1_, y1_;
    std::vector<Pair> pairs_;
    // The answers to a batch: its hits one query after the other, and where each one's end.
    std::vector<std::uint32_t> hits_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> found_;
    std::size_t written_ = 0;
};

// Loses the last of its answers, so that tests see whether that is found.
class WrongIndex final : public LoopIndex {
public:
    using LoopIndex::LoopIndex;
    workload::Checksum pairs() const override { return lost(LoopIndex::pairs()); }
    workload::Checksum answers() const override { return lost(LoopIndex::answers()); }

private:
    static workload::Checksum lost(workload::Checksum sum) {
        --sum.count;
        return sum;
    }
};

}  // namespace

std::unique_ptr<Index> make_wrong_index(const Setup& setup) { return std::make_unique<WrongIndex>(setup); }
std::unique_ptr<Index> make_loop_index(const Setup& setup) { return std::make_unique<LoopIndex>(setup); }

}  // namespace throng::bench
