dnl SPDX-License-Identifier: GPL-3.0-or-later
# ACR_LIBGOMP_NVPTX
# -----------------
# Find libgomp's nvptx device plugin: the library that our device layer
# stands in front of.  Substitutes LIBGOMP_PLUGIN_DIR, the folder that holds
# it at build time (tests and bundles copy it; installed libraries look for
# it again at run time).
AC_DEFUN([ACR_LIBGOMP_NVPTX], [
AC_MSG_CHECKING([for libgomp's nvptx device plugin])
acr_plugin=`$CC -print-file-name=libgomp-plugin-nvptx.so.1 2>/dev/null`
AS_CASE([$acr_plugin],
  [/*], [LIBGOMP_PLUGIN_DIR=`AS_DIRNAME(["$acr_plugin"])`
         LIBGOMP_PLUGIN_DIR=`cd "$LIBGOMP_PLUGIN_DIR" && pwd -P`],
  [LIBGOMP_PLUGIN_DIR=])
AS_IF([test -n "$LIBGOMP_PLUGIN_DIR" && test -r "$LIBGOMP_PLUGIN_DIR/libgomp-plugin-nvptx.so.1"],
  [AC_MSG_RESULT([$LIBGOMP_PLUGIN_DIR])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([libgomp-plugin-nvptx.so.1 was not found; on Debian install libgomp-plugin-nvptx1])])
AC_SUBST([LIBGOMP_PLUGIN_DIR])
])
