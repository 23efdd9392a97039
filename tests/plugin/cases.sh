# Every file in cases/ says what the plugin must find in it, in comments:
#   FLAGS: compiler flags
#   REGION: the tag of a region, from its kind on, in the order of the source
#   CONSTANT: the operands of that region which are proved constant (in slot order)
#   DATA: what the dump says about a data construct, in the order of the source
#   REMARK: what -fopt-info-omp says about the directive on the next line (ERE)
#   GCC N: what a comment behind it says with GCC N and later ones
# Facts come before any optimization, so -O0 and -O2 -g must agree.  But for the
# tags, the plugin must not change the code: what rewrites it is off here.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/gcc.sh"
. "$top_srcdir/tests/comments.sh"
plugin=$top_builddir/plugin/.libs/accrete.so

# The data constructs in the dump, one a line; names without GCC's numbers.
data_constructs () {
  awk '
    function emit() { if (text) print text; text = "" }
    /^DATA / {
      sub (/^DATA src=.*:/, ""); sub (/ kind=/, " ")
      text = $0; separator = " "; next
    }
    text && /^  / {
      sub (/^ */, ""); gsub (/[*]_[0-9]+|[*]D[.][0-9]+/, "*_")
      text = text separator $0; separator = "; "; next
    }
    { emit() }
    END { emit() }' "$1" | sort -n -s | sed 's/^[0-9]* //'
}

# What changes regions, before or after they are looked at.
rewriters=section,kernels,fuse,spmd,nested,value,jam,equal,unroll,guard,paths,math,interchange

# Compile the case to assembly, without GCC's record of the options.
assembly () {
  # shellcheck disable=SC2086
  "$CC" $flags $level -S -o - -foffload=disable -frandom-seed=1 \
    -gno-record-gcc-switches "$@" \
    | sed '/gnu\.offload_lto_\.opts/,/\.text/d'
}

check_case () {
  file=$1 level=$2 name="${1##*/} $2"
  of_gcc "$file" >"$tmp/said"
  flags=$(expected "$file" FLAGS | head -n 1)
  # shellcheck disable=SC2086
  if ! messages=$("$CC" $flags $level -S -o /dev/null -foffload=disable \
                  -fplugin="$plugin" -fplugin-arg-accrete-dump="$tmp/dump" \
                  -fplugin-arg-accrete-disable="$rewriters" \
                  -fopt-info-omp-all "$file" 2>&1); then
    ok 1 "$name compiles" || diag "$messages"
    return
  fi
  sed -n '/^ACCRETE-TAG /{s/^\(.* src=[^ ]*:\([0-9]*\) \)/\2 \1/p;}' \
    "$tmp/dump" | sort -n -s | sed 's/^[0-9]* //' >"$tmp/tags"
  is "$(sed 's/^.* kind=/kind=/; s/ not=[^ ]*//g' "$tmp/tags")" \
    "$(expected "$tmp/said" REGION)" \
    "$name: tags"
  if grep -q CONSTANT: "$tmp/said"; then
    is "$("$builddir/constant" <"$tmp/tags" | sed 's/^[0-9]* *//')" \
      "$(expected "$tmp/said" CONSTANT)" "$name: constant operands"
  fi
  is "$(data_constructs "$tmp/dump")" "$(expected "$tmp/said" DATA)" \
    "$name: data constructs"
  is "$(sed -n 's/^ACCRETE-SITE 1 \(src=[^ ]* kind=[^ ]*\).*/\1/p' "$tmp/dump")" \
    "$(sed -n 's/^DATA //p' "$tmp/dump")" "$name: a site record each"
  assembly "$file" >"$tmp/stock.s"
  assembly -fplugin="$plugin" \
    -fplugin-arg-accrete-disable="tag,$rewriters" "$file" >"$tmp/ours.s"
  [ -s "$tmp/stock.s" ] && cmp "$tmp/stock.s" "$tmp/ours.s"
  ok $? "$name: the same code"
  is "$(printf '%s\n' "$messages" \
    | grep -c ': [a-z_ ]* region: copies ')" \
    "$(($(wc -l <"$tmp/tags") + $(grep -c '^DATA ' "$tmp/dump")))" \
    "$name: one remark a region"
  expected_at "$tmp/said" REMARK >"$tmp/remarks"
  while read -r line text; do
    line=$((line + 1))
    like "$messages" ":$line:.*: $text" "$name: remark on line $line"
  done <"$tmp/remarks"
  rm -f "$tmp/dump"
}

for file in "$srcdir"/cases/*; do
  for level in -O0 "-O2 -g"; do
    check_case "$file" "$level"
  done
done
done_testing
