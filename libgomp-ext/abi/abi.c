/* Reading and writing tags and site records: the one implementation of abi.h's
   grammar, for
   the plugin, the PTX post-processor and the runtime.

   The writer runs twice, once to measure and once to fill.  The reader copies
   the line behind the region it builds, in one block, and decodes every name
   in place: a decoded name is never longer than its text, and the separator
   after it makes room for the NUL.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "abi/line.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRAY_SIZE(a) (sizeof (a) / sizeof *(a))

static const char *const kind_name[] = {
#define ACR_KIND(id, text) text,
#include "abi/abi.def"
};

static const char *const map_name[] = {
#define ACR_MAP(id, text) text,
#include "abi/abi.def"
};

static const char *const spmd_name[] = {
#define ACR_SPMD(id, text) text,
#include "abi/abi.def"
};

static const struct
{
  enum acr_access value;
  const char *name;
} access_name[] = {
#define ACR_ACCESS(id, value, text) { ACR_ACCESS_##id, text },
#include "abi/abi.def"
};

const char *
acr_kind_name (enum acr_kind k)
{
  return kind_name[k];
}

const char *
acr_map_name (enum acr_map m)
{
  return map_name[m];
}

const char *
acr_access_name (enum acr_access a)
{
  for (size_t i = 0; i < ARRAY_SIZE (access_name); i++)
    if (access_name[i].value == a)
      return access_name[i].name;
  return "?";
}

/* Locale-independent: the compiler and the assembler may run under different
   locales.  */
static bool
name_char_p (unsigned char c)
{
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z')
	 || (c >= 'A' && c <= 'Z') || (c && strchr ("_.$:/-+", c));
}

/* Writing.  */

static void
put_name (struct acr_writer *w, const char *s)
{
  static const char hex[] = "0123456789ABCDEF";
  for (; *s; s++)
    {
      unsigned char c = *s;
      if (name_char_p (c))
	acr_put_char (w, c);
      else
	{
	  acr_put_char (w, '%');
	  acr_put_char (w, hex[c >> 4]);
	  acr_put_char (w, hex[c & 15]);
	}
    }
}

/* N, or the mark ? when it is OPEN.  */
static void
put_int (struct acr_writer *w, long long n, long long open)
{
  if (n == open)
    acr_put_char (w, '?');
  else
    acr_put_number (w, n);
}

static bool
open_p (const int dims[3])
{
  return dims[0] == ACR_DIM_OPEN && dims[1] == ACR_DIM_OPEN
	 && dims[2] == ACR_DIM_OPEN;
}

static void
put_dims (struct acr_writer *w, const char *key, const int dims[3])
{
  acr_put_char (w, ' ');
  acr_put_text (w, key);
  for (int i = 0; i < 3; i++)
    {
      acr_put_char (w, i ? ',' : '=');
      put_int (w, dims[i], ACR_DIM_OPEN);
    }
}

static void
put_operand (struct acr_writer *w, const struct acr_operand *op)
{
  acr_put_text (w, " op=");
  acr_put_number (w, op->slot);
  acr_put_char (w, ',');
  put_name (w, op->name);
  acr_put_char (w, ',');
  acr_put_text (w, acr_map_name (op->map));
  acr_put_char (w, ',');
  acr_put_text (w, acr_access_name (op->access));
  acr_put_char (w, ',');
  put_int (w, op->group, ACR_ALIAS_ANY);
  acr_put_char (w, ',');
  acr_put_number (w, op->size);
}

static void
put_loop (struct acr_writer *w, const struct acr_loop *loop)
{
  acr_put_text (w, " loop=");
  acr_put_text (w, loop->par);
  acr_put_char (w, ',');
  if (loop->trip == ACR_TRIP_SYMBOLIC)
    acr_put_char (w, 's');
  else
    put_int (w, loop->trip, ACR_TRIP_UNKNOWN);
}

static void
put_refusal (struct acr_writer *w, const struct acr_refusal *refusal)
{
  acr_put_text (w, " not=");
  put_name (w, refusal->name);
  acr_put_char (w, ',');
  put_name (w, refusal->why);
}

