# What differs between versions of GCC, for scripts that say what each does.
#   gcc        the compiler's major version, of which programs have the device's
#              libraries
#   interface  the number of libgomp's nvptx plugin (libgomp-ext/interpose/
#              interface.def): 1 up to GCC 12, 2 of GCC 13, 3 from GCC 14 on.  A
#              system has one libgomp, maybe of a later GCC than the compiler.
# SPDX-License-Identifier: GPL-3.0-or-later

gcc=$($CC -dumpversion | sed 's/[.].*//')
plugin_symbols=$(nm -D "$($CC -print-file-name=libgomp-plugin-nvptx.so.1)")
case $plugin_symbols in
  *GOMP_OFFLOAD_memcpy2d*) interface=3 ;;
  *GOMP_PLUGIN_target_rev*) interface=2 ;;
  *) interface=1 ;;
esac
