# accrete-plan: its output, and one clear line for each malformed input.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

plan=$top_builddir/libgomp-ext/accrete-plan
figure2=$srcdir/graphs/figure2.graph updates=$srcdir/graphs/updates.graph

# Figure 2 as the paper prints its schedule.
like "$($plan "$figure2")" '^planning time: [0-9.]+ us$' "planning time"
is "$($plan "$figure2" | sed '$d')" "schedule
  before Kernel0: upload A B C (offset 0, 12288 bytes)
  Kernel0 (device): B A -> D E
  after Kernel0: download D E (offset 16384, 8192 bytes)
  after Kernel0: free A B D
  Kernel1 (host): E B -> F G
  before Kernel2: upload F (offset 12288, 4096 bytes)
  Kernel2 (device): C F -> H I
  after Kernel2: free C
  Kernel3 (device): F H -> J K
  after Kernel3: free F
  Kernel4 (device): H E -> L M
  after Kernel4: download I J K L M (offset 24576, 20480 bytes)
  after Kernel4: free E H I J K L M
placement
  offset 0: A B C F
  offset 16384: D E I J K L M
  offset 45056: G
  offset 49152: H
startups: 11 before, 4 after, 7 saved (optimal)
device memory: 28672 bytes" "greedy"

tight=$($plan --emit=tight "$figure2")
like "$tight" 'before Kernel2: upload C F ' "tight: C goes with F"
like "$tight" '7 saved \(optimal\)' "and saves as much"

capped=$($plan --cap=16K "$figure2")
like "$capped" '^device memory: 16384 bytes' "the cap is kept"
like "$capped" 'before Kernel4: upload E ' "by uploading E again"
like "$capped" '^startups: 11 before, 7 after, 4 saved \(at most 7\)' "counts"
like "$capped" '^transfers: 12, 1 of them for lack' "and transfers"

reload=$($plan --cap=193 "$(dirname "$updates")/reload.graph")
like "$reload" '^startups: 10 before, 4 after, 6 saved \(optimal\)' \
  "what is transferred again may save a startup, and the bound knows"

in_place=$($plan - < "$updates")
like "$in_place" 'after sweep2: download grid halo norm ' "in place, from stdin"
unlike "$in_place" 'free.* grid' "what is wanted on the device stays"
for seed in '' --seed=2 --seed=3; do
  # shellcheck disable=SC2086  # an option or none
  is "$($plan --method=paper $seed "$figure2" \
    | sed -n 's/^startups: .* \(.*\) saved.*/\1/p')" 7 "the paper's method $seed"
done
is "$($plan "$updates" | sed '$d')" "$($plan "$updates" | sed '$d')" \
  "the same plan every time"

$plan --dot="$tmp/a.dot" "$figure2" > "$tmp/out"; ok $? "--dot"
is "$(grep -c ' -- ' "$tmp/a.dot")" 20 "edges of Figure 3"
like "$(cat "$tmp/a.dot")" '"C" -- "F" .*color=red' "neighbours in red"
# Kernel2 has C and F, no kernel has A and C.
like "$(cat "$tmp/a.dot")" '"C" -- "F" \[penwidth=1\.3' "operands of one kernel are nearer"
like "$(cat "$tmp/a.dot")" '"A" -- "C" \[penwidth=1[];,]' "than others"
if command -v dot > "$tmp/where"; then
  dot -Tsvg -o "$tmp/a.svg" "$tmp/a.dot"; ok $? "Graphviz reads it"
else
  skip "no Graphviz" "Graphviz reads it"
fi

