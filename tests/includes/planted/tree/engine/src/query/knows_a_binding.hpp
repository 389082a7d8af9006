// The engine does not know for which languages it is.
#include "bindings/c/include/throng.h"
