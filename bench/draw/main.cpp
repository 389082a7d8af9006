// throng-draw: what each structure makes of one and the same scene, as PNG or SVG files.
//
//     throng-draw --out structures/docs/images
#include <algorithm>
#include <cstdio>

#include "bench/common/command_line.hpp"
#include "bench/common/expected.hpp"
#include "bench/common/structure_list.hpp"
#include "bench/draw/picture.hpp"
#include "bench/draw/scene.hpp"

namespace throng::draw {

namespace {

struct Options {
    std::string directory = "throng-draw";
    std::string scenario = "town";
    std::string format = "png";
    std::size_t agents = 400;
    std::vector<std::string> structures;  // all, if it is empty
};

std::vector<Box> boxes_of(const workload::World& w, const std::vector<bool>& refused) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < w.size(); ++i)
        if (!refused[i]) boxes.push_back(Box::around(w.x[i], w.y[i], w.hx[i], w.hy[i]));
    return boxes;
}

// A giant is more than twice as large as most. A structure for elements up to a size goes without them.
structures::Expected expectation(const workload::World& w) {
    std::vector<float> sizes;
    for (std::size_t i = 0; i < w.size(); ++i) sizes.push_back(2 * std::max(w.hx[i], w.hy[i]));
    std::sort(sizes.begin(), sizes.end());
    const float typical = sizes[sizes.size() / 2];
    return {.extents = {0, 0, w.side, w.side},
            .elements = w.size(),
            .typical_size = typical,
            .largest_size = *std::prev(std::upper_bound(sizes.begin(), sizes.end(), 2 * typical))};
}

template <structures::SpatialIndex Structure>
Drawing drawing_of(const char* name, const char* what, const workload::World& w) {
    const structures::Expected expected = expectation(w);
    Drawing drawing{.name = name, .what = what, .world = &w, .parts = {}, .refused = {}};
    for (std::size_t i = 0; i < w.size(); ++i)
        drawing.refused.push_back(structures::answers_are_candidates<Structure> &&
                                  2 * std::max(w.hx[i], w.hy[i]) > expected.largest_size);
    Structure structure(Structure::recommended(expected), nullptr);
    bench::require(structure.status(), name);
    const std::vector<Box> boxes = boxes_of(w, drawing.refused);
    bench::require(structure.assign(Boxes::of(boxes)), name);
    structure.for_each_part([&drawing](const structures::Part& part) { drawing.parts.push_back(part); });
    drawing.bytes = structure.bytes();
    return drawing;
}

void draw_all(const Options& options) {
    bench::make_directory(options.directory);
    const workload::World world =
        options.scenario == "town" ? town(options.agents) : workload::make(options.scenario, options.agents);
    std::size_t drawn = 0;
    bench::for_each_structure([&]<class Structure>(const char* name, const char* what) {
        const auto& some = options.structures;
        if (!some.empty() && std::find(some.begin(), some.end(), name) == some.end()) return;
        const std::string path = options.directory + "/" + name + "." + options.format;
        draw_structure(drawing_of<Structure>(name, what, world), path);
        std::printf("%s\n", path.c_str());
        ++drawn;
    });
    if (drawn < std::max<std::size_t>(options.structures.size(), 1))
        throw bench::UsageError("one of the structures is unknown; see --help");
}

std::vector<std::string> scenarios() {
    std::vector<std::string> names{"town"};
    for (const workload::Scenario& scenario : workload::scenarios) names.emplace_back(scenario.name);
    return names;
}

std::string listing() {
    std::string text = "\nStructures:\n";
    bench::for_each_structure([&]<class Structure>(const char* name, const char* what) {
        text += "  " + std::string(name) + ": " + what + "\n";
    });
    return text;
}

int run(int argc, char** argv) {
    Options options;
    bench::CommandLine line("Draws what each structure makes of a scene.", "throng-draw");
    line.footer(listing());
    line.text("--out", options.directory, "Directory for the pictures");
    line.list("--structure", options.structures, "Which, separated by commas; all, if none is named");
    line.number("--agents", options.agents, "How many agents", 1, 1'000'000);
    line.one_of("--scenario", options.scenario, "How they lie", scenarios());
    line.format(options.format);
    return line.run(argc, argv, [&] { draw_all(options); });
}

}  // namespace

}  // namespace throng::draw

int main(int argc, char** argv) { return throng::draw::run(argc, argv); }
