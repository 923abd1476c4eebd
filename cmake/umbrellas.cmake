# Writes the umbrella headers: include/trawl/FOLDER.hpp for each folder, and all.hpp over them; and src/trawl.cpp,
# which compiles the bodies of all headers that have theirs in a file of its own, NAME_inl.hpp.
#   cmake -P cmake/umbrellas.cmake              writes those that changed
#   cmake -DCHECK=ON -P cmake/umbrellas.cmake   fails if one is not current

cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/includes.cmake)
set(root ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(NORMAL_PATH root)

# An umbrella holds public headers. It leaves out those that start threads or need another library, and those
# that open files, save in the folders for that.
set(heavy "^(thread|Eigen/.*|nlohmann/.*|CLI/.*|libstemmer.h|zlib.h|onnxruntime_c_api.h)$")
set(rare "/detail/|^core/(late_interaction|thread_executor)|^dense/(inverted_|maxsim_)|^eval/(agreement|pooling)|^lexical/bm25f") # and these: few programs need them
set(files "^(fstream|filesystem|cstdio|sys/.*|fcntl.h|unistd.h)$")

# Writes `file`, which begins with `text` and includes the headers.
function(write_includes file text headers)
    foreach(header IN LISTS headers)
        string(APPEND text "#include <trawl/${header}>\n")
    endforeach()
    set(old "")
    if(EXISTS ${file})
        file(READ ${file} old)
    endif()
    if(old STREQUAL text)
        return()
    elseif(CHECK)
        message(FATAL_ERROR "${file} is not current: run ./dev format")
    endif()
    file(WRITE ${file} "${text}")
endfunction()

function(write_umbrella name purpose headers)
    write_includes(${root}/include/trawl/${name}.hpp
        "// SPDX-License-Identifier: MIT\n#pragma once\n\n/// ${purpose}\n/// Written by ./dev format.\n\n" "${headers}")
endfunction()

set(umbrellas config.hpp error.hpp version.hpp)
foreach(folder collection core dense embed eval formats fusion lexical models pipeline report rerank storage text)
    set(refused ${heavy})
    set(purpose "Everything in ${folder}/ that needs nothing but the standard library, opens no file and starts no thread.")
    if(folder MATCHES "^(collection|formats|models|storage|report)$")
        set(purpose "Everything in ${folder}/ that needs nothing but the standard library.")
    else()
        string(APPEND refused "|${files}")
    endif()

    file(GLOB_RECURSE candidates RELATIVE ${root}/include/trawl ${root}/include/trawl/${folder}/*.hpp)
    list(FILTER candidates EXCLUDE REGEX "${rare}")
    list(SORT candidates)
    set(headers "")
    foreach(header IN LISTS candidates)
        trawl_includes(includes ${root}/include/trawl/${header})
        list(FILTER includes INCLUDE REGEX "${refused}")
        if(NOT includes)
            list(APPEND headers ${header})
        endif()
    endforeach()
    if(headers)
        write_umbrella(${folder} "${purpose}" "${headers}")
        if(NOT folder MATCHES "^(collection|formats|models|storage|report)$")
            list(APPEND umbrellas ${folder}.hpp)
        endif()
    endif()
endforeach()

list(SORT umbrellas)
write_umbrella(all "The library: everything that needs nothing but the standard library, opens no file and starts no thread.\n/// Ask for the rest by name: trawl/storage.hpp, trawl/formats.hpp, trawl/core/thread_executor.hpp, trawl/embed/lsa.hpp, …" "${umbrellas}")

file(GLOB_RECURSE bodies RELATIVE ${root}/include/trawl ${root}/include/trawl/*_inl.hpp)
list(SORT bodies)
write_includes(${root}/src/trawl.cpp "// SPDX-License-Identifier: MIT
// The compiled form of the library: trawl::compiled. Written by ./dev format.

#ifndef TRAWL_COMPILED
#define TRAWL_COMPILED
#endif
" "${bodies}")
