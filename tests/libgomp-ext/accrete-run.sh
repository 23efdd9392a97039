# accrete-run: finds its tree, sets the stage, and is gone.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
# Whatever the suite runs with.
for name in $(env | sed -n 's/^\(ACCRETE_[A-Z_]*\)=.*/\1/p') LD_PRELOAD LD_LIBRARY_PATH; do
  unset "$name"
done

# An installed tree, in a folder with a blank, reached through a link.
tree="$tmp/a tree"
mkdir -p "$tree/bin" "$tree/lib/accrete" "$tmp/elsewhere"
sed 's|cd "$bindir/[^"]*"|cd "$bindir/../lib/accrete"|' \
  "$top_builddir/libgomp-ext/accrete-run" >"$tree/bin/accrete-run"
chmod +x "$tree/bin/accrete-run"
cp "$top_builddir/libgomp-ext/.libs/libgomp-ext.so.0" "$tree/lib/accrete/"
ln -s "../a tree/bin/accrete-run" "$tmp/elsewhere/first"
ln -s first "$tmp/elsewhere/run"
run="$tmp/elsewhere/run"

# An environment is what a program would see.
out=$("$run" env)
like "$out" "^LD_PRELOAD=$tree/lib/accrete/libgomp-ext.so.0$" "preloads libgomp-ext"
unlike "$out" '^ACCRETE_|^LD_LIBRARY_PATH' "and sets nothing else"
out=$(cd "$tmp/elsewhere" && PATH=.:$PATH run env)
like "$out" "^LD_PRELOAD=$tree" "found on PATH"
out=$(LD_PRELOAD=libm.so.6 "$run" env)
like "$out" "^LD_PRELOAD=.*libgomp-ext.so.0:libm.so.6$" "keeps the user's LD_PRELOAD"
out=$("$run" --report --off env)
like "$out" '^ACCRETE_REPORT=text$' "--report"
like "$out" '^ACCRETE_OFF=1$' "--off"
like "$("$run" --report=json env)" '^ACCRETE_REPORT=json$' "--report=json"

"$run" sh -c 'exit 42'
is $? 42 "the program's exit status"
out=$("$run" printf '%s,' 'a b' '' '*')
is "$out" 'a b,,*,' "arguments arrive as they are"
out=$(sh -c 'echo $$; exec "$0" sh -c "echo \$\$"' "$run")
is "$(printf '%s\n' "$out" | sort -u | wc -l)" 1 "the program takes its place"
is "$("$run" -- echo -- x)" '-- x' "-- ends the options"

# problem STATUS ERE NAME ARGUMENTS...: one line of diagnosis and a status.
problem () {
  want=$1 ere=$2 name=$3
  shift 3
  out=$("$run" "$@" 2>&1 >/dev/null)
  is $? "$want" "$name: status"
  is "$(printf '%s\n' "$out" | wc -l)" 1 "$name: one line"
  like "$out" "$ere" "$name: names it"
}
problem 125 "unknown option '--bad'" "unknown option" --bad env
problem 125 "text, counters or json, not 'xml'" "unknown format" --report=xml env
problem 125 "no program given" "no program"
problem 127 "nosuch: no such program" "missing program" nosuch
problem 127 "no such program" "missing path" ./nosuch
problem 126 "not an executable" "a folder" "$tmp"
problem 125 "emulated GPU is not installed" "no emulated GPU" --emulate env
mkdir "$tree/lib/accrete/emu"
: >"$tree/lib/accrete/emu/libcuda.so.1"
out=$(LD_LIBRARY_PATH=/user "$run" --emulate env)
like "$out" "^LD_LIBRARY_PATH=$tree/lib/accrete/emu:/user$" "--emulate"
like "$out" "^ACCRETE_LIMITS=0$" "nothing is measured there"
out=$("$run" --check env)
like "$out" "^LD_LIBRARY_PATH=$tree/lib/accrete/emu" "--check is on the emulated GPU"
like "$out" '^ACCRETE_EMU_CHECK=1$' "--check"
like "$out" '^ACCRETE_DISABLE=pool,malloc-aggregation$' "--check: no pool"
out=$(ACCRETE_DISABLE=x "$run" --check=fail env)
like "$out" '^ACCRETE_EMU_CHECK=2$' "--check=fail"
like "$out" '^ACCRETE_DISABLE=x,pool,malloc-aggregation$' "--check keeps what else is disabled"
problem 125 "fail, not 'x'" "unknown kind of check" --check=x env
rm "$tree/lib/accrete/libgomp-ext.so.0"
problem 125 "libgomp-ext.so.0: not found" "incomplete tree" env
cp "$tree/bin/accrete-run" "$tmp/lost"
run=$tmp/lost
problem 125 "is accrete installed" "no tree" env

out=$("$run" --help)
is $? 0 "--help"
like "$out" 'ACCRETE_DISABLE' "lists the environment"
like "$("$run" --version)" '^accrete-run \(accrete\) [0-9]' "--version"

done_testing
