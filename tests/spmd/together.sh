# Loops that reduce: a thread begins four iterations together, and in rows, which are
# short, two of those that are left.  Results for rows of every length, and how often
# the body stands in the kernels.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
stage=${SPMD_STAGE-$stage}
source=$(cd "$srcdir" && pwd)/together.c

# The body's copies in the kernels of FUNCTION.
copies () {
  tr -d '\000' <"$tmp/$model/prog.xnvptx-none.mkoffload" \
    | awk -v name="^[.](visible )?[.]?entry .*$1" '
        /^[.].*(entry|func)/ { in_it = $0 ~ /entry/ && $0 ~ name }
        in_it && /popc/ { n++ }
        END { print n + 0 }'
}

for model in -fopenmp -fopenacc; do
  mkdir "$tmp/$model"
  (cd "$tmp/$model" && gcc -specs="$stage/lib/accrete/accrete.specs" -O2 $model \
     $stock_flags -save-temps "$source" -o prog) >"$tmp/log" 2>&1
  ok $? "$model: builds" || diag "$(cat "$tmp/log")"
  for rows in 1 4; do
    is "$(ACCRETE_GEOMETRY=${rows}x128 "$stage/bin/accrete-run" --emulate \
          "$tmp/$model/prog" 2>&1)" "0 wrong" "$model, $rows blocks: results"
  done
  is "$(copies rows)" 7 "$model: four, two and one iteration of a row"
  is "$(copies whole)" 5 "$model: four and one iteration of a whole loop"
done
done_testing
