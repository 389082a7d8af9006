// Plain names for what the structures take from the inside of the engine.
#pragma once

namespace throng::detail {}

namespace throng::structures::detail {

using namespace throng::detail;

}  // namespace throng::structures::detail
