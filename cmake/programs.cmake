# Our programs take what they need from the system: a program whose headers need a package that is not there
# is left out, and says so.

include(${CMAKE_CURRENT_LIST_DIR}/includes.cmake)

find_package(Threads REQUIRED)
find_package(Eigen3 3.3 QUIET NO_MODULE)
find_package(nlohmann_json QUIET)
find_package(CLI11 QUIET)
find_package(ZLIB QUIET)
find_library(TRAWL_STEMMER stemmer)
find_path(TRAWL_STEMMER_INCLUDE libstemmer.h)
if(TRAWL_STEMMER AND TRAWL_STEMMER_INCLUDE AND NOT TARGET libstemmer)
    add_library(libstemmer UNKNOWN IMPORTED)
    set_target_properties(libstemmer PROPERTIES
        IMPORTED_LOCATION ${TRAWL_STEMMER} INTERFACE_INCLUDE_DIRECTORIES ${TRAWL_STEMMER_INCLUDE})
endif()
# ONNX Runtime: headers and library from wherever the system, CMAKE_PREFIX_PATH or these two variables have them.
find_library(TRAWL_ONNXRUNTIME onnxruntime)
find_path(TRAWL_ONNXRUNTIME_INCLUDE onnxruntime_c_api.h PATH_SUFFIXES onnxruntime onnxruntime/core/session)
if(TRAWL_ONNXRUNTIME AND TRAWL_ONNXRUNTIME_INCLUDE AND NOT TARGET onnxruntime)
    add_library(onnxruntime UNKNOWN IMPORTED)
    set_target_properties(onnxruntime PROPERTIES
        IMPORTED_LOCATION ${TRAWL_ONNXRUNTIME} INTERFACE_INCLUDE_DIRECTORIES ${TRAWL_ONNXRUNTIME_INCLUDE})
endif()

# Adds the program `name` of the given sources (absolute paths); it may be left out: ask if(TARGET name). It links
# the compiled form of the library, TRAWL_PROGRAM_LIBRARY if that is set.
function(trawl_program name)
    trawl_includes(includes ${ARGN})
    set(packages "")
    foreach(pair "^Eigen/=Eigen3::Eigen" "^nlohmann/=nlohmann_json::nlohmann_json" "^CLI/=CLI11::CLI11" "^zlib.h=ZLIB::ZLIB"
            "^libstemmer.h=libstemmer" "^onnxruntime_c_api.h=onnxruntime")
        string(REGEX REPLACE "=.*" "" prefix ${pair})
        string(REGEX REPLACE ".*=" "" package ${pair})
        set(needing ${includes})
        list(FILTER needing INCLUDE REGEX ${prefix})
        if(needing AND NOT TARGET ${package})
            message(STATUS "trawl: ${name} is left out, it needs ${package}")
            return()
        elseif(needing)
            list(APPEND packages ${package})
        endif()
    endforeach()
    set(library trawl::compiled)
    if(TRAWL_PROGRAM_LIBRARY)
        set(library ${TRAWL_PROGRAM_LIBRARY})
    endif()
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE ${library} trawl_warnings Threads::Threads ${packages})
endfunction()