/* What tags and site records have.  */
static void
put_place (struct acr_writer *w, const struct acr_region *r)
{
  acr_put_text (w, " src=");
  put_name (w, r->file);
  acr_put_char (w, ':');
  acr_put_number (w, r->line);
  acr_put_text (w, " kind=");
  acr_put_text (w, acr_kind_name (r->kind));
}

static void
put_site (struct acr_writer *w, const struct acr_region *r)
{
  acr_put_text (w, ACR_SITE_MAGIC " ");
  acr_put_number (w, ACR_TAG_VERSION);
  put_place (w, r);
  for (unsigned i = 0; i < r->nops; i++)
    put_operand (w, &r->ops[i]);
}

static void
put_region (struct acr_writer *w, const struct acr_region *r)
{
  acr_put_text (w, ACR_TAG_MAGIC " ");
  acr_put_number (w, ACR_TAG_VERSION);
  acr_put_text (w, " fn=");
  put_name (w, r->fn);
  put_place (w, r);
  put_dims (w, "dims", r->dims);
  for (unsigned i = 0; i < r->nops; i++)
    put_operand (w, &r->ops[i]);
  for (unsigned i = 0; i < r->nloops; i++)
    put_loop (w, &r->loops[i]);
  for (unsigned i = 0; i < r->nreds; i++)
    {
      acr_put_text (w, " red=");
      put_name (w, r->reds[i].op);
      acr_put_char (w, ',');
      put_name (w, r->reds[i].name);
    }
  if (r->spmd != ACR_SPMD_NO)
    {
      acr_put_text (w, " spmd=");
      acr_put_text (w, spmd_name[r->spmd]);
      if (!open_p (r->stock))
	put_dims (w, "stock", r->stock);
    }
  if (r->row)
    {
      acr_put_text (w, " row=");
      acr_put_number (w, r->row);
    }
  if (r->sums)
    acr_put_text (w, " sums=1");
  if (r->columns)
    {
      acr_put_text (w, " columns=");
      acr_put_number (w, r->columns);
    }
  if (r->words)
    {
      acr_put_text (w, " words=");
      acr_put_number (w, r->words);
    }
  if (r->coarse)
    {
      acr_put_text (w, " coarse=");
      acr_put_number (w, r->coarse);
    }
  if (r->nest)
    {
      acr_put_text (w, " nest=");
      acr_put_number (w, r->nest);
    }
  if (r->tiles)
    acr_put_text (w, " tiles=1");
  if (r->exact)
    acr_put_text (w, " exact=1");
  if (r->grids)
    acr_put_text (w, " grids=1");
  if (r->closed)
    acr_put_text (w, " closed=1");
  if (r->compares)
    acr_put_text (w, " compares=1");
  if (r->resident)
    {
      acr_put_text (w, " resident=");
      acr_put_number (w, r->resident);
    }
  if (r->chain)
    {
      acr_put_text (w, " chain=");
      acr_put_number (w, r->chain);
    }
  if (r->ready)
    {
      acr_put_text (w, " ready=");
      acr_put_number (w, r->ready);
    }
  if (r->launches)
    {
      acr_put_text (w, " launches=");
      acr_put_number (w, r->launches);
    }
  if (r->share)
    {
      acr_put_text (w, " share=");
      acr_put_number (w, r->share);
    }
  for (unsigned i = 0; i < r->nsections; i++)
    {
      acr_put_text (w, " section=");
      acr_put_section (w, &r->sections[i]);
    }
  for (unsigned i = 0; i < r->nalso; i++)
    {
      acr_put_text (w, " also=");
      put_name (w, r->also[i]);
    }
  for (unsigned i = 0; i < r->nrefused; i++)
    put_refusal (w, &r->refused[i]);
}

char *
acr_tag_format (const struct acr_region *r)
{
  void (*put) (struct acr_writer *, const struct acr_region *)
    = acr_kind_computes (r->kind) ? put_region : put_site;
  struct acr_writer measure = { NULL, 0 };
  put (&measure, r);
  struct acr_writer fill = { malloc (measure.len + 1), 0 };
  if (!fill.text)
    return NULL;
  put (&fill, r);
  fill.text[fill.len] = '\0';
  return fill.text;
}

