// A target with a planted fault, for a test of the driver: it dies of any input with an 'x' that is followed
// by a 'y'. None of the kept inputs has one.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (const std::size_t x = text.find('x'); x != text.npos && text.find('y', x) != text.npos) std::abort();
    return 0;
}
