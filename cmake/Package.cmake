# What is installed: one shared library with everything inside, the public headers, the engine in
# libexec (which the library finds by its own place), the command, and how CMake and pkg-config find
# them. The tree may be moved as a whole.
include(CMakePackageConfigHelpers)

# Every object of the libraries that have public headers, and of the others what they need.
add_library(cordon_shared SHARED actors/exports.map)
set_target_properties(cordon_shared PROPERTIES
  OUTPUT_NAME cordon
  EXPORT_NAME cordon
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_LIBRARY_OVERRIDE_cordon_capabilities WHOLE_ARCHIVE
  LINK_LIBRARY_OVERRIDE_cordon_audit WHOLE_ARCHIVE
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/actors/exports.map)
target_link_libraries(cordon_shared
  PRIVATE $<LINK_LIBRARY:WHOLE_ARCHIVE,cordon> ${CMAKE_DL_LIBS} cordon_options cordon_sanitize
  INTERFACE nlohmann_json::nlohmann_json)
target_link_options(cordon_shared PRIVATE
  -Wl,--version-script=${CMAKE_SOURCE_DIR}/actors/exports.map -Wl,--no-undefined)
target_compile_features(cordon_shared INTERFACE cxx_std_20)
target_include_directories(cordon_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# The same for those who use <cordon/actors.h>.
add_library(cordon_actors INTERFACE)
set_target_properties(cordon_actors PROPERTIES EXPORT_NAME actors)
target_link_libraries(cordon_actors INTERFACE cordon_shared CAF::core)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cordon)
set(libexec_dir ${CMAKE_INSTALL_LIBEXECDIR}/cordon)

install(TARGETS cordon_shared EXPORT cordon-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS cordon_actors EXPORT cordon-actors-targets)
foreach(folder messages capabilities audit actors)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder}/include/cordon
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endforeach()
install(TARGETS cordon_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS cordon-engine cordon-launch cordon-probe cordon-transpiler RUNTIME DESTINATION ${libexec_dir})
install(PROGRAMS ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/cordon-esbuild DESTINATION ${libexec_dir})
install(FILES ${CMAKE_BINARY_DIR}/share/cordon/assert.mjs
  DESTINATION ${CMAKE_INSTALL_DATADIR}/cordon)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# What the engine's texts and the compiler are made of has licences of its own. The packages are there only after
# the build.
install(CODE "
  set(packages \"${CMAKE_BINARY_DIR}/engine/js/node_modules\")
  file(GLOB_RECURSE texts RELATIVE \"\${packages}\" \"\${packages}/*/LICEN[CS]E*\")
  foreach(text IN LISTS texts)
    get_filename_component(package \"\${text}\" DIRECTORY)
    file(INSTALL \"\${packages}/\${text}\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DOCDIR}/third-party/\${package}\")
  endforeach()")

install(EXPORT cordon-targets NAMESPACE cordon:: DESTINATION ${package_dir})
install(EXPORT cordon-actors-targets NAMESPACE cordon:: DESTINATION ${package_dir})
configure_package_config_file(cmake/package/cordon-config.cmake.in
  ${CMAKE_BINARY_DIR}/package/cordon-config.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS libexec_dir)
# Before 1.0 a minor version may break its users.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/cordon-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/package/cordon-config.cmake
  ${CMAKE_BINARY_DIR}/package/cordon-config-version.cmake
  ${CMAKE_SOURCE_DIR}/cmake/FindCafCore.cmake
  DESTINATION ${package_dir})

file(RELATIVE_PATH prefix_from_pkgconfig
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
foreach(name cordon cordon-actors)
  configure_file(cmake/package/${name}.pc.in ${CMAKE_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/package/${name}.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()