/* Reading.  A field's value is NUL-terminated before it is read; each take_*
   function takes one comma-separated part off *P, leaves *P behind the comma
   or NULL when this was the last, and fails when there is none.  */

static char *
take_part (char **p)
{
  char *part = *p;
  if (!part)
    return NULL;
  char *comma = strchr (part, ',');
  if (comma)
    *comma = '\0';
  *p = comma ? comma + 1 : NULL;
  return part;
}

static int
hex_digit (char c)
{
  static const char digits[] = "0123456789ABCDEF";
  const char *d = c ? strchr (digits, c) : NULL;
  return d ? d - digits : -1;
}

/* Decode the name S in place.  */
static bool
decode_name (char *s)
{
  char *to = s;
  for (; *s; s++)
    if (*s == '%')
      {
	int hi = hex_digit (s[1]);
	int lo = hi < 0 ? -1 : hex_digit (s[2]);
	if (lo < 0 || !(hi | lo))
	  return false;
	*to++ = hi << 4 | lo;
	s += 2;
      }
    else if (name_char_p (*s))
      *to++ = *s;
    else
      return false;
  *to = '\0';
  return true;
}

static bool
take_name (char **p, const char **name)
{
  char *part = take_part (p);
  *name = part;
  return part && decode_name (part);
}

/* A number, or ? for OPEN.  */
static bool
take_int (char **p, int open, int *n)
{
  char *part = take_part (p);
  unsigned long long v = 0;
  if (!part)
    return false;
  bool is_open = !strcmp (part, "?");
  if (!is_open && !acr_read_number (part, INT_MAX, &v))
    return false;
  *n = is_open ? open : (int) v;
  return true;
}

static bool
take_unsigned (char **p, unsigned *n)
{
  char *part = take_part (p);
  unsigned long long v;
  if (!part || !acr_read_number (part, UINT_MAX, &v))
    return false;
  *n = v;
  return true;
}

/* The index of the next part in NAMES, or -1.  */
static int
take_word (char **p, const char *const *names, size_t n)
{
  char *part = take_part (p);
  for (size_t i = 0; part && i < n; i++)
    if (!strcmp (part, names[i]))
      return i;
  return -1;
}

static bool
take_access (char **p, enum acr_access *access)
{
  char *part = take_part (p);
  for (size_t i = 0; part && i < ARRAY_SIZE (access_name); i++)
    if (!strcmp (part, access_name[i].name))
      {
	*access = access_name[i].value;
	return true;
      }
  return false;
}

/* One reader per key.  Each stores into R and says whether VALUE was well
   formed; lists were counted before, so there is room.  */

static bool
read_fn (char *value, struct acr_region *r)
{
  return !r->fn && *value && take_name (&value, &r->fn) && !value;
}

/* The file name may hold colons.  */
static bool
read_src (char *value, struct acr_region *r)
{
  char *colon = strrchr (value, ':');
  if (r->file || !colon)
    return false;
  *colon = '\0';
  char *line = colon + 1;
  return take_name (&value, &r->file) && !value
	 && take_unsigned (&line, &r->line) && !line;
}

static bool
read_kind (char *value, struct acr_region *r)
{
  if (r->kind != ACR_KIND_COUNT)
    return false;
  int kind = take_word (&value, kind_name, ARRAY_SIZE (kind_name));
  r->kind = kind;
  return kind >= 0 && !value;
}

static bool
take_dims (char *value, int dims[3])
{
  for (int i = 0; i < 3; i++)
    if (!take_int (&value, ACR_DIM_OPEN, &dims[i]))
      return false;
  return !value;
}

static bool
read_dims (char *value, struct acr_region *r)
{
  return r->dims[0] == INT_MIN && take_dims (value, r->dims);
}

static bool
read_stock (char *value, struct acr_region *r)
{
  return open_p (r->stock) && take_dims (value, r->stock);
}

