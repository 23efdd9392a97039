# The emulated GPU as the judge: a program built without passes, with each, and
# with all gives the same output, bit for bit.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
unset ACCRETE_DISABLE ACCRETE_SM
mkdir "$tmp/b" && ln -s "$top_builddir/ptx-post/as" "$tmp/b/as"

# build NAME WIDTH OPT: the tags come from the plugin.
build () {
  $CC "$3" -fopenacc -DWIDTH="$2" \
    -fplugin="$top_builddir/plugin/.libs/accrete.so" \
    "-foffload-options=nvptx-none=-B$tmp/b/" "$srcdir/oracle.c" \
    -o "$tmp/$1" 2>"$tmp/log" || diag "$(cat "$tmp/log")"
}
run () {
  LD_LIBRARY_PATH=$top_builddir/ptx-post/emu/.libs ACC_DEVICE_TYPE=nvidia \
    "$tmp/$1" 2>&1
}

for opt in -O2 -O0; do
  for width in 32 64; do
    ACCRETE_DISABLE=all build none $width $opt
    want=$(run none)
    like "$want" "^nested " "$opt, vectors of $width: runs without passes"
    for off in readonly addrspace frob; do
      ACCRETE_DISABLE=$off build some $width $opt
      is "$(run some)" "$want" "$opt, $width: the same without $off"
    done
  done
done

# What the last builds at -O2 had to show.
ACCRETE_DISABLE=frob build all 64 -O2
grep -aq 'ld\.global\.nc' "$tmp/all" \
  && grep -aq 'ld\.shared.*acr_window' "$tmp/all" \
  && grep -aq 'st\.local' "$tmp/all"
ok $? "each kind of rewrite is in the program"
done_testing
