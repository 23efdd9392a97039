# Table 2 of the paper: shuffles found among the loads of its sixteen operators,
# in GCC's code and nvcc's; and how long it takes.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/common.sh"

# Operator, and the paper's counts.
table () {
  cat <<END
divergence 1 6
gameoflife 6 9
gaussblur 20 25
gradient 1 6
jacobi-f 6 9
lapgsrb 12 25
laplacian 2 7
matmul 0 8
matvec 0 7
sincos 0 2
tricubic 48 67
tricubic2 48 67
uxx1 3 17
vecadd 0 2
wave13pt 4 14
whispering 6 19
hypterm 12 48
rhs4th3fort 44 179
derivative 52 166
END
}

# An assembler that keeps what it is given.
mkdir "$tmp/b"
cat >"$tmp/b/as" <<END
#!/bin/sh
for file; do case \$file in *.s) cp "\$file" "$tmp/unit.ptx" ;; esac; done
exec "$top_builddir/ptx-post/as" "\$@"
END
chmod +x "$tmp/b/as"

# found OPTION...: what ptx-post, with no more than 150 MB, finds in $tmp/unit.ptx: shuffles and
# copies, loads, and the milliseconds that it takes.
found () {
  (ulimit -v 153600
   exec "$top_builddir/ptx-post/ptx-post" --explain "$@" "$tmp/unit.ptx") \
      2>&1 >/dev/null \
    | sed -n 's/.*: \([0-9]*\) shuffles and \([0-9]*\) copies of \([0-9]*\) loads.* \([0-9]*\)\.[0-9] ms$/\1 \2 \3 \4/p' \
    | awk '{ found += $1 + $2; loads += $3; time += $4 }
	   END { print found + 0, loads + 0, time + 0 }'
}

# check NAME OPTION...: against the paper's row of the operator.
check () {
  name=$1 operator=${1%-*}
  row=$(table | grep "^$operator " || table | grep "^$operator-f ") || return 0
  # shellcheck disable=SC2046,SC2086  # lists of words
  shift; set -- "$name" ${row#* } $(found "$@")
  [ "$4" -ge "$2" ]
  ok $? "$1: $4 of $5 loads (the paper: $2 of $3)"
  [ "$6" -lt 1000 ]
  ok $? "$1: in $6 ms, of 1000, and 150 MB"
}

while read -r name compiler flags source _; do
  compile "$name" "$compiler" "$flags" "$source" "$tmp/b" "$tmp/program" \
    && check "$name"
done <<END
$(operators acc worker)
END

# The loops of tricubic2 are in the way unless they are unrolled first.
compile tricubic2 cc -fopenacc,-fplugin-arg-accrete-disable=unroll \
  shuffle/tricubic2.c "$tmp/b" "$tmp/program"
like "$(found)" '^0 ' "tricubic2-acc: loops that are not unrolled"

# CUDA by hand: five of the operators, and the stencils of applications, for
# which the paper allows a distance of one lane.
: "${NVCC:=nvcc}"
while read -r operator folder delta; do
  if ! command -v "$NVCC" >/dev/null; then
    skip "no nvcc" "$operator-cuda"
    continue
  fi
  "$NVCC" -O3 -arch=sm_90 -ptx \
    "$top_srcdir/benchmarks/$folder/$operator.cu" -o "$tmp/unit.ptx" \
    </dev/null >"$tmp/log" 2>&1 || { ok 1 "$operator-cuda builds"; diag "$(cat "$tmp/log")"; continue; }
  check "$operator-cuda" --max-delta="$delta"
done <<END
jacobi codegen 31
gaussblur codegen 31
laplacian codegen 31
wave13pt codegen 31
tricubic codegen 31
hypterm shuffle 1
rhs4th3fort shuffle 1
derivative shuffle 1
END
done_testing
