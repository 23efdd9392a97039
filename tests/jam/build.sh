# Sourced by the tests of this folder: one of its files for the emulated GPU, in
# several builds, which all print what the file prints when it is compiled for
# the host without directives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/comments.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
here=$(cd "$srcdir" && pwd)
cd "$tmp" || exit 99

# for_host FILE FLAGS...
for_host () {
  file=$here/$1
  shift
  "$(compiler "$file")" -O2 -w "$@" "$file" -o host && ./host >want
}

# compile NAME FLAGS...: $file; what the compiler says goes to NAME.log.
compile () {
  name=$1
  shift
  "$(compiler "$file")" -w $stock_flags "$@" "$file" -o "$name" \
    >"$name.log" 2>&1 && return
  ok 1 "${file##*/}: $name compiles"
  diag "$(cat "$name.log")"
  return 1
}

# build NAME FLAGS...: and compare.
build () {
  compile "$@" -specs="$specs" || return
  is "$("$run" --emulate "./$name" 2>&1)" "$(cat want)" "$name: as on the host"
}