static bool
read_operand (char *value, struct acr_region *r)
{
  struct acr_operand *op = &r->ops[r->nops];
  if (!take_int (&value, -1, &op->slot) || op->slot != (int) r->nops
      || !take_name (&value, &op->name))
    return false;
  int map = take_word (&value, map_name, ARRAY_SIZE (map_name));
  op->map = map;
  r->addresses |= map == ACR_MAP_DEVPTR;
  r->nops++;
  return map >= 0 && take_access (&value, &op->access)
	 && take_int (&value, ACR_ALIAS_ANY, &op->group)
	 && take_unsigned (&value, &op->size) && !value;
}

static bool
read_loop (char *value, struct acr_region *r)
{
  struct acr_loop *loop = &r->loops[r->nloops++];
  char *par = take_part (&value), *trip = take_part (&value);
  if (!par || !trip || value)
    return false;
  size_t len = strlen (par);
  if (!len || len >= sizeof loop->par || strspn (par, "gwvsa") != len)
    return false;
  memcpy (loop->par, par, len + 1);
  unsigned long long n = 0;
  if (!strcmp (trip, "s"))
    loop->trip = ACR_TRIP_SYMBOLIC;
  else if (!strcmp (trip, "?"))
    loop->trip = ACR_TRIP_UNKNOWN;
  else if (acr_read_number (trip, LLONG_MAX, &n))
    loop->trip = n;
  else
    return false;
  return true;
}

static bool
read_reduction (char *value, struct acr_region *r)
{
  struct acr_reduction *red = &r->reds[r->nreds++];
  return take_name (&value, &red->op) && take_name (&value, &red->name)
	 && !value;
}

/* Terms are behind those of the section before.  */
static bool
read_section (char *value, struct acr_region *r)
{
  return acr_read_section (value, &r->sections[r->nsections++], &r->terms);
}

static bool
read_also (char *value, struct acr_region *r)
{
  return take_name (&value, &r->also[r->nalso++]) && !value;
}

static bool
read_refusal (char *value, struct acr_region *r)
{
  struct acr_refusal *refusal = &r->refused[r->nrefused++];
  return take_name (&value, &refusal->name)
	 && take_name (&value, &refusal->why) && !value;
}

static bool
read_spmd (char *value, struct acr_region *r)
{
  if (r->spmd != ACR_SPMD_NO)
    return false;
  int spmd = take_word (&value, spmd_name, ARRAY_SIZE (spmd_name));
  r->spmd = spmd;
  return spmd > ACR_SPMD_NO && !value;
}

static bool
read_row (char *value, struct acr_region *r)
{
  return r->row == 0 && take_int (&value, 0, &r->row) && r->row > 0 && !value;
}

/* The VALUE of a field that is from 1 to MOST, a digit.  */
static bool
read_degree (const char *value, int most, int *degree)
{
  bool first = *degree == 0;
  *degree = *value - '0';
  return first && strlen (value) == 1 && *degree >= 1 && *degree <= most;
}

static bool
read_launches (char *value, struct acr_region *r)
{
  return read_degree (value, 3, &r->launches);
}

static bool
read_share (char *value, struct acr_region *r)
{
  return r->share == 0 && take_int (&value, 0, &r->share) && r->share > 0
	 && !value;
}

static bool
read_nest (char *value, struct acr_region *r)
{
  return r->nest == 0 && take_int (&value, 0, &r->nest) && r->nest > 1
	 && !value;
}

/* The VALUE of a field that is there or not.  */
static bool
read_fact (const char *value, bool *fact)
{
  if (*fact || strcmp (value, "1"))
    return false;
  *fact = true;
  return true;
}

static bool
read_sums (char *value, struct acr_region *r)
{
  return read_fact (value, &r->sums);
}

static bool
read_columns (char *value, struct acr_region *r)
{
  return r->columns == 0 && take_int (&value, 0, &r->columns) && r->columns > 0
	 && !value;
}

static bool
read_words (char *value, struct acr_region *r)
{
  return r->words == 0 && take_int (&value, 0, &r->words) && r->words > 0 && !value;
}

static bool
read_coarse (char *value, struct acr_region *r)
{
  return r->coarse == 0 && take_int (&value, 0, &r->coarse) && r->coarse > 1 && !value;
}

static bool
read_tiles (char *value, struct acr_region *r)
{
  return read_fact (value, &r->tiles);
}

