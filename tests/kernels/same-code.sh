# A stencil as `acc kernels' becomes the same SPMD kernel as with `acc
# parallel': the device code of the two differs by no more than how the bounds
# are computed.  So it does when independence has to be proved, though then a
# kernel for the other case is there as well.  And the runtime is told the same
# of them, so that they get the same grid and block.  (That other kernel is one
# thread's.)
#
# SAME_CODE_PROGRAMS  some of the benchmark programs (programs.sh)
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
benchmarks=$(cd "$top_srcdir/benchmarks" && pwd)

# Instructions of the SPMD kernel of program NAME, by their names: all, and
# those of memory and control, into $tmp/NAME.count as "all NUMBER" and others.
count_code () {			# NAME
  mkdir "$tmp/$1"
  sh "$benchmarks/programs.sh" "$1" | (
    cd "$tmp/$1" || exit
    read -r _ compiler flags source _
    case $compiler in
      cc) with=$CC ;;
      *) with=$FC ;;
    esac
    # shellcheck disable=SC2046
    $with -specs="$specs" -O2 $(echo "$flags" | tr , ' ') $stock_flags -save-temps \
      "$benchmarks/$source" -o prog -lm >log 2>&1
    cat prog.xnvptx-none.mkoffload*.s
  ) | awk '
    /^\.(entry|func).*[^;]$/ { n = split ("", body) }
    { body[++n] = $0 }
    /^}/ { text = ""
           for (i = 1; i <= n; i++) text = text body[i] "\n"
           if (text ~ / spmd=open/ && text !~ / stock=1,1,/) printf "%s", text }
  ' >"$tmp/$1.body"
  awk '
    / spmd=open/ && !said++ {
      for (i = 1; i <= NF; i++) if ($i ~ /^(row|nest|tiles|exact)=/) print $i }
  ' "$tmp/$1.body" >"$tmp/$1.facts"
  awk '
    { sub (/^[ \t]*@[ \t]*!?[ \t]*%r[0-9]+/, ""); sub (/^[ \t]+/, "") }
    /^[a-z]/ { all++; name = $1; sub (/;.*/, "", name)
               if (name ~ /^(ld|st|bra|call|div|rem|atom|bar)/) n[name]++ }
    END { print "all", all + 0; for (i in n) print i, n[i] | "sort" }
  ' "$tmp/$1.body" >"$tmp/$1.count"
}

all_of () { sed -n 's/^all //p' "$tmp/$1.count"; }
others_of () { grep -v '^all ' "$tmp/$1.count"; }

for program in ${SAME_CODE_PROGRAMS-laplacian jacobi-f triad}; do
  count_code "$program-acc"
  parallel=$(all_of "$program-acc")
  [ "${parallel:-0}" -gt 20 ] && [ -s "$tmp/$program-acc.facts" ]
  ok $? "$program: an SPMD kernel" || diag "$(cat "$tmp/$program-acc/log")"
  for form in kernels auto; do
    count_code "$program-$form"
    is "$(others_of "$program-$form")" "$(others_of "$program-acc")" \
      "$program, $form: the same memory accesses and branches"
    is "$(cat "$tmp/$program-$form.facts")" \
      "$(cat "$tmp/$program-acc.facts")" "$program, $form: the same facts"
    n=$(all_of "$program-$form")
    [ $((100 * n)) -le $((102 * parallel)) ]
    ok $? "$program, $form: as many instructions" || diag "$n, not $parallel"
  done
done
done_testing
