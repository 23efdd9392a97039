# The geometry of SPMD kernels: measured, with a driver whose clock favours one
# block size, remembered, and said by ACCRETE_GEOMETRY.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

compile exact geometry.c -fopenmp -I"$top_srcdir/libgomp-ext" '-DTAG=" exact=1"'
compile other geometry.c -fopenmp -I"$top_srcdir/libgomp-ext" '-DTAG=""'
compile columns geometry.c -fopenmp -I"$top_srcdir/libgomp-ext" \
  '-DTAG=" row=1024 columns=1"'
compile rows geometry.c -fopenmp -I"$top_srcdir/libgomp-ext" '-DTAG=" row=1024"'
compile words geometry.c -fopenmp -I"$top_srcdir/libgomp-ext" \
  '-DTAG=" row=1024 words=16"'
compile acc forms.c -fopenacc
for what in open blocks gangs; do
  compile acc-$what gangs.c -fopenacc -I"$top_srcdir/libgomp-ext" \
    "-DTAG=\" spmd=$what exact=1\""
done
cache=$XDG_CACHE_HOME
# last PROGRAM ARGS...: blocks and threads of the last launches.
last () {
  ACCRETE_GEOMETRY=${words-print} ours "$@"
  printf '%s\n' "$err" | sed -n 's/.*geometry: [^:]*: \([0-9]*\) blocks of \([0-9]*\)x.*/\1 \2/p' \
    | tail -n 1
}
fresh () { rm -rf "$cache"; }

model=$(last "$tmp/exact" 1)
is "${model#* }" 256 "the model's block"
for block in 128 512; do
  fresh
  FAKE_CUDA_FAST=$block last "$tmp/exact" 60 >"$tmp/got"
  is "$(sed 's/.* //' "$tmp/got")" $block "blocks of $block are the fastest"
done
fresh
FAKE_CUDA_FAST=256 last "$tmp/exact" 60 >"$tmp/got"
is "$(cat "$tmp/got")" "$model" "the model was right"
fresh
last "$tmp/exact" 60 >"$tmp/got"
is "$(cat "$tmp/got")" "$model" "no difference"

# Grids that leave a part of the GPU empty, of kernels that are launched many times.
for blocks in 264 528; do
  fresh
  FAKE_CUDA_GRID=$blocks last "$tmp/exact" 250 >"$tmp/got"
  is "$(cat "$tmp/got")" "$model" "few launches: not in $blocks blocks"
  FAKE_CUDA_GRID=$blocks last "$tmp/exact" 300 >"$tmp/got"
  is "$(cat "$tmp/got")" "$blocks 256" "$blocks blocks are the fastest"
  is "$(FAKE_CUDA_GRID=1 last "$tmp/exact" 20)" "$blocks 256" "... remembered"
done
fresh
FAKE_CUDA_FAST=512 FAKE_CUDA_GRID=264 last "$tmp/exact" 300 >"$tmp/got"
is "$(cat "$tmp/got")" "264 512" "a part of the best geometry"
fresh
FAKE_CUDA_GRID=264 last "$tmp/exact" 300 100000 >"$tmp/got"
is "$(cat "$tmp/got")" "391 256" "no part of few blocks is tried"
FAKE_CUDA_GRID=264 last "$tmp/exact" 300 150000 >"$tmp/got"
is "$(cat "$tmp/got")" "264 256" "... unless it is half of them"
FAKE_CUDA_GRID=264 last "$tmp/other" 300 >"$tmp/got"
is "$(cat "$tmp/got")" "$model" "... nor of what follows the geometry"