static bool
read_exact (char *value, struct acr_region *r)
{
  return read_fact (value, &r->exact);
}

static bool
read_grids (char *value, struct acr_region *r)
{
  return read_fact (value, &r->grids);
}

static bool
read_closed (char *value, struct acr_region *r)
{
  return read_fact (value, &r->closed);
}

static bool
read_compares (char *value, struct acr_region *r)
{
  return read_fact (value, &r->compares);
}

static bool
read_resident (char *value, struct acr_region *r)
{
  return read_degree (value, 2, &r->resident);
}

static bool
read_chain (char *value, struct acr_region *r)
{
  return r->chain == 0 && take_int (&value, 0, &r->chain) && r->chain > 0
	 && !value;
}

static bool
read_ready (char *value, struct acr_region *r)
{
  return r->ready == 0 && take_int (&value, 0, &r->ready) && r->ready > 0
	 && !value;
}

static const struct field
{
  const char *key;
  bool (*read) (char *value, struct acr_region *r);
} fields[] = {
  { "fn=", read_fn },	  { "src=", read_src },	  { "kind=", read_kind },
  { "dims=", read_dims }, { "op=", read_operand }, { "loop=", read_loop },
  { "red=", read_reduction }, { "spmd=", read_spmd },
  { "stock=", read_stock },
  { "row=", read_row },	  { "share=", read_share },
  { "sums=", read_sums }, { "columns=", read_columns },
  { "words=", read_words },
  { "coarse=", read_coarse },
  { "nest=", read_nest }, { "tiles=", read_tiles },
  { "exact=", read_exact }, { "grids=", read_grids },
  { "closed=", read_closed },
  { "compares=", read_compares }, { "launches=", read_launches },
  { "resident=", read_resident }, { "chain=", read_chain },
  { "ready=", read_ready }, { "section=", read_section },
  { "also=", read_also },  { "not=", read_refusal },
};

/* Read one field, NUL-terminated.  Every field has a key; unknown ones are
   skipped.  */
static bool
read_field (char *text, struct acr_region *r)
{
  for (size_t i = 0; i < ARRAY_SIZE (fields); i++)
    {
      size_t len = strlen (fields[i].key);
      if (!strncmp (text, fields[i].key, len))
	return fields[i].read (text + len, r);
    }
  return *text != '=' && strchr (text, '=');
}

/* How many fields of TEXT start with KEY?  */
static size_t
count_fields (const char *text, const char *end, const char *key)
{
  size_t n = 0, len = strlen (key);
  for (const char *p = text; (size_t) (end - p) > len; p++)
    n += *p == ' ' && !memcmp (p + 1, key, len);
  return n;
}

/* How many terms may the sections of TEXT have?  */
static size_t
count_terms (const char *text, const char *end)
{
  size_t n = 0;
  for (const char *p = text; p < end; p++)
    n += *p == ',' || *p == '+';
  return n;
}

