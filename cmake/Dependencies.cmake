# Every third-party library, found once. Nothing is downloaded here: Debian packages provide all of them.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(ICU REQUIRED COMPONENTS uc)
find_package(SQLite3 REQUIRED)
find_package(CapnProto CONFIG REQUIRED)
find_package(Boost 1.81 CONFIG REQUIRED COMPONENTS url)
find_package(CLI11 CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(MOZJS REQUIRED IMPORTED_TARGET mozjs-102)

# Debian's CAF 0.17.6 ships no CMake config.
find_package(CAF CONFIG QUIET COMPONENTS core)
if(NOT TARGET CAF::core)
  find_path(CAF_INCLUDE_DIR caf/config.hpp REQUIRED)
  find_library(CAF_CORE_LIBRARY caf_core REQUIRED)
  add_library(CAF::core UNKNOWN IMPORTED)
  set_target_properties(CAF::core PROPERTIES
    IMPORTED_LOCATION "${CAF_CORE_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${CAF_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()

if(BUILD_TESTING)
  find_package(Catch2 2 REQUIRED)
endif()
