// Runs a fuzz target where there is no libFuzzer, with the same command line as far as it goes:
//
//     throng_fuzz_<target> [-runs=N] [-max_total_time=SECONDS] [-seed=N] [-artifact_prefix=PATH] [PATH...]
//
// Files, and the files of folders, are tried as they are. If a folder is among the paths, inputs made from
// its files follow: as many, or for as long, as the options say, or none without them; with both, whichever
// ends first. The same seed makes the same inputs. Zero takes a seed from the clock and prints it. With
// -scaled_runs instead of -runs there are fewer, also of kept inputs, where all tests do less: see
// support/scale.hpp.
//
// Inputs are tried in a process of their own. So after a crash, a sanitizer's verdict or an endless loop
// there, this process still writes the guilty input to a file and names it. The exit status is then 1.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/mutation.hpp"
#include "support/scale.hpp"
#include "worlds/scenes/random.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace throng::fuzz {
namespace {

namespace files = std::filesystem;

// Longer than any input takes, even with a sanitizer under an emulator.
constexpr unsigned seconds_for_one = 120;

struct Options {
    std::uint64_t runs = 0;
    std::uint64_t seconds = 0;
    std::uint64_t seed = 1;
    std::string artifact_prefix = "./";
    std::vector<std::string> paths;
    bool mutates = false, scaled = false;
};

struct Named {
    std::string name;
    Input input;
};

// What the two processes share: the input that is being tried, and how many were.
struct Shared {
    std::uint64_t tried;
    std::uint64_t size;
    std::uint8_t bytes[1 << 20];
};

bool read_number(std::string_view argument, std::string_view option, std::uint64_t& number) {
    if (!argument.starts_with(option)) return false;
    number = std::strtoull(argument.data() + option.size(), nullptr, 10);
    return true;
}

bool read_options(int argc, char** argv, Options& options) {
    constexpr std::string_view prefix = "-artifact_prefix=";
    std::uint64_t scaled_runs = 0;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (read_number(argument, "-runs=", options.runs) ||
            read_number(argument, "-max_total_time=", options.seconds) ||
            read_number(argument, "-scaled_runs=", scaled_runs) ||
            read_number(argument, "-seed=", options.seed))
            continue;
        if (argument.starts_with(prefix)) {
            options.artifact_prefix = argument.substr(prefix.size());
        } else if (argument.starts_with("-") || !files::exists(argument)) {
            std::fprintf(stderr, "%s: neither an option nor a path\n", argv[i]);
            return false;
        } else {
            options.paths.emplace_back(argument);
            if (files::is_directory(argument)) options.mutates = true;
        }
    }
    options.scaled = scaled_runs != 0;
    if (options.scaled) options.runs = test::scaled(scaled_runs, 50);
    if (options.seed == 0)
        options.seed =
            static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return true;
}

Named read_file(const files::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {path.string(), Input(std::istreambuf_iterator<char>(stream), {})};
}

// In the order of their names, which is the same on every machine.
std::vector<Named> read_inputs(const std::vector<std::string>& paths) {
    std::vector<Named> inputs;
    for (const std::string& path : paths) {
        if (!files::is_directory(path)) {
            inputs.push_back(read_file(path));
            continue;
        }
        std::vector<files::path> names;
        for (const auto& entry : files::directory_iterator(path))
            if (entry.is_regular_file()) names.push_back(entry.path());
        std::sort(names.begin(), names.end());
        for (const files::path& name : names) inputs.push_back(read_file(name));
    }
    return inputs;
}

void attempt(const Input& input, Shared& shared) {
    shared.size = std::min(input.size(), sizeof shared.bytes);
    if (shared.size != 0) std::memcpy(shared.bytes, input.data(), shared.size);
    alarm(seconds_for_one);
    LLVMFuzzerTestOneInput(shared.bytes, shared.size);
    alarm(0);
    ++shared.tried;
}

// Everything that was asked for, in the process that may die of it.
void attempt_all(const Options& options, const std::vector<Named>& inputs, Shared& shared) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + std::chrono::seconds(options.seconds);
    std::vector<Input> corpus;
    for (const Named& named : inputs) {
        attempt(named.input, shared);
        corpus.push_back(named.input);
    }
    if (!options.mutates || (options.runs == 0 && options.seconds == 0)) return;
    for (std::uint64_t run = 0; options.runs == 0 || run < options.runs; ++run) {
        if (options.seconds != 0 && Clock::now() >= end) break;
        test::Random random(options.seed * 0x9E3779B9u + run);
        attempt(mutated(corpus, random), shared);
    }
}

void save_the_guilty(const Options& options, const std::vector<Named>& inputs, const Shared& shared) {
    if (shared.tried < inputs.size()) {
        std::fprintf(stderr, "The input is %s\n", inputs[shared.tried].name.c_str());
        return;
    }
    const std::string name = options.artifact_prefix + "crash-" + std::to_string(options.seed) + '-' +
                             std::to_string(shared.tried - inputs.size());
    std::ofstream stream(name, std::ios::binary);
    for (std::uint64_t i = 0; i < shared.size; ++i) stream.put(static_cast<char>(shared.bytes[i]));
    stream.close();
    std::fprintf(stderr, stream ? "The input is now in %s\n" : "The input could not be written to %s\n",
                 name.c_str());
}

int run(const Options& options) {
    std::vector<Named> inputs = read_inputs(options.paths);
    if (options.scaled && !inputs.empty()) inputs = test::enough_of(inputs, options.seed);
    void* const memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return std::perror("mmap"), 2;
    Shared& shared = *new (memory) Shared;
    std::printf("seed %llu, %zu kept inputs\n", static_cast<unsigned long long>(options.seed), inputs.size());
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return std::perror("fork"), 2;
    if (child == 0) {
        attempt_all(options, inputs, shared);
        std::exit(0);  // where a sanitizer looks for leaks
    }
    int status = 0;
    if (waitpid(child, &status, 0) < 0) return std::perror("waitpid"), 2;
    const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::printf("%llu inputs tried\n", static_cast<unsigned long long>(shared.tried));
    if (!well) {
        std::fprintf(stderr, WIFSIGNALED(status) ? "Ended by signal %d\n" : "Ended with exit status %d\n",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
        save_the_guilty(options, inputs, shared);
    }
    return well ? 0 : 1;
}

}  // namespace
}  // namespace throng::fuzz

int main(int argc, char** argv) {
    throng::fuzz::Options options;
    if (!throng::fuzz::read_options(argc, argv, options)) return 2;
    return throng::fuzz::run(options);
}
