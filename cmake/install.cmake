# find_package(trawl) and pkg-config. Headers only: one installation serves every architecture.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(trawl_package ${CMAKE_INSTALL_DATADIR}/cmake/trawl)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/trawl-config-version.cmake
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
configure_file(${CMAKE_CURRENT_LIST_DIR}/trawl.pc.in ${PROJECT_BINARY_DIR}/trawl.pc @ONLY)

install(TARGETS trawl EXPORT trawl INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT trawl FILE trawl-config.cmake NAMESPACE trawl:: DESTINATION ${trawl_package})
install(FILES ${PROJECT_BINARY_DIR}/trawl-config-version.cmake DESTINATION ${trawl_package})
install(FILES ${PROJECT_BINARY_DIR}/trawl.pc DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/trawl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILES_MATCHING PATTERN "*.hpp")
