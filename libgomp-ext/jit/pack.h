/* Bytes as text, small: for machine code in the comments of a unit of PTX,
   where only ASCII may stand.

   Bytes are compressed first (sequences of literals and of what was there
   within 64 KiB, as LZ4 has them), then four of them are five characters, none
   of which means anything in a comment or a string of C.

   Sources: Y. Collet, LZ4 Block Format; ZeroMQ RFC 32 (Z85).

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PACK_H
#define ACCRETE_PACK_H

#include <stddef.h>

/* N bytes at DATA as *CHARS characters, and how many bytes they are
   compressed; for the caller to free.  NULL for want of memory.  */
char *acr_pack (const void *data, size_t n, size_t *packed, size_t *chars);

/* The N bytes that were PACKED bytes, in the text from FROM to END, whose line
   breaks and "// " at the beginning of a line do not count.  NULL when it is
   not that, or for want of memory.  The caller frees it.  */
void *acr_unpack (const char *from, const char *end, size_t packed, size_t n);

#endif /* ACCRETE_PACK_H */
