// Loads the C library at run time, works on oneTBB's threads, and unloads it. The threads still sleep, in
// code that must stay.
//
//     throng_c_unloaded LIBRARY

#include <dlfcn.h>

#include <cstddef>
#include <cstdio>
#include <vector>

#include "throng.h"

namespace {

// A call of the header by its name; this program is not linked with it.
#define THRONG_TEST_CALL(name) (*reinterpret_cast<decltype(&name)>(dlsym(library, #name)))

bool works(void* library) {
    std::vector<float> places(100000);
    for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<float>(i % 317);
    throng_engine_config config;
    throng_boxes boxes;
    throng_engine* engine = nullptr;
    const bool is_made =
        THRONG_TEST_CALL(throng_init_engine_config)(&config, sizeof config, THRONG_C_VERSION) == THRONG_OK &&
        THRONG_TEST_CALL(throng_init_boxes)(&boxes, sizeof boxes) == THRONG_OK &&
        THRONG_TEST_CALL(throng_engine_create)(&config, &engine, nullptr) == THRONG_OK;
    if (!is_made) return false;
    THRONG_TEST_CALL(throng_boxes_points)(&boxes, places.data(), places.data(), 1, places.size(), 0);
    const bool is_updated =
        THRONG_TEST_CALL(throng_engine_update)(engine, &boxes, nullptr, nullptr) == THRONG_OK;
    THRONG_TEST_CALL(throng_engine_destroy)(engine);
    return is_updated;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    void* library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr || !works(library)) {
        std::fprintf(stderr, "the library does not work\n");
        return 1;
    }
    dlclose(library);
    if (dlopen(arguments[1], RTLD_NOW | RTLD_NOLOAD) == nullptr) {
        std::fprintf(stderr, "the library is gone, and its threads' code with it\n");
        return 1;
    }
    return 0;
}
