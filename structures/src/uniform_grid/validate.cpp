#include <cmath>

#include "structures/src/uniform_grid/state.hpp"

namespace throng::structures {

using namespace detail;

IndexValidation UniformGrid::State::validate() const noexcept {
    IndexValidation state;
    if (!elements_.validate()) state.note("the list of free slots is broken", 0);
    std::size_t linked = 0;
    for (std::uint32_t row = 0; row < rows_.cells(); ++row) {
        const std::size_t before = linked;
        for (std::uint32_t column = 0; column < columns_.cells(); ++column) {
            const std::size_t here = cell({column, row});
            for (ElementId id = heads_[here]; id != no_element; id = elements_[id].next) {
                if (!elements_.contains(id)) {
                    state.note("a cell lists an element that there is not", here);
                    break;
                }
                const Element& element = elements_[id];
                if (!std::isfinite(element.x) || !std::isfinite(element.y))
                    state.note("a centre that is not finite", id);
                else if (cell(place(element)) != here)
                    state.note("an element in another cell than its centre", id);
                if (++linked > size()) {
                    state.note("a list that does not end", here);
                    return state;
                }
            }
        }
        if (linked - before != row_sizes_[row]) state.note("a row with another number of elements", row);
    }
    if (linked != size()) state.note("an element in no cell", linked);
    return state;
}

}  // namespace throng::structures
