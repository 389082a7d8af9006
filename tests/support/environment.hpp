// The environment of this process, for tests of what the library reads there.
#pragma once

#include <cstdlib>

namespace throng::test {

// Sets a variable, or removes it if given null.
inline void set_environment(const char* name, const char* value) noexcept {
#if defined(_WIN32)
    static_cast<void>(_putenv_s(name, value == nullptr ? "" : value));
#else
    if (value == nullptr)
        unsetenv(name);
    else
        setenv(name, value, 1);
#endif
}

}  // namespace throng::test
