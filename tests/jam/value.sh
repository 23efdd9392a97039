# Scalars that regions map and only read, and firstprivate ones, also those in memory,
# in the argument block: results are stock GCC's, at -O0 as well, where the device has another
# value than the host; remarks on the lines before which the files say so, and
# nothing about the variables whose mapping is to stay.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/build.sh"

for source in value-acc.c value-omp.c value-acc.cc value-acc.f90 \
              scalar-acc.c scalar-omp.c scalar-acc.cc scalar-acc.f90; do
  file=$here/$source
  case $source in
    *-acc*) model=-fopenacc ;;
    *) model=-fopenmp ;;
  esac
  compile stock -O2 $model || continue
  "$run" --emulate --off ./stock >want 2>&1
  for flags in -O0 -O2 "-O2 -fplugin-arg-accrete-disable=value"; do
    # shellcheck disable=SC2086
    compile ours -specs="$specs" -fopt-info-omp $flags $model || continue
    is "$("$run" --emulate ./ours 2>&1)" "$(cat want)" "$source $flags: results"
    is "$("$run" --emulate --off ./ours 2>&1)" "$(cat want)" \
      "$source $flags: with stock libgomp"
    is "$(ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=disabled ./ours 2>&1)" \
      "$(ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=disabled ./stock 2>&1)" \
      "$source $flags: on the host"
    grep -E 'only read, passed|in the argument block' ours.log >remarks
    case $flags in
      *disable*)
        is "$(cat remarks)" "" "$source: it can be disabled"
        continue ;;
    esac
    expected_at "$file" REMARK >expected
    while read -r line text; do
      like "$(awk -F: -v line="$line" '$2 == line + 1 || $2 == line + 2' remarks)" "$text" \
        "$source $flags: the remark on line $line"
    done <expected
    expected_at "$file" KEEPS >kept
    while read -r line name; do
      unlike "$(awk -F: -v line="$line" \
	        '$2 > line && $2 < line + 6' remarks)" ": $name is only read" \
        "$source $flags: $name stays mapped on line $line"
    done <kept
  done
done

# What a construct sends of a scalar that is declared in a data region, and of global
# ones.
for program in stock ours; do
  cat >queue.c <<'END'
#include <stdlib.h>
static float a[256];
int y = 1;
static double z = 2;
int main (int argc, char **argv)
{
  int n = atoi (argv[argc - 1]);
#pragma acc data copy(a)
  {
    int x = n - n + 2;
    for (int k = 0; k < n; k++)
#pragma acc parallel loop async(1)
      for (int i = 0; i < 256; i++)
        a[i] += x + y * z;
#pragma acc wait
  }
}
END
  file=queue.c with=
  [ $program = stock ] || with=-specs=$specs
  compile queue-$program -O2 -fopenacc $with
  for n in 10 20; do
    "$run" --emulate --report=json ./queue-$program $n 2>report-$program-$n \
      >/dev/null
  done
done
for field in h2d_copies d2h_copies launches; do
  set -- $(for program in stock ours; do
             echo $(($(json $field report-$program-20) \
                     - $(json $field report-$program-10)))
           done)
  case $field in
    launches) is "$2" "$1" "a queue: as many launches" ;;
    *) is "$2" 0 "a queue: no $field for a scalar (stock, by libgomp-ext: $1)" ;;
  esac
done

# To ask whether a variable is on the device ends nothing that is left undone.
cat >waits.c <<'END'
#include <stdlib.h>
static float a[256];
int y;
int main (int argc, char **argv)
{
  int n = atoi (argv[argc - 1]);
#pragma acc data copy(a)
  for (int k = 0; k < n; k++)
    {
      y = k;
#pragma acc parallel loop
      for (int i = 0; i < 256; i++)
        a[i] += y;
    }
}
END
file=waits.c
compile waits -O2 -fopenacc -specs="$specs" \
  -fplugin-arg-accrete-disable=resident-loops
for n in 10 20; do
  "$run" --emulate --report=json ./waits $n 2>report-$n >/dev/null
done
is "$(($(json syncs report-20) - $(json syncs report-10)))" 0 \
  "nobody waits for a question"
done_testing
