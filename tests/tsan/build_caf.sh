#!/usr/bin/env bash
# usage: build_caf.sh DIRECTORY: DIRECTORY/lib/libcaf_core.so, this system's version of CAF built with
# ThreadSanitizer. The source is the archive in Debian's source package, from where this system gets its
# packages; apt checks their signature, and by it the archive. Debian's own few patches are left out: they
# touch no header, which is compared, and not every mirror has them. What was built before is kept.
set -euo pipefail

directory=$(realpath -m -- "$1")
package=$(dpkg-query -W -f '${source:Package}=${source:Version}' libcaf-dev)
flags='-std=c++14 -fsanitize=thread -g -O1 -fno-omit-frame-pointer -Wno-tsan'

[[ $(cat -- "$directory/built" 2>/dev/null) != "$package $flags" ]] || exit 0
rm -rf -- "$directory"
mkdir -p -- "$directory"/{apt,cache/archives/partial,lists/partial,source}

# The system's own sources of packages, but for source packages.
shopt -s nullglob
for list in /etc/apt/sources.list{,.d/*.list}; do
  [[ ! -f $list ]] || sed -nE 's/^deb([[:space:]])/deb-src\1/p' "$list" >"$directory/apt/${list##*/}"
done
for list in /etc/apt/sources.list.d/*.sources; do
  sed -E 's/^Types:.*/Types: deb-src/' "$list" >"$directory/apt/${list##*/}"
done

apt=(apt-get -q -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$directory/apt"
  -o "Dir::State::Lists=$directory/lists" -o "Dir::Cache=$directory/cache"
  -o Acquire::AllowInsecureRepositories=false -o APT::Get::AllowUnauthenticated=false)
"${apt[@]}" -o APT::Update::Error-Mode=any update
(cd -- "$directory" && "${apt[@]}" source --only-source --tar-only "$package")
tar -xf "$directory"/*.orig.tar.* --strip-components=1 -C "$directory/source"

launcher=$(command -v ccache) || true
cmake -S "$directory/source" -B "$directory/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_CXX_FLAGS="$flags" ${launcher:+"-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher"} \
  -DLIBRARY_OUTPUT_PATH="$directory/lib" \
  -DCAF_NO_{IO,OPENCL,OPENSSL,PYTHON,TOOLS,EXAMPLES,UNIT_TESTS}=ON
# Programs are compiled with the system's headers: they have to be this library's.
for folder in "$directory"/{source,build}/libcaf_core; do
  (cd -- "$folder" && find caf -name '*.hpp' -print0 |
    xargs -0 -I HEADER cmp -- HEADER /usr/include/HEADER)
done
cmake --build "$directory/build" --target libcaf_core_shared
rm -rf -- "$directory"/{apt,build,cache,lists} "$directory"/*.orig.tar.*
printf '%s' "$package $flags" >"$directory/built"
