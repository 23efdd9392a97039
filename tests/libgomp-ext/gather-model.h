/* What gather.c does, one operation at a time, and what each byte of the
   device and of the host must be then.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TEST_GATHER_MODEL_H
#define ACCRETE_TEST_GATHER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

enum
{
  NBLOCKS = 24,
  HOST = 1 << 20,
  KNOWN = 0xff
};

/* Blocks that lie in one of the pool's, side by side, as on the host; how many are in
   use there, and how many are known here.  */
struct row
{
  CUdeviceptr p;
  unsigned char *host;
  unsigned used, known;
};

struct block
{
  struct row *row; /* or NULL */
  CUdeviceptr p;
  size_t n;             /* 0: free */
  bool mine;            /* of the construct at hand */
  bool known_to_all;    /* the program has the address */
  unsigned char *must;  /* what the device must hold */
  unsigned char *known; /* KNOWN where anything was written, or 0 */
  /* The same of the host's side.  */
  unsigned char *host, *host_must, *host_known;
  size_t host_n;
};

extern struct block blocks[NBLOCKS];
extern unsigned wrong; /* bytes, or results of calls */

/* Random numbers: below N; and whether one in ONE_IN, which differs when SEED
   is set back and a construct repeats.  */
extern uint64_t seed;
unsigned rnd (unsigned n);
bool whim (unsigned one_in);

/* ---- The construct at hand --------------------------------------------- */

extern unsigned char host[HOST]; /* what it copies, unless OPERANDS */
extern bool operands;            /* it copies those */
extern unsigned alignment;       /* the least of them, a power of two */

/* The blocks that are the operands of its region; REGIONS, by number of
   operands, have tags, and ARGUMENTS are its kernel's.  */
extern unsigned placed; /* blocks that went where a plan wants them */
extern struct block *operand[NBLOCKS];
extern unsigned noperands;
extern bool tagged;
extern char regions[NBLOCKS + 1];
extern CUdeviceptr arguments;

/* What libgomp maps besides for the kernel to read, as a pointer to an operand; NULL:
   nothing.  The region that has it behind POINTER_TO operands.  */
enum
{
  POINTER_TO = 4
};
extern const struct block *pointer;
extern char pointer_region;

void make_tags (void);

/* The program writes to its side of B; of some operands.  */
void fill (struct block *b);
void scribble (void);

/* It is wrong if the N bytes at GOT are not MUST where KNOWN.  */
void compare (const unsigned char *got, const unsigned char *must,
              const unsigned char *known, size_t n);

/* The host's side of all blocks is what it must be, without a look.  */
void compare_hosts (void);

/* The thread copies everything back, as cuda.c's wrapper does.  */
void look (void);

/* ---- Operations -------------------------------------------------------- */

/* What is held back leaves, without a failure.  */
void flush (void);

/* B is N bytes of the host's; it gets device memory, as libgomp asks for it, which
   aligns the data itself; both.  */
void prepare (struct block *b, size_t n);
void place (struct block *b);
void allocate (struct block *b, size_t n);
void release (struct block *b);

/* The same of several of N bytes at B, as one directive maps them: free ones, or none
   are.  */
unsigned prepare_row (struct block *b[], unsigned most, size_t n);
void place_row (struct block *b[], unsigned n);

/* A block that was freed in a construct may be an operand to its end.  */
void forget (struct block *b);

/* N bytes at SRC, or of B's own, are sent to B.  */
void send (struct block *b, size_t at, const void *src, size_t n);
void to_device (struct block *b, size_t at, size_t n);
void from_device (struct block *b, size_t at, size_t n);

/* The program has the device write to B, if it knows the address; libgomp copies
   to B in another way.  */
void op_own (struct block *b);
void op_other (struct block *b);

/* A kernel writes to B.  */
void launch_on (struct block *b, int k, const struct block *from);

typedef void operation (void);
operation op_hold;

/* Kernels that were handed over with others; those of them that were executed in
   another order.  */
extern unsigned long in_lists, out_of_order;
operation op_h2d;
operation op_h2d_row;
operation op_alloc;
operation op_enter;
operation op_free;
operation op_fresh;
operation op_d2h;
operation op_launch;
operation op_thread;

#endif /* ACCRETE_TEST_GATHER_MODEL_H */
