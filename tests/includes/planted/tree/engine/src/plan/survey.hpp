// A survey knows samples, and no frames.
#include "engine/src/frame/rows.hpp"
