// What nearly every test uses: the precompiled header of all test programs. A test includes this, and what
// only few others use.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <ostream>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "support/answers.hpp"
#include "support/counting_resource.hpp"
#include "support/executors.hpp"
#include "support/instruction_sets.hpp"
#include "support/limits.hpp"
#include "support/parameters.hpp"
#include "support/printing.hpp"
#include "support/ranges.hpp"
#include "support/scale.hpp"
#include "support/thread_pool.hpp"
#include "throng/throng.hpp"
#include "worlds/scenes/island_worlds.hpp"
#include "worlds/scenes/random.hpp"
#include "worlds/scenes/scenes.hpp"
