// Memory comes before frames.
#include "engine/src/frame/rows.hpp"
