// The executors of the fuzz targets: they run every block on the calling thread, in an order that is the same
// every time, so that what is found is found again.
#pragma once

#include "support/test.hpp"

namespace throng::fuzz {

// A few kinds; the number goes round among them.
inline Executor executor(unsigned number) {
    static const std::vector<std::unique_ptr<test::Workplace>> kinds = [] {
        std::vector<std::unique_ptr<test::Workplace>> all;
        all.push_back(test::serial_workplace());
        for (const unsigned workers : {2u, 3u, 16u}) all.push_back(test::backward_workplace(workers));
        return all;
    }();
    return kinds[number % kinds.size()]->executor();
}

}  // namespace throng::fuzz
