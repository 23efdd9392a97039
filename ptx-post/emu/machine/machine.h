/* The machine: decoded code and the state of warps, blocks and launches.

   A function is decoded once, at its first call, to an array of struct insn,
   each with the handler that performs it for all lanes of a warp.  Registers
   are rows: 32 values side by side, 4 bytes each (types up to 32 bits) or 8,
   so that a handler is a loop over lanes that the compiler vectorises.  A
   predicate is one 32-bit word with a bit for each lane.

   Rows live in frames on the warp's register stack.  Every lane has its own
   program counter and frame offset; lanes that agree in both form a group and
   run together.  Frames that lanes have at the same time are the same frame, of
   one function, or lie apart: within one no two lanes share a column.

   A frame: HEADER (return address, caller's frame, start and end of the lane's
   local memory), the function's results, its parameters, then its registers.
   Results and parameters are kept in chunks of 4 bytes a lane, as the callee
   may read a parameter in other pieces than the caller wrote it.

   Owner and lock: a block (struct cta) belongs to one worker thread at a time;
   what workers share (struct launch) is atomic or says which lock guards it.
   Decoded code is published by emu_func.code and never changes after.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_MACHINE_H
#define ACCRETE_EMU_MACHINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu.h"

enum
{
  LANES = 32,
  ROW = LANES * 4,		/* bytes of a row of 32-bit values */
  ALL = -1			/* mask of all lanes */
};

struct warp;
struct cta;
struct insn;
struct call;
struct video;
struct ptx_stmt;

/* Perform I for the lanes of MASK, a non-empty part of W->active.  W->ip has
   been moved past I.  */
typedef void emu_handler (struct warp *w, const struct insn *i, uint32_t mask);

/* Operand: a byte offset, a multiple of 4, plus in its two low bits what it
   is an offset from.  No operand is in a frame's header, so 0 is none.  */
typedef uint32_t opref;

enum opbase
{
  OB_FRAME,			/* the group's frame */
  OB_POOL,			/* the module's constants, one row each */
  OB_SREG,			/* the warp's special registers */
  OB_COUNT
};

struct insn
{
  emu_handler *fn;
  opref guard;			/* predicate, or 0 */
  uint32_t guard_xor;		/* all ones: run where the guard is false */
  opref d, a, b, c, e, f;	/* operands; the handler says which is
				   which */
  union
  {
    int64_t imm;
    const struct insn *target;
    const struct call *call;
    const struct video *video;
  };
  uint8_t mode;			/* rounding, comparison ...: of the handler */
  uint16_t flags;		/* set of insn_flag */
  const struct ptx_stmt *stmt;	/* what it comes from */
};

enum insn_flag
{
  IF_ALIGNED = 1,		/* barrier counts whole warps */
  IF_GLOBAL = 2,		/* access to .global: faults in a window */
  IF_WRITES = 1 << 15		/* what other lanes can see; apart from flags of
				   the checker's instructions */
};

/* One argument or result of a call: CHUNKS rows at REF of the caller.  */
struct call_slot
{
  opref ref;
  unsigned chunks;
};

struct call
{
  struct call *next;		/* in the caller */
  struct emu_func *callee;	/* NULL: address in operand a */
  uint32_t frame;		/* bytes of the caller's frame */
  unsigned nrets, nargs;
  unsigned ret_chunks, arg_chunks;
  struct call_slot *slot;	/* results, then arguments */
};

/* Frame header, byte offsets.  */
enum
{
  FRAME_IP = 0,			/* row of const struct insn * */
  FRAME_FP = 2 * ROW,		/* row of uint32_t */
  FRAME_LOCAL = 3 * ROW,	/* row of uint32_t */
  FRAME_TOP = 4 * ROW,		/* row of uint32_t: grows by alloca */
  FRAME_HEADER = 5 * ROW
};

