/* The tag format: round trips of random regions, what is refused, escaping,
   and the proof that readers build on.  The generator has a fixed seed, so a
   failure repeats.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "abi/abi.h"
#include "random.h"
#include "tap.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

#define SLOTS " op=0,a,data,r,1,4 op=1,n,value,-,?,4 op=2,m,value,-,?,3"
#define HEAD "ACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32"

static const char *
random_name (bool empty_ok)
{
  static char pool[1 << 16];
  static size_t used;
  size_t len = below (12) + !empty_ok;
  if (used + len + 1 > sizeof pool)
    used = 0;
  char *s = pool + used;
  for (size_t i = 0; i < len; i++)
    s[i] = below (4) ? 'a' + below (26) : 1 + below (255);
  s[len] = '\0';
  used += len + 1;
  return s;
}

enum { MAX_LIST = 40 };

/* A slot of R that holds a value, times 2, and 1 more; or -1.  */
static int
random_value (const struct acr_region *r)
{
  unsigned i = below (r->nops + 1), size = i < r->nops ? r->ops[i].size : 0;
  return (size == 1 || size == 2 || size == 4 || size == 8)
	     && r->ops[i].map == ACR_MAP_VALUE
	   ? 2 * (int) i + (int) below (2)
	   : -1;
}

static struct acr_sum
random_sum (const struct acr_region *r)
{
  static struct acr_term pool[1 << 12];
  static unsigned used;
  if (used + 8 > sizeof pool / sizeof *pool)
    used = 0;
  struct acr_sum s = { pool + used, 1 + below (4) };
  for (unsigned i = 0; i < s.n; i++)
    {
      struct acr_term *t = &pool[used++];
      t->factor = below (2) ? LLONG_MAX - below (3) : (int) below (99) - 50;
      unsigned n = below (ACR_SECTION_VALUES + 1);
      for (unsigned k = 0; k < ACR_SECTION_VALUES; k++)
	{
	  t->value[k] = k < n ? random_value (r) : -1;
	  if (t->value[k] < 0)
	    n = k;
	}
    }
  return s;
}

/* Sections of R's slots, into S.  How many.  */
static unsigned
random_sections (const struct acr_region *r, struct acr_section *s)
{
  unsigned n = 0;
  for (unsigned i = 0; i < r->nops && n < 6; i++)
    if (r->ops[i].map == ACR_MAP_DATA && below (2))
      {
	s[n] = (struct acr_section){ .slot = i, .write = below (2),
				     .bytes = 1 + below (99),
				     .at = random_sum (r),
				     .nloops = below (ACR_SECTION_LOOPS + 1) };
	for (unsigned k = 0; k < s[n].nloops; k++)
	  s[n].loop[k] = (struct acr_section_loop){
	    random_sum (r), random_sum (r), random_sum (r),
	    below (2) ? -1 - (int) below (4) : 1 + (int) below (4), below (2)
	  };
	n++;
      }
  return n;
}

static bool
same_sum (struct acr_sum a, struct acr_sum b)
{
  bool same = a.n == b.n;
  for (unsigned i = 0; same && i < a.n; i++)
    same = a.term[i].factor == b.term[i].factor
	   && !memcmp (a.term[i].value, b.term[i].value,
		       sizeof a.term[i].value);
  return same;
}

static bool
same_section (const struct acr_section *a, const struct acr_section *b)
{
  bool same = a->slot == b->slot && a->write == b->write
	      && a->bytes == b->bytes && a->nloops == b->nloops
	      && same_sum (a->at, b->at);
  for (unsigned i = 0; same && i < a->nloops; i++)
    {
      const struct acr_section_loop *x = &a->loop[i], *y = &b->loop[i];
      same = x->step == y->step && x->natural == y->natural
	     && same_sum (x->stride, y->stride) && same_sum (x->first, y->first)
	     && same_sum (x->bound, y->bound);
    }
  return same;
}

