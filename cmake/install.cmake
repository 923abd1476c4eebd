# find_package(trawl) and pkg-config. Without the compiled form, one installation serves every architecture.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(trawl_package ${CMAKE_INSTALL_DATADIR}/cmake/trawl)
set(independent ARCH_INDEPENDENT)
if(TRAWL_COMPILED)
    set(trawl_package ${CMAKE_INSTALL_LIBDIR}/cmake/trawl)
    set(independent "")
endif()
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trawl-config-version.cmake
    COMPATIBILITY SameMinorVersion ${independent})
configure_file(${CMAKE_CURRENT_LIST_DIR}/trawl.pc.in ${PROJECT_BINARY_DIR}/trawl.pc @ONLY)

set(trawl_targets trawl)
if(TRAWL_COMPILED)
    list(APPEND trawl_targets trawl_compiled)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/trawl-compiled.pc.in ${PROJECT_BINARY_DIR}/trawl-compiled.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/trawl-compiled.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(TARGETS ${trawl_targets} EXPORT trawl INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT trawl FILE trawl-config.cmake NAMESPACE trawl:: DESTINATION ${trawl_package})
install(FILES ${PROJECT_BINARY_DIR}/trawl-config-version.cmake DESTINATION ${trawl_package})
install(FILES ${PROJECT_BINARY_DIR}/trawl.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/trawl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")
