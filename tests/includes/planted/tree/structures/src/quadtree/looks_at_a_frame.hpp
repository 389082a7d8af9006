// A structure has no frames.
#include "engine/src/frame/rows.hpp"
