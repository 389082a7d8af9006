# throng.dll, by MinGW-w64, with files for other linkers: throng.def has the names that the headers declare, and
# throng.lib is for MSVC's linker. MinGW's own takes -lthrong_c, as elsewhere. The names of the calls are in one list
# for each header, which scripts/bindings writes.
set(names "")
foreach(list IN ITEMS throng.def throng_structures.def)
    if(list STREQUAL "throng.def" OR THRONG_STRUCTURES)
        file(READ "${list}" more)
        string(APPEND names "${more}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list}")
    endif()
endforeach()
set(throng_c_def "${CMAKE_CURRENT_BINARY_DIR}/throng.def")
file(CONFIGURE OUTPUT "${throng_c_def}" CONTENT "${names}" @ONLY)

# Only the names in that list are exported. One file, with the run-time libraries inside.
target_sources(throng_c PRIVATE "${throng_c_def}")
set_target_properties(throng_c PROPERTIES PREFIX "" OUTPUT_NAME throng ARCHIVE_OUTPUT_NAME throng_c IMPORT_PREFIX lib)
target_link_options(throng_c PRIVATE -static)

# In the short form of Microsoft's own tools. Their linker may misread that of GNU's dlltool.
find_program(THRONG_LIB_TOOL NAMES llvm-dlltool llvm-dlltool-19 llvm-dlltool-14)
mark_as_advanced(THRONG_LIB_TOOL)
set(throng_c_lib "")
if(THRONG_LIB_TOOL)
    set(throng_c_lib "${CMAKE_CURRENT_BINARY_DIR}/throng.lib")
    add_custom_command(OUTPUT "${throng_c_lib}" DEPENDS "${throng_c_def}" VERBATIM
        COMMAND "${THRONG_LIB_TOOL}" -m i386:x86-64 -d "${throng_c_def}" -l "${throng_c_lib}")
    add_custom_target(throng_c_lib ALL DEPENDS "${throng_c_lib}")
else()
    message(STATUS "Throng: without throng.lib (there is no llvm-dlltool; Debian: llvm). lib /def:throng.def /machine:x64 writes it")
endif()
if(THRONG_INSTALL)
    install(FILES "${throng_c_def}" ${throng_c_lib} DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endif()
