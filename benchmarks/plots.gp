# The plots of docs/results.md from results/*.csv; run by make plots.
#   gnuplot -e "results='FOLDER'; plots='FOLDER'" plots.gp
# SPDX-License-Identifier: GPL-3.0-or-later
set terminal svg noenhanced size 960,400 dynamic font 'sans-serif,12' background '#ffffff'
set datafile separator ' '
set style data histogram
set style histogram clustered gap 1
set style fill solid 0.9 noborder
set grid y lc '#dddddd'
set border 3 lc '#888888'
set tics nomirror out
set xtics rotate by -45 font ',10'
set key top right horizontal
acc = '#2f6f9f'
omp = '#d98032'

# pairs (FILE, NAME, OVER, UNDER): lines "PROGRAM ACC OMP" by falling ACC; where
# one is missing, "-".
pairs (file, key, over, under) = sprintf ("<awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { %s; r[name, omp] = $at[\"%s\"] / $at[\"%s\"]; if (!(name in seen)) order[++n] = name; seen[name] = 1 } END { for (i = 1; i <= n; i++) { a = r[order[i], 0]; b = r[order[i], 1]; print order[i], (a ? a : \"-\"), (b ? b : \"-\") } }' %s/%s.csv | sort -k 2,2gr", key, over, under, results, file)
set datafile missing '-'

set ylabel 'stock time / accrete time'
set logscale y
set yrange [0.8:*]
set output plots . '/programs.svg'
set title 'Programs on an H200, data on the device'
by_suffix = "if ($at[\"program\"] !~ /-(acc|omp)$/) next; name = $at[\"program\"]; omp = name ~ /-omp$/; sub (/-(acc|omp)$/, \"\", name)"
plot pairs ('programs', by_suffix, 'stock_us', 'accrete_us') \
       using 2:xtic(1) lc rgb acc title 'OpenACC', \
     '' using 3 lc rgb omp title 'OpenMP'

set output plots . '/constructs.svg'
set title 'Constructs on an H200'
by_language = "name = $at[\"construct\"]; omp = $at[\"language\"] == \"OpenMP\""
set xtics font ',9'
plot pairs ('constructs', by_language, 'stock_us', 'accrete_us') \
       using 2:xtic(1) lc rgb acc title 'OpenACC', \
     '' using 3 lc rgb omp title 'OpenMP'

set output plots . '/nest.svg'
set title 'Regions inside regions on an H200: other ways / ACCRETE_NEST=auto'
set ylabel 'time / time of auto'
set yrange [0.5:*]
nest = "<awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at[\"auto_us\"] != \"\" { a = $at[\"auto_us\"]; sub (/-acc$/, \"\", $at[\"program\"]); print $at[\"program\"] \"/\" $at[\"inputs\"], $at[\"naive_us\"] / a, $at[\"flat_a_us\"] / a, $at[\"flat_b_us\"] / a }' " . results . '/nest.csv'
plot nest using 2:xtic(1) lc rgb '#8c5aa8' title 'launches by each thread', \
     '' using 3 lc rgb acc title 'flat, a thread a parent', \
     '' using 4 lc rgb omp title 'flat, a warp or team a parent'

set output plots . '/cold.svg'
set title 'Whole processes on an H200, nothing kept by the driver'
set ylabel 'milliseconds'
set yrange [200:20000]
cold = "<awk -F , 'NR > 1 { for (i = 6; i <= 14; i++) if ($i == \"\") $i = \"-\"; row[$5] = $5 \" \" $6 \" \" $9 \" \" $10 \" \" $13 \" \" $14 } END { for (p in row) print row[p] }' " . results . '/cold.csv | sort -k 2,2gr'
plot cold using 2:xtic(1) lc rgb '#888888' title 'stock', \
     '' using 3 lc rgb acc title 'accrete, first process', \
     '' using 4 lc rgb '#7fb3d5' title 'accrete, second process', \
     '' using 5 lc rgb omp title 'accrete, machine code comes along', \
     '' using 6 lc rgb '#8c5aa8' title 'CUDA'

set output plots . '/transfers.svg'
set title 'Sequences of small kernels (Table 5 of the transfer-fusion paper) on an H200'
set ylabel 'stock time / accrete time'
set xlabel 'floats a vector'
set key top right vertical
set style data linespoints
set logscale x 2
set xtics ('4Ki' 4096, '16Ki' 16384, '64Ki' 65536, '256Ki' 262144, '1Mi' 1048576, '4Mi' 4194304)
set xtics norotate font ',12'
unset logscale y
set yrange [0:*]
series (program) = sprintf ("<awk -F , '$5 == \"%s\" { print $6, $7 / $8 }' %s/transfers.csv", program, results)
plot 1 lc '#888888' dt 2 notitle, \
     for [p in 'random5 random24 horner cholesky cholesky-dense matmul cg'] \
       series (p) using 1:2 lw 2 pt 7 ps 0.5 title p

set output plots . '/bulk.svg'
set title 'Copies of a construct between pageable memory and an H200, by OpenMP, three arrays'
set ylabel 'GB/s of the whole construct'
set xlabel 'bytes'
set key top left vertical
set yrange [0:60]
set xtics ('4Ki' 4096, '64Ki' 65536, '1Mi' 1048576, '16Mi' 16777216, '256Mi' 268435456, '1Gi' 1073741824)
rate (way, column) = sprintf ("<awk -F , '$5 == \"OpenMP\" && $6 == \"%s\" && $7 == 3 { print $8, $8 / $%d / 1e3 }' %s/bulk.csv", way, column, results)
plot 55 lc '#888888' dt 2 title 'pinned memory', \
     rate ('to', 10) using 1:2 lw 2 pt 7 ps 0.5 lc rgb acc title 'to the device, accrete', \
     rate ('from', 10) using 1:2 lw 2 pt 7 ps 0.5 lc rgb omp title 'to the host, accrete', \
     rate ('to', 9) using 1:2 lw 2 pt 6 ps 0.5 dt 2 lc rgb acc title 'to the device, stock', \
     rate ('from', 9) using 1:2 lw 2 pt 6 ps 0.5 dt 2 lc rgb omp title 'to the host, stock'
