dnl SPDX-License-Identifier: GPL-3.0-or-later
# ACR_Z3
# ------
# Find Z3's C interface.  Substitutes Z3_CPPFLAGS and Z3_LIBS.
AC_DEFUN([ACR_Z3], [
AC_ARG_WITH([z3],
  [AS_HELP_STRING([--with-z3=DIR], [prefix of the Z3 solver])],
  [AS_IF([test -r "$withval/include/z3.h"], [],
     [AC_MSG_ERROR([$withval has no Z3 solver; on Debian leave --with-z3 out and install libz3-dev])])
   Z3_CPPFLAGS="-I$withval/include"; acr_z3_ldflags="-L$withval/lib"],
  [Z3_CPPFLAGS=; acr_z3_ldflags=])
AC_MSG_CHECKING([for Z3])
acr_save_CPPFLAGS=$CPPFLAGS acr_save_LDFLAGS=$LDFLAGS acr_save_LIBS=$LIBS
CPPFLAGS="$CPPFLAGS $Z3_CPPFLAGS"
LDFLAGS="$LDFLAGS $acr_z3_ldflags"
LIBS="-lz3 $LIBS"
AC_LINK_IFELSE(
  [AC_LANG_PROGRAM([[#include <z3.h>]],
     [[Z3_config c = Z3_mk_config (); Z3_del_config (c);]])],
  [AC_MSG_RESULT([yes]); Z3_LIBS="$acr_z3_ldflags -lz3"],
  [AC_MSG_RESULT([no])
   AC_MSG_ERROR([the Z3 solver was not found; on Debian install libz3-dev])])
CPPFLAGS=$acr_save_CPPFLAGS LDFLAGS=$acr_save_LDFLAGS LIBS=$acr_save_LIBS
AC_SUBST([Z3_CPPFLAGS])
AC_SUBST([Z3_LIBS])
])
