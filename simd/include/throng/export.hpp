// What a shared library exports. The library's own build hides all symbols but those marked here, which are
// what the public headers declare; a host that links either kind of library, or sees these headers only,
// needs nothing of it.
#pragma once

#if defined(THRONG_EXPORTS)
#define THRONG_API [[gnu::visibility("default")]]
#define THRONG_INSIDE [[gnu::visibility("hidden")]]  // an inner type of a class that is exported
#else
#define THRONG_API
#define THRONG_INSIDE
#endif
