// The exports of a shared library. The library's own build hides all symbols except those marked here, which
// the public headers declare. A host defines nothing, whichever kind of library it links.
#pragma once

#include "throng/compiler.hpp"

#if THRONG_CPLUSPLUS <= 201703L
#error "Throng needs C++20: -std=c++20"
#endif

#if defined(THRONG_EXPORTS)
#define THRONG_API THRONG_VISIBLE
#define THRONG_INSIDE THRONG_HIDDEN  // an inner type of a class that is exported
#else
#define THRONG_API
#define THRONG_INSIDE
#endif
