// Another origin for all agents of the twin.
#include <cstddef>
#include <vector>

#include "oracle/brute_force.hpp"

namespace throng::oracle {

Status BruteForce::rebase(float dx, float dy) {
    if (const Code code = check(Box{dx, dy, dx, dy}); code != Code::ok) return {code};
    if (staged() != 0) return {Code::edits_pending};
    std::vector<Slot> moved = next_;
    for (std::size_t id = 0; id < moved.size(); ++id) {
        if (!moved[id].used) continue;
        Box& box = moved[id].box;
        box = {box.min_x - dx, box.min_y - dy, box.max_x - dx, box.max_y - dy};
        if (const Code code = check(box); code != Code::ok) return {code, id};
        box = folded(box);
    }
    next_ = moved;
    publish();
    return {};
}

}  // namespace throng::oracle
