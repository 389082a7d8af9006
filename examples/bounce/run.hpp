// Agents that bounce off each other for some frames, with any one structure to find which touch each other.
#pragma once

#include <stdexcept>
#include <vector>

#include "bench/common/expected.hpp"
#include "bench/common/failures.hpp"
#include "bench/common/statistics.hpp"
#include "examples/bounce/options.hpp"
#include "examples/demo/motion.hpp"
#include "throng/throng.hpp"

namespace throng::bounce {

using structures::DynamicSpatialIndex;
using structures::ElementId;

using bench::require;

inline Boxes boxes_of(const workload::World& w) {
    return Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
}

// A structure of the list with the interface that the loop below needs.
template <structures::SpatialIndex Structure>
class Searcher {
public:
    Searcher(const workload::World& w, bool by_inserts)
        : structure_(Structure::recommended(bench::expected_of<Structure>(w))) {
        require(structure_.status(), "making the structure");
        load(boxes_of(w), by_inserts);
    }
    void update(const workload::World& w, bool by_moves) {
        const Boxes boxes = boxes_of(w);
        if constexpr (DynamicSpatialIndex<Structure>) {
            if (by_moves) {
                for (ElementId id = 0; id < boxes.size(); ++id)
                    require(structure_.move(id, boxes[id]), "move");
                return;
            }
        }
        require(structure_.assign(boxes), "assign");
    }
    // Cleans up after moves; after an assignment there is nothing to do.
    void clean_up() {
        if constexpr (DynamicSpatialIndex<Structure>) structure_.clean_up();
    }
    void find_pairs() {
        pairs_.clear();
        require(structure_.for_each_pair([this](std::span<const Pair> some) {
            pairs_.insert(pairs_.end(), some.begin(), some.end());
        }),
                "pairs");
    }
    std::span<const Pair> pairs() const { return pairs_; }
    std::size_t bytes() const { return structure_.bytes(); }

private:
    // An empty structure hands out the ids in turn, so agent i has the id i in both cases.
    void load(const Boxes& boxes, bool by_inserts) {
        if constexpr (DynamicSpatialIndex<Structure>) {
            if (by_inserts) {
                ElementId id = structures::no_element;
                for (std::size_t i = 0; i < boxes.size(); ++i) {
                    require(structure_.insert(boxes[i], id), "insert");
                    if (id != i) throw std::runtime_error("an agent was given another's id");
                }
                return;
            }
        }
        require(structure_.assign(boxes), "assign");
    }

    Structure structure_;
    std::vector<Pair> pairs_;
};

// The engine, for comparison: frames instead of edits, and still one thread.
class EngineSearcher {
public:
    EngineSearcher(const workload::World&, bool) : engine_({.executor = serial_executor()}) {
        require(engine_.status(), "making the engine");
    }
    void update(const workload::World& w, bool) { require(engine_.update(boxes_of(w)), "update"); }
    void clean_up() {}
    void find_pairs() { require(engine_.frame().pairs(pairs_), "pairs"); }
    std::span<const Pair> pairs() const { return pairs_.pairs(); }
    std::size_t bytes() const { return engine_.memory().total(); }

private:
    Engine engine_;
    PairList pairs_;
};

template <class Searcher>
Costs run(const std::string& name, const Options& options) {
    demo::Crowd crowd(options.scenario, options.agents);
    Searcher searcher(crowd.world(), options.by_inserts);
    std::vector<double> update, clean_up, pairs, motion, frame;
    Costs costs{.name = name};
    for (unsigned number = 0; number < warm_up + options.frames; ++number) {
        const double begin = workload::now();
        crowd.walk();
        const double walked = workload::now();
        searcher.update(crowd.world(), options.by_moves);
        const double updated = workload::now();
        searcher.clean_up();
        const double clean = workload::now();
        searcher.find_pairs();
        const double found = workload::now();
        crowd.bounce(searcher.pairs());
        const double end = workload::now();
        costs.frames.push_back((end - begin) * 1e3);
        if (number < warm_up) continue;
        update.push_back((updated - walked) * 1e3);
        clean_up.push_back((clean - updated) * 1e3);
        pairs.push_back((found - clean) * 1e3);
        motion.push_back((walked - begin + end - found) * 1e3);
        frame.push_back((end - begin) * 1e3);
        costs.pairs_found += static_cast<double>(searcher.pairs().size()) / options.frames;
    }
    costs.update = bench::median(update);
    costs.clean_up = bench::median(clean_up);
    costs.pairs = bench::median(pairs);
    costs.motion = bench::median(motion);
    costs.frame = bench::median(frame);
    costs.slowest = bench::quantile(frame, 0.99);
    costs.bytes = searcher.bytes();
    return costs;
}

}  // namespace throng::bounce
