# What our own programs are built with: the strict warnings and ccache. Never part of trawl::trawl.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

find_program(TRAWL_CCACHE ccache)
if(TRAWL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${TRAWL_CCACHE})
endif()

set(CMAKE_CXX_EXTENSIONS OFF)

add_library(trawl_warnings INTERFACE)
if(NOT MSVC)
    target_compile_options(trawl_warnings INTERFACE
        -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror)
endif()
