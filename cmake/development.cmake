# What our own programs are built with: the strict warnings, ccache, sanitizers. Never part of trawl::trawl.

if(PROJECT_IS_TOP_LEVEL)
    set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
    set(CMAKE_CXX_EXTENSIONS OFF)
    if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
        set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, …" FORCE)
    endif()
    find_program(TRAWL_CCACHE ccache)
    if(TRAWL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
        # The tests' compiled header is all right for ccache if it does not mind macros of date and time.
        set(CMAKE_CXX_COMPILER_LAUNCHER
            ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${TRAWL_CCACHE})
    endif()
endif()

add_library(trawl_warnings INTERFACE)
if(NOT MSVC)
    set(trawl_warnings -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
    target_compile_options(trawl_warnings INTERFACE ${trawl_warnings})
endif()

set(TRAWL_SANITIZE "" CACHE STRING "Sanitizers for tests and programs, such as address,undefined or thread")
if(TRAWL_SANITIZE)
    target_compile_options(trawl_warnings INTERFACE
        -fsanitize=${TRAWL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
    target_link_options(trawl_warnings INTERFACE -fsanitize=${TRAWL_SANITIZE})
endif()
