# The passes in every order, with every shuffle that is found: the kernels compute
# what they compute without passes, bit for bit.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"
LD_LIBRARY_PATH=$top_builddir/ptx-post/emu/.libs
ACC_DEVICE_TYPE=nvidia
ACCRETE_EMU_GPU=mini
export LD_LIBRARY_PATH ACC_DEVICE_TYPE ACCRETE_EMU_GPU

# An assembler that runs the passes of $order one by one; its last argument is
# the unit.
mkdir "$tmp/b"
cat >"$tmp/b/as" <<END
#!/bin/sh
for unit; do :; done
for pass in \$order; do
  "$top_builddir/ptx-post/ptx-post" --passes=\$pass --shuffle=always \\
    "\$unit" -o "$tmp/unit.s" && cp "$tmp/unit.s" "\$unit" || exit 1
done
cp "\$unit" "$tmp/last.s"
ACCRETE_DISABLE=all exec "$top_builddir/ptx-post/as" "\$@"
END
chmod +x "$tmp/b/as"

# permute DONE LEFT...: all orders.
permute () {
  done=$1
  shift
  [ $# -gt 0 ] || { echo "$done"; return; }
  for next; do
    (left=
     for p; do [ "$p" = "$next" ] || left="$left $p"; done
     # shellcheck disable=SC2086  # a list of words
     permute "$done $next" $left)
  done
}
permute '' addrspace readonly uniform shuffle >"$tmp/orders"

for name in ${ORDERS:-gaussblur-worker}; do
  # shellcheck disable=SC2046  # a list of words
  set -- $(sh "$programs" "$name")
  order=
  export order
  compile "$1" "$2" "$3" "$4" "$tmp/b" "$tmp/plain" || continue
  want=$("$tmp/plain" 7 101 2>&1; "$tmp/plain" 6 66 2>&1)
  bad= shuffles=0 n=0
  while read -r order; do
    compile "$1" "$2" "$3" "$4" "$tmp/b" "$tmp/passes" || break
    [ "$("$tmp/passes" 7 101 2>&1; "$tmp/passes" 6 66 2>&1)" = "$want" ] \
      || bad="$bad; $order"
    ! grep -q 'shfl\.sync\.[du]' "$tmp/last.s" || shuffles=$((shuffles + 1))
    n=$((n + 1))
  done <"$tmp/orders"
  is "$n, not as without passes:$bad" "24, not as without passes:" "$name"
  is $shuffles 24 "$name: with shuffles in every order"
done
done_testing