static struct acr_region
random_region (void)
{
  static struct acr_section sections[MAX_LIST];
  static struct acr_operand ops[MAX_LIST];
  static struct acr_loop loops[MAX_LIST];
  static struct acr_reduction reds[MAX_LIST];
  static struct acr_refusal refused[MAX_LIST];
  static const char *also[MAX_LIST];
  static const enum acr_access accesses[] = {
    ACR_ACCESS_NONE, ACR_ACCESS_READ, ACR_ACCESS_WRITE, ACR_ACCESS_READ_WRITE,
    ACR_ACCESS_UNKNOWN
  };
  static const char *const pars[] = { "g", "w", "v", "s", "a", "gv", "gwv" };
  struct acr_region r = {
    .fn = random_name (false), .file = random_name (true),
    .line = below (2) ? below (100000) : UINT_MAX,
    .kind = below (ACR_KIND_ACC_SERIAL + 1),
    .nops = below (MAX_LIST), .nloops = below (5), .nreds = below (4),
    .nrefused = below (4), .nalso = below (8), .also = also,
    .ops = ops, .loops = loops, .reds = reds, .refused = refused,
    .spmd = below (ACR_SPMD_COUNT), .row = below (2) ? below (1024) : 0,
    .nest = below (2) ? 2 + below (9) : 0, .tiles = below (2),
    .share = below (2) ? below (1 << 20) : 0, .exact = below (2),
    .grids = below (2), .columns = below (20), .words = below (99),
    .coarse = below (2) ? 2 + below (7) : 0,
    .closed = below (2), .compares = below (2), .ready = below (9)
  };
  for (int i = 0; i < 3; i++)
    {
      r.dims[i] = below (2) ? (int) below (2048) : ACR_DIM_OPEN;
      r.stock[i] = r.spmd && below (2) ? (int) below (64) : ACR_DIM_OPEN;
    }
  for (unsigned i = 0; i < r.nops; i++)
    ops[i] = (struct acr_operand){
      .name = random_name (true), .slot = i, .map = below (ACR_MAP_COUNT),
      .access = accesses[below (5)],
      .group = below (2) ? (int) below (9) : ACR_ALIAS_ANY,
      .size = below (9) ? 1u << below (32) : 0
    };
  for (unsigned i = 0; i < r.nloops; i++)
    {
      loops[i].trip = below (2) ? LLONG_MAX - below (3) : -1 - (int) below (2);
      strcpy (loops[i].par, pars[below (7)]);
    }
  for (unsigned i = 0; i < r.nreds; i++)
    reds[i] = (struct acr_reduction){ random_name (true), random_name (true) };
  for (unsigned i = 0; i < r.nrefused; i++)
    refused[i] = (struct acr_refusal){ random_name (true), random_name (true) };
  for (unsigned i = 0; i < r.nalso; i++)
    also[i] = random_name (true);
  r.sections = sections;
  r.nsections = random_sections (&r, sections);
  return r;
}

/* One of a data construct.  */
static struct acr_region
random_site (void)
{
  struct acr_region any = random_region ();
  unsigned first = ACR_KIND_ACC_SERIAL + 1;
  return (struct acr_region){
    .file = any.file, .line = any.line, .nops = any.nops, .ops = any.ops,
    .kind = first + below (ACR_KIND_COUNT - first),
    .dims = { ACR_DIM_OPEN, ACR_DIM_OPEN, ACR_DIM_OPEN },
    .stock = { ACR_DIM_OPEN, ACR_DIM_OPEN, ACR_DIM_OPEN }
  };
}

static bool
same_name (const char *a, const char *b)
{
  return a && b ? !strcmp (a, b) : a == b;
}

static bool
same_region (const struct acr_region *a, const struct acr_region *b)
{
  if (!same_name (a->fn, b->fn) || strcmp (a->file, b->file) || a->line != b->line
      || a->kind != b->kind || memcmp (a->dims, b->dims, sizeof a->dims)
      || memcmp (a->stock, b->stock, sizeof a->stock)
      || a->spmd != b->spmd || a->row != b->row || a->share != b->share
      || a->nest != b->nest || a->tiles != b->tiles
      || a->columns != b->columns || a->words != b->words || a->coarse != b->coarse
      || a->exact != b->exact || a->grids != b->grids
      || a->closed != b->closed || a->compares != b->compares
      || a->ready != b->ready
      || a->nops != b->nops || a->nloops != b->nloops || a->nreds != b->nreds
      || a->nrefused != b->nrefused || a->nalso != b->nalso
      || a->nsections != b->nsections)
    return false;
  for (unsigned i = 0; i < a->nsections; i++)
    if (!same_section (&a->sections[i], &b->sections[i]))
      return false;
  for (unsigned i = 0; i < a->nops; i++)
    {
      const struct acr_operand *x = &a->ops[i], *y = &b->ops[i];
      if (strcmp (x->name, y->name) || x->slot != y->slot || x->map != y->map
	  || x->access != y->access || x->group != y->group
	  || x->size != y->size)
	return false;
    }
  for (unsigned i = 0; i < a->nloops; i++)
    if (strcmp (a->loops[i].par, b->loops[i].par)
	|| a->loops[i].trip != b->loops[i].trip)
      return false;
  for (unsigned i = 0; i < a->nreds; i++)
    if (strcmp (a->reds[i].op, b->reds[i].op)
	|| strcmp (a->reds[i].name, b->reds[i].name))
      return false;
  for (unsigned i = 0; i < a->nrefused; i++)
    if (strcmp (a->refused[i].name, b->refused[i].name)
	|| strcmp (a->refused[i].why, b->refused[i].why))
      return false;
  for (unsigned i = 0; i < a->nalso; i++)
    if (strcmp (a->also[i], b->also[i]))
      return false;
  return true;
}