/* Rows of special registers.  */
enum sreg_row
{
  SROW_TID_X, SROW_TID_Y, SROW_TID_Z,
  SROW_NTID_X, SROW_NTID_Y, SROW_NTID_Z,
  SROW_CTAID_X, SROW_CTAID_Y, SROW_CTAID_Z,
  SROW_NCTAID_X, SROW_NCTAID_Y, SROW_NCTAID_Z,
  SROW_LANEID, SROW_WARPID, SROW_NWARPID, SROW_SMID, SROW_NSMID,
  SROW_MASK_EQ, SROW_MASK_LE, SROW_MASK_LT, SROW_MASK_GE, SROW_MASK_GT,
  SROW_DYN_SMEM, SROW_TOTAL_SMEM, SROW_ZERO,
  SROW_GRIDID,			/* 64 bits: two rows */
  SROW_COUNT = SROW_GRIDID + 2
};

enum { BARRIERS = 16 };

struct warp
{
  char *base[OB_COUNT];		/* OB_FRAME: stack + fp */
  const struct insn *ip;	/* of the group, past the running insn */
  const struct insn *limit;	/* run while ip is below: another group waits
				   there to be joined; NULL: choose again */
  int budget;			/* instructions until the next choice */
  int skipped;			/* of the budget, to give way */
  uint32_t active;		/* lanes of the running group, or 0 */
  uint32_t fp;			/* their frame */
  uint32_t live;		/* lanes that have not exited */
  uint32_t warp_wait;		/* lanes at a .sync instruction */
  uint32_t cta_wait;		/* lanes at a barrier of the block */
  uint32_t at[BARRIERS];	/* of those, who waits where */
  uint32_t yielded;		/* ran out of budget; others go first */
  bool retry;			/* but now they try again */
  unsigned helped;		/* turns for those that yielded */
  uint32_t cc;			/* carry flags */
  uint32_t last_error[LANES];	/* of the device runtime, a cudaError_t */
  unsigned id;			/* within the block */
  struct cta *cta;
  char *stack;			/* register stack */
  size_t stack_bytes;
  char *local;			/* local memory, lane after lane, or NULL */
  uint32_t local_stride;	/* bytes a lane */
  /* Lanes outside the group: where they go on, and at which barrier they
     are or for which lanes they wait.  */
  const struct insn *lane_ip[LANES];
  uint32_t lane_fp[LANES];
  uint32_t lane_wait[LANES];
  _Alignas (ROW) uint32_t sreg[SROW_COUNT][LANES];
};

/* Barrier of a block.  Who waits is in warp.at.  */
struct barrier
{
  unsigned expected;		/* threads; 0: all that live */
  unsigned arrived;		/* by bar.arrive, which does not wait */
  bool aligned;			/* a warp counts as 32, once all its lanes are
				   there */
  unsigned red_true;		/* bar.red: lanes with a true predicate, */
  unsigned red_all;		/* of this many */
};

struct cta
{
  struct launch *launch;
  uint64_t index;		/* linear block index */
  unsigned ctaid[3];
  unsigned nwarps, live_warps;
  unsigned threads;		/* that live */
  unsigned next_warp;		/* round robin */
  unsigned slices;		/* that it has run */
  bool spins;			/* touched an atomic or a fence lately */
  char *shared;
  size_t shared_bytes;
  struct barrier barrier[BARRIERS];
  uint32_t waited;		/* set of barriers at which lanes wait */
  struct warp *warp;
  struct cta *next;		/* in the worker's ring */
  struct emu_watch *watch;	/* the checker's, or NULL */
  struct launch *drafts;	/* children with a parameter buffer, not
				   launched yet */
};

/* Children of a grid by when they may begin (nested.c).  */
enum order
{
  ORDER_FORGET,			/* at once: after the blocks, in any order */
  ORDER_STREAM,			/* one after the other */
  ORDER_TAIL,			/* the same, after all other children */
  ORDER_COUNT
};

struct launch_list { struct launch *first, *last; };

