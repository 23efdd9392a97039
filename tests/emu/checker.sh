# The checker under programs that stock GCC compiles: each of these changes to
# a program that is right gives one report, with the source line; unchanged
# they give none.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

LD_LIBRARY_PATH=$top_builddir/ptx-post/emu/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY
export LD_LIBRARY_PATH ACCRETE_EMU_GPU ACC_DEVICE_TYPE OMP_TARGET_OFFLOAD
unset ACCRETE_EMU_CHECK
cp "$srcdir/checker-acc.c" "$srcdir/checker-omp.c" "$tmp"
cd "$tmp" || exit 99

build () {			# FILE: prog-FILE
  case $1 in
    *omp*) model=-fopenmp ;;
    *) model=-fopenacc ;;
  esac
  $CC -g -O2 $model -foffload=nvptx-none \
    -foffload-options=nvptx-none=-Wa,--no-verify "$1" -o "prog-$1" >log 2>&1
  ok $? "$1: builds" || diag "$(cat log)"
}

clean () {			# FILE
  build "$1"
  out=$(ACCRETE_EMU_CHECK=2 "./prog-$1" 2>&1)
  is $? 0 "$1: exit status"
  is "$out" '' "$1: no report"
}
clean checker-acc.c
clean checker-omp.c

# seeded FILE SED-COMMAND KIND MARK: the report names the line with MARK.
seeded () {
  n=$((${n-0} + 1))
  new=$n-$1
  sed "$2" "$1" >"$new"
  ! cmp -s "$1" "$new"
  ok $? "$3: $2"
  build "$new"
  out=$(ACCRETE_EMU_CHECK=2 "./prog-$new" 2>&1)
  is $? 99 "$3: exit status"
  like "$out" "^accrete-emu: check: $3: " "$3: found"
  line=$(grep -n "/\* $4 \*/" "$new" | sed 's/:.*//')
  like "$out" "by .* source .*$new:$line, kernel main\\\$_omp_fn" "$3: source line"
  like "$out" "^accrete-emu: check: [1-9][0-9]* findings?\$" "$3: counted"
}

seeded checker-acc.c 's/int i = 1; i < N - 1/int i = 0; i < N + 99/' \
  'out of bounds' stencil
seeded checker-acc.c 's/count\[i\] = i % 7;//' uninitialised inner
seeded checker-acc.c 's/b\[i\] = a\[i - 1\]/b[i % 8] = a[i - 1]/' race stencil
seeded checker-omp.c 's/#pragma omp critical//' race critical

# Memory that is mapped and never unmapped; and the driver call it is from.
sed 's/copyout (b/present (b/; s/#pragma acc data/#pragma acc enter data create (b[0:N])\n&/' \
  checker-acc.c >leak.c
build leak.c
out=$(ACCRETE_EMU_CHECK=1 ./prog-leak.c 2>&1)
like "$out" '^accrete-emu: check: leak: [0-9]+ bytes never freed$' 'leak: found'
like "$out" 'allocated by cuMemAlloc \(call [0-9]+\)$' 'leak: who allocated it'
unlike "$out" 'check: [^l1]' 'leak: and nothing else'
out=$(./prog-leak.c 2>&1)
is "$out" '' 'nothing is checked when not asked'
out=$(ACCRETE_EMU_CHECK=x ./prog-leak.c 2>&1)
is "$out" 'accrete: ACCRETE_EMU_CHECK=x is not a number from 0 to 2; using 0' \
  'a value that is no number'
done_testing
