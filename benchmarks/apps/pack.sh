#!/bin/sh
# Packs what build.sh has built for a machine with a GPU and no compiler: the programs,
# what they read, accrete, GCC's run-time libraries and run.sh.  Relocatable.
# Usage: pack.sh OUT FILE.tar.gz   (a folder that build.sh filled; what to write)
# PREFIX (stage), CC
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(cd "${1:?usage: pack.sh OUT FILE.tar.gz}" && pwd)
file=${2:?usage: pack.sh OUT FILE.tar.gz}
: "${CC:=gcc}" "${PREFIX:=$here/../../stage}"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
pack=$tmp/apps
mkdir -p "$pack/lib"
cp -R "$PREFIX" "$pack/accrete"
# The plugin's passes for the device's compiler, which is not there.
find "$pack/accrete" -name accrete-passes.so -exec rm {} +
for lib in libgomp.so.1 libgomp-plugin-nvptx.so.1 libgfortran.so.5 libquadmath.so.0 \
	   libstdc++.so.6 libgcc_s.so.1; do
  cp -L "$("$CC" -print-file-name="$lib")" "$pack/lib/"
done
if [ -e "$out/kernels.so" ]; then
  cp "$out/kernels.so" "$pack/"
  cp -L "$(ldd "$out/kernels.so" | awk '/libcupti/ { print $3 }')" "$pack/lib/"
fi
cp -R "$here/run.sh" "$out/apps.txt" "$out/data" "$out/logs" "$pack/"
git -C "$here" rev-parse --short HEAD >"$pack/commit" 2>/dev/null || :
find "$out" -maxdepth 1 \( -type f -o -type l \) \( -name '*.stock' -o -name '*.ours' \
  -o -name '*.aot' -o -name '*.cuda' \) -exec cp -P {} "$pack/" \;
find "$pack" -type f -perm -u+x ! -name '*.sh' -exec strip --strip-unneeded {} + \
  2>/dev/null || :
tar czf "$file" -C "$tmp" apps
du -m "$file" | awk '{ print $2 ": " $1 " MB"; exit $1 > 60 }'
