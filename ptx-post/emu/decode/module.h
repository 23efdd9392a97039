/* Inside a module of the emulated GPU: what the files that make one share.

     module.c	loading, unloading, what the driver asks
     names.c	its memory and log; what names stand for
     func.c	its functions as others see them
     link.c	which definition a name stands for; functions
     layout.c	where variables lie and what they start with
     constant.c	the rows of constants that decoded code reads

   A module is made by one thread; afterwards only decoding changes it, under
   its lock.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_MODULE_H
#define ACCRETE_EMU_MODULE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"
#include "machine/map.h"
#include "ptx/ptx.h"

struct unit
{
  struct ptx_unit *ptx;
};

/* A definition that other units may refer to.  */
struct global
{
  const char *name;
  struct unit *unit;
  struct ptx_sym *sym;		/* NULL: a builtin */
  struct place place;
  struct global *next;		/* in its bucket */
};

enum { BUCKETS = 1024 };

/* Values that fill rows, constant.c.  */
struct constants
{
  char *pool;			/* the rows */
  uint32_t end;			/* of those in use */
  struct const_slot *slot;
  size_t n, max;		/* MAX is a power of two */
};

struct emu_module
{
  struct unit *unit;
  unsigned nunits;
  struct emu_func **func;	/* by address */
  size_t nfuncs, maxfuncs;
  struct global *global[BUCKETS];
  struct map *place;		/* ptx_sym -> struct place * */
  struct chunk *chunks;		/* what emu_module_alloc gave */
  uint64_t mem;			/* device memory of the variables, or 0 */
  size_t mem_bytes, const_bytes;
  size_t shared;		/* bytes of file-scope shared variables */
  pthread_mutex_t lock;		/* decoding: chunks, constants */
  struct constants constants;
  char *log;
  size_t log_len;
};

/* ---- names.c ----------------------------------------------------------- */

/* Free what emu_module_alloc gave.  */
void module_free_chunks (struct emu_module *);
/* Add the LEN characters at TEXT to the log; or a line.  */
void module_add_log (struct emu_module *, const char *text, size_t len);
void module_message (struct emu_module *, const char *fmt, ...)
  __attribute__ ((format (printf, 2, 3)));
/* What NAME stands for, or NULL; and give a name a meaning.  */
struct global *module_lookup (const struct emu_module *, const char *name);
void module_enter (struct emu_module *, struct global *);
bool module_set_place (struct emu_module *, const struct ptx_sym *,
		       struct place); /* false: no memory */

/* ---- link.c ------------------------------------------------------------ */

/* Whether SYM is a definition, and the one that its name stands for.  */
bool module_defines (const struct emu_module *, const struct ptx_sym *sym);
/* Choose the definitions, give every function an address, and complain about
   what is used and not defined; in this order, variables placed before the
   last.  */
CUresult module_define (struct emu_module *);
CUresult module_add_functions (struct emu_module *);
CUresult module_check_uses (struct emu_module *);

/* ---- layout.c ---------------------------------------------------------- */

/* Place the variables and give them their initial values.  */
CUresult module_lay_out (struct emu_module *);

/* ---- constant.c -------------------------------------------------------- */

bool constants_init (struct constants *); /* false: no memory */
void constants_free (struct constants *);

#endif /* ACCRETE_EMU_MODULE_H */
