/* Variants of kernels that are as others but for how many registers a thread may have.

   ptx-post leaves a comment in a kernel for each such variant of it (ACR_LIMITED_MAGIC
   in abi.h): the text of each would go through two assemblers, two linkers and the host's
   compiler, and be most of a program.  Here they are written as a program starts, or
   ahead of time.  Without that a kernel has fewer variants, which it may (abi.h).

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LIMITED_H
#define ACCRETE_LIMITED_H

#include "base/text.h"

/* Write the variants that comments of T's kernels tell of, each behind the kernel that it
   is like, in place of the comments.  What is not as expected stays as it is, and so does
   all for want of memory.  */
void acr_limited_write (struct acr_text *t);

#endif /* ACCRETE_LIMITED_H */
