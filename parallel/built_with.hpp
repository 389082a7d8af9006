// What the executors were compiled with. Only tbb_executor.cpp knows oneTBB.
#pragma once

namespace throng::detail {

// The version of oneTBB's headers, such as "2021.8"; empty without oneTBB.
const char* tbb_version() noexcept;

}  // namespace throng::detail
