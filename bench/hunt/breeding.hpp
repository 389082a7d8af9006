// The breeding of bad worlds: those that score worst have the most children.
#pragma once

#include <array>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "bench/hunt/trial.hpp"

namespace throng::hunt {

struct Find {
    worlds::World world;
    Score score;
    End end = End::finished;
    // Time for four times as many agents and answers over the time for these; 0 if it was not measured. Where
    // sizes follow places, pairs grow with the square of the agents.
    double growth = 0;
};

struct Rules {
    std::vector<Operation> operations;
    // The numbers of agents to choose from, in ascending order. Smaller worlds take less time, so they are
    // chosen more often.
    std::vector<std::size_t> sizes = {2'000, 8'000, 16'000, 100'000};
    std::uint64_t seed = 1;
    double minutes = 1;
    // How many worlds are tried at most.
    std::size_t worlds = std::numeric_limits<std::size_t>::max();
    // Finds of each operation that are kept and measured at the end.
    std::size_t top = 3;
    Trial trial;
    // Breeds by counted steps, and only measures what it found by time. Which worlds are tried follows from
    // the seed.
    bool count_steps = false;
};

struct Progress {
    std::size_t worlds = 0;
    double seconds = 0;
    const Find* worst = nullptr;
    // A world that crashed, failed or hung, as soon as it did so twice.
    const Find* fault = nullptr;
};

class Hunt {
public:
    explicit Hunt(const Rules& rules);

    // Breeds for three quarters of the time and measures in the rest. Calls `tell` every few seconds, and for
    // each fault.
    void run(const std::function<void(const Progress&)>& tell);

    // The finds of an operation as they were measured at the end, the worst first.
    const std::vector<Find>& finds(Operation operation) const { return measured_[index(operation)]; }
    // The same as they were bred: by steps, where these are counted.
    const std::vector<Find>& bred(Operation operation) const { return bred_[index(operation)]; }
    const Find* worst() const;
    std::size_t worlds() const { return worlds_; }
    double seconds() const;

private:
    using Shelf = std::vector<Find>;
    static constexpr std::size_t shelf_size = 12;

    static std::size_t index(Operation operation) { return static_cast<std::size_t>(operation); }
    worlds::World next();
    const Find* parent();
    // Returns whether it ended without a fault.
    bool judge(const worlds::World& world, Find& fault);
    void shelve(Shelf& shelf, const Find& find) const;
    void measure_finds(const std::function<void()>& tell);
    Find simplified(Find find, Operation operation);
    static std::optional<Find> measured(const worlds::World& world, Trial trial, Operation operation);
    void measure_again(const Find& find, Operation operation);
    std::size_t any_size();
    bool time_is_up(double share) const { return seconds() > share * 60 * rules_.minutes; }

    Rules rules_;
    // Of worlds that are bred.
    Trial breeding_;
    worlds::Random random_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::array<Shelf, operation_count> bred_, measured_;
    std::size_t worlds_ = 0;
};

// With as many answers as lists of so many agents may have.
Trial sized(Trial trial, std::size_t agents);

// How a time grows to four times as many agents; 0 if it could not be measured.
double growth_of(const worlds::World& world, const Score& score, const Trial& trial);

}  // namespace throng::hunt
