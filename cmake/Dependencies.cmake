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

find_package(CafCore REQUIRED)

if(BUILD_TESTING)
  find_package(Catch2 2 REQUIRED)
endif()