static bool
blank_p (char c)
{
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* A region with room for the lists of the line [TEXT, END), and a copy of the
   line behind it, which *COPY points to.  */
static struct acr_region *
new_region (const char *text, const char *end, char **copy)
{
  size_t nops = count_fields (text, end, "op=");
  size_t nloops = count_fields (text, end, "loop=");
  size_t nreds = count_fields (text, end, "red=");
  size_t nrefused = count_fields (text, end, "not=");
  size_t nalso = count_fields (text, end, "also=");
  size_t nsections = count_fields (text, end, "section=");
  size_t nterms = nsections ? count_terms (text, end) : 0;
  size_t len = end - text;
  struct acr_region *r = malloc (
    sizeof *r + nsections * sizeof *r->sections + nterms * sizeof *r->terms
    + nops * sizeof *r->ops + nloops * sizeof *r->loops
    + nreds * sizeof *r->reds + nrefused * sizeof *r->refused
    + nalso * sizeof *r->also + len + 1);
  if (!r)
    return NULL;
  *r = (struct acr_region){
    .kind = ACR_KIND_COUNT,
    .dims[0] = INT_MIN,
    .stock = { ACR_DIM_OPEN, ACR_DIM_OPEN, ACR_DIM_OPEN }
  };
  r->sections = (struct acr_section *) (r + 1);
  r->terms = (struct acr_term *) (r->sections + nsections);
  r->ops = (struct acr_operand *) (r->terms + nterms);
  r->loops = (struct acr_loop *) (r->ops + nops);
  r->reds = (struct acr_reduction *) (r->loops + nloops);
  r->refused = (struct acr_refusal *) (r->reds + nreds);
  r->also = (const char **) (r->refused + nrefused);
  *copy = (char *) (r->also + nalso);
  memcpy (*copy, text, len);
  (*copy)[len] = '\0';
  return r;
}

/* Fill R from LINE, which it takes apart.  */
static bool
read_region (char *line, struct acr_region *r)
{
  for (char *space; line; line = space)
    {
      space = strchr (line, ' ');
      if (space)
	*space++ = '\0';
      if (!read_field (line, r))
	return false;
    }
  return r->file && r->kind != ACR_KIND_COUNT;
}

static bool
read_tag (char *line, struct acr_region *r)
{
  bool read = read_region (line, r) && acr_kind_computes (r->kind) && r->fn
	      && r->dims[0] != INT_MIN;
  for (unsigned i = 0; read && i < r->nsections; i++)
    read = acr_section_fits (r, &r->sections[i]);
  return read;
}

static bool
read_site (char *line, struct acr_region *r)
{
  if (!read_region (line, r) || acr_kind_computes (r->kind) || r->fn
      || r->dims[0] != INT_MIN)
    return false;
  r->dims[0] = r->dims[1] = r->dims[2] = ACR_DIM_OPEN;
  return true;
}

/* Does [TEXT, END) begin with MAGIC and the version?  Then *LEN is the length
   of that.  */
static bool
head_p (const char *text, const char *end, const char *magic, size_t *len)
{
  char head[64];
  *len = snprintf (head, sizeof head, "%s %d ", magic, ACR_TAG_VERSION);
  return (size_t) (end - text) >= *len && !memcmp (text, head, *len);
}

bool
acr_tag_site_p (const char *text)
{
  return !strncmp (text, ACR_SITE_MAGIC " ", sizeof ACR_SITE_MAGIC);
}

struct acr_region *
acr_tag_parse (const char *text, size_t len)
{
  size_t headlen;
  bool (*read) (char *, struct acr_region *) = NULL;
  const char *end = text + len;
  while (text < end && blank_p (*text))
    text++;
  while (text < end && blank_p (end[-1]))
    end--;
  if (head_p (text, end, ACR_TAG_MAGIC, &headlen))
    read = read_tag;
  else if (head_p (text, end, ACR_SITE_MAGIC, &headlen))
    read = read_site;
  /* A line in memory is far below this; it keeps the sizes below from
     wrapping around.  */
  if (!read || (size_t) (end - text) > INT_MAX
      || memchr (text, '\0', end - text))
    return NULL;

  /* The blank before the first field stays: fields are counted by it.  */
  char *line;
  struct acr_region *r = new_region (text + headlen - 1, end, &line);
  if (r && !read (line + 1, r))
    {
      free (r);
      return NULL;
    }
  return r;
}

/* What a tag proves.  */

const struct acr_operand *
acr_region_slot (const struct acr_region *r, int slot)
{
  /* They are in order, without a gap.  */
  return (unsigned) slot < r->nops ? &r->ops[slot] : NULL;
}

bool
acr_region_constant (const struct acr_region *r, int slot)
{
  const struct acr_operand *op = acr_region_slot (r, slot);
  if (!op || op->map == ACR_MAP_VALUE || op->map == ACR_MAP_OTHER
      || (op->access & ACR_ACCESS_WRITE))
    return false;
  for (unsigned i = 0; i < r->nops; i++)
    {
      const struct acr_operand *other = &r->ops[i];
      bool apart = op->map == ACR_MAP_COPY || other->map == ACR_MAP_COPY
		   || (op->group != ACR_ALIAS_ANY
		       && other->group != ACR_ALIAS_ANY
		       && op->group != other->group);
      if (other != op && (other->access & ACR_ACCESS_WRITE) && !apart)
	return false;
    }
  return true;
}
