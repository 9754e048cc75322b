# cordon_options: warnings and hardening for our own targets only; link it PRIVATE.
# cordon_sanitize: AddressSanitizer and UBSan, for host-side targets only: a sanitized engine
# could not run under RLIMIT_DATA and the system call filter.
add_library(cordon_options INTERFACE)
target_compile_options(cordon_options INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wnon-virtual-dtor -Wold-style-cast
  $<$<BOOL:${CORDON_WERROR}>:-Werror>
  -fstack-protector-strong -fcf-protection
  $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
target_link_options(cordon_options INTERFACE -Wl,-z,relro,-z,now)

add_library(cordon_sanitize INTERFACE)
if(CORDON_SANITIZE)
  # CAF 0.17 binds references to null storage on purpose; see docs/decisions.
  target_compile_options(cordon_sanitize INTERFACE
    -fsanitize=address,undefined -fno-sanitize=null -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(cordon_sanitize INTERFACE -fsanitize=address,undefined)
endif()

if(CORDON_SANITIZE_THREADS)
  target_compile_options(cordon_sanitize INTERFACE -fsanitize=thread -fno-omit-frame-pointer
    -Wno-tsan)  # Boost.Asio has fences, which it does not model
  target_link_options(cordon_sanitize INTERFACE -fsanitize=thread)
endif()
if(CORDON_FUZZ)
  # Everything, so that what the fuzzer sees of a target includes all that it calls.
  add_compile_options(-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=null
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # Paths beneath the source tree do not count, so that clones share what was compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
