// What the structures take from the inside of the engine, they call by its plain name.
#pragma once

namespace throng::detail {}

namespace throng::structures::detail {

using namespace throng::detail;

}  // namespace throng::structures::detail
