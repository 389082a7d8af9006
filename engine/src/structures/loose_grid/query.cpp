#include "engine/src/base/box_check.hpp"
#include "engine/src/base/box_math.hpp"
#include "engine/src/structures/loose_grid/state.hpp"
#include "engine/src/structures/loose_grid/walk.hpp"

namespace throng {

using namespace detail;

Status LooseGrid::State::find(const Box& box, ElementId omitted, IdAnswers& found) const {
    if (const Code code = check(box); code != Code::ok) return {code, 0};
    each_cell(box, [&](const Cell& cell) { return find_in_cell(cell, box, omitted, found); });
    return {};
}

// Branch-free: hits are unpredictable. Elements of a cell inside the query need no test.
bool LooseGrid::State::find_in_cell(const Cell& cell, const Box& box, ElementId omitted,
                                    IdAnswers& found) const {
    constexpr std::size_t some = 32;
    const bool all = encloses(box, cell.bounds);
    for (std::uint32_t slot = cell.head; slot != none;) {
        ElementId* to = found.room(some);
        if (to == nullptr) return false;
        std::size_t count = 0;
        for (std::size_t i = 0; i < some && slot != none; ++i) {
            const Record& record = records_[slot];
            to[count] = record.id;
            count += static_cast<std::size_t>((all | overlap(record.box, box)) & (record.id != omitted));
            slot = record.next;
        }
        found.wrote(count);
    }
    return true;
}

}  // namespace throng