# On disk.
fresh
export FAKE_CUDA_FAST=512
ours "$tmp/exact" 60
is "$(field geometry_measured) $(field geometry_known)" "1 0" "measured"
FAKE_CUDA_FAST=128 last "$tmp/exact" 20 >"$tmp/got"
is "$(sed 's/.* //' "$tmp/got")" 512 "remembered"
ours "$tmp/exact" 60
is "$(field geometry_measured) $(field geometry_known)" "0 1" "as a known one"
ours "$tmp/exact" 60 500000
is "$(field geometry_measured)" 1 "other iterations are measured anew"
for f in "$cache"/accrete/*; do
  echo damage | dd of="$f" bs=1 seek=40 conv=notrunc 2>/dev/null
done
ours "$tmp/exact" 60
is "$(field geometry_measured) $(field geometry_known)" "1 0" "damaged files do not count"
fresh
ACCRETE_JIT_CACHE_MAX=0 last "$tmp/exact" 60 >"$tmp/got"
is "$(sed 's/.* //' "$tmp/got") $(ls "$cache"/accrete 2>/dev/null)" "512 " \
  "without a cache it is for the process"

# Where each construct waits, which defer changes, timing adds nothing to that.
fresh
ACCRETE_DISABLE=defer,tune ours "$tmp/exact" 60
syncs=$(field syncs)
ACCRETE_DISABLE=defer ours "$tmp/exact" 60
is "$(field geometry_measured) $(field syncs)" "1 $syncs" \
  "no wait is added by the measurement"

# Forms of a kernel, with the model's geometry.
form () { # PROGRAM ARGS...: of the last launch
  ACCRETE_DEBUG=3 ours "$@"
  printf '%s\n' "$err" | sed -n 's/.*cuLaunchKernel [^,]*, form \([0-9]*\).*/\1/p' \
    | tail -n 1
}
fresh
export FAKE_CUDA_FORMS=3 FAKE_CUDA_FAST=0
for n in 0 1 3; do
  fresh
  FAKE_CUDA_FORM=$n form "$tmp/exact" 60 >"$tmp/got"
  is "$(cat "$tmp/got")" $n "the fastest form is $n"
done
is "$(FAKE_CUDA_FORM=1 form "$tmp/exact" 20)" 3 "remembered"
is "$(FAKE_CUDA_FORM=3 last "$tmp/exact" 20)" "$model" "the model's geometry"
is "$(FAKE_CUDA_FORM=3 form "$tmp/exact" 3)" 0 "few launches: the kernel itself"
fresh
is "$(FAKE_CUDA_FORM=2 form "$tmp/other" 60)" 2 "results that follow the geometry"
fresh
is "$(ACCRETE_DISABLE=tune FAKE_CUDA_FORM=2 form "$tmp/exact" 60)" 0 "disabled"
fresh
is "$(FAKE_CUDA_FORM=2 form "$tmp/acc" 60)" 2 "OpenACC"
is "$(FAKE_CUDA_FORM=3 form "$tmp/acc" 60)" 2 "... remembered"
is "$(FAKE_CUDA_FORM=3 form "$tmp/acc" 60 500)" 3 "other sizes"
fresh
is "$(FAKE_CUDA_FORM=1 form "$tmp/acc" 60 500 async)" 1 "a queue"
unset FAKE_CUDA_FORMS FAKE_CUDA_FORM
export FAKE_CUDA_FAST=512

# OpenACC, as far as it is open.
unset FAKE_CUDA_FAST
shape () {			# of the last launch
  ACCRETE_DEBUG=3 ours "$@"
  printf '%s\n' "$err" | sed -n 's/.*cuLaunchKernel [^(]*\(([^)]*) ([^)]*)\).*/\1/p' \
    | tail -n 1
}
is "$(shape "$tmp/acc-open" 1 100000)" "(100000,1,1) (256,1,1)" "OpenACC: blocks of 256"
is "$(shape "$tmp/acc-open" 1 17)" "(136,1,1) (32,1,1)" "few iterations: blocks of a warp"
is "$(shape "$tmp/acc-open" 1 16)" "(256,1,1) (16,1,1)" "fewer: blocks of a part of it"
is "$(shape "$tmp/acc-open" 1 1)" "(256,1,1) (1,1,1)" \
  "hardly more than multiprocessors: a block for each"
