# Machine code that comes with a program (ACCRETE_AOT): what stands in for ptxas and
# nvlink here makes code of the emulated GPU.  A program loads it and has the driver
# compile nothing; whatever is wrong with it, the PTX is used, in silence.  Where
# CUDA's own ptxas is, it compiles too.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini TMPDIR="$tmp/tmp"
cache=$XDG_CACHE_HOME/accrete
tools=$tmp/tools
mkdir "$TMPDIR" "$tools"

# The image of the emulated GPU's linker: a head, and each unit with its length.
cat >"$tools/nvlink" <<'END'
#!/usr/bin/perl
use strict;
exit 1 if $ENV{NO_NVLINK};
my ($out, @units);
while (defined (my $a = shift)) {
  if ($a eq '-o') { $out = shift }
  elsif ($a !~ /^-/) {
    open my $f, '<:raw', $a or exit 1;
    local $/;
    push @units, substr <$f>, 20;
  }
}
open my $f, '>:raw', $out or exit 1;
print $f pack ('a16 V', "\177accrete linked", scalar @units), @units;
END
cat >"$tools/ptxas" <<'END'
#!/usr/bin/perl
use strict;
my ($out, $in, $arch, $linked);
while (defined (my $a = shift)) {
  if ($a eq '-o') { $out = shift }
  elsif ($a =~ /^-arch=(.*)/) { $arch = $1 }
  elsif ($a eq '-c') { $linked = 1 }
  else { $in = $a }
}
exit 1 if $ENV{NO_PTXAS} || $arch eq 'sm_99' || $ENV{ONLY_BASE} && !$linked;
kill 9, $$ if $ENV{KILLED_PTXAS};
open my $f, '<:raw', $in or exit 1;
local $/;
my $text = <$f>;
$text =~ s/main\$/none\$/g if $ENV{OTHER_NAMES};
open $f, '>:raw', $out or exit 1;
print $f "\177ELF of another GPU" and exit if $ENV{OTHER_CODE};
print $f pack ('a16 V Q<', "\177accrete linked", 1, length $text), $text, "\0";
END
chmod +x "$tools"/*

# build NAME FILE AOT [VAR=VALUE]...: by these tools.  Loops are to launch.
build () {
  to=$tmp/$1 file=$2 archs=$3
  shift 3
  # shellcheck disable=SC2086  # a list of words
  env PATH="$tools:$PATH" LD_LIBRARY_PATH="$stage/lib/accrete/emu" \
    ACCRETE_DEBUG=1 ACCRETE_AOT="$archs" "$@" $CC ${flags-} -O2 -fopenmp $stock_flags \
    "-specs=$specs" -fplugin-arg-accrete-disable=resident-loops "$file" -o "$to" >"$tmp/log" 2>&1 \
    || { cat "$tmp/log" >&2; exit 99; }
}
# start PROGRAM ARGS...: links, whether code came with it, and variants compiled.
start () {
  out=$(timeout 60 "$run" --emulate --report=json "$@" 2>"$tmp/err")
  status=$?
  did="$(json links "$tmp/err") $(($(json aot "$tmp/err") > 0)) $(json variants_compiled "$tmp/err")"
}
has_code () { grep -ac '^// ACCRETE-CODE 1 ' "$1"; }
empty () { rm -rf "$cache"; }
ahead="0 1 0" ptx="1 0 0"

# ---- A program with its machine code ----------------------------------------
lazy=$srcdir/lazy.c
build plain "$lazy" ''
is "$(has_code "$tmp/plain")" 0 "nobody asks: no machine code"
build lazy "$lazy" native
# The kernels, and eight variants of two of them.
is "$(has_code "$tmp/lazy")" 17 "code of this machine's GPU"
is "$(ls "$TMPDIR")" "" "no file is left"
empty
start "$tmp/plain" 60
want="$status $out"
empty
start "$tmp/lazy" 60
is "$did $status $out" "$ahead $want" "it is loaded, and nothing compiled"
is "$(json jit_stores "$tmp/err")" 0 "nor kept on disk"
# What was found to be fastest, nobody measures again.
for _ in 1 2 3 4 5 6 7 8 9 10; do
  empty
  ACCRETE_DEBUG=3 start "$tmp/lazy" 200
  grep -q 'omp_fn.0.*, form [1-8] ' "$tmp/err" && break
done
is "$(($(json aot "$tmp/err") > 3)) $(json variants_compiled "$tmp/err")" "1 0" \
  "variants come from there as well"
like "$(cat "$tmp/err")" 'omp_fn.0.*, form [1-8] ' "and are launched"

# ---- Who does not take it ---------------------------------------------------
empty
ACCRETE_DISABLE=aot start "$tmp/lazy" 3
is "${did% *}" "1 0" "ahead-of-time-compilation is off"
empty
start "$tmp/plain" 3
want="$status $out"
for how in ACCRETE_EMU_GPU=a100 GOMP_NVPTX_JIT=-O0 ACCRETE_EMU_FAIL=cuModuleLoadData:1 \
    ACCRETE_FORM=3 ACCRETE_DISABLE=lazy; do
  empty
  export "${how?}"
  start "$tmp/lazy" 3
  unset "${how%%=*}"
  export ACCRETE_EMU_GPU=mini
  is "$did $status $out" "$ptx $want" "$how: the PTX is used"
done
is "$(ACCRETE_DEVICE=0 "$run" --emulate "$tmp/lazy" 3)" "${want#* }" \
  "libgomp alone"
is "$("$run" --emulate --off "$tmp/lazy" 3)" "${want#* }" "--off"
build other "$lazy" native OTHER_CODE=1
empty
start "$tmp/other" 3
is "$did $status $out $(grep -vc '^{' "$tmp/err")" "$ptx $want 0" \
  "code that the driver refuses, in silence"
build other "$lazy" native OTHER_NAMES=1
empty
start "$tmp/other" 3
is "$did $status $out" "$ptx $want" "code that lacks the kernels"

# ---- Builds -----------------------------------------------------------------
build other "$lazy" sm_99
is "$(has_code "$tmp/other")" 0 "an architecture that ptxas does not know"
build other "$lazy" sm_99,native,sm_35
is "$(has_code "$tmp/other")" 34 "others are compiled all the same"
empty
start "$tmp/other" 3
is "$did $status $out" "$ahead $want" "the GPU's own is found among them"
build other "$lazy" native ONLY_BASE=1
empty
start "$tmp/other" 3
is "$(has_code "$tmp/other") $did $status $out" "1 $ahead $want" \
  "variants that ptxas refuses are missing"
for how in NO_PTXAS NO_NVLINK KILLED_PTXAS; do
  build other "$lazy" native $how=1
  start "$tmp/other" 3
  is "$status $out" "$want" "$how: a program all the same"
done
build other "$lazy" native TMPDIR=/nowhere
is "$(has_code "$tmp/other")" 0 "no folder for files"
build other "$lazy" nonsense,sm_,sm_9x,,native
is "$(has_code "$tmp/other") $(grep -c "ACCRETE_AOT: unknown '.*' (sm_NN" "$tmp/log")" \
  "17 3" "words that are not understood, and what is"

# Kernels that need the device's libgomp, which is edited as it is loaded.
flags=-fplugin-arg-accrete-disable=spmd
build teams "$top_srcdir/tests/libgomp-ext/teams.c" native
empty
start "$tmp/teams" 4
is "$did" "$ahead" "the device's libgomp"
want="$status $out"
ACCRETE_DISABLE=aot start "$tmp/teams" 4
is "$status $out" "$want" "same results"
empty
ACCRETE_DISABLE=arena start "$tmp/teams" 4
is "$did $status $out" "$ptx $want" "edited otherwise: the PTX is used"
flags=

# ---- CUDA's own -------------------------------------------------------------
real=
for folder in $(echo "$PATH" | tr : ' ') /usr/local/cuda/bin; do
  [ ! -x "$folder/ptxas" ] || [ ! -x "$folder/nvlink" ] || real=$folder
done
if [ -z "$real" ]; then
  skip "not here" "CUDA's ptxas"
else
  rm "$tools"/*
  PATH=$real:$PATH build real "$lazy" sm_90
  is "$(has_code "$tmp/real")" 17 "CUDA's ptxas compiles"
  code=$(sed -n 's/.*ACCRETE_AOT: \([0-9]*\) bytes.*/\1/p' "$tmp/log")
  grown=$(($(wc -c <"$tmp/real") - $(wc -c <"$tmp/plain")))
  ok $((grown > code)) "the program grows by less than its machine code" \
    || diag "by $grown, $code bytes"
  empty
  ACCRETE_EMU_GPU=h200 start "$tmp/real" 3
  is "${did% *} $out" "1 0 $(ACCRETE_EMU_GPU=h200 "$run" --emulate "$tmp/plain" 3)" \
    "the emulated GPU takes the PTX"
fi
done_testing
