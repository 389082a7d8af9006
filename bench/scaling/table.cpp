#include "bench/scaling/table.hpp"

#include <fstream>
#include <stdexcept>

#include "bench/scaling/model.hpp"

namespace throng::bench {

namespace {

// The cells of a line. Those that hold commas are quoted.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char letter : line) {
        if (letter == '"')
            quoted = !quoted;
        else if (letter == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += letter;
    }
    return cells;
}

// std::stod and its like throw for what is no number.
Point point_of(const std::vector<std::string>& cells) {
    return {.agents = std::stoull(cells.at(4)),
            .threads = static_cast<unsigned>(std::stoul(cells.at(3))),
            .update = std::stod(cells.at(5)),
            .pairs = std::stod(cells.at(6)),
            .frame = std::stod(cells.at(7)),
            .queries = std::stod(cells.at(8))};
}

Table read(const std::string& path, const std::string& header, const std::string& name) {
    std::ifstream file(path);
    if (!file) throw std::runtime_error("cannot read " + path);
    std::string line;
    if (!std::getline(file, line) || line != header)
        throw std::runtime_error(path + " is not a table by " + name);
    Table table;
    for (std::size_t number = 2; std::getline(file, line); ++number) {
        const std::vector<std::string> cells = cells_of(line);
        try {
            table.points.push_back(point_of(cells));
        } catch (const std::logic_error&) {
            throw std::runtime_error(path + ", line " + std::to_string(number) + ": not a row of the table");
        }
        if (table.machine.empty()) table.machine = cells[0] + ", " + cells[1] + ", " + cells[2];
    }
    if (table.points.empty()) throw std::runtime_error(path + " has no rows");
    return table;
}

}  // namespace

Table read_table(const std::string& path) { return read(path, table_header, "throng-scaling"); }

Table read_model(const std::string& path) {
    Table table = read(path, model_header, "throng-scaling --model");
    for (Point& point : table.points) point.queries = 0;  // that column has what a step costs
    return table;
}

}  // namespace throng::bench