is "$(shape "$tmp/acc-blocks" 1 132)" "(132,1,1) (256,1,1)" "the program's workers and lanes"
is "$(shape "$tmp/acc-gangs" 1 132)" "(132,1,1) (32,8,1)" "the program's gangs, too"
is "$(shape "$tmp/acc-blocks" 1 16)" "(128,1,1) (32,1,1)" \
  "fewer workers, where multiprocessors would be idle"
is "$(shape "$tmp/acc-gangs" 1 16)" "(128,1,1) (32,1,1)" "... and as many threads"
is "$(shape "$tmp/acc-gangs" 1 50)" "(200,1,1) (32,2,1)" "... no fewer than need be"
is "$(GOMP_OPENACC_DIM=16:8 shape "$tmp/acc-gangs" 1 16)" "(16,1,1) (32,8,1)" \
  "... but where the user says it"
is "$(GOMP_OPENACC_DIM=5:3 shape "$tmp/acc-open" 1 16)" "(5,1,1) (96,1,1)" \
  "GOMP_OPENACC_DIM"
is "$(GOMP_OPENACC_DIM=5:3 shape "$tmp/acc-blocks" 1 16)" "(5,1,1) (256,1,1)" \
  "... for gangs alone"
is "$(GOMP_OPENACC_DIM=::64 shape "$tmp/acc-open" 1 16)" "(64,1,1) (64,1,1)" \
  "... for lanes alone"
is "$(ACCRETE_DISABLE=geometry shape "$tmp/acc-open" 1 16)" "(16,1,1) (32,8,1)" \
  "disabled"
is "$(ACCRETE_GEOMETRY=7x64 shape "$tmp/acc-open" 1 16)" "(7,1,1) (64,1,1)" \
  "ACCRETE_GEOMETRY"
fresh
FAKE_CUDA_FAST=512 shape "$tmp/acc-open" 60 100000 >"$tmp/got"
is "$(cat "$tmp/got")" "(50000,1,1) (512,1,1)" "measured"
fresh
FAKE_CUDA_FAST=128 shape "$tmp/acc-blocks" 60 1000 >"$tmp/got"
is "$(cat "$tmp/got")" "(2000,1,1) (128,1,1)" "measured below the program's"
FAKE_CUDA_FAST=128 shape "$tmp/acc-gangs" 60 1000 >"$tmp/got"
is "$(cat "$tmp/got")" "(2000,1,1) (32,4,1)" "measured around the program's"
for word in model 64; do
  ACCRETE_GEOMETRY=$word FAKE_CUDA_FAST=128 shape "$tmp/acc-gangs" 60 1000 >"$tmp/got"
  is "$(cat "$tmp/got")" "(1000,1,1) (32,8,1)" "... not with ACCRETE_GEOMETRY=$word"
done
export FAKE_CUDA_FAST=512

# Tiles of a nest; with the form, which is measured first, and then they for it.
compile nest geometry.c -fopenmp -I"$top_srcdir/libgomp-ext" \
  '-DTAG=" exact=1 nest=2 tiles=1"'
block () { shape "$@" | sed 's/.* //'; }
fresh
unset FAKE_CUDA_FAST
is "$(FAKE_CUDA_ROWS=2 block "$tmp/nest" 60)" "(128,2,1)" "tiles of 128"
fresh
is "$(FAKE_CUDA_ROWS=8 block "$tmp/nest" 60)" "(32,8,1)" "tiles of 32"
is "$(FAKE_CUDA_ROWS=2 block "$tmp/nest" 20)" "(32,8,1)" "... remembered"
is "$(FAKE_CUDA_ROWS=2 block "$tmp/exact" 60)" "(256,1,1)" "no nest, no tiles"
export FAKE_CUDA_FORMS=3
fresh
FAKE_CUDA_FORM=2 FAKE_CUDA_ROWS=2 block "$tmp/nest" 80 >"$tmp/got"
is "$(cat "$tmp/got") $(FAKE_CUDA_FORM=1 form "$tmp/nest" 20)" "(128,2,1) 2" \
  "the best form, and its tiles"
