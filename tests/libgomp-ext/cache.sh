# Whatever stands where the cache or one of its files should, and whatever keeps
# the program from writing there: it runs, and soon.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini
compile jacobi jacobi.c -fopenacc
cache=$tmp/cache/accrete
limit=10
stock "$tmp/jacobi" 4
want="0 $out"
is "$status" 0 "stock"
# runs DID HOW: with so many links, hits, stores and losses.
runs () {
  ours "$tmp/jacobi" 4
  is "$(field links) $(field jit_hits) $(field jit_stores) $(field jit_lost) $status $out" \
    "$1 $want" "$2" || diag "$err"
}
cold="1 0 1 0" warm="0 1 0 0" lost="1 0 0 1"
runs "$cold" "the first start"
file=$(echo "$cache"/*.jit)
size=$(stat -c %s "$file")

# ---- In the place of a file ---------------------------------------------------
# place HOW COMMAND...: what COMMAND makes of $file; the next file replaces it.
place () {
  how=$1
  shift
  rm -rf "$file"
  "$@" 2>"$tmp/log" || { skip "$(tail -n 1 "$tmp/log")" "$how"; return; }
  runs "${after-$cold}" "$how"
  [ -n "${after-}" ] || runs "$warm" "$how: replaced"
}
place "a FIFO" mkfifo "$file"
place "a socket" perl -MIO::Socket::UNIX -e \
  'chdir shift; IO::Socket::UNIX->new (Local => shift, Listen => 1) or die' \
  "$cache" "${file##*/}"
place "a device" mknod "$file" c 5 0
place "a symbolic link" ln -s /dev/zero "$file"
place "a symbolic link to itself" ln -s "${file##*/}" "$file"
place "a large file of nothing" truncate -s 1T "$file"
after=$lost place "a folder" mkdir "$file"
rm -rf "$file"
runs "$cold" "no file"
if [ "$(id -u)" -ne 0 ]; then
  chmod 0 "$file"
  runs "$cold" "a file that cannot be read"
fi

# ---- In the place of the folder -------------------------------------------------
for what in mkfifo "ln -s nowhere" "ln -s accrete" touch; do
  rm -rf "$cache"
  case $what in
    ln*) (cd "${cache%/*}" && $what accrete) 2>/dev/null \
           || ln -sf "${what##* }" "$cache" ;;
    *) $what "$cache" ;;
  esac
  runs "$lost" "the folder: $what"
done
rm -rf "$cache"

# ---- Limits ---------------------------------------------------------------------
# A signal would end the program.  Blocks have 512 bytes, or 1024.
for blocks in 0 1 $((size / 2048)); do
  got=$(ulimit -f $blocks
        LD_LIBRARY_PATH=$cuda LD_PRELOAD=$lib/libgomp-ext.so.0 "$tmp/jacobi" 4 2>&1
        echo $?)
  is "$got" "${want#* }
0" "files of $blocks blocks at most"
done
is "$(ls -A "$cache" 2>/dev/null)" "" "nothing is left of it"
runs "$cold" "without a limit"
rm -rf "$cache"
# What a mount namespace of its own shows in the cache's place.
mkdir -p "$tmp/small"
cat >"$tmp/mounted.sh" <<'END'
mount -t tmpfs -o "$1" none "$2" || exit 77
shift 2
exec "$@"
END
for disk in 'size=4k a full disk' 'ro a read-only disk'; do
  what=${disk#* }
  unshare -m true 2>/dev/null || { skip "cannot mount" "$what"; continue; }
  got=$(LD_LIBRARY_PATH=$cuda XDG_CACHE_HOME=$tmp/small unshare -m sh \
        "$tmp/mounted.sh" "${disk%% *}" "$tmp/small" \
        env "LD_PRELOAD=$lib/libgomp-ext.so.0" "$tmp/jacobi" 4 2>&1)
  case $? in
    77) skip "cannot mount" "$what" ;;
    *) is "$got" "${want#* }" "$what" ;;
  esac
done

# ---- Users ----------------------------------------------------------------------
XDG_CACHE_HOME='' HOME=relative runs "$lost" "a relative HOME"
keep=$HOME
unset HOME XDG_CACHE_HOME
runs "$lost" "no HOME"
export HOME="$keep" XDG_CACHE_HOME="$tmp/cache"
if [ "$(id -u)" -eq 0 ]; then
  mkdir "$tmp/home"
  chown 12345 "$tmp/home"
  XDG_CACHE_HOME='' HOME=$tmp/home runs "$lost" "root with a user's HOME"
  is "$(ls -A "$tmp/home")" "" "leaves nothing there"
  mkdir -p "$cache"
  chown 12345 "$cache"
  runs "$lost" "a folder of another's"
else
  skip "not root" "folders of others"
fi
done_testing
