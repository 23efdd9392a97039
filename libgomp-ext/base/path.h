/* Names of files that each process has its own of, and of places in code.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PATH_H
#define ACCRETE_PATH_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* PATTERN with %p, the process's number, %h, the host, and %r, the rank that
   the launcher of a parallel program gives the process (0), and %% for %;
   false when the name is too long.  */
bool acr_path_expand (char to[PATH_MAX], const char *pattern);

void acr_path_host (char to[HOST_NAME_MAX + 1]);
const char *acr_path_rank (void);

/* Where CODE is, "module+offset" as addr2line takes it; "?" when that is not
   known.  Returns TO, of N bytes.  */
const char *acr_path_code (char *to, size_t n, const void *code);

#endif /* ACCRETE_PATH_H */
