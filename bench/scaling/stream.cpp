#include "bench/scaling/stream.hpp"

#include <algorithm>
#include <vector>

#include "bench/common/statistics.hpp"
#include "worlds/workload/workload.hpp"

namespace throng::bench {

namespace {

constexpr std::size_t block = std::size_t{1} << 14;  // floats; blocks are handed out one by one

struct Copy {
    const float* from;
    float* to;
    std::size_t size;
};

void copy_block(void* argument, std::size_t index) {
    const Copy& copy = *static_cast<const Copy*>(argument);
    const std::size_t begin = index * block, end = std::min(begin + block, copy.size);
    std::copy(copy.from + begin, copy.from + end, copy.to + begin);
}

}  // namespace

double stream(const Executor& executor, std::size_t bytes) {
    const std::size_t size = std::max(bytes / (2 * sizeof(float)), std::size_t{1});
    const std::vector<float> from(size, 1.0f);
    std::vector<float> to(size);
    Copy copy{from.data(), to.data(), size};
    const std::size_t blocks = (size + block - 1) / block;
    std::vector<double> times;
    for (int round = 0; round <= 9; ++round) {
        const double begin = workload::now();
        if (executor.parallel_for != nullptr && blocks > 1) {
            executor.parallel_for(executor.context, blocks, copy_block, &copy);
        } else {
            for (std::size_t index = 0; index < blocks; ++index) copy_block(&copy, index);
        }
        if (round > 0) times.push_back((workload::now() - begin) * 1e3);
    }
    return median(times);
}

}  // namespace throng::bench