/* Parse a copy that ends where the line ends, so that a memory checker sees
   every byte read too many.  */
static struct acr_region *
parse (const char *text, size_t len)
{
  char *copy = malloc (len ? len : 1);
  if (!copy)
    abort ();
  memcpy (copy, text, len);
  struct acr_region *r = acr_tag_parse (copy, len);
  free (copy);
  return r;
}

static bool
accepted (const char *text)
{
  struct acr_region *r = parse (text, strlen (text));
  free (r);
  return r != NULL;
}

static void
test_round_trips (void)
{
  int bad_line = 0, bad_trip = 0, bad_text = 0, bad_site = 0;
  for (int i = 0; i < 2000; i++)
    {
      struct acr_region r = below (4) ? random_region () : random_site ();
      char *line = acr_tag_format (&r);
      bad_site += acr_tag_site_p (line) == acr_kind_computes (r.kind);
      for (const char *p = line; *p; p++)
	bad_line += *p < ' ' || *p > '~' || strchr ("\"\\'*;#,{}", *p) == p;
      struct acr_region *back = parse (line, strlen (line));
      bad_trip += !back || !same_region (&r, back);
      char *again = back ? acr_tag_format (back) : NULL;
      bad_text += !again || strcmp (line, again);
      free (line);
      free (again);
      free (back);
    }
  ok_int (bad_line, 0, "a tag is printable");
  ok_int (bad_trip, 0, "2000 random regions survive writing and reading");
  ok_int (bad_text, 0, "writing again gives the same text");
  ok_int (bad_site, 0, "a site record is known by its head");
}

/* A prefix is refused, or gives the facts up to the cut: never other ones.  */
static void
test_prefixes (void)
{
  int wrong = 0, parsed = 0;
  for (int i = 0; i < 50; i++)
    {
      struct acr_region r = random_region ();
      char *line = acr_tag_format (&r);
      for (size_t len = 0; len < strlen (line); len++)
	{
	  struct acr_region *p = parse (line, len);
	  if (!p)
	    continue;
	  parsed++;
	  wrong += p->nops > r.nops || p->nloops > r.nloops
		   || p->nreds > r.nreds || !same_name (p->fn, r.fn);
	  for (unsigned k = 0; !wrong && k < p->nops; k++)
	    wrong += strcmp (p->ops[k].name, r.ops[k].name)
		     || p->ops[k].access != r.ops[k].access
		     || p->ops[k].group != r.ops[k].group;
	  free (p);
	}
      free (line);
    }
  ok (parsed > 0 && !wrong, "prefixes say nothing new (%d parsed)", parsed);
}

/* Random damage must neither crash nor read outside; what is still accepted
   must be writable.  */
static void
test_damage (void)
{
  static const char soup[] = " =,:%?0129-+gwvsaop=fnredu\1\377";
  int kept = 0;
  for (int i = 0; i < 5000; i++)
    {
      struct acr_region r = random_region ();
      char *line = acr_tag_format (&r);
      size_t len = strlen (line);
      for (unsigned k = 1 + below (4); k; k--)
	line[below (len)] = soup[below (sizeof soup)];
      struct acr_region *p = parse (line, len);
      if (p)
	{
	  kept++;
	  free (acr_tag_format (p));
	}
      free (p);
      free (line);
    }
  ok (kept < 5000, "damaged lines are survived (%d still read)", kept);
}

