# Mistakes that tests make in the sources on purpose (tests/mutants.sh) go on being
# mistakes: what a row says to change is there.  The tests themselves take long, and are
# run seldom.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/docs/pages.sh"

# mistakes SCRIPT: its rows, but for those that the script makes itself.
mistakes () {
  awk '/^END$/ { on = 0 }
    on && !/\$\(/
    /^mutants .*<</ { on = 1 }' "$1"
}

# folders SCRIPT: where the files of its rows are.
folders () {
  line=$(grep '^mutants .*<<' "$1")
  for folder in plugin libgomp-ext:ext ptx-post:post; do
    case $line in
      *"/${folder%:*}\""* | *"\"\$${folder#*:}\""*) echo "$tree/${folder%:*}" ;;
    esac
  done
}

# stale FILE EDIT WHAT FOLDER...: what is wrong with that row.
stale () {
  file=$1 edit=$2 what=$3
  shift 3
  from=$(find "$@" -name "$file")
  if [ ! -f "$from" ]; then
    echo "$what: $file: ${from:-is not there}"
  elif sed "$edit" "$from" | cmp -s - "$from"; then
    echo "$what: nothing to change in $file"
  fi
}

# stale_rows SCRIPT: rows that change nothing.
stale_rows () {
  mistakes "$1" | while IFS='@' read -r file edit what; do
    # shellcheck disable=SC2046  # a list of words
    [ -z "$edit" ] || stale "$file" "$edit" "$what" $(folders "$1")
  done
}

for script in $(cd "$tree/tests" && grep -l '^mutants .*<<' ./*/*mutants*.sh); do
  nothing "$(stale_rows "$tree/tests/$script")" "${script#./} changes what it says"
  [ "$(mistakes "$tree/tests/$script" | wc -l)" -ge 5 ]; ok $? "${script#./} has some"
done

# Where a mistake is a call: mutant FILE [TEST] EDIT WHAT.
# shellcheck disable=SC2317  # called by the rows
mutant () {
  file=$1
  shift
  [ $# -eq 2 ] || shift
  calls=$((calls + 1))
  stale "$file" "$1" "$2" "$in" >>"$tmp/stale"
}

for script in $(cd "$tree/tests" && grep -l '^mutant [a-z]' ./*/*mutants*.sh); do
  in=$tree/ptx-post/$(basename "$(dirname "$script")")
  [ -d "$in" ] || in=$tree/ptx-post
  sed -n '/^mutant [a-z]/,$p' "$tree/tests/$script" | grep -v '^done_testing' >"$tmp/rows"
  calls=0
  : >"$tmp/stale"
  . "$tmp/rows"
  nothing "$(cat "$tmp/stale")" "${script#./} changes what it says"
  [ "$calls" -ge 5 ]; ok $? "${script#./} has some ($calls)"
done
done_testing
