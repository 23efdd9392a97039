# Test Anything Protocol for shell tests; source it first.  POSIX sh.
#   ok STATUS NAME      is NAME fine?  STATUS as in $?
#   is GOT WANT NAME    do the strings agree?
#   like TEXT ERE NAME  does a line of TEXT match?
#   unlike TEXT ERE NAME
#   skip WHY NAME
#   done_testing        last line
# $tmp is a fresh folder, removed at exit; caches of programs go there.
# SPDX-License-Identifier: GPL-3.0-or-later

tap_count=0 tap_failed=0
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
XDG_CACHE_HOME=$tmp/cache; export XDG_CACHE_HOME
trap 'exit 99' HUP INT TERM

ok () {
  tap_count=$((tap_count + 1))
  if [ "$1" -eq 0 ]; then
    echo "ok $tap_count - $2"
  else
    tap_failed=$((tap_failed + 1))
    echo "not ok $tap_count - $2"
    return 1
  fi
}

diag () { printf '%s\n' "$*" | sed 's/^/# /'; }

is () {
  [ "$1" = "$2" ]; ok $? "$3" || { diag "got:  $1"; diag "want: $2"; return 1; }
}

like () {
  printf '%s\n' "$1" | grep -Eq -- "$2"; ok $? "$3" \
    || { diag "no match for: $2"; diag "in: $1"; return 1; }
}

unlike () {
  ! printf '%s\n' "$1" | grep -Eq -- "$2"; ok $? "$3" \
    || { diag "unwanted match for: $2"; diag "in: $1"; return 1; }
}

skip () {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $2 # SKIP $1"
}

done_testing () { echo "1..$tap_count"; [ "$tap_failed" -eq 0 ]; }
