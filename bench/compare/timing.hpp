// How long something takes, in milliseconds.
#pragma once

#include <algorithm>
#include <limits>

#include "worlds/workload/workload.hpp"

namespace throng::bench {

template <class Body>
double timed(Body&& body) {
    const double begin = workload::now();
    body();
    return (workload::now() - begin) * 1e3;
}

// The mean of as many runs as take half a millisecond or more, for bodies that are over before a clock has
// ticked often: the least mean of three, since whatever else the machine does only adds to it. Each run is
// told its number.
template <class Body>
double timed_often(Body&& body) {
    for (unsigned runs = 1;; runs *= 2) {
        double least = std::numeric_limits<double>::max();
        for (int repeat = 0; repeat < 3; ++repeat)
            least = std::min(least, timed([&] {
                                 for (unsigned run = 0; run < runs; ++run) body(run);
                             }));
        if (least >= 0.5 || runs >= 1u << 24) return least / runs;
    }
}

}  // namespace throng::bench
