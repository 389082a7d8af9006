// The engine.
#include "bench/compare/frame_index.hpp"
#include "throng/throng.hpp"

namespace throng::bench {

namespace {

class EngineIndex final : public FrameIndex<Engine, PairList, Hits> {
public:
    explicit EngineIndex(const Setup& setup)
        : FrameIndex(setup,
                     EngineConfig{.executor = setup.executor, .memory = setup.memory, .isa = setup.isa}),
          threads_(setup.threads) {
        require(world_.status(), "making the engine");
    }

    bool can(Ability ability) const override { return ability != Ability::leaf_order; }
    unsigned threads() const override { return threads_; }
    const char* instruction_set() const override { return to_string(world_.isa()); }
    std::size_t bytes() const override { return world_.memory().total(); }

private:
    unsigned threads_ = 1;
};

}  // namespace

std::unique_ptr<Index> make_engine_index(const Setup& setup) { return std::make_unique<EngineIndex>(setup); }

}  // namespace throng::bench
