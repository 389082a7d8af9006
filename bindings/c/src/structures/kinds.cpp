#include "bindings/c/src/structures/kinds.hpp"

#include <cstdint>
#include <new>
#include <type_traits>

#include "bindings/c/src/structs.hpp"
#include "bindings/c/src/views.hpp"
#include "throng/structures/loose_quadtree.hpp"
#include "throng/structures/row_grid.hpp"
#include "throng/structures/static_index.hpp"

namespace throng::c_api {

namespace {

template <class Kind>
Status make(const structures::Expected& expected, throng_structure& structure) noexcept {
    static_assert(sizeof(Kind) <= sizeof structure.place && alignof(Kind) <= alignof(std::max_align_t));
    Kind* made = new (structure.place) Kind(Kind::recommended(expected), structure.host);
    structure.all = made;
    if constexpr (std::is_base_of_v<structures::DynamicStructure, Kind>) structure.dynamic = made;
    structure.end = [](void* place) { static_cast<Kind*>(place)->~Kind(); };
    return made->status();
}

}  // namespace

Status make_kind(const throng_structure_config& config, throng_structure& structure) noexcept {
    const structures::Expected expected{.extents = box_of(config.extents),
                                        .elements = as_size(config.elements),
                                        .typical_size = config.typical_size,
                                        .largest_size = config.largest_size};
    switch (config.kind) {
    case THRONG_STATIC_INDEX: return make<structures::StaticIndex>(expected, structure);
    case THRONG_LOOSE_QUADTREE: return make<structures::LooseQuadtree>(expected, structure);
    case THRONG_ROW_GRID: return make<structures::RowGrid>(expected, structure);
    default: return {Code::bad_config, argument(THRONG_ARGUMENT_CONFIG)};
    }
}

template <>
throng_structure_config defaults() noexcept {
    throng_structure_config config{};
    config.size = sizeof config;
    config.typical_size = config.largest_size = 1;
    return config;
}

}  // namespace throng::c_api

int32_t throng_init_structure_config(throng_structure_config* config, uint32_t size) {
    return throng::c_api::init(config, size);
}
