# Which instruction sets are compiled: THRONG_ISAS, a list of names and of these words.
#
#     all         what a CPU of this family can have
#     baseline    what each of them has
#     native      the best of the machine at hand

# Reduces `available`, the sets of this processor family with the baseline first, to the wanted ones.
function(throng_choose_isas result available)
    set(chosen "")
    foreach(name IN LISTS THRONG_ISAS)
        if(name STREQUAL "all")
            list(APPEND chosen ${available})
        elseif(name STREQUAL "baseline")
            list(GET available 0 baseline)
            list(APPEND chosen ${baseline})
        elseif(name STREQUAL "native")
            throng_find_native_isas()
            list(GET THRONG_NATIVE_ISAS -1 best)
            list(APPEND chosen ${best})
        elseif(name IN_LIST available)
            list(APPEND chosen ${name})
        else()
            list(JOIN available ", " names)
            message(FATAL_ERROR "THRONG_ISAS has ${name}. There are all, baseline and native, and for ${CMAKE_SYSTEM_PROCESSOR} "
                "also ${names}.")
        endif()
    endforeach()
    if(THRONG_SANITIZE)
        # Such a build is only for this machine, and compiles slowly.
        throng_find_native_isas()
        set(run "")
        foreach(name IN LISTS chosen)
            if(name IN_LIST THRONG_NATIVE_ISAS)
                list(APPEND run ${name})
            endif()
        endforeach()
        set(chosen ${run})
    endif()
    list(REMOVE_DUPLICATES chosen)
    if(NOT chosen)
        message(FATAL_ERROR "THRONG_ISAS names no instruction set: ${THRONG_ISAS}")
    endif()
    list(JOIN chosen ", " names)
    message(STATUS "Throng: kernels for ${names}")
    set(${result} ${chosen} PARENT_SCOPE)
endfunction()

# Caches the sets that this machine runs, the best last. A build directory that moves to another machine keeps those of
# the first.
function(throng_find_native_isas)
    if(DEFINED CACHE{THRONG_NATIVE_ISAS})
        return()
    endif()
    if(NOT CMAKE_CROSSCOMPILING OR CMAKE_CROSSCOMPILING_EMULATOR)
        try_run(THRONG_NATIVE_ISAS_RAN THRONG_NATIVE_ISAS_COMPILED "${CMAKE_BINARY_DIR}/throng_native_isas"
            "${THRONG_ROOT}/simd/isa/native.cpp"
            CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${THRONG_ROOT};${THRONG_ROOT}/simd/include" -DCMAKE_CXX_STANDARD=20
            RUN_OUTPUT_VARIABLE found)
        string(STRIP "${found}" found)
    endif()
    if(NOT THRONG_NATIVE_ISAS_COMPILED OR NOT THRONG_NATIVE_ISAS_RAN STREQUAL "0" OR NOT found)
        message(FATAL_ERROR "Throng cannot ask this machine for its instruction sets. Name them in THRONG_ISAS.")
    endif()
    set(THRONG_NATIVE_ISAS "${found}" CACHE INTERNAL "The instruction sets of the machine that builds")
endfunction()
