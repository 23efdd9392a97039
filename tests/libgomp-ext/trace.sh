# ACCRETE_TRACE: what the file says is what the report counts and the source
# has; and what becomes of it, whatever becomes of the program.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
perl -MJSON::PP -e 1 2>/dev/null || {
  skip "no JSON::PP" "trace"
  done_testing
  exit
}
export ACCRETE_EMU_GPU=mini
unset OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID NVTX_INJECTION64_PATH
plugin=$top_builddir/plugin/.libs/accrete.so
file=$tmp/trace.json

# traced PROGRAM...: with a trace, in $file.
traced () {
  rm -f "$tmp"/trace.json*
  ACCRETE_TRACE=$file ours "$@"
}
# says FILE: into $said; fails when it is no trace.
says () {
  said=$(perl "$srcdir/trace.pl" "$1" 2>&1)
}
# value NAME: a number that the trace has.
value () {
  n=$(printf '%s\n' "$said" | sed -n "s/^$1 \([0-9]*\)$/\1/p")
  echo "${n:-0}"
}

# ---- What it says --------------------------------------------------------------
# agrees HOW: the trace with the report.
agrees () {
  says "$file"
  ok $? "$1: is a trace" || diag "$said"
  for what in h2d_copies h2d_bytes d2h_copies d2h_bytes d2d_bytes launches constructs; do
    is "$(value $what)" "$(field $what)" "$1: $what"
  done
  is "$(value kernels)" "$(field launches)" "$1: every kernel has its time"
  is "$(value cut)" 0 "$1: it is complete"
}
# places HOW SOURCE acc|mp: each directive's line and kind, and each kernel's.
places () {
  for what in construct kernel; do
    want=$(regions "$2" $3)
    [ $what = kernel ] \
      || want=$want$newline$(data "$2" $3 | sed 'p; / data$/!d; s/$/ end/')
    got=$(printf '%s\n' "$said" | sed -n "s/^$what \($2:.*\): [0-9]*$/\1/p" | sort)
    is "$got" "$(printf '%s\n' "$want" | grep . | sort)" "$1: lines of ${what}s"
  done
}
newline='
'

# Kernels of OpenMP as libgomp has them: SPMD kernels need ptx-post.
tagged="-fplugin=$plugin -fplugin-arg-accrete-disable=spmd"
for m in acc mp; do
  compile c-$m trace.c -fopen$m -lpthread $tagged
  CC=$FC compile f-$m trace.f90 -fopen$m $tagged
  for p in c f; do
    case $p in c) source=trace.c ;; *) source=trace.f90 ;; esac
    stock "$tmp/$p-$m"
    want="$status $out"
    traced "$tmp/$p-$m"
    is "$status $out" "$want" "$p-$m: the program's own output"
    agrees $p-$m
    places $p-$m $source $m
    ACCRETE_OFF=1 traced "$tmp/$p-$m"
    agrees "$p-$m, nothing optimised"
  done
done
compile untagged trace.c -fopenacc -lpthread
traced "$tmp/untagged"
agrees "stock program"
like "$said" '^construct GOACC_parallel_keyed: 40$' "stock program: entries"
ACCRETE_DEVICE=0 traced "$tmp/c-acc"
says "$file"
is "$(value constructs) $(value launches)" "80 0" \
  "ACCRETE_DEVICE=0: constructs only"

# ---- Threads and processes -----------------------------------------------------
for m in acc mp; do
  traced "$tmp/c-$m" threads
  agrees "$m, threads"
  [ "$(value threads)" -ge 4 ]
  ok $? "$m, threads: a track each"
