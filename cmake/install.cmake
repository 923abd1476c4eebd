# find_package(trawl) and pkg-config. What needs compiling (trawl::compiled, the program) is installed if it has been
# built: `cmake -B build && cmake --install build` installs the headers alone.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(trawl_package ${CMAKE_INSTALL_DATADIR}/cmake/trawl)
set(independent ARCH_INDEPENDENT) # without the compiled form, one installation serves every architecture
if(TRAWL_COMPILED)
    set(trawl_package ${CMAKE_INSTALL_LIBDIR}/cmake/trawl)
    set(independent "")
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trawl-config-version.cmake
    COMPATIBILITY SameMinorVersion ${independent})

# Sets `out` to the prefix as seen from a pkg-config file in `folder`, so that an installation can be moved.
function(trawl_prefix_from folder out)
    if(IS_ABSOLUTE "${folder}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
        set(${out} ${CMAKE_INSTALL_PREFIX} PARENT_SCOPE)
        return()
    endif()
    file(RELATIVE_PATH up /prefix/${folder} /prefix)
    string(REGEX REPLACE "/$" "" up ${up})
    set(${out} "\${pcfiledir}/${up}" PARENT_SCOPE)
endfunction()

trawl_prefix_from(${CMAKE_INSTALL_DATADIR}/pkgconfig prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/trawl.pc.in ${PROJECT_BINARY_DIR}/trawl.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/trawl.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(TARGETS trawl EXPORT trawl INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT trawl FILE trawl-targets.cmake NAMESPACE trawl:: DESTINATION ${trawl_package})

if(TRAWL_COMPILED)
    trawl_prefix_from(${CMAKE_INSTALL_LIBDIR}/pkgconfig prefix)
    set(libdir ${CMAKE_INSTALL_LIBDIR})
    if(NOT IS_ABSOLUTE "${libdir}")
        set(libdir "\${prefix}/${libdir}")
    endif()
    configure_file(${CMAKE_CURRENT_LIST_DIR}/trawl-compiled.pc.in ${PROJECT_BINARY_DIR}/trawl-compiled.pc @ONLY)
    install(TARGETS trawl_compiled EXPORT trawl-compiled
        ARCHIVE OPTIONAL
        LIBRARY OPTIONAL
        RUNTIME OPTIONAL
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT trawl-compiled FILE trawl-compiled-targets.cmake NAMESPACE trawl:: DESTINATION ${trawl_package})
    install(CODE "
        if(EXISTS \"$<TARGET_FILE:trawl_compiled>\")
            file(INSTALL \"${PROJECT_BINARY_DIR}/trawl-compiled.pc\"
                DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/pkgconfig\")
        endif()")
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/trawl-config.cmake.in
    ${PROJECT_BINARY_DIR}/trawl-config.cmake
    INSTALL_DESTINATION ${trawl_package}
    PATH_VARS CMAKE_INSTALL_LIBDIR
    NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(FILES ${PROJECT_BINARY_DIR}/trawl-config.cmake ${PROJECT_BINARY_DIR}/trawl-config-version.cmake
    DESTINATION ${trawl_package})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/trawl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")