static void
test_refused (void)
{
  static const char *const bad[] = {
    "", " ", "ACCRETE-TAG", "ACCRETE-TAG 1", "ACCRETE-TAG 1 ",
    "ACCRETE-TAG 2 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 10 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG  1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32",
    "accrete-tag 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32",
    "XACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32",
    /* Missing, doubled or malformed fields that must be there.  */
    "ACCRETE-TAG 1 src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c:1 dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-parallel",
    HEAD " fn=g", HEAD " src=b.c:2", HEAD " kind=acc-serial",
    HEAD " dims=1,1,1",
    "ACCRETE-TAG 1 fn= src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f,g src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c: kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c:4294967296 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c:-1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-data dims=?,1,32",
    "ACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1",
    "ACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32,4",
    "ACCRETE-TAG 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,2147483648",
    /* Fields in general.  */
    HEAD "  op=0,a,data,r,1,4", HEAD " =x", HEAD " junk", HEAD "\top=",
    /* Escapes.  */
    "ACCRETE-TAG 1 fn=%00 src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=%4 src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=%G1 src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=a*b src=a.c:1 kind=acc-parallel dims=?,1,32",
    "ACCRETE-TAG 1 fn=f\303\244 src=a.c:1 kind=acc-parallel dims=?,1,32",
    /* Lists.  */
    HEAD " op=", HEAD " op=0", HEAD " op=0,a,data,r,1",
    HEAD " op=0,a,data,r,1,4,5", HEAD " op=1,a,data,r,1,4",
    HEAD " op=0,a,data,r,1,4 op=0,b,data,r,1,4",
    HEAD " op=0,a,data,r,1,4 op=2,b,data,r,1,4",
    HEAD " op=0,a,date,r,1,4", HEAD " op=0,a,data,wr,1,4",
    HEAD " op=0,a,data,r,-1,4", HEAD " op=0,a,data,r,1,?",
    HEAD " op=0,a,data,r,1,4294967296", HEAD " op=?,a,data,r,1,4",
    HEAD " loop=", HEAD " loop=g", HEAD " loop=,4", HEAD " loop=x,4",
    HEAD " loop=gwvsagwv,4", HEAD " loop=g,-1", HEAD " loop=g,4,4",
    HEAD " loop=g,9223372036854775808", HEAD " loop=g,", HEAD " red=+",
    HEAD " red=+,a,b", HEAD " red=",
    HEAD " nest=1", HEAD " nest=2 nest=2", HEAD " nest=2,2",
    HEAD " tiles=0", HEAD " tiles=1 tiles=1",
    HEAD " columns=0", HEAD " columns=1 columns=1", HEAD " columns=2,2",
    HEAD " words=0", HEAD " words=1 words=1", HEAD " words=2,2",
    HEAD " coarse=1", HEAD " coarse=2 coarse=2", HEAD " coarse=2,2",
    HEAD " ready=0", HEAD " ready=1 ready=1", HEAD " ready=2,2",
    HEAD SLOTS " section=", HEAD SLOTS " section=0", HEAD SLOTS " section=0,r,4",
    HEAD SLOTS " section=0,rw,4,0", HEAD SLOTS " section=0,r,0,0",
    HEAD SLOTS " section=0,r,4,", HEAD SLOTS " section=0,r,4,x",
    HEAD SLOTS " section=0,r,4,1+", HEAD SLOTS " section=0,r,4,+1",
    HEAD SLOTS " section=0,r,4,1:", HEAD SLOTS " section=0,r,4,--1",
    HEAD SLOTS " section=0,r,4,1:1:1:1:1:1", HEAD SLOTS " section=0,r,4,1:0",
    HEAD SLOTS " section=0,r,4,1:2", HEAD SLOTS " section=0,r,4,1:3",
    HEAD SLOTS " section=0,r,4,1:99999", HEAD SLOTS " section=1,r,4,0",
    HEAD SLOTS " section=3,r,4,0", HEAD " section=0,r,4,0",
    HEAD SLOTS " section=0,r,4,0,4", HEAD SLOTS " section=0,r,4,0,4,0,9",
    HEAD SLOTS " section=0,r,4,0,4,0,9,0", HEAD SLOTS " section=0,r,4,0,4,0,9,1,2",
    HEAD SLOTS " section=0,r,4,0,4,0,9,1x",
    HEAD SLOTS " section=0,r,4,0,4,0,9,1,4,0,9,1,4,0,9,1,4,0,9,1,4,0,9,1",
    HEAD SLOTS " section=0,r,4,9223372036854775808",
    HEAD " not=a", HEAD " not=a,b,c", HEAD " not=a,b c",
    /* Site records.  */
    "ACCRETE-SITE 2 src=a.c:1 kind=acc-update",
    "ACCRETE-SITE 1 kind=acc-update", "ACCRETE-SITE 1 src=a.c:1",
    "ACCRETE-SITE 1 src=a.c:1 kind=acc-parallel",
    "ACCRETE-SITE 1 src=a.c:1 kind=acc-update fn=f",
    "ACCRETE-SITE 1 src=a.c:1 kind=acc-update dims=1,1,1",
    "ACCRETE-SITES 1 src=a.c:1 kind=acc-update",
    "ACCRETE-SITE 1 fn=f src=a.c:1 kind=acc-parallel dims=?,1,32",
  };
  static const char *const good[] = {
    HEAD, " \t" HEAD " ", HEAD " future=1,2 x=", HEAD " op=0,,data,r,?,0",
    HEAD " loop=gwv,9223372036854775807 loop=s,s loop=a,?", HEAD " red=+,",
    "ACCRETE-TAG 1 dims=1,2,3 kind=omp-target x= src=:0 fn=%2A",
    HEAD SLOTS " section=0,r,4,0",
    HEAD SLOTS " section=0,w,4,-8:1:1u+4,4:1u,-1,1:1,-3u section=0,r,4,0",
    HEAD " section=0,r,4,0" SLOTS,
    HEAD " not=a,why%20not not=,",
    "ACCRETE-SITE 1 src=a.c:1 kind=acc-update",
    " ACCRETE-SITE 1 kind=omp-target-data future=1 src=:0 op=0,a,data,?,?,4\n",
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ok (!accepted (bad[i]), "refused: '%s'", bad[i]);
  for (size_t i = 0; i < sizeof good / sizeof *good; i++)
    ok (accepted (good[i]), "accepted: '%s'", good[i]);
  ok (!parse (HEAD "\0x=1", sizeof HEAD "\0x=1" - 1), "refused: NUL inside");
}

static void
test_names (void)
{
  struct acr_region r = { .fn = "f*/ \"\\%", .file = "d:/\303\244, b.c",
			  .kind = ACR_KIND_OMP_TARGET };
  char *line = acr_tag_format (&r);
  ok_str (line,
	  "ACCRETE-TAG 1 fn=f%2A/%20%22%5C%25 src=d:/%C3%A4%2C%20b.c:0 "
	  "kind=omp-target dims=0,0,0",
	  "odd characters are escaped");
  struct acr_region *back = acr_tag_parse (line, strlen (line));
  ok_str (back ? back->fn : NULL, r.fn, "and come back");
  ok_str (back ? back->file : NULL, r.file, "in the file name, too");
  free (back);
  free (line);
}

/* Slot 0 of a region with the operand fields OPS.  */
static bool
constant (const char *ops, int slot)
{
  char line[512];
  int len = snprintf (line, sizeof line, HEAD "%s", ops);
  struct acr_region *r = acr_tag_parse (line, len);
  bool yes = r && acr_region_constant (r, slot);
  ok (r != NULL, "parsed '%s'", ops);
  free (r);
  return yes;
}

static void
test_constant (void)
{
  ok (constant (" op=0,a,data,r,1,4 op=1,b,data,w,2,4", 0), "read, disjoint");
  ok (!constant (" op=0,a,data,r,1,4 op=1,b,data,w,2,4", 1), "written");
  ok (!constant (" op=0,a,data,r,1,4 op=1,b,data,w,1,4", 0), "same group");
  ok (!constant (" op=0,a,data,r,?,4 op=1,b,data,w,1,4", 0), "own group open");
  ok (!constant (" op=0,a,data,r,1,4 op=1,b,data,w,?,4", 0), "other's open");
  ok (constant (" op=0,a,data,r,?,4 op=1,b,data,r,?,4", 0), "no writer");
  ok (!constant (" op=0,a,data,?,1,4", 0), "unknown access");
  ok (!constant (" op=0,a,data,r,1,4 op=1,b,data,?,1,4", 0), "unknown other");
  ok (constant (" op=0,n,copy,r,?,4 op=1,b,data,w,?,4", 0), "a copy");
  ok (!constant (" op=0,n,copy,rw,?,4", 0), "a written copy");
  ok (constant (" op=0,a,data,r,?,4 op=1,n,copy,w,?,4", 0), "beside a copy");
  ok (constant (" op=0,a,ptr,r,1,4 op=1,b,ptr2,w,2,4", 0), "by pointer");
  ok (!constant (" op=0,n,value,-,?,4", 0), "a value");
  ok (!constant (" op=0,n,other,r,1,4", 0), "something else");
  ok (!constant (" op=0,a,data,r,1,4", 1), "no such slot");
  ok (!constant ("", 0), "no facts");
}

int
main (void)
{
  test_round_trips ();
  test_prefixes ();
  test_damage ();
  test_refused ();
  test_names ();
  test_constant ();
  return done_testing ();
}
