# Which bytes of their operands regions may access (reach.cc): comments of reach/reach.c and
# others say the sections of each region's tag, with the names of operands in place of
# slots, which have u. in front where they are without a sign, in the order of the source.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"

# sections: those of the tags in $tmp/dump, a line a region.
sections () {
  awk '
    function sum(s,  t, v, n, m, i, k, to) {
      n = split (s, t, "+")
      for (i = 1; i <= n; i++) {
        m = split (t[i], v, ":")
        to = to (i > 1 ? "+" : "") v[1]
        for (k = 2; k <= m; k++)
          to = to ":" (v[k] ~ /u/ ? "u." : "") name[v[k] + 0]
      }
      return to
    }
    /^ACCRETE-TAG / {
      split ("", name)
      out = ""
      for (i = 1; i <= NF; i++)
        if ($i ~ /^src=/) { line = $i; sub (/.*:/, "", line) }
        else if (split ($i, f, /[=,]/) && f[1] == "op") name[f[2]] = f[3]
      for (i = 1; i <= NF; i++)
        if ((n = split ($i, f, /[=,]/)) && f[1] == "section") {
          out = out " " name[f[2]] "," f[3] "," f[4]
          for (k = 5; k <= n; k++)
            out = out "," sum(f[k])
        }
      print line (out ? out : " none")
    }' "$tmp/dump" | sort -n -s | sed 's/^[0-9]* //'
}

# wanted FILE: what its comments say.
wanted () {
  sed -n 's/^ *! \(.*,[rw],\)/\1/p' "$1"
  tr '\n' ' ' <"$1" | sed 's|/[*]|\n&|g' \
    | sed -n 's|^/[*] \([a-z]*,[rw],[^*]*\) [*]/.*|\1|p; s|^/[*] none [*]/.*|none|p' \
    | sed 's/  */ /g'
}

for model in openacc openmp; do
  for file in reach.c reach.f90 blocks.c; do
    [ $model$file != openaccblocks.c ] || continue
    case $file in *.c) compiler=$CC ;; *) compiler=$FC ;; esac
    $compiler -specs="$specs" -f$model -O1 -w -c -o "$tmp/reach.o" \
      -fplugin-arg-accrete-disable=resident-loops,vertical-fusion \
      -fplugin-arg-accrete-dump="$tmp/dump" "$srcdir/reach/$file" >"$tmp/log" 2>&1
    ok $? "$file, $model: compiles" || diag "$(cat "$tmp/log")"
    is "$(sections)" "$(wanted "$srcdir/reach/$file")" "$file, $model: sections"
    rm -f "$tmp/dump"
  done
done
done_testing
