# Linked device code on disk: the second start of a program does not link,
# whatever happens to the files.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1; export ACCRETE_EMU_GPU ACCRETE_EMU_STATS
compile jacobi jacobi.c -fopenacc
compile jacobi-O0 jacobi.c -fopenacc -O0
compile teams teams.c -fopenmp
cache=$tmp/cache/accrete
empty () { rm -rf "$tmp/cache"; }
# start PROGRAM...: its links, results found, kept, and lost.
start () {
  ours "$@"
  did="$(field links) $(field jit_hits) $(field jit_stores) $(field jit_lost)"
}
cold="1 0 1 0" warm="0 1 0 0" lost="1 0 0 1"

# ---- The second start -------------------------------------------------------
for p in jacobi teams; do
  empty
  stock "$tmp/$p" 4
  want="0 $out"
  is "$status" 0 "$p: stock"
  start "$tmp/$p" 4
  is "$did $status $out" "$cold $want" "$p: the first start links"
  start "$tmp/$p" 4
  is "$did $status $out" "$warm $want" "$p: the second does not"
  unlike "$err" cuLink "$p: nor is the driver asked to"
  is "$(ls -A "$cache" | grep -c -v '\.jit$')" 0 "$p: no other files"
done
is "$(stat -c %a "$cache")" 700 "the folder is the user's"
ACCRETE_DEBUG=1 ours "$tmp/jacobi" 4
like "$err" "device code loaded in [0-9.]* ms" "how long it took, for who asks"

# ---- What makes another result ----------------------------------------------
empty
start "$tmp/jacobi" 4
start "$tmp/jacobi-O0" 4
is "$did" "$cold" "other PTX"
GOMP_NVPTX_JIT=-O0 start "$tmp/jacobi" 4
is "$did" "$cold" "another option of the JIT"
ACCRETE_EMU_GPU=a100 start "$tmp/jacobi" 4
is "$did" "$cold" "another GPU"
for p in jacobi jacobi-O0; do
  start "$tmp/$p" 4
  is "$did" "$warm" "$p again"
done
GOMP_NVPTX_JIT=-O0 start "$tmp/jacobi" 4
is "$did" "$warm" "the option again"

