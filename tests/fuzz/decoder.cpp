// What every byte means. A history is read from front to back: each part reads what it needs.
#include "fuzz/boxes.hpp"
#include "fuzz/bytes.hpp"
#include "fuzz/history.hpp"
#include "fuzz/shuffle.hpp"
#include "support/test.hpp"

namespace throng::fuzz {
namespace {

// Common operations are in there more than once; a new one takes the place of a copy.
constexpr Kind kinds[32] = {
    Kind::update,        Kind::update,
    Kind::insert_many,   Kind::insert_one,
    Kind::insert_one,    Kind::update_labelled,
    Kind::update_by_ids, Kind::update_legal_by_ids,
    Kind::move_one,      Kind::handles,
    Kind::rebase,        Kind::move_many,
    Kind::ask_filtered,  Kind::renumber,
    Kind::remove_one,    Kind::ask_kept,
    Kind::remove_many,   Kind::relabel,
    Kind::commit,        Kind::commit,
    Kind::build_walls,   Kind::ask_layered,
    Kind::discard,       Kind::update_legal,
    Kind::ask_batch,     Kind::ask_singly,
    Kind::ask_bounded,   Kind::pairs,
    Kind::order,         Kind::hold,
    Kind::drop,          Kind::relocate,
};

constexpr std::size_t max_operations = 48;
// An engine takes no larger one.
constexpr float largest_cell = 1e30f;
// In one input, all lists together: brute force has to look at every two agents.
constexpr std::size_t max_boxes = 3000;
constexpr std::size_t max_queries = 40;
// Agents whose boxes are remembered, for queries beside them.
constexpr std::size_t most_recent = 64;

class Decoder {
public:
    explicit Decoder(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    History history() {
        History result;
        read_header(result);
        while (!bytes_.empty() && result.operations.size() < max_operations)
            result.operations.push_back(operation());
        return result;
    }

private:
    void read_header(History& history) {
        static constexpr float widths[] = {0, 0, 0, 1.25f, 0.1f, 10, 0.7f, 1e-30f};
        static constexpr float heights[] = {0, 0, 0, 6, 0.3f, 10, 2.3f, 1e30f};
        const std::uint8_t head = bytes_.byte();
        history.executor = head >> 4 & 3;
        history.instruction_set = head >> 6;
        history.cell_width = widths[head % 8];
        history.row_height = heights[head % 8];
        if ((head & 8) == 0) return;
        history.cell_width = std::min(finite_or_zero(bytes_.any_float()), largest_cell);
        history.row_height = std::min(finite_or_zero(bytes_.any_float()), largest_cell);
    }

    Operation operation() {
        const std::uint8_t head = bytes_.byte();
        Operation operation{.kind = kinds[head % 32]};
        unsigned how = head >> 5;
        if (how == 7) {
            const std::uint8_t limit = bytes_.byte();
            operation.allocations = limit % 32;
            how = limit >> 5;
        }
        operation.released = how == 6;
        read_world(operation);
        read_edits(operation);
        read_queries(operation);
        if (how == 5) add_labels(operation);
        if (how > 0 && how < 5) add_heights(operation);
        ++turn_;
        return operation;
    }

    // Of what is for all agents.
    void read_world(Operation& operation) {
        switch (operation.kind) {
        case Kind::update: operation.boxes = agents(agent_count()); break;
        case Kind::update_labelled:
            operation.boxes = agents(agent_count());
            operation.labels = labels(operation.boxes.size());
            break;
        case Kind::update_legal:
            operation.room = bytes_.byte();
            operation.boxes = agents(agent_count());
            break;
        case Kind::update_legal_by_ids: operation.room = bytes_.byte(); [[fallthrough]];
        case Kind::update_by_ids:
            operation.boxes = agents(agent_count());
            operation.ids = ids_for(operation.boxes.size());
            break;
        case Kind::renumber:
            operation.order = bytes_.byte();
            operation.fault = bytes_.byte();
            break;
        case Kind::rebase: operation.origin = {coordinate(), coordinate()}; break;
        default: break;
        }
    }
    void read_edits(Operation& operation) {
        switch (operation.kind) {
        case Kind::build_walls: operation.boxes = agents(bytes_.byte() % 64); break;
        case Kind::insert_one: operation.boxes = agents(1); break;
        case Kind::insert_many: operation.boxes = agents(newcomers()); break;
        case Kind::handles:
        case Kind::move_one:
            operation.ids = {id()};
            operation.boxes = agents(1);
            break;
        case Kind::move_many:
            operation.ids = ids();
            // Now and then of another length.
            operation.boxes = agents(operation.ids.size() + (bytes_.byte() == 255 ? 1 : 0));
            break;
        case Kind::remove_one: operation.ids = {id()}; break;
        case Kind::remove_many: operation.ids = ids(); break;
        case Kind::relabel:
            operation.ids = ids();
            operation.labels = labels(operation.ids.size());
            break;
        default: break;
        }
    }
    void read_queries(Operation& operation) {
        switch (operation.kind) {
        case Kind::ask_filtered:
            operation.frame = bytes_.byte();
            operation.boxes = queries();
            read_filters(operation);
            break;
        case Kind::ask_layered: operation.room = bytes_.byte(); [[fallthrough]];
        case Kind::ask_batch:
        case Kind::ask_singly:
            operation.frame = bytes_.byte();
            operation.boxes = queries();
            break;
        case Kind::ask_bounded:
            operation.frame = bytes_.byte();
            operation.room = bytes_.two_bytes() % 2000;
            operation.boxes = queries();
            break;
        case Kind::order: operation.room = bytes_.two_bytes() % 2000; [[fallthrough]];
        case Kind::pairs:
        case Kind::ask_kept:
        case Kind::drop: operation.frame = bytes_.byte(); break;
        default: break;
        }
    }

    // Islands are made for a thousand and more.
    std::size_t agent_count() {
        constexpr std::size_t enough_for_islands = 1500;
        const std::size_t count = bytes_.byte();
        if (count == 254) return enough_for_islands;
        return count < 240 ? count : (count - 235) * 50;
    }

    // Many come at once, now and then: many more than there are.
    std::size_t newcomers() {
        const std::size_t count = bytes_.byte();
        return count < 240 ? count % 64 : (count - 235) * 75;
    }

    // --- Ids -----------------------------------------------------------------------------------------------

    AgentId id() {
        const std::uint8_t low = bytes_.byte();
        if (low < 250) return low;
        return low == 255 ? 0xFFFFFFFF - bytes_.byte() : bytes_.two_bytes();
    }
    std::vector<AgentId> ids() {
        const std::uint8_t head = bytes_.byte();
        std::vector<AgentId> all;
        if (head < 64) {
            for (int i = head; i > 0; --i) all.push_back(id());
            return all;
        }
        // In steps, upward or downward, so that none comes twice.
        const AgentId first = bytes_.byte(), step = 1 + head % 7;
        for (std::size_t left = bytes_.byte() % 100; left > 0; --left)
            all.push_back(first + step * static_cast<AgentId>(all.size()));
        if (head % 2 == 1) std::reverse(all.begin(), all.end());
        return all;
    }
    // For an update: any, or in steps, upward, downward or in any order. Now and then one comes twice.
    std::vector<AgentId> ids_for(std::size_t count) {
        const std::uint8_t head = bytes_.byte();
        std::vector<AgentId> all;
        if (head < 16 && count < 64) {
            while (all.size() < count) all.push_back(id());
            return all;
        }
        const AgentId first = bytes_.byte(), step = 1 + head % 7;
        while (all.size() < count) all.push_back(first + step * static_cast<AgentId>(all.size()));
        if (head % 4 == 1) std::reverse(all.begin(), all.end());
        if (head % 4 == 2) shuffle(all, head);
        if (head >= 240 && count != 0) all[bytes_.byte() % count] = all[bytes_.byte() % count];
        return all;
    }

    // Mostly a small number.
    float coordinate() {
        const std::uint8_t head = bytes_.byte();
        return head < 240 ? static_cast<float>(head) * 0.7f - 80 : bytes_.any_float();
    }

    // --- Labels and filters --------------------------------------------------------------------------------

    static std::uint32_t categories(std::uint8_t from) {
        constexpr std::uint32_t some[] = {1, 2, 3, 4, 1u << 17, 5, all_categories, 0};
        return some[from % 8];
    }
    static std::uint32_t group(std::uint8_t from) { return from >= 128 ? no_group : from % 3; }
    // A few labels for many agents, in turns. Now and then one too many.
    std::vector<Label> labels(std::size_t count) {
        const std::uint8_t head = bytes_.byte();
        Label some[4];
        for (Label& label : some) label = {categories(bytes_.byte()), group(bytes_.byte())};
        std::vector<Label> all(count + (head == 255 ? 1 : 0));
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = some[i / (1 + head % 5) % 4];
        return all;
    }
    // To what may have labels. They take no bytes, so that what follows means what it would mean without
    // them.
    void add_labels(Operation& operation) {
        switch (operation.kind) {
        case Kind::update_by_ids:
        case Kind::update_legal:
        case Kind::update_legal_by_ids:
        case Kind::insert_one:
        case Kind::insert_many:
        case Kind::handles:
        case Kind::build_walls:
            for (std::size_t i = 0; i < operation.boxes.size(); ++i)
                operation.labels.push_back({categories(static_cast<std::uint8_t>(turn_ + i / 3)),
                                            group(static_cast<std::uint8_t>(turn_ + 50 * i))});
            break;
        default: break;
        }
    }
    // To all that may have heights, in the same way. Now and then one is illegal, or there is one too many.
    void add_heights(Operation& operation) {
        const auto band = [&](std::size_t i) {
            const float low = static_cast<float>((turn_ + 7 * i) % 9) * 0.5f;
            return i % 13 == 12 ? Band{} : Band{low, low + static_cast<float>(i % 4) * 0.5f};
        };
        for (std::size_t i = 0; i < operation.filters.size(); ++i) operation.filters[i].heights = band(3 * i);
        if (operation.kind < Kind::ask_batch || operation.kind == Kind::build_walls)
            for (std::size_t i = 0; i < operation.boxes.size(); ++i) operation.heights.push_back(band(i));
        if (operation.heights.empty()) return;
        if (turn_ % 16 == 7) operation.heights.back() = {1, 0};
        if (turn_ % 16 == 9) operation.heights.push_back({});
    }
    void read_filters(Operation& operation) {
        const std::uint8_t head = bytes_.byte();
        operation.each_without_itself = head % 4 == 1;
        const std::size_t count = head % 4 == 2 ? operation.boxes.size() : 1;
        for (std::size_t i = 0; i < std::max<std::size_t>(count, 1); ++i)
            operation.filters.push_back({.categories = categories(bytes_.byte()),
                                         .self = id(),
                                         .not_in_group = group(bytes_.byte())});
    }

    // --- Boxes ---------------------------------------------------------------------------------------------

    BoxList agents(std::size_t count) {
        count = std::min(count, max_boxes - boxes_);
        boxes_ += count;
        std::vector<Box> boxes = read_boxes(bytes_, count);
        for (const Box& box : boxes) {
            if (recent_.size() < most_recent) recent_.emplace_back();
            recent_[seen_++ % most_recent] = box;
        }
        return as_a_host_has_it(bytes_, std::move(boxes));
    }
    // Anywhere, and beside agents of the last steps: they touch them, or miss them by the smallest step there
    // is.
    BoxList queries() {
        std::vector<Box> boxes = read_boxes(bytes_, bytes_.byte() % max_queries);
        for (std::size_t left = bytes_.byte() % max_queries; left > 0 && !recent_.empty(); --left) {
            const Box& box = recent_[bytes_.byte() % recent_.size()];
            boxes.push_back(beside(box, bytes_.byte()));
        }
        return as_a_host_has_it(bytes_, std::move(boxes));
    }

    Bytes bytes_;
    std::vector<Box> recent_;
    std::size_t boxes_ = 0, seen_ = 0, turn_ = 0;
};

}  // namespace

History decode(std::span<const std::uint8_t> bytes) { return Decoder(bytes).history(); }

}  // namespace throng::fuzz
