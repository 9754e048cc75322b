# CAF::core, from CAF's own package where there is one. Debian's CAF 0.17.6 ships no CMake config.
find_package(CAF CONFIG QUIET COMPONENTS core)
if(NOT TARGET CAF::core)
  find_path(CAF_INCLUDE_DIR caf/config.hpp)
  find_library(CAF_CORE_LIBRARY caf_core)
  mark_as_advanced(CAF_INCLUDE_DIR CAF_CORE_LIBRARY)
  if(CAF_INCLUDE_DIR AND CAF_CORE_LIBRARY)
    find_package(Threads REQUIRED)
    add_library(CAF::core UNKNOWN IMPORTED)
    set_target_properties(CAF::core PROPERTIES
      IMPORTED_LOCATION "${CAF_CORE_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES Threads::Threads)
  endif()
endif()
if(TARGET CAF::core)
  set(CAF_CORE_TARGET CAF::core)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(CafCore REQUIRED_VARS CAF_CORE_TARGET)
