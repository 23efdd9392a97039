# Public programs, built and run as benchmarks/apps/apps.list says: small runs on the
# emulated GPU are right.  What became of their regions, and why some are in generic
# mode, is said in a table.  Nothing is fetched.
#
# APPS  a folder with their checkouts; without it all is skipped
# ONLY  the name of one of them, or a pattern
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
apps=$top_srcdir/benchmarks/apps
awk -f "$apps/rows.awk" "$apps/apps.list" >"$tmp/rows"
[ "$(awk -F '\t' 'NF == 10' "$tmp/rows" | wc -l)" -gt 80 ] \
  && [ -z "$(awk -F '\t' 'NF != 10 || /[$][a-z]/' "$tmp/rows")" ]
ok $? "each row of apps.list has ten columns"
is "$(cut -f 1 "$tmp/rows" | sort | uniq -d)" "" "no two have one name"
[ -d "${APPS-}" ] || { skip "no folder APPS" "public programs"; done_testing; exit; }

PREFIX=$stage FORMS=ours OPT=${OPT--O2}
export PREFIX FORMS OPT
: >"$tmp/table"
while IFS='	' read -r name _ _ _ _ small _; do
  # shellcheck disable=SC2254  # a pattern
  case $name in ${ONLY-*}) ;; *) continue ;; esac
  [ "$small" != twin ] || continue
  sh "$apps/build.sh" "$APPS" "$tmp/apps" "$name" >"$tmp/log" </dev/null
  case $(cat "$tmp/log") in
    *' not built: '*) skip "$(cat "$tmp/log")" "$name"; continue ;;
  esac
  [ -x "$tmp/apps/$name.ours" ] || continue
  sh "$tmp/apps/run.sh" emulate "$name" >"$tmp/log" </dev/null
  ok $? "$name" || diag "$(tail -n 5 "$tmp/apps/logs/$name.ours.out")"
  sed '$d' "$tmp/log" >>"$tmp/table"
done <"$tmp/rows"
diag "program, SPMD kernels, regions in generic mode, on one thread:" \
  "$(cat "$tmp/table")"
done_testing
