#include "engine/src/pairs/among_shapes.hpp"

#include "base/kernels.hpp"
#include "engine/src/frame/lookup/lookup.hpp"
#include "engine/src/neighbours/shape_frames.hpp"

namespace throng::detail {

namespace {

// A search among shapes.
class CloseOnes final : public PairSearch {
public:
    CloseOnes(const PairSearch& all, const CloseByBoxes& close) noexcept : all_(all), close_(close) {}
    std::size_t blocks() const noexcept override { return all_.blocks(); }
    bool prepare(const Executor& executor) const noexcept override { return all_.prepare(executor); }
    bool run(std::size_t block, PairSpace& space, simd::PairSink& sink) const noexcept override {
        SomePairs some(close_, sink);
        const bool enough = all_.run(block, space, some.sink());
        some.flush();
        return enough;
    }
    const parallel::Stop& stop() const noexcept override { return all_.stop(); }
    std::size_t agents_in_block() const noexcept override { return all_.agents_in_block(); }

private:
    const PairSearch& all_;
    const CloseByBoxes& close_;
};

// From here on squares of distances may be too large for floats, so that all are close.
constexpr float too_far = 0x1p61f;

// More than rounding takes from a distance. Points have no room for it; the squares around circles have
// some for the least distances, whose squares are zero.
float a_little_more(const PairQuery& wanted) noexcept {
    return wanted.within * (1 + 0x1p-20f) + (wanted.agents_as == AgentsAs::centres ? 0x1p-60f : 0);
}

}  // namespace

AmongShapes::AmongShapes(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept
    : close_{agent_table(one), agent_table(other), {wanted.within, wanted.agents_as}},
      one_(make_shapes(one, wanted.agents_as)),
      other_(make_shapes(other, wanted.agents_as)),
      candidates_(wanted) {
    candidates_.within = a_little_more(wanted);
    candidates_.agents_as = AgentsAs::boxes;
}

Status ClosePairs::take(Store& store, const Executor& executor, const PairSearch& work) noexcept {
    return output_.take(store, executor, CloseOnes(work, close_));
}

bool AmongShapes::pays(const FrameState& one, const FrameState& other, const PairQuery& wanted) noexcept {
    if (wanted.agents_as == AgentsAs::boxes || wanted.within >= too_far) return false;
    if (!may_have_wide_boxes(one) && !may_have_wide_boxes(other)) return false;
    return rounds_to_nearest() && are_few_close(one, other, wanted);
}

}  // namespace throng::detail
