/* Sections in a tag's line; see abi.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "abi/line.h"

#include <limits.h>
#include <string.h>

/* Writing.  */

static void
put_signed (struct acr_writer *w, long long n)
{
  if (n < 0)
    acr_put_char (w, '-');
  acr_put_number (w, n < 0 ? -(unsigned long long) n : (unsigned long long) n);
}

static void
put_term (struct acr_writer *w, const struct acr_term *t)
{
  put_signed (w, t->factor);
  for (int i = 0; i < ACR_SECTION_VALUES && t->value[i] >= 0; i++)
    {
      acr_put_char (w, ':');
      acr_put_number (w, t->value[i] / 2);
      if (t->value[i] & 1)
	acr_put_char (w, 'u');
    }
}

/* A sum of nothing is 0.  */
static void
put_sum (struct acr_writer *w, const struct acr_sum *s)
{
  acr_put_char (w, ',');
  if (!s->n)
    acr_put_char (w, '0');
  for (unsigned i = 0; i < s->n; i++)
    {
      if (i)
	acr_put_char (w, '+');
      put_term (w, &s->term[i]);
    }
}

void
acr_put_section (struct acr_writer *w, const struct acr_section *s)
{
  acr_put_number (w, s->slot);
  acr_put_text (w, s->write ? ",w," : ",r,");
  acr_put_number (w, s->bytes);
  put_sum (w, &s->at);
  for (unsigned i = 0; i < s->nloops; i++)
    {
      const struct acr_section_loop *l = &s->loop[i];
      put_sum (w, &l->stride);
      put_sum (w, &l->first);
      put_sum (w, &l->bound);
      acr_put_char (w, ',');
      put_signed (w, l->step);
      if (l->natural)
	acr_put_char (w, 'u');
    }
}

/* Reading.  */

/* Take the text up to one of the bytes ENDS off *P, which then is NULL or behind
   that.  NULL: there is none.  */
static char *
take (char **p, char end)
{
  char *part = *p;
  if (!part)
    return NULL;
  char *behind = strchr (part, end);
  if (behind)
    *behind++ = '\0';
  *p = behind;
  return part;
}

static bool
read_signed (const char *text, long long *n)
{
  unsigned long long v;
  bool minus = *text == '-';
  if (!acr_read_number (text + minus, LLONG_MAX, &v))
    return false;
  *n = minus ? -(long long) v : (long long) v;
  return true;
}

/* Whether TEXT ends with a u, which is taken off.  */
static bool
take_mark (char *text)
{
  size_t n = strlen (text);
  bool marked = n && text[n - 1] == 'u';
  if (marked)
    text[n - 1] = '\0';
  return marked;
}

static bool
read_term (char *text, struct acr_term *t)
{
  char *factor = take (&text, ':');
  if (!read_signed (factor, &t->factor))
    return false;
  memset (t->value, -1, sizeof t->value);
  for (int i = 0; text; i++)
    {
      unsigned long long slot;
      char *value = take (&text, ':');
      bool marked = take_mark (value);
      if (i == ACR_SECTION_VALUES
	  || !acr_read_number (value, SHRT_MAX / 2, &slot))
	return false;
      t->value[i] = 2 * slot + marked;
    }
  return true;
}

static bool
read_sum (char *text, struct acr_sum *s, struct acr_term **term)
{
  s->term = *term;
  s->n = 0;
  if (!text)
    return false;
  while (text)
    {
      char *one = take (&text, '+');
      if (!read_term (one, *term))
	return false;
      ++*term;
      s->n++;
    }
  return true;
}

static bool
read_loop (char **value, struct acr_section_loop *l, struct acr_term **term)
{
  if (!read_sum (take (value, ','), &l->stride, term)
      || !read_sum (take (value, ','), &l->first, term)
      || !read_sum (take (value, ','), &l->bound, term))
    return false;
  char *step = take (value, ',');
  l->natural = step && take_mark (step);
  return step && read_signed (step, &l->step) && l->step;
}

bool
acr_read_section (char *value, struct acr_section *s, struct acr_term **term)
{
  unsigned long long slot, bytes;
  char *text = take (&value, ','), *access = take (&value, ',');
  char *size = take (&value, ',');
  if (!size || !acr_read_number (text, INT_MAX, &slot)
      || !acr_read_number (size, UINT_MAX, &bytes) || !bytes
      || (strcmp (access, "r") && strcmp (access, "w")))
    return false;
  s->slot = slot;
  s->write = *access == 'w';
  s->bytes = bytes;
  if (!read_sum (take (&value, ','), &s->at, term))
    return false;
  for (s->nloops = 0; value; s->nloops++)
    if (s->nloops == ACR_SECTION_LOOPS
	|| !read_loop (&value, &s->loop[s->nloops], term))
      return false;
  return true;
}

static bool
sum_fits (const struct acr_region *r, const struct acr_sum *s)
{
  for (unsigned i = 0; i < s->n; i++)
    for (int k = 0; k < ACR_SECTION_VALUES && s->term[i].value[k] >= 0; k++)
      {
	const struct acr_operand *op
	  = acr_region_slot (r, s->term[i].value[k] / 2);
	if (!op || op->map != ACR_MAP_VALUE
	    || (op->size != 1 && op->size != 2 && op->size != 4 && op->size != 8))
	  return false;
      }
  return true;
}

bool
acr_section_fits (const struct acr_region *r, const struct acr_section *s)
{
  const struct acr_operand *op = acr_region_slot (r, s->slot);
  bool fits = op && op->map == ACR_MAP_DATA && sum_fits (r, &s->at);
  for (unsigned i = 0; fits && i < s->nloops; i++)
    fits = sum_fits (r, &s->loop[i].stride) && sum_fits (r, &s->loop[i].first)
	   && sum_fits (r, &s->loop[i].bound);
  return fits;
}
