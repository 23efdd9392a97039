# Remarks that say what to change: each file of remarks/ says in comments above a
# directive, for OpenACC and OpenMP alike, what -fopt-info-omp says of it.
#   SAYS: what was done (ERE)
#   MISSED: [-acc:|-omp:] what could be better; no directive has another
# Loops over directives are tests/resident's.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
plugin=$top_builddir/plugin/.libs/accrete.so

# expected WORD FILE acc|omp: "LINE TEXT" for each comment of WORD and the directive of
# that model below it.
expected () {
  awk -v word="$1:" -v model="$3" -v other="$([ $3 = acc ] && echo omp || echo acc)" '
    $2 == word {
      text = substr ($0, index ($0, word) + length (word) + 1)
      sub (/ *\*\/$/, "", text)
      if (sub ("^-" other ": ", "", text)) next
      sub ("^-" model ": ", "", text)
      texts[n++] = text
    }
    $1 == "#pragma" && $2 == model || index ($0, "!$" model) == 1 {
      for (i = 0; i < n; i++)
	print NR, texts[i]
    }
    # The second of the two directives ends it.
    $1 == "#pragma" && $2 == "omp" || index ($0, "!$omp") == 1 { n = 0 }' "$2"
}

all=
for file in "$srcdir"/remarks/advice.*; do
  for model in acc omp; do
    case $model in acc) flag=-fopenacc ;; *) flag=-fopenmp ;; esac
    name="${file##*/} $model"
    if ! messages=$("$CC" -O2 $flag -c -o /dev/null -fplugin="$plugin" \
                    -fplugin-arg-accrete-disable=resident-loops \
                    -fopt-info-omp-all "$file" 2>&1); then
      ok 1 "$name compiles" || diag "$messages"
      continue
    fi
    all=$all$messages
    expected SAYS "$file" $model >"$tmp/says"
    while read -r line text; do
      like "$messages" ":$line:[0-9]*: optimized: .*$text" "$name: line $line"
    done <"$tmp/says"
    expected MISSED "$file" $model >"$tmp/missed"
    while read -r line text; do
      like "$messages" ":$line:[0-9]*: missed: .*$text" "$name: what is missed on line $line"
    done <"$tmp/missed"
    is "$(printf '%s\n' "$messages" | grep ': missed: ' | sed 's/^[^:]*:\([0-9]*\):.*/\1/' \
	  | sort -n | uniq -c)" \
      "$(sed 's/ .*//' "$tmp/missed" | sort -n | uniq -c)" "$name: and no more"
  done
done
unlike "$all" '\<1 [a-z]*s\>' "no plural of one"
done_testing
