// Makes an AnySpatialIndex of a structure. Each structure is named to it in one place only, since this takes
// long to compile: index_kinds.cpp, and planted_index.cpp for the planted ones.
#pragma once

#include "structures/tests/any_spatial_index.hpp"
#include "structures/tests/test.hpp"

namespace throng::structures::test {

template <SpatialIndex Index>
class IndexAdapter final : public AnySpatialIndex {
    static constexpr bool dynamic = DynamicSpatialIndex<Index>;
    static_assert(alignof(Index) <= alignof(std::max_align_t), "operator new has to know of it");

public:
    IndexAdapter(const IndexKind& kind, const typename Index::Config& config, MemoryResource* memory)
        : AnySpatialIndex(kind), index_(config, memory) {}
    IndexAdapter(const IndexKind& kind, Index&& from) : AnySpatialIndex(kind), index_(std::move(from)) {}

    Status status() const override { return index_.status(); }
    Status assign(const Boxes& boxes) override { return index_.assign(boxes); }
    void clear() override { index_.clear(); }
    Status insert(const Box& box, ElementId& id) override {
        if constexpr (dynamic) return index_.insert(box, id);
        not_dynamic();
    }
    Status move(ElementId id, const Box& box) override {
        if constexpr (dynamic) return index_.move(id, box);
        not_dynamic();
    }
    Status remove(ElementId id) override {
        if constexpr (dynamic) return index_.remove(id);
        not_dynamic();
    }
    void clean_up() override {
        if constexpr (dynamic)
            index_.clean_up();
        else
            not_dynamic();
    }
    bool clean_up(std::size_t budget) override {
        if constexpr (SpreadsCleanUp<Index>) return index_.clean_up(budget);
        not_dynamic();
    }

    std::size_t size() const override { return index_.size(); }
    bool contains(ElementId id) const override { return index_.contains(id); }
    Box box(ElementId id) const override { return index_.box(id); }
    std::size_t bytes() const override { return index_.bytes(); }
    IndexValidation validate() const override { return index_.validate(); }

    Status for_each_overlap(const Box& box, IdVisitor visitor, ElementId omitted) const override {
        return visitor.in_its_form([&](auto&& take) { return index_.for_each_overlap(box, take, omitted); });
    }
    Status for_each_pair(PairVisitor visitor) override {
        return visitor.in_its_form([&](auto&& take) { return index_.for_each_pair(take); });
    }
    void for_each_element(IdVisitor visitor) const override {
        visitor.in_its_form([&](auto&& take) { index_.for_each_element(take); });
    }
    void for_each_part(PartVisitor visitor) const override {
        visitor.in_its_form([&](auto&& take) { index_.for_each_part(take); });
    }
    bool update(LeafOrder& order) const override { return order.update(index_); }

    std::unique_ptr<AnySpatialIndex> move_out() override {
        return std::make_unique<IndexAdapter>(kind(), std::move(index_));
    }
    void move_from(AnySpatialIndex& other) override {
        index_ = std::move(dynamic_cast<IndexAdapter&>(other).index_);
    }

private:
    [[noreturn]] static void not_dynamic() {
        throw std::logic_error("a check edits a structure that is not edited like this");
    }

    Index index_;
};

template <SpatialIndex Index>
std::unique_ptr<AnySpatialIndex> make_adapter(const IndexKind& kind, const Expected& expected,
                                              const Box* extents, MemoryResource* memory) {
    typename Index::Config config = Index::recommended(expected);
    if constexpr (requires { config.extents = Box{}; })
        if (extents != nullptr) config.extents = *extents;
    return std::make_unique<IndexAdapter<Index>>(kind, config, memory);
}

template <SpatialIndex Index>
constexpr IndexKind kind_of(const char* name) {
    return {.name = name,
            .dynamic = DynamicSpatialIndex<Index>,
            .spreads_clean_up = SpreadsCleanUp<Index>,
            .answers_are_candidates = structures::answers_are_candidates<Index>,
            .has_extents = requires(typename Index::Config config){config.extents = Box{};
}
, .own_size = sizeof(Index), .make_adapter = make_adapter<Index>
};  // namespace throng::structures::test
}

}  // namespace throng::structures::test
