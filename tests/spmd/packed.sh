# Generated programs packed for a machine without a compiler, and run there.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
command -v perl >/dev/null || { skip "no perl" "packed programs"
                                done_testing; exit; }
ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
export ACCRETE_EMU_GPU ACC_DEVICE_TYPE

sh "$srcdir/pack-programs.sh" "$tmp/packed" 6 -specs="$specs" >"$tmp/log" 2>&1
ok $? "programs are packed" || diag "$(cat "$tmp/log")"
is "$("$run" --emulate sh "$tmp/packed/run-programs.sh" 2>&1)" \
  "6 generated programs passed, 0 failed" "they run"

# Of these, the second ends all, and the third computes something else.
mkdir "$tmp/broken"
cat >"$tmp/program" <<'END'
#!/bin/sh
for i in 1 2 3 4; do
  [ $i -ge $1 ] || continue
  printf '%s ' $i
  case $i in
    2) exit 1 ;;
    3) echo FAILED ;;
    *) echo ok ;;
  esac
done
END
gzip -c "$tmp/program" >"$tmp/broken/x.gz"
seq 5 >"$tmp/broken/numbers"
cp "$srcdir/run-programs.sh" "$tmp/broken/"
out=$(sh "$tmp/broken/run-programs.sh")
ok $((! $?)) "what does not run has failed"
is "$out" "2 
3 FAILED
2 generated programs passed, 3 failed" "and is counted"
done_testing
