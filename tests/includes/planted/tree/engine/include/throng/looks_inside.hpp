// A public header with something internal.
#include "engine/src/frame/rows.hpp"