# bad INPUT MESSAGE: both with printf escapes.  MESSAGE is all that comes out:
# place and reason, the line, a caret.
bad () {
  name=${2#*error: }
  name=${name%%\\n*}
  # shellcheck disable=SC2059
  printf "$1" > "$tmp/g"
  (cd "$tmp" && "$plan" g > out 2> err)
  is "$?" 1 "exit status for: $name"
  # shellcheck disable=SC2059
  is "$(cat "$tmp/err")" "$(printf "g:$2")" "message: $name"
  is "$(wc -c < "$tmp/out")" 0 "no output"
}
case $plan in /*) ;; *) plan=$PWD/$plan ;; esac

bad 'vektor A 1\n' \
  "1:1: error: expected 'vector' or 'kernel', not 'vektor'\nvektor A 1\n^"
bad 'vector\n' '1:7: error: expected the name of a vector\nvector\n      ^'
bad 'vector : 1\n' \
  "1:8: error: expected the name of a vector, not ':'\nvector : 1\n       ^"
bad 'vector A 1\nvector A 2\n' \
  "2:8: error: vector 'A' is defined twice\nvector A 2\n       ^"
bad 'vector A\n' '1:9: error: expected a size in bytes\nvector A\n        ^'
bad 'vector A 0\n' \
  '1:10: error: expected a size in bytes\nvector A 0\n         ^'
bad 'vector A 12Q\n' \
  '1:10: error: expected a size in bytes\nvector A 12Q\n         ^'
bad 'vector A 99999999999999999999\n' \
  '1:10: error: expected a size in bytes\nvector A 99999999999999999999\n         ^'
bad 'vector A 9999999999G\nvector B 9999999999G\n' \
  '2:10: error: graph is too large\nvector B 9999999999G\n         ^'
bad 'vector A 1 gpu\n' \
  "1:12: error: expected host, device or host+device, not 'gpu'\nvector A 1 gpu\n           ^"
bad 'vector A 1 host ->\n' \
  '1:19: error: expected host, device or host+device\nvector A 1 host ->\n                  ^'
bad 'vector A 1 host host\n' \
  "1:17: error: expected '->', not 'host'\nvector A 1 host host\n                ^"
bad 'vector A 1 -> host host\n' \
  "1:20: error: unexpected 'host'\nvector A 1 -> host host\n                   ^"
bad 'vector A 1 -> host # x\n' \
  "1:15: error: vector 'A' is wanted but never written\nvector A 1 -> host # x\n              ^"
bad 'kernel k gpu :\n' \
  '1:10: error: expected host or device\nkernel k gpu :\n         ^'
bad 'kernel k host A\n' \
  "1:15: error: expected ':'\nkernel k host A\n              ^"
bad 'kernel k host :\nkernel k host :\n' \
  "2:8: error: kernel 'k' is defined twice\nkernel k host :\n       ^"
bad '\tkernel k host : A\n' \
  "1:18: error: unknown vector 'A'\n\tkernel k host : A\n\t                ^"
bad 'vector A 1\n\nkernel k host : A\n' \
  "3:17: error: vector 'A' is read before it has a value\nkernel k host : A\n                ^"
bad 'vector A 1\nkernel k host : -> A A\n' \
  "2:22: error: vector 'A' is listed twice\nkernel k host : -> A A\n                     ^"
bad 'vector A 1\nkernel k host : -> A -> A' \
  "2:22: error: unknown vector '->'\nkernel k host : -> A -> A\n                     ^"
bad 'vector \000\n' '1:8: error: null character\nvector \n       ^'

# Each of these is one line that names the program or the file.
says () {
  out=$("$plan" "$@" 2>&1 > "$tmp/out")
  is "$?" 1 "exit status of $*"
  is "$(wc -c < "$tmp/out")" 0 "no output"
}
cd "$srcdir" || exit 99
says no-such-file
is "$out" "no-such-file: No such file or directory" "missing file"
says --cap=1M graphs/updates.graph
is "$out" "accrete-plan: graphs/updates.graph: kernel sweep1 needs 1118216 bytes on the device, but the cap is 1048576" "cap too small"
"$plan" --dot="$tmp/none/x" graphs/updates.graph > "$tmp/out" 2> "$tmp/err"
is "$? $(cat "$tmp/err")" \
  "1 accrete-plan: $tmp/none/x: No such file or directory" "--dot cannot write"
for option in --emit=x --method=x --tries=0 --seed=-1 --cap=1X; do
  says $option graphs/updates.graph
  like "$out" "^accrete-plan: $option|^accrete-plan: ${option%%=*}: '" \
    "message for $option"
done
says
like "$out" '^accrete-plan: no GRAPH' "no file"
says a b
like "$out" '^accrete-plan: more than one GRAPH' "two files"
"$plan" graphs/figure2.graph > /dev/full 2> "$tmp/err"
is "$?" 1 "a full disk is an error"
like "$($plan --help)" 'kernel NAME \(host \| device\)' "--help shows the format"
done_testing
