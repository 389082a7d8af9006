// Queries in packets. Consecutive queries form a packet as long as their bounding box is not larger than the
// sum of their boxes, in loose cells. A packet walks over the cells of that box once, and gathers their
// elements:
//
//     min_x[stride] | min_y[stride] | max_x[stride] | max_y[stride] | id[stride]       as a row of the engine
//
// Whenever the arrays are full, a kernel compares each query with all of it.
#include <algorithm>
#include <limits>

#include "base/box_math.hpp"
#include "base/box_reader.hpp"
#include "simd/query_kernels.hpp"
#include "structures/src/loose_grid/state.hpp"
#include "structures/src/loose_grid/walk.hpp"

namespace throng::structures {

using namespace detail;

struct LooseGrid::State::Packet {
    static constexpr std::uint32_t capacity = 256, stride = capacity + simd::gap;

    const State& grid;
    const TakeTogether take;
    std::size_t first = 0, count = 0;
    Box enclosing = no_box;
    float looked_at = 0;  // loose cells visited if all queries run one by one

    std::uint32_t gathered = 0;
    simd::Query queries[packet_size];
    alignas(64) float data[5 * stride];
    std::uint32_t ids[packet_size * capacity + simd::gap];

    Packet(const State& g, const TakeTogether& t) noexcept : grid(g), take(t) {}

    void begin(std::size_t number) noexcept {
        first = number;
        count = 0;
        enclosing = no_box;
        looked_at = 0;
    }
    // About how many loose cells a query visits: those that it covers and those that reach into it.
    float cells_at(const Box& box) const noexcept {
        const std::uint32_t width = grid.columns_(box.max_x) - grid.columns_(box.min_x) + 2;
        const std::uint32_t height = grid.rows_(box.max_y) - grid.rows_(box.min_y) + 2;
        return static_cast<float>(width) * static_cast<float>(height);
    }
    // Adds a query if it is near enough to those before it.
    bool add(const Box& box) noexcept {
        if (count == packet_size) return false;
        const Box larger = enclosing.united(box);
        const float more = looked_at + cells_at(box);
        if (count != 0 && cells_at(larger) > more) return false;
        enclosing = larger;
        looked_at = more;
        queries[count++] = {box.min_x, box.min_y, box.max_x, box.max_y};
        return true;
    }

    bool gather(const Cell& cell) {
        for (std::uint32_t slot = cell.head; slot != none;) {
            const Record& record = grid.records_[slot];
            const std::uint32_t i = gathered++;
            data[i] = record.box.min_x;
            data[i + stride] = record.box.min_y;
            data[i + 2 * stride] = record.box.max_x;
            data[i + 3 * stride] = record.box.max_y;
            reinterpret_cast<std::uint32_t*>(data + 4 * stride)[i] = record.id;
            slot = record.next;
            if (gathered == capacity && !compare()) return false;
        }
        return true;
    }
    // Vectors read past the last box; the padding overlaps nothing.
    bool compare() {
        for (std::uint32_t c = 0; c < 4; ++c)
            std::fill_n(data + c * stride + gathered, simd::gap, std::numeric_limits<float>::quiet_NaN());
        std::uint32_t ends[packet_size];
        const simd::Row row{data, nullptr, stride, gathered, 0};
        grid.kernels_->queries->find_together(row, queries, count, ids, ends);
        gathered = 0;
        for (std::size_t k = 0, begin = 0; k < count; begin = ends[k++])
            if (ends[k] != begin && !take(first + k, ids + begin, ends[k] - begin)) return false;
        return true;
    }
};

Status LooseGrid::find_together(const Boxes& queries, const TakeTogether& take) const {
    return status().ok() ? own<State>().find_together(queries, take) : status();
}

Status LooseGrid::State::find_together(const Boxes& queries, const TakeTogether& take) const {
    if (const Code bad = queries.fault(); bad != Code::ok) return {bad, Argument::boxes};
    if (const Status refused = check_all(queries); !refused) return refused;
    Packet packet(*this, take);
    for (std::size_t i = 0; i < queries.size(); ++i) {
        const Box box = queries[i];
        if (packet.add(box)) continue;
        if (!search_packet(packet)) return {};
        packet.begin(i);
        packet.add(box);
    }
    if (packet.count != 0) (void)search_packet(packet);
    return {};
}

bool LooseGrid::State::search_packet(Packet& packet) const {
    if (packet.count > 1)
        return each_cell(packet.enclosing, [&](const Cell& cell) { return packet.gather(cell); }) &&
               (packet.gathered == 0 || packet.compare());
    IdAnswers found({&packet, [](void* to, const ElementId* ids, std::size_t count) {
                         const Packet& target = *static_cast<const Packet*>(to);
                         return target.take(target.first, ids, count);
                     }});
    const Box& box = packet.enclosing;
    return each_cell(box, [&](const Cell& cell) { return find_in_cell(cell, box, no_element, found); }) &&
           found.flush();
}

}  // namespace throng::structures
