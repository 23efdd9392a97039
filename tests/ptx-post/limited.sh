# Forms that differ from another one by their number of registers alone are made of
# what that is behind the last pass: no pass looks at them, all of them are there, and
# they are the same, letter by letter.  In a program the runtime writes them: the same.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
post=$top_builddir/ptx-post/ptx-post as=$top_builddir/ptx-post/as
stock=$($CC -print-prog-name=accel/nvptx-none/as)

# What all passes say about FILE, without how long it took.
explained () {
  "$post" --explain "$@" 2>&1 >"$tmp/out" | sed 's/[0-9.]* ms//' | sort
}

# "NAME LIMIT BODY" for each kernel of a unit, 0 where there is no limit.
kernels () {
  awk '/^\.entry .*[^;]$/ {
	 name = $2; limit = 0; body = ""
	 if (match ($0, /\.maxnreg [0-9]+/))
	   limit = substr ($0, RSTART + 9, RLENGTH - 9)
	 next }
       name { body = body $0 "|" }
       name && /^}/ { gsub (/[ \t]/, "_", body); print name, limit, body
		      name = "" }' "$1"
}

# Those without a limit that have not each form with 64 and 48 registers, and those
# with one that are as none without.
wrong () {
  kernels "$1" | awk '
    { kernel = $1; sub (/\$form.*/, "", kernel)
      seen[kernel, $2, $3] = 1; limits[kernel] += $2 > 0
      name[NR] = $1; limit[NR] = $2; body[NR] = $3; of[NR] = kernel }
    END { for (i = 1; i <= NR; i++)
	    if (limit[i] && !seen[of[i], 0, body[i]])
	      print name[i] " is as no other"
	    else if (!limit[i] && limits[of[i]] && name[i] ~ only)
	      for (n = 48; n <= 64; n += 16)
		if (!seen[of[i], n, body[i]])
		  print name[i] " is not there with " n " registers" }' only="$2"
}

# The kernels of an object, a line each.
objects () {
  awk '/^\.entry .*[^;]$/ { on = 1; text = "" }
       on { text = text $0 "|" }
       on && /^}/ { print text; on = 0 }' "$1" | sort
}

# CASE, how many forms with limits it has, and which kernels have such.
while read -r case count which; do
  file=$srcdir/cases/$case.ptx
  explained "$file" | grep -v 'a form with \.maxnreg' >"$tmp/with"
  mv "$tmp/out" "$tmp/$case.ptx"
  explained --registers= "$file" >"$tmp/without"
  cmp -s "$tmp/with" "$tmp/without"
  ok $? "$case: no pass looks at forms that differ by registers" \
    || diag "$(diff "$tmp/without" "$tmp/with" | head -n 20)"
  is "$(grep -c '^\.entry .*\.maxnreg' "$tmp/$case.ptx")" "$count" \
    "$case: so many are there"
  is "$(wrong "$tmp/$case.ptx" "$which")" "" "$case: each is as another one"
  is "$(grep -c '^\.entry .*maxnreg' "$tmp/out")" 0 "$case: none without --registers"
  "$as" --no-verify -o "$tmp/later.o" "$file"
  is "$(grep -c '^\.entry .*maxnreg' "$tmp/later.o") $(grep -c '^// ACC.*-LIMITED ' \
	"$tmp/later.o")" "0 $count" "$case: comments stand for them in an object"
  "$stock" --no-verify -o "$tmp/now.o" "$tmp/$case.ptx"
  "$builddir/write-limited" "$tmp/later.o" >"$tmp/written.o"
  objects "$tmp/written.o" >"$tmp/later"
  objects "$tmp/now.o" >"$tmp/now"
  cmp -s "$tmp/later" "$tmp/now"
  ok $? "$case: what the runtime makes of it is what ptx-post does" \
    || diag "$(diff "$tmp/later" "$tmp/now" | cut -c 1-200)"
done <<EOF
forms 10 .
hoist-taken 2 form
EOF
grep -q '%acr_args' "$tmp/hoist-taken.ptx"
ok $? "the last pass has done something"
done_testing
