// The private half of StaticIndex.
#pragma once

#include <cstddef>

#include "simd/kernels.hpp"
#include "structures/src/state.hpp"
#include "structures/src/static_index/set.hpp"
#include "throng/memory.hpp"
#include "throng/structures/static_index.hpp"

namespace throng::structures {

struct THRONG_INSIDE StaticIndex::State final : detail::StateOf<State, detail::StructureState> {
    State(const Config& config, MemoryResource* memory, Status& status) noexcept;

    std::size_t size() const noexcept override { return count_; }
    bool contains(ElementId id) const noexcept override { return id < count_; }
    Box box_of(ElementId id) const noexcept override;
    Status assign_all(const Boxes& boxes) noexcept;
    void clear() noexcept override { count_ = 0; }
    std::size_t bytes_held() const noexcept { return block_.bytes(); }
    IndexValidation validate() const noexcept override;

    Status find_overlaps(const Box& box, ElementId omitted, detail::IdAnswers& found) const;
    Status find_pairs(detail::PairAnswers& found) override;
    void list_elements(detail::IdAnswers& list) const override;
    void list_parts(detail::PartAnswers& list) const override;
    Count count(const Box& box) const noexcept;
    Found any(const Box& box) const noexcept;

    // The header at the front of the allocation, which locates all its parts.
    const detail::StaticSet& set() const noexcept {
        return *reinterpret_cast<const detail::StaticSet*>(block_.data());
    }

    const simd::Kernels* kernels_ = nullptr;
    std::size_t count_ = 0;
    detail::Buffer<unsigned char> block_;
};

}  // namespace throng::structures
