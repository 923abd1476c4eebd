# Writes the umbrella headers: include/trawl/FOLDER.hpp for each folder, and trawl.hpp over them.
#   cmake -P cmake/umbrellas.cmake              writes those that changed
#   cmake -DCHECK=ON -P cmake/umbrellas.cmake   fails if one is not current

cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/includes.cmake)
set(root ${CMAKE_CURRENT_LIST_DIR}/..)
cmake_path(NORMAL_PATH root)

# An umbrella leaves out the headers that start threads or need another library, and those that open files,
# save that of io/.
set(heavy "^(thread|Eigen/.*|nlohmann/.*|CLI/.*|libstemmer.h|zlib.h)$")
set(rare "/detail/|^core/late_interaction|^dense/(inverted_|k_means|maxsim_)|^eval/(report_|agreement|pooling)|^lexical/(bm25f|field_|inverted_fields)") # and these: few programs need them
set(files "^(fstream|filesystem|cstdio|sys/.*|fcntl.h|unistd.h)$")

function(write_umbrella name purpose headers)
    set(text "// SPDX-License-Identifier: MIT\n#pragma once\n\n/// ${purpose}\n/// Written by ./dev format.\n\n")
    foreach(header IN LISTS headers)
        string(APPEND text "#include <trawl/${header}>\n")
    endforeach()
    set(file ${root}/include/trawl/${name}.hpp)
    set(old "")
    if(EXISTS ${file})
        file(READ ${file} old)
    endif()
    if(old STREQUAL text)
        return()
    elseif(CHECK)
        message(FATAL_ERROR "include/trawl/${name}.hpp is not current: run ./dev format")
    endif()
    file(WRITE ${file} "${text}")
endfunction()

set(umbrellas config.hpp error.hpp version.hpp)
foreach(folder core dense embed eval fusion io lexical pipeline rerank text)
    set(refused ${heavy})
    set(purpose "Everything in ${folder}/ that needs nothing but the standard library, opens no file and starts no thread.")
    if(folder STREQUAL "io")
        set(purpose "Everything in io/ that needs nothing but the standard library.")
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
        if(NOT folder STREQUAL "io")
            list(APPEND umbrellas ${folder}.hpp)
        endif()
    endif()
endforeach()

list(SORT umbrellas)
write_umbrella(trawl "The library: everything that needs nothing but the standard library, opens no file and starts no thread.\n/// Ask for the rest by name: trawl/io.hpp, trawl/core/thread_executor.hpp, trawl/embed/lsa.hpp, …" "${umbrellas}")
