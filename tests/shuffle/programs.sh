# The operators of the paper with every shuffle that is found, on the emulated
# GPU: the output is that of the build without, bit for bit.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"
mkdir "$tmp/b" && ln -s "$top_builddir/ptx-post/as" "$top_builddir/ptx-post/ld" "$tmp/b/"
LD_LIBRARY_PATH=$top_builddir/ptx-post/emu/.libs
ACC_DEVICE_TYPE=nvidia
ACCRETE_EMU_GPU=mini
export LD_LIBRARY_PATH ACC_DEVICE_TYPE ACCRETE_EMU_GPU

# Row lengths: less than a warp, and some remainders modulo 32, or all modulo 32
# and 128.  The other dimensions are up to so much more than 5, any remainder.
sizes="2 5 9 33 65 66 67 81 95 96 97 98 126 161" more=8
[ "${SHUFFLE_SIZES-}" != all ] || more=196 sizes=$(seq 2 200)

while read -r name compiler flags source small _; do
  for mode in never always halo; do
    ACCRETE_SHUFFLE=$mode
    export ACCRETE_SHUFFLE
    compile "$name" "$compiler" "$flags" "$source" "$tmp/b" "$tmp/$mode" \
      || continue 2
  done
  bad=
  for x in $sizes; do
    case $small in
      *,*,*) rest="$((5 + x % 3)) $((5 + x * 7 % more))" ;;
      *) rest=$((5 + x * 37 % more)) ;;
    esac
    # shellcheck disable=SC2086  # a list of words
    want=$("$tmp/never" $rest "$x" 2>&1) || bad="$bad $x-fails"
    for mode in always halo; do
      # shellcheck disable=SC2086
      [ "$("$tmp/$mode" $rest "$x" 2>&1)" = "$want" ] || bad="$bad $mode-$x"
    done
  done
  is "$bad" "" "$name: the same with shuffles"
done <<END
$(operators acc worker)
END
done_testing