done
# both HOW: two files, each of one process.
both () {
  set -- "$1" "$tmp"/trace.json*
  is "$#" 3 "$1: two files"
  says "$2" && first=$(value constructs) && says "$3"
  ok $? "$1: are traces" || diag "$said"
  is "$first $(value constructs)" "80 80" "$1: of one process each"
}
traced "$tmp/c-acc" fork
both "fork"
rm -f "$tmp"/trace.json*
mkfifo "$tmp/go"
(ACCRETE_TRACE=$file ours "$tmp/c-acc" stay <"$tmp/go") & first=$!
exec 3>"$tmp/go"
while [ ! -s "$file" ]; do sleep 0.1; done
ACCRETE_TRACE=$file ours "$tmp/c-mp"
exec 3>&-
wait $first
both "two programs at once"
rm -f "$tmp"/trace.json*
PMI_RANK=7 ACCRETE_TRACE=$tmp/trace.json.%r.%h.%p.%x ours "$tmp/c-acc"
is "$(cd "$tmp" && echo trace.json* | sed 's/\.[0-9]*\.%x$/.N/')" \
  "trace.json.7.$(uname -n).N" "%r, %h and %p"
OMPI_COMM_WORLD_RANK=3 ACCRETE_TRACE=$tmp/trace.json-%r ours "$tmp/c-acc"
ok "$([ -f "$tmp/trace.json-3" ]; echo $?)" "Open MPI's rank"

# ---- Programs that end otherwise -------------------------------------------------
for how in kill abort; do
  traced "$tmp/c-acc" $how
  says "$file"
  ok $? "$how: what is there is a trace" || diag "$said"
  is "$(value cut) $(value constructs) $(printf '%s\n' "$said" | grep -c ^open)" \
    "1 80 0" "$how: all that was done"
done
# killed OFF: what its trace says.
killed () {
  rm -f "$file"
  { ACCRETE_OFF=$1 ACCRETE_TRACE=$file LD_LIBRARY_PATH=$cuda \
    LD_PRELOAD=$lib/libgomp-ext.so.0 timeout -s KILL 3 "$tmp/c-mp" hang; } \
    >/dev/null 2>&1
  says "$file"
  printf '%s\n' "$said" | sed -n 's/^open //p; s/^launched //p' \
    | sed 's/^wait for .*/wait/'
}
place=$(lines trace.c 'omp target map' 'omp target')
is "$(killed 1)" "$place
wait
$place" "a kernel that hangs, and is waited for: where"
is "$(killed 0)" "wait
$place" "a kernel that hangs, and is not waited for at once: which"

# ---- Files that cannot be written ------------------------------------------------
ours "$tmp/c-acc"
want="$status $out"
# refused HOW PATH
refused () {
  ACCRETE_TRACE=$2 ours "$tmp/c-acc"
  is "$status $out" "$want" "$1: the program runs"
  is "$(printf '%s\n' "$err" | grep -c 'ACCRETE_TRACE: cannot')" 1 "$1: is named once"
}
refused "no such folder" "$tmp/none/such/trace"
refused "a folder" "$tmp"
mkfifo "$tmp/fifo"
refused "a pipe without a reader" "$tmp/fifo"
[ ! -w /dev/full ] || refused "a full disk" /dev/full
ACCRETE_TRACE=$tmp/none.json ours true
ok "$([ ! -e "$tmp/none.json" ]; echo $?)" "a program without constructs: no file"
rm -f "$tmp"/trace.json*
ACCRETE_TRACE= ours "$tmp/c-acc"
is "$(ls "$tmp" | grep -c json)" 0 "not asked for: no file"

# ---- NVTX ------------------------------------------------------------------------
mkdir "$tmp/nvtx"
$CC -shared -fPIC "$srcdir/nvtx.c" -o "$tmp/nvtx/libnvToolsExt.so.1" || exit 99
cuda=$cuda:$tmp/nvtx
ours "$tmp/c-acc"
unlike "$err" '^push' "no tool, no ranges"
NVTX_INJECTION64_PATH=/tool.so ours "$tmp/c-acc"
is "$(printf '%s\n' "$err" | grep -c '^push 0 .*trace.c:[0-9]* acc parallel$')" 40 \
  "NVTX: ranges have places"
is "$(printf '%s\n' "$err" | grep -c '^push 0') $(printf '%s\n' "$err" | grep -c '^pop 0')" \
  "100 100" "NVTX: each ends"
cuda=${cuda%:*}
NVTX_INJECTION64_PATH=/tool.so ours "$tmp/c-acc"
is "$status $out" "$want" "NVTX: without its library"

done_testing
