// throng-scaling: how frame and query times grow with threads and agents, as CSV. throng-plot draws it.
//
//     throng-scaling --csv scaling.csv && throng-plot --csv scaling.csv --picture scaling.png
//
// With --model it tells what a frame would take on more workers than there are (model.hpp).
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "bench/common/command_line.hpp"
#include "bench/common/machine.hpp"
#include "bench/common/numbers.hpp"
#include "bench/common/workers.hpp"
#include "bench/scaling/measure.hpp"
#include "bench/scaling/model.hpp"

namespace throng::bench {

namespace {

struct Options {
    std::size_t fewest = 10'000, most = 10'000'000;
    unsigned threads = max_threads();
    unsigned frames = 10;
    unsigned model = 0;
    double wake = 5;
    std::string isa = "automatic", csv, streams;
};

Study study_from(const Options& options) {
    if (options.fewest > options.most) throw UsageError("--min is more than --max");
    Study study{.agents = {},
                .threads = options.model == 0 ? thread_counts(options.threads) : worker_counts(options.model),
                .frames = options.frames,
                .isa = isa_from(options.isa)};
    for (std::size_t n = options.fewest; n < options.most; n *= 10) study.agents.push_back(n);
    study.agents.push_back(options.most);
    return study;
}

// `last` is what the last column has.
std::string row(const Point& point, double last) {
    char text[256];
    std::snprintf(text, sizeof text, "\"%s\",\"%s\",%s,%u,%zu,%.4f,%.4f,%.4f,%.4f\n", cpu_name().c_str(),
                  compiler_name().c_str(), to_string(point.isa), point.threads, point.agents, point.update,
                  point.pairs, point.frame, last);
    return text;
}

std::string stream_row(const Point& point) {
    char text[160];
    std::snprintf(text, sizeof text, "\"%s\",%u,%zu,%zu,%.4f\n", cpu_name().c_str(), point.threads,
                  point.agents, point.held, point.copy);
    return text;
}

struct Tables {
    std::string times, streams = std::string(stream_header) + "\n";
};

void study_point(const Options& options, const Study& study, std::size_t agents, unsigned threads,
                 Tables& tables) {
    if (options.model != 0) {
        tables.times += row(model(study, agents, threads, options.wake), options.wake);
        return;
    }
    const Point point = measure(study, agents, threads);
    tables.times += row(point, point.queries);
    tables.streams += stream_row(point);
}

void write(const std::string& path, const std::string& text) {
    std::ofstream file(path);
    file << text;
    file.close();
    if (!file) throw std::runtime_error("cannot write " + path);
}

void study_all(const Options& options) {
    const Study study = study_from(options);
    Tables tables;
    tables.times = std::string(options.model == 0 ? table_header : model_header) + "\n";
    for (const std::size_t agents : study.agents)
        for (const unsigned threads : study.threads) {
            std::fprintf(stderr, "throng-scaling: %s agents, %u of %u %s\n",
                         number(static_cast<double>(agents)).c_str(), threads, study.threads.back(),
                         options.model == 0 ? "threads" : "workers, as a model tells it");
            study_point(options, study, agents, threads, tables);
        }
    if (options.csv.empty())
        std::fputs(tables.times.c_str(), stdout);
    else
        write(options.csv, tables.times);
    if (!options.streams.empty()) write(options.streams, tables.streams);
}

int run(int argc, char** argv) {
    Options options;
    CommandLine line("Measures how times grow with threads and agents.", "throng-scaling");
    line.number("--min", options.fewest, "Fewest agents; ten times as many at every step", 1, 1'000'000'000);
    line.number("--max", options.most, "Most agents", 1, 1'000'000'000);
    line.number("--threads", options.threads, "Most threads", 1, 1024);
    line.number("--frames", options.frames, "Timed frames at every point", 1, 100'000);
    line.number("--model", options.model, "Tells of up to so many workers by a model, on one thread", 1, 256);
    line.number("--wake", options.wake, "Microseconds that a step costs the model", 0, 1e6);
    line.text("--isa", options.isa, "Instruction set: automatic, sse2, avx2, avx512, avx512vbmi2 or neon64");
    line.text("--csv", options.csv, "Where to write the table; standard output if left out");
    line.text("--streams", options.streams, "Where to write what memory alone does; nowhere if left out");
    return line.run(argc, argv, [&] { study_all(options); });
}

}  // namespace

}  // namespace throng::bench

int main(int argc, char** argv) { return throng::bench::run(argc, argv); }
