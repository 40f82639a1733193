# `cmake --install build`: the program, the library, its headers, and what find_package(cleave) reads.
include(CMakePackageConfigHelpers)
set(cleave_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cleave)

install(TARGETS cleave_cli)
install(TARGETS cleave EXPORT cleaveTargets)
install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cleave FILES_MATCHING PATTERN *.h)
install(EXPORT cleaveTargets NAMESPACE cleave:: DESTINATION ${cleave_cmake_dir})

configure_package_config_file(cmake/cleaveConfig.cmake.in cleaveConfig.cmake
  INSTALL_DESTINATION ${cleave_cmake_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(cleaveConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/cleaveConfig.cmake ${CMAKE_BINARY_DIR}/cleaveConfigVersion.cmake
  DESTINATION ${cleave_cmake_dir})
