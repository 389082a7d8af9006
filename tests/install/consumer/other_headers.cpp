// Prints the version of the headers and that of the library. They differ if this is compiled with other
// headers.
#include <cstdio>

#include <throng/version.hpp>

int main() {
    const throng::Version headers = throng::header_version, library = throng::library_version();
    std::printf("headers %d.%d.%d, library %d.%d.%d\n", headers.major, headers.minor, headers.patch,
                library.major, library.minor, library.patch);
}
