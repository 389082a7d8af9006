// RowGrid on several threads: its rows assigned, and pairs by blocks of rows. Its queries are those of a
// single thread, one after the other, which structure_index.hpp measures.
#include "bench/common/expected.hpp"
#include "bench/common/failures.hpp"
#include "bench/compare/index.hpp"
#include "throng/structures/row_grid.hpp"

namespace throng::bench {

using structures::ElementId;

namespace {

class RowGridIndex final : public Index {
public:
    explicit RowGridIndex(const Setup& setup)
        : setup_(setup),
          found_(setup.agents),
          grid_(structures::RowGrid::Config{.extents = {0, 0, 1, 1}}, setup.memory) {}

    bool can(Ability ability) const override { return ability == Ability::allocations; }
    unsigned threads() const override { return setup_.threads; }

    void update(const workload::World& w) override {
        const Boxes boxes = Boxes::centre_half(w.x.data(), w.y.data(), w.hx.data(), w.hy.data(), w.size());
        if (grid_.size() != boxes.size())
            grid_ = structures::RowGrid(structures::RowGrid::recommended(expected_of<structures::RowGrid>(w)),
                                        setup_.memory);
        require(grid_.assign(boxes, setup_.executor), "assign");
    }
    void find_pairs() override {
        blocks_.resize(grid_.pair_blocks(setup_.executor));
        for (std::vector<Pair>& block : blocks_) block.clear();
        require(grid_.for_each_pair_concurrently(
                    [this](std::span<const Pair> some, std::size_t block) {
                        blocks_[block].insert(blocks_[block].end(), some.begin(), some.end());
                    },
                    setup_.executor),
                "pairs");
    }
    workload::Checksum pairs() const override {
        workload::Checksum sum;
        for (const std::vector<Pair>& block : blocks_)
            for (const Pair& pair : block) sum.pair(pair.a, pair.b);
        return sum;
    }

    void answer(const std::vector<workload::Rect>& queries) override {
        answers_.clear();
        for (const workload::Rect& query : queries) {
            (void)search(query);
            answers_.insert(answers_.end(), found_.begin(), found_.end());
        }
    }
    workload::Checksum answers() const override {
        workload::Checksum sum;
        for (const ElementId id : answers_) sum.hit(id);
        return sum;
    }
    std::uint64_t search(const workload::Rect& q) override {
        found_.clear();
        require(grid_.for_each_overlap(Box{q.x0, q.y0, q.x1, q.y1},
                                       [this](std::span<const ElementId> ids) {
                                           found_.insert(found_.end(), ids.begin(), ids.end());
                                       }),
                "overlaps");
        return found_.size();
    }
    std::span<const std::uint32_t> searched() const override { return found_; }
    std::uint64_t count(const workload::Rect& query) override { return search(query); }
    std::size_t bytes() const override { return grid_.bytes(); }

private:
    Setup setup_;
    std::vector<ElementId> found_, answers_;
    std::vector<std::vector<Pair>> blocks_;
    structures::RowGrid grid_;
};

}  // namespace

std::unique_ptr<Index> make_row_grid_on_threads(const Setup& setup) {
    return std::make_unique<RowGridIndex>(setup);
}

}  // namespace throng::bench
