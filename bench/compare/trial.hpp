// One index on one world: the state that the tasks share, and the lines they print.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/common/counting_resource.hpp"
#include "bench/compare/index.hpp"
#include "bench/compare/options.hpp"
#include "bench/compare/registry.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

// The times of frames, in milliseconds.
struct FrameTimes {
    std::vector<double> update, pairs, frame;
};

class Trial {
public:
    Trial(const Entry& entry, const Options& options, const Executor& executor);

    const std::string& name() const { return entry_.name; }
    const Options& options() const { return options_; }
    workload::World& world() { return world_; }
    Index& index() { return *index_; }
    const CountingResource& memory() const { return memory_; }

    // Whether a frame may be over before a clock has ticked often enough.
    bool tiny() const { return world_.size() <= 2000; }

    // How often something is to be timed, of the usual number of times.
    int repeats(int usual) const { return options_.frames == 0 ? 1 : std::min(usual, options_.repeats); }

    // The common protocol: three steps to warm up, then the timed ones. Runs once, before any task.
    void run_frames();
    const FrameTimes& times() const { return times_; }
    const workload::Checksum& pairs_at_3() const { return pairs_at_3_; }
    // Making the index, and its first frame; for an index of places, its first lists of neighbours.
    double first_frame() const { return first_frame_; }
    // Bytes by which the heap has grown since before the index was made; 0 where it does not say.
    std::size_t heap_growth() const;

    // A long run of frames, made when a task first asks for it.
    struct Steady {
        std::vector<double> frame;
        std::uint64_t allocations = 0;
    };
    const Steady& steady();

    // A line of the common form, and one with fields of its own behind that.
    void report(const char* task, double ms, const workload::Checksum& sum = {});
    void report_more(const char* task, double ms,
                     const std::vector<std::pair<const char*, double>>& fields) const;
    // The same for tasks that run on one thread whatever the trial has.
    void report_serial(const char* task, double ms, const workload::Checksum& sum);
    // The checksums reported, by task.
    const std::map<std::string, workload::Checksum>& answers() const { return answers_; }

private:
    std::unique_ptr<Index> make_index(const Executor& executor);
    // Moves the world and measures one frame.
    double frame(double& update, double& pairs);
    void run_timed_frame();
    void run_timed_tiny_frames();
    void report(const char* task, int threads, double ms, const workload::Checksum& sum);

    const Entry& entry_;
    const Options& options_;
    workload::World world_;
    CountingResource memory_;
    std::size_t heap_before_ = 0;
    double first_frame_ = 0;
    std::unique_ptr<Index> index_;
    FrameTimes times_;
    workload::Checksum pairs_at_3_;
    Steady steady_;
    std::map<std::string, workload::Checksum> answers_;
};

}  // namespace throng::bench