# ---- Damage -----------------------------------------------------------------
empty
start "$tmp/jacobi" 4
want=$out
file=$(echo "$cache"/*.jit)
size=$(stat -c %s "$file")
# poke OFFSET: change a byte there.
poke () {
  old=$(dd if="$file" bs=1 skip="$1" count=1 2>/dev/null | od -An -tu1)
  printf "\\$(printf %o $((255 - old)))" \
    | dd of="$file" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
damage () {
  start "$tmp/jacobi" 4
  is "$did $status $out" "$cold 0 $want" "$1: linked again"
  start "$tmp/jacobi" 4
  is "$did $status $out" "$warm 0 $want" "$1: replaced"
}
poke 3; damage "the head"
poke 17; damage "the length of the key"
poke 24; damage "the length of the image"
poke $((size / 3)); damage "the key"
poke $((size - 20)); damage "the image"
truncate -s $((size - 1)) "$file"; damage "a byte is missing"
truncate -s 20 "$file"; damage "nearly all is missing"
: >"$file"; damage "an empty file"
echo more >>"$file"; damage "too long"
# A result that the driver refuses.
ACCRETE_EMU_FAIL=cuModuleLoadData:1 start "$tmp/jacobi" 4
is "$did $status $out" "$cold 0 $want" "the driver does not take it: linked again"

# ---- Size -------------------------------------------------------------------
empty
start "$tmp/jacobi" 4
start "$tmp/jacobi-O0" 4
both=$(cat "$cache"/* | wc -c)
export ACCRETE_JIT_CACHE_MAX=$((both - 1))
empty
start "$tmp/jacobi" 4
start "$tmp/jacobi-O0" 4
is "$did" "$cold" "two do not fit"
is "$(ls "$cache" | wc -l)" 1 "one is left"
start "$tmp/jacobi-O0" 4
is "$did" "$warm" "the newer one"
ACCRETE_JIT_CACHE_MAX=$((both + size / 2))
empty
start "$tmp/jacobi" 4
first=$(ls "$cache")
start "$tmp/jacobi-O0" 4
touch -d "1 hour ago" "$cache"/*
touch -d "2 hours ago" "$cache/$first"
start "$tmp/jacobi" 4
GOMP_NVPTX_JIT=-O0 start "$tmp/jacobi" 4
is "$(ls "$cache" | wc -l)" 2 "of three two fit"
is "$(ls "$cache" | grep -c "$first")" 1 "the one that was used stays"
ACCRETE_JIT_CACHE_MAX=0 start "$tmp/jacobi-O0" 4
is "$did" "$lost" "no room at all"
unset ACCRETE_JIT_CACHE_MAX
: >"$cache/.tmp-abandn" >"$cache/.tmp-writer"
touch -d "2 hours ago" "$cache/.tmp-abandn"
start "$tmp/jacobi-O0" 4
is "$(ls -A "$cache" | grep tmp)" .tmp-writer "what was never finished goes"

# ---- Where it is ------------------------------------------------------------
mkdir "$tmp/home"
XDG_CACHE_HOME= HOME=$tmp/home start "$tmp/jacobi" 4
is "$did" "$cold" "no XDG_CACHE_HOME"
is "$(ls "$tmp/home/.cache/accrete" | wc -l)" 1 "~/.cache"
XDG_CACHE_HOME=not/absolute HOME=$tmp/home start "$tmp/jacobi" 4
is "$did" "$warm" "an XDG_CACHE_HOME that is not absolute does not count"
for where in /dev/null "$file" /proc; do
  XDG_CACHE_HOME=$where start "$tmp/jacobi" 4
  is "$did $status $out" "$lost 0 $want" "$where cannot be written to"
  is "$(printf '%s\n' "$err" | grep -c -v '^{"accrete"\|^accrete-emu:')" 0 "in silence"
done
XDG_CACHE_HOME= HOME= start "$tmp/jacobi" 4
is "$did" "$lost" "no home"
empty
ACCRETE_DISABLE=jit_cache start "$tmp/jacobi" 4
is "$did" "1 0 0 0" "ACCRETE_DISABLE=jit_cache"
is "$(ls -A "$tmp/cache" 2>/dev/null)" "" "leaves no trace"

# ---- Many at once -----------------------------------------------------------
for turn in 1 2 3; do
  empty
  for i in 1 2 3 4 5 6; do
    LD_LIBRARY_PATH=$cuda LD_PRELOAD=$lib/libgomp-ext.so.0 ACCRETE_EMU_STATS=0 \
      ACCRETE_JIT_CACHE_MAX=$((turn * both / 2)) timeout 60 \
      "$tmp/jacobi$([ $((i % 2)) = 0 ] || echo -O0)" 4 >"$tmp/out$i" 2>&1 &
  done
  wait
  bad=0
  for i in 1 2 3 4 5 6; do
    [ "$(cat "$tmp/out$i")" = "$want" ] || bad=1
  done
  is "$bad $(ls -A "$cache" | grep -c tmp)" "0 0" "six processes, round $turn"
done
start "$tmp/jacobi" 4
start "$tmp/jacobi" 4
is "$did" "$warm" "and one more"

# ---- Errors are stock's -----------------------------------------------------
empty
for entry in cuLinkCreate:1 cuLinkAddData:1 cuLinkComplete:1 cuModuleLoadData:1; do
  export ACCRETE_EMU_FAIL=$entry
  ACCRETE_EMU_STATS=0 stock "$tmp/jacobi" 4
  want="$status $err"
  report='' ACCRETE_EMU_STATS=0 ours "$tmp/jacobi" 4
  is "$status $err" "$want" "$entry fails: as stock"
done
unset ACCRETE_EMU_FAIL
start "$tmp/jacobi" 4
is "$did" "$warm" "the last of them had linked"

done_testing
