# ./setup where there is no apt-get: names what is missing, by what it is for.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

# Commands that are at hand, but for apt-get and what a test leaves out.
have () {
  rm -rf "$tmp/bin"
  mkdir "$tmp/bin" || exit 99
  for c; do
    ln -s "$(command -v "$c")" "$tmp/bin/" || exit 99
  done
}
# deps: what ./setup deps says.
deps () {
  out=$(cd "$top_srcdir" && PATH=$tmp/bin "$SHELL" ./setup deps 2>&1)
  status=$?
}
SHELL=$(command -v sh)
tools='autoconf automake libtoolize make g++ gfortran xz'
for c in autoconf libtoolize; do
  command -v $c >/dev/null || { skip "no $c" 'setup'; done_testing; exit; }
done

# shellcheck disable=SC2086  # a list of words
have dirname sed $tools
# A compiler that lacks nothing, as this one.
printf '#!/bin/sh\nPATH=%s exec %s "$@"\n' "$PATH" "$CC" >"$tmp/bin/gcc"
chmod +x "$tmp/bin/gcc"
deps
is "$status$out" 0 'all is there'

rm "$tmp/bin/libtoolize" "$tmp/bin/gfortran"
deps
is $status 1 'two commands less: stops'
like "$out" 'missing: the command libtoolize$' 'names the one'
like "$out" 'missing: the command gfortran$' 'and the other'
unlike "$out" 'apt-get|Debian' 'and no packages'

# A compiler without anything.
printf '#!/bin/sh\ncase $1 in -dumpversion) echo 12 ;; -print*) echo none ;; *) exit 1 ;; esac\n' \
  >"$tmp/bin/gcc"
deps
is $status 1 'a bare compiler: stops'
for what in 'headers for plugins of GCC 12' 'offload compiler for nvptx of GCC 12' \
  'libgomp.s plugin for nvptx' 'Z3 solver'; do
  like "$out" "missing: .*$what" "names: $what"
done
done_testing
