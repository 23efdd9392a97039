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

# stale SCRIPT: rows that change nothing.
stale () {
  mistakes "$1" | while IFS='@' read -r file edit what; do
    [ "$edit" ] || continue
    # shellcheck disable=SC2046  # a list of words
    from=$(find $(folders "$1") -name "$file")
    if [ ! -f "$from" ]; then
      echo "$what: $file: ${from:-is not there}"
    elif sed "$edit" "$from" | cmp -s - "$from"; then
      echo "$what: nothing to change in $file"
    fi
  done
}

for script in $(cd "$tree/tests" && grep -l '^mutants .*<<' ./*/*mutants*.sh); do
  nothing "$(stale "$tree/tests/$script")" "${script#./} changes what it says"
  [ "$(mistakes "$tree/tests/$script" | wc -l)" -ge 5 ]; ok $? "${script#./} has some"
done
done_testing
