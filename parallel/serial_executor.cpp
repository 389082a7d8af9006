// The serial executor, and the default choice between it and oneTBB's.

#include "throng/executor.hpp"

namespace throng {

Executor serial_executor() noexcept { return {}; }

Executor default_executor() noexcept { return has_tbb() ? tbb_executor() : serial_executor(); }

}  // namespace throng
