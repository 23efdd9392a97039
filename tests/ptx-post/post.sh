# The command ptx-post: options, errors, atomic output.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
PATH=$top_builddir/ptx-post:$PATH
unset ACCRETE_DISABLE ACCRETE_SM

in=$srcdir/cases/readonly-taken.ptx
cd "$tmp" || exit 99
case $in in /*) ;; *) in=$OLDPWD/$in ;; esac
unused=${in%/*}/unused-file.ptx

ptx-post --passes= "$in" -o same.ptx && cmp -s "$in" same.ptx
ok $? "--passes= prints the input byte for byte"
ptx-post --passes= - <"$in" | cmp -s "$in" -
ok $? "from standard input to standard output"
ptx-post --passes= -o - "$in" | cmp -s "$in" -
ok $? "-o -"
ptx-post "$in" -o all.ptx
grep -q 'ld.global.nc.f32' all.ptx && grep -q 'ld.global.u64 %a,' all.ptx
ok $? "all passes run without --passes"
ptx-post --passes=params,shuffle,readonly,addrspace "$in" | cmp -s all.ptx -
ok $? "the order of names does not matter"
ptx-post --disable=readonly "$in" >out
! grep -q '\.nc\.f32 %f0' out && grep -q 'ld.global.f32 %f0' out
ok $? "--disable"
ptx-post --disable=read-only-loads "$in" | cmp -s out -
ok $? "--disable takes both names of a pass"
ACCRETE_DISABLE=readonly ptx-post "$in" | cmp -s out -
ok $? "ACCRETE_DISABLE"
ACCRETE_DISABLE=read-only-loads,lazy-copy-back ptx-post "$in" 2>err \
  | cmp -s out - && [ ! -s err ]
ok $? "ACCRETE_DISABLE takes both names, and those of other parts"
ACCRETE_DISABLE=all ptx-post "$in" | cmp -s "$in" -
ok $? "ACCRETE_DISABLE=all"
ACCRETE_SM=30 ptx-post "$in" | cmp -s out -
ok $? "ACCRETE_SM keeps .target down"
ACCRETE_SM=30 ptx-post --max-sm=sm_35 "$in" | cmp -s all.ptx -
ok $? "--max-sm wins over it"

ptx-post --disable=readonly,frob "$in" 2>err | cmp -s out -
ok $? "an unknown name in --disable: the rest counts"
is "$(cat err)" "ptx-post: warning: --disable: unknown 'frob'" "one line of warning"
ACCRETE_DISABLE=frob ptx-post "$in" 2>err | cmp -s all.ptx -
ok $? "an unknown name in ACCRETE_DISABLE: the rest counts"
is "$(cat err)" "ptx-post: warning: ACCRETE_DISABLE: unknown 'frob'" \
  "one line of warning"
ACCRETE_SM=new ptx-post "$in" 2>err | cmp -s all.ptx -
ok $? "a bad ACCRETE_SM is ignored"
is "$(cat err)" "ptx-post: warning: ACCRETE_SM: unknown 'new' (NN: the oldest GPU that the program runs on (35); what needs a newer one is left out)" \
  "one line of warning, with what is known"
ACCRETE_SHUFFLE=hallo ptx-post "$in" 2>&1 >/dev/null | head -n 1 >err
like "$(cat err)" "ACCRETE_SHUFFLE: unknown 'hallo' \(auto, always, halo, keep or never: " \
  "a bad ACCRETE_SHUFFLE: with what is known"
ACCRETE_DISABLE=read-only-laods ptx-post "$in" 2>err >out
is "$(cat err)" "ptx-post: warning: ACCRETE_DISABLE: unknown 'read-only-laods'; is 'read-only-loads' meant?" \
  "a name with a mistake: which may be meant"
ACCRETE_SHUFLE=halo ACCRETE_ROOT=/opt ACCRETE_REPORT=text ptx-post "$in" 2>err >out
is "$(cat err)" "ptx-post: warning: ACCRETE_SHUFLE: there is no such variable; is ACCRETE_SHUFFLE meant?" \
  "a variable that there is not"
is "$(ptx-post -h)" "$(ptx-post --help)" "-h is --help"
is "$(ptx-post -V)" "$(ptx-post --version)" "-V is --version"

ptx-post --passes=addrspace,frob "$in" -o no.ptx 2>err
is "$?" 1 "an unknown pass is an error"
[ ! -e no.ptx ]; ok $? "nothing written"
like "$(cat err)" "unknown pass 'frob'" "it is named"
like "$(cat err)" "^  read-only-loads " "with the list of passes"
ptx-post --dump-after=frob "$in" >/dev/null 2>&1
is "$?" 1 "an unknown pass in --dump-after too"

ptx-post --dump-after=addrspace "$in" >out 2>err
grep -q 'ld.global.f32 %f0' err && ! grep -q '\.nc\.f32 %f0' err \
  && cmp -s all.ptx out
ok $? "--dump-after"
ptx-post --explain "$in" 2>&1 >/dev/null | head -n 1 >err
like "$(cat err)" "readonly-taken.ptx:[0-9]+: address-space-inference: (taken|left): " "--explain"

# Errors.
printf '.version 6.0\n.target sm_30\n  mov.u32 %%r1, 5' >bad.ptx
echo precious >no.ptx
ptx-post bad.ptx -o no.ptx 2>err
is "$?" 1 "a truncated file is an error"
is "$(cat no.ptx)" precious "the output keeps what it had"
is "$(cat err)" "bad.ptx:3:3: error: end of file inside a statement
  mov.u32 %r1, 5
  ^" "with place and caret"
ptx-post none.ptx -o no2.ptx 2>err
is "$?" 1 "a missing file"
like "$(cat err)" "none.ptx: No such file" "is named"
ptx-post "$in" -o none/no.ptx 2>err
is "$?" 1 "a missing output folder"
like "$(cat err)" "none/no.ptx: No such file" "is named"
[ -z "$(find . -name 'no.ptx.*')" ]; ok $? "no temporary file is left"
ptx-post >/dev/null 2>&1; is "$?" 1 "no input"
ptx-post "$in" "$in" >/dev/null 2>&1; is "$?" 1 "two inputs"
ptx-post --frob "$in" >/dev/null 2>&1; is "$?" 1 "an unknown option"
# A folder that nobody may write to: root needs one of the kernel's.
mkdir locked && chmod 555 locked
locked=$tmp/locked
! touch $locked/probe 2>err || locked=/sys
if touch $locked/probe 2>err; then
  skip "root may write everywhere" "a read-only output folder"
else
  ptx-post "$in" -o $locked/no.ptx 2>err
  is "$?" 1 "a read-only output folder"
  is "$(cat err)" "ptx-post: $locked/no.ptx: Permission denied" "one line names it"
  [ ! -e $locked/no.ptx ]; ok $? "nothing written"
fi
if [ -c /dev/full ]; then
  ptx-post "$in" -o /dev/full 2>err
  is "$?" 1 "a full disk"
  like "$(cat err)" "No space left" "is named"
  ptx-post "$in" 2>err >/dev/full
  is "$?" 1 "standard output on a full disk"
  # A limit on file size stops a write in the middle.
  (ulimit -f 0; trap '' XFSZ; ptx-post "$in" -o no.ptx 2>err)
  is "$?" 1 "a write that fails in the middle"
  is "$(cat no.ptx)" precious "the output keeps what it had"
  [ -z "$(find . -name 'no.ptx.*')" ]; ok $? "no temporary file is left"
else
  skip "no /dev/full" "a full disk"
fi

# Where the output goes.
mkfifo pipe; cat pipe >got & ptx-post "$in" -o pipe; ok $? "a pipe is written to"
wait; [ -p pipe ] && cmp -s got all.ptx; ok $? "and not replaced"
echo old >real.ptx; ln -s real.ptx link.ptx; chmod 640 real.ptx
ptx-post "$in" -o link.ptx && [ -L link.ptx ] && cmp -s real.ptx all.ptx
ok $? "a link stays a link"
is "$(stat -c %a real.ptx)" 640 "permissions stay"
(umask 027; ptx-post "$in" -o new.ptx)
is "$(stat -c %a new.ptx)" 640 "a new file follows umask"
cp "$in" in.ptx; ptx-post in.ptx -o in.ptx && cmp -s in.ptx all.ptx
ok $? "output onto the input"

# A large function that nothing uses, a comment in front of each statement as around
# assembler in the source: its comments go with it, and memory is linear.
{
  sed '/^\.func gone/,$d' "$unused"
  echo '.func gone (.param .u64 %in_ar0)'
  echo '{'
  echo '	.reg .u64 %r1;'
  awk 'BEGIN { while (i++ < 40000) print "\t// #APP " i "\n\tadd.u64 %r1, %r1, 1;" }'
  sed '1,/^	ld.param.u64/d;/\.file\|\.loc/d' "$unused"
} >large.ptx
# shellcheck disable=SC3045  # all shells that are sh here have it
(ulimit -v 1000000; ptx-post --passes=unused large.ptx -o large.out) \
  && ! grep -q '#APP\|func gone' large.out && grep -q 'entry main' large.out
ok $? "a large function is taken out"
sed '/^\/\/ END PREAMBLE/d;/^	\.file\|^	\.loc/d;/^\/\/ BEGIN FUNCTION DEF: gone/i // END PREAMBLE' \
  "$unused" | ptx-post --passes=unused - >out
is "$(sed -n '/address_size/,/entry/p' out | grep '^// [BE]')" "// END PREAMBLE
// BEGIN FUNCTION DEF: main\$_omp_fn\$0" "what stands before it stays"

like "$(ptx-post --version)" "^ptx-post \(accrete\) [0-9]" "--version"
like "$(ptx-post --help)" "--passes=NAMES" "--help"
done_testing