is "$(ACCRETE_GEOMETRY=9x64*4 shape "$tmp/nest" 1)" "(9,1,1) (64,4,1)" \
  "ACCRETE_GEOMETRY=9x64*4"
is "$(ACCRETE_GEOMETRY=9x64*4 shape "$tmp/exact" 1)" "(9,1,1) (256,1,1)" \
  "... without a nest"
ACCRETE_GEOMETRY=all ACCRETE_TIMES=1 report=counters ours "$tmp/nest" 100
found=$(printf '%s\n' "$err" | sed -n 's/.*kernel main[^ ]* \(form [0-3], .*\): [0-9]* launches timed.*/\1/p')
is "$(echo "$found" | sort -u | wc -l) $(echo "$found" | grep -c 'form 3, .* of 32x8$')" \
  "$((4 * 8)) 1" "all in turn, told apart"
unset FAKE_CUDA_FORMS
export FAKE_CUDA_FAST=512

# What may not vary.
fresh
is "$(last "$tmp/other" 60)" "$model" "results that follow the geometry"
# As many columns a block as leave none idle, as many threads as the GPU has.
is "$(last "$tmp/columns" 1 16384) $(last "$tmp/columns" 1 9000)" "512 512 282 512" "columns"
is "$(last "$tmp/columns" 1 4096) $(last "$tmp/columns" 1 2048) $(last "$tmp/columns" 1 60)" \
  "128 1024 128 1024 8 1024" "few columns"
is "$(last "$tmp/columns" 1 1000000)" "8448 256" "many columns"
# As wide rows as fill the GPU; a warp where that loads twice as much and half fill it.
is "$(last "$tmp/rows" 1 8448) $(last "$tmp/rows" 1 8447) $(last "$tmp/rows" 1 2112)" \
  "1056 32 2112 64 1056 128" "rows"
is "$(last "$tmp/words" 1 4224) $(last "$tmp/words" 1 4223)" "528 32 2112 128" \
  "rows that load several words at a time"
for name in tune geometry launch; do
  ACCRETE_DISABLE=$name ours "$tmp/exact" 60
  is "$(field geometry_measured)" 0 "disabled: $name"
done
fresh
words=print,model
is "$(last "$tmp/exact" 60)" "$model" "ACCRETE_GEOMETRY=model"
words=print,64
is "$(last "$tmp/exact" 60)" "15625 64" "ACCRETE_GEOMETRY=64"
words='print,100x96'
is "$(last "$tmp/exact" 60)" "100 96" "ACCRETE_GEOMETRY=100x96"
words='print,nothing=64,main$=7x32'
is "$(last "$tmp/exact" 60)" "7 32" "a kernel's name"
words='print,nothing=64'
is "$(last "$tmp/exact" 1)" "$model" "another's"
for words in 0 x 64x 12y = main= print-it 4x4x4 4x4*0 4*4*4 32*4000; do
  ACCRETE_GEOMETRY=$words ours "$tmp/exact" 1
  like "$err" 'ACCRETE_GEOMETRY: .* is not valid' "not valid: $words"
done
words=print

# The emulated GPU, whose clock is the host's: grids that leave a part of it empty have
# their turn, and the same results.
on_emulated_gpu
export ACCRETE_EMU_GPU=mini
unset FAKE_CUDA_FAST
compile part.stock part.c -fopenmp
marked part part.c -fopenmp
stock "$tmp/part.stock" 600
wanted
fresh
ACCRETE_DEBUG=3 ours "$tmp/part" 600
is "$status$out" "$want" "parts of the GPU: the same results"
for blocks in 8 4; do
  like "$err" "cuLaunchKernel [^(]*[(]$blocks," "... of which $blocks blocks have had their turn"
done
done_testing
