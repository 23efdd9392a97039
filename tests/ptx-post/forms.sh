# NVIDIA's own assembler, where there is one, asks for what forms.ptx says.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
give_up () { skip "$1" "ptxas asks for what forms.ptx says"; done_testing; exit; }
command -v ptxas >/dev/null || give_up "no ptxas"
printf '.version 9.0\n.target sm_100\n' >"$tmp/empty.ptx"
ptxas -arch=sm_100 -c "$tmp/empty.ptx" -o "$tmp/cubin" 2>/dev/null \
  || give_up "this ptxas does not know all forms"

# "line version target": what the file says, and what ptxas wants of an old unit.
# Registers of 128 bits would be an error of their own there.
awk '/^\/\/ needs/ { need = $3 " " $4 }
     /^\t[a-z].*;/ && need && !/^\tret;/ && !/%q/ { print NR, need }' \
  "$srcdir/forms.ptx" >"$tmp/want"
sed -e 's/^\.version.*/.version 2.3/' -e 's/^\.target.*/.target sm_20/' \
  -e 's/.*%q.*//' "$srcdir/forms.ptx" >"$tmp/old.ptx"
ptxas -arch=sm_100 -c "$tmp/old.ptx" -o "$tmp/cubin" >"$tmp/log" 2>&1
sed -n 's/.*, line \([0-9]*\);.* requires PTX ISA .version \([0-9]\)\.\([0-9]\).*/\1 \2\3 0/p
	s/.*, line \([0-9]*\);.* requires .target sm_\([0-9]*\).*/\1 0 \2/p' \
  "$tmp/log" >"$tmp/asked"
awk 'NR == FNR { if ($2 > v[$1] + 0) v[$1] = $2; if ($3 > t[$1] + 0) t[$1] = $3
		 next }
     { print $1, v[$1] + 0, t[$1] + 0 }' "$tmp/asked" "$tmp/want" >"$tmp/got"
diff "$tmp/want" "$tmp/got" >"$tmp/out"
ok $? "ptxas asks for what forms.ptx says ($(wc -l <"$tmp/want") forms)" \
  || diag "$(head -n 20 "$tmp/out")"
done_testing