/* One grid; the workers share it.  */
struct launch
{
  const struct emu_launch *l;
  const struct emu_func *func;
  const struct insn *code;
  uint64_t params;		/* device address of the parameter block */
  uint64_t ctas, next;		/* NEXT is atomic */
  size_t shared_bytes;		/* static and dynamic */
  unsigned max_resident;	/* blocks a worker may have begun */
  size_t stack_limit;		/* bytes a thread, for recursion */
  bool lockstep;		/* PTX for before sm_70 (warp.c) */
  struct launch *root;		/* what the host launched: this one or an
				   ancestor */
  int error;			/* root: CUresult of the family, atomic; the
				   first one stays */
  uint64_t deadline;		/* emu_now's; 0: none */
  uint64_t gridid;
  struct emu_launch_watch *watch; /* the checker's, or NULL */
  /* Guarded by emu_pool_lock.  */
  unsigned working;		/* threads */
  struct launch *next_launch;	/* with blocks to begin */
  unsigned open;		/* own blocks, counted as one, and children
				   that run; 0: complete */
  struct launch_list child[ORDER_COUNT]; /* not begun */
  /* Of a child (nested.c).  */
  struct launch *parent;
  struct launch *sibling;	/* in the list that it is on */
  enum order order;
  unsigned depth;		/* 0: launched by the host */
  unsigned size_class;		/* of the parameter buffer */
  struct emu_launch own;	/* what L points to */
};

/* ---- Launches (launch.c) ----------------------------------------------- */

