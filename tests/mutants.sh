# Sourced behind tap.sh: mistakes put into the code on purpose, which tests must
# see.  Who sources it says
#   build_mutant FILE   build what is tested with $tmp/FILE in place of its own
#   survives FILE       no test finds anything, nor a crash or a hang
#
# MUTANTS  only those rows that match it, a basic regular expression
# SPDX-License-Identifier: GPL-3.0-or-later

# mutants FOLDER... <ROWS: FILE somewhere in one of them@a sed command, or nothing, so that
# it must survive@what is lost.
mutants () {
  while IFS='@' read -r file edit what; do
    printf '%s\n' "$file@$edit@$what" | grep -q -e "${MUTANTS-}" || continue
    from=$(find "$@" -name "$file")
    sed "$edit" "$from" >"$tmp/$file"
    if [ "$edit" ] && cmp -s "$tmp/$file" "$from"; then
      ok 1 "$what: nothing to change in $file"
    elif ! build_mutant "$file" >"$tmp/log" 2>&1; then
      ok 1 "$what: does not build" || diag "$(cat "$tmp/log")"
    elif [ "$edit" ]; then
      ! survives "$file"; ok $? "$what"
    else
      survives "$file"; ok $? "$what" || diag "$(head -n 5 "$tmp/log")"
    fi
  done
}
