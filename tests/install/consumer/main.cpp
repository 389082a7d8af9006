// A host that saw the installed headers only. Exits with 0 if the library answers.
#include <cstdio>

#include <throng/throng.hpp>

#ifdef HOST_OF_CXX23
static_assert(__cplusplus > 202002L, "this host is compiled as C++23");
#endif

bool every_class_answers();
bool a_lack_of_memory_is_a_status();

int main() {
    if (throng::library_version() != throng::header_version) return 1;

    const throng::Box boxes[] = {{0, 0, 1, 1}, {0.5f, 0.5f, 2, 2}, {5, 5, 6, 6}};
    throng::Engine engine;
    if (!engine.update(throng::Boxes::of(boxes))) return 2;

    throng::PairList pairs;
    if (!engine.frame().pairs(pairs) || pairs.size() != 1) return 3;
    if (!every_class_answers()) return 4;
    if (!a_lack_of_memory_is_a_status()) return 5;

    // Of the library's build, which may have another compiler than this program has.
    const throng::BuildInfo info = throng::build_info();
    char text[256];
    if (!info.carries(engine.isa()) || info.has_tbb != throng::has_tbb()) return 6;
    if (throng::describe(info, text) >= sizeof text) return 6;
    std::puts(text);

    std::printf("throng %d.%d.%d: %zu agents, %zu pair, kernels %s, oneTBB %s\n",
                throng::header_version.major, throng::header_version.minor, throng::header_version.patch,
                engine.frame().size(), pairs.size(), throng::to_string(engine.isa()),
                throng::has_tbb() ? "yes" : "no");
}