/* Add N to a counter of emu_work.  */
static inline void
emu_note (uint64_t *counter, uint64_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

extern pthread_mutex_t emu_pool_lock;

/* Fill in what follows from LAUNCH->l.  */
CUresult emu_launch_prepare (struct launch *);
/* Let the workers begin LAUNCH's blocks; the lock is held.  */
void emu_launch_begin (struct launch *);

/* ---- Device-side launches (nested.c) ----------------------------------- */

/* The blocks of LAUNCH have ended, which may be gone then; the lock is
   held.  */
void emu_launch_ended (struct launch *);
/* CTA ends: drop what it has not launched.  */
void emu_drop_drafts (struct cta *);

/* ---- Code (decode/) ---------------------------------------------------- */

struct ptx_func;
struct ptx_sym;
struct unit;

typedef void emu_builtin (struct warp *w, const struct insn *i, uint32_t mask);

/* A function of a module.  */
struct emu_func
{
  const char *name;
  struct emu_module *module;
  struct unit *unit;
  struct ptx_func *ptx;		/* NULL: builtin */
  emu_builtin *builtin;
  struct insn *code;		/* decoded; atomic, NULL until then */
  size_t ncode;
  uint32_t frame;		/* bytes */
  uint32_t local;		/* bytes of local variables */
  uint32_t shared;		/* an entry's own shared variables, bytes */
  unsigned ret_chunks, arg_chunks;
  size_t params;		/* entry: bytes of the parameter block */
  unsigned reg_bytes;		/* of declared registers, per thread */
  unsigned reqntid[3], maxntid;	/* 0: not given */
};

/* Window bases: shared and local memory as generic addresses, functions as
   values.  Nothing of the host is ever mapped there.  */
#define EMU_FUNC_WINDOW 0x0300000000000000u
enum { EMU_FUNC_STEP = 16 };	/* between addresses of functions */

/* F's code, decoded when this is the first call; NULL: no memory for it, or
   a frame beyond all reason.  */
const struct insn *emu_func_code (struct emu_func *f);

/* The function with address ADDR in the module of W, or NULL.  */
struct emu_func *emu_func_at (const struct emu_module *, uint64_t addr);

/* Module-wide facts for the decoder.  */
struct place
{
  enum place_kind { PLACE_NONE, PLACE_MEM, PLACE_SHARED, PLACE_FUNC } kind;
  uint64_t addr;		/* in its space; of the function */
  struct emu_func *func;
};
struct place emu_place (const struct emu_func *f, const struct ptx_sym *sym);

/* Where the dynamic part of shared memory starts.  */
uint64_t emu_dynamic_shared (const struct emu_func *f);

/* Memory that lives as long as the module, for its decoder.  */
void *emu_module_alloc (struct emu_module *, size_t bytes);

/* Operand with BITS in all lanes; WIDE: 64-bit row.  0 when full.  */
opref emu_constant (struct emu_module *, uint64_t bits, bool wide);
char *emu_pool (const struct emu_module *);

/* Handler by canonical name ("add.u32"), or NULL (table.c).  */
emu_handler *emu_find_handler (const char *name);
struct emu_row { const char *name; emu_handler *fn; };

/* Builtin device function by name, or NULL (builtin.c).  */
emu_builtin *emu_find_builtin (const char *name);

/* ---- Warps (warp.c) ---------------------------------------------------- */

/* Run W until its lanes all wait or have exited, or its budget is used up;
   how much of that is gone.  */
int emu_warp_run (struct warp *w);
/* Take the group off the machine and choose again.  */
void emu_park (struct warp *w);
static inline void
emu_rechoose (struct warp *w)
{
  w->limit = NULL;
}
/* A lane that spins on memory gives way soon.  */
static inline void
emu_spin (struct warp *w)
{
  enum { SPIN_BUDGET = 400 };
  if (w->budget > SPIN_BUDGET)
    {
      w->skipped += w->budget - SPIN_BUDGET;
      w->budget = SPIN_BUDGET;
    }
  w->cta->spins = true;
}
/* The lanes of MASK exit.  */
void emu_exit (struct warp *w, uint32_t mask);

/* The group goes on at IP in the frame at FP.  */
void emu_go_on (struct warp *w, const struct insn *ip, uint32_t fp);

/* ---- Calls (call.c) ---------------------------------------------------- */

/* Where the frame at FP, one of lane L's, ends.  */
uint32_t emu_frame_end (const struct warp *w, unsigned l, uint32_t fp);
/* Make room for END bytes of local memory a lane; false after a fault.  */
bool emu_grow_local (struct warp *w, const struct insn *i, uint32_t end);

/* ---- Synchronisation (sync.c) ------------------------------------------ */

/* Lanes have exited: look again at who waits for them.  */
void emu_sync_exited (struct warp *w);

/* ---- Memory (memory.c) ------------------------------------------------- */

/* Host pointer for an access of BYTES at the generic address ADDR by LANE, or
   NULL after emu_fault.  */
void *emu_generic (struct warp *w, const struct insn *i, unsigned lane,
		   uint64_t addr, unsigned bytes);
/* The same for an address within a state space.  */
void *emu_shared (struct warp *w, const struct insn *i, unsigned lane,
		  uint64_t addr, unsigned bytes);
void *emu_local (struct warp *w, const struct insn *i, unsigned lane,
		 uint64_t addr, unsigned bytes);

/* ---- Faults (fault.c) -------------------------------------------------- */

/* Stop the launch with R and print one line that names kernel, PTX line, block
   and thread; the first fault of a launch wins.  */
void emu_fault (struct warp *w, const struct insn *i, unsigned lane, CUresult r,
		const char *fmt, ...) __attribute__ ((format (printf, 5, 6)));
/* The same without a line; true for the first fault.  */
bool emu_stop (struct warp *w, CUresult r);
/* Print "unit:line: mnemonic, block (x,y,z), thread (x,y,z)" for AT, and the
   source line where the PTX has it.  */
void emu_print_place (FILE *, const struct ptx_stmt *at,
		      const unsigned ctaid[3], const unsigned tid[3]);
static inline bool
emu_failed (const struct warp *w)
{
  return __atomic_load_n (&w->cta->launch->root->error, __ATOMIC_RELAXED) != 0;
}

uint64_t emu_now (void);	/* CLOCK_MONOTONIC, ns */

#endif /* ACCRETE_EMU_MACHINE_H */
