dnl SPDX-License-Identifier: GPL-3.0-or-later
# ACR_OFFLOAD_NVPTX
# -----------------
# Check that the C compiler offloads to nvptx, by compiling a region and
# finding its PTX inside the program: compilers and their packages are
# named differently everywhere, and an installed one may still not work.
# ptxas, where there is one, is kept out of the way: a new one refuses GCC's
# default architecture, which our own assembler wrapper mends later.
AC_DEFUN([ACR_OFFLOAD_NVPTX], [
AC_CACHE_CHECK([whether $CC offloads OpenACC to nvptx],
  [acr_cv_offload_nvptx],
  [acr_cv_offload_nvptx=no
   cat >conftest.c <<ACR_EOF
int a@<:@8@:>@;
int main (void)
{
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 8; i++)
    a@<:@i@:>@ = i;
  return a@<:@0@:>@;
}
ACR_EOF
   if $CC -fopenacc -foffload=nvptx-none -foffload-options=nvptx-none=-Wa,--no-verify \
        conftest.c -o conftest$EXEEXT >&AS_MESSAGE_LOG_FD 2>&1 \
      && grep -a 'BEGIN FUNCTION DEF: main' conftest$EXEEXT >/dev/null 2>&1; then
     acr_cv_offload_nvptx=yes
   fi
   rm -f conftest.c conftest$EXEEXT])
AS_VAR_IF([acr_cv_offload_nvptx], [no],
  [AC_MSG_ERROR([$CC does not offload to nvptx; on Debian install gcc-$GCC_MAJOR-offload-nvptx])])
])
