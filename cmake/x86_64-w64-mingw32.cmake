# Windows on x86-64, from a Debian machine: packages g++-mingw-w64-x86-64-posix and wine64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
# The one with C++'s threads and mutexes.
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# A program or library contains the compiler's run-time libraries, which neither Windows nor Wine has.
foreach(kind IN ITEMS EXE SHARED MODULE)
    # CMake reads this file more than once.
    if(NOT CMAKE_${kind}_LINKER_FLAGS_INIT MATCHES "-static")
        string(APPEND CMAKE_${kind}_LINKER_FLAGS_INIT " -static")
    endif()
endforeach()

# CMake would take the import library of OpenMP's DLL by its path. By its name the linker takes the archive.
set(OpenMP_gomp_LIBRARY gomp CACHE STRING "The run-time library of OpenMP")

# Tests run under Wine, which keeps its registry and its drives in the build. Debian puts the program itself beside the PATH.
# Without a desktop, and without the parts that it would offer to download.
find_program(THRONG_WINE NAMES wine64 wine HINTS /usr/lib/wine NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(THRONG_WINE)
if(THRONG_WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR
        "${CMAKE_COMMAND}" -E env --unset=DISPLAY "WINEPREFIX=${CMAKE_BINARY_DIR}/wine" WINEDEBUG=-all WINEARCH=win64
        "WINEDLLOVERRIDES=mscoree,mshtml,winemenubuilder.exe=" "${THRONG_WINE}")
endif()

# Headers, libraries and packages of the build machine are of the wrong kind. CMAKE_FIND_ROOT_PATH may name more places that have
# the right ones.
list(APPEND CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
list(REMOVE_DUPLICATES CMAKE_FIND_ROOT_PATH)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# These are headers only, so the build machine's will do.
set(THRONG_XSIMD_INCLUDE_DIR /usr/include CACHE PATH "Directory with xsimd/xsimd.hpp")
set(THRONG_CLI11_INCLUDE_DIR /usr/include)
