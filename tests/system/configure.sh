# configure names what is missing, with its Debian package, and stops.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

try () {			# ARGS...: run configure in a fresh folder
  rm -rf "$tmp/c" && mkdir "$tmp/c" || exit 99
  out=$(cd "$tmp/c" && "$top_srcdir/configure" -q "$@" 2>&1)
  status=$?
}

wrapper () {			# NAME TEXT: an executable script in $tmp
  printf '#!/bin/sh\n%s\n' "$2" >"$tmp/$1" && chmod +x "$tmp/$1"
}

try --with-z3=/nonexistent
is $status 1 'no Z3: configure stops'
like "$out" '^configure: error: .*install libz3-dev$' 'no Z3: names the package'

wrapper cc "exec $CC -foffload=disable \"\$@\""
try CC="$tmp/cc"
is $status 1 'no offload compiler: configure stops'
like "$out" '^configure: error: .*install gcc-[0-9]+-offload-nvptx$' \
  'no offload compiler: names the package'

wrapper cxx "case \"\$*\" in *-print-file-name=plugin*) echo plugin ;; *) exec $CXX \"\$@\" ;; esac"
try CXX="$tmp/cxx"
is $status 1 'no plugin headers: configure stops'
like "$out" '^configure: error: .*install gcc-[0-9]+-plugin-dev$' \
  'no plugin headers: names the package'

wrapper cc "case \"\$*\" in *-print-file-name=libgomp-plugin*) echo libgomp-plugin-nvptx.so.1 ;; *) exec $CC \"\$@\" ;; esac"
try CC="$tmp/cc"
is $status 1 'no device plugin: configure stops'
like "$out" '^configure: error: .*install libgomp-plugin-nvptx1$' \
  'no device plugin: names the package'

done_testing
