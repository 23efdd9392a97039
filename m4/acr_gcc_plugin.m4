dnl SPDX-License-Identifier: GPL-3.0-or-later
# ACR_GCC_PLUGIN
# --------------
# Find the plugin headers of the C++ compiler in use, which must be a GCC.
# Substitutes GCC_PLUGIN_CPPFLAGS and GCC_MAJOR.
AC_DEFUN([ACR_GCC_PLUGIN], [
AC_MSG_CHECKING([for the GCC plugin headers of $CXX])
GCC_MAJOR=`echo __GNUC__ | $CXX -E -P -x c++ - 2>/dev/null | tail -n 1`
AS_IF([test "${GCC_MAJOR:-0}" -ge 12 2>/dev/null], [],
  [AC_MSG_ERROR([GCC 12 or a later one is wanted, $CXX is not])])
acr_plugin_dir=`$CXX -print-file-name=plugin 2>/dev/null`
GCC_PLUGIN_CPPFLAGS="-isystem $acr_plugin_dir/include"
acr_save_CPPFLAGS=$CPPFLAGS
CPPFLAGS="$CPPFLAGS $GCC_PLUGIN_CPPFLAGS"
AC_LANG_PUSH([C++])
AC_COMPILE_IFELSE(
  [AC_LANG_PROGRAM([[#include <gcc-plugin.h>
                     #include <plugin-version.h>
                     #include <tree-pass.h>]],
                   [[return gcc_version.basever == 0;]])],
  [AC_MSG_RESULT([GCC $GCC_MAJOR, $acr_plugin_dir])],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([$CXX has no usable plugin headers; on Debian install gcc-$GCC_MAJOR-plugin-dev])])
AC_LANG_POP([C++])
CPPFLAGS=$acr_save_CPPFLAGS
AC_SUBST([GCC_PLUGIN_CPPFLAGS])
AC_SUBST([GCC_MAJOR])
])
