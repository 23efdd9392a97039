/* Characters and numbers of a tag's line, for those who write and read it.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LINE_H
#define ACCRETE_LINE_H

#include "abi/abi.h"

#include <stdio.h>

/* TEXT is NULL while the length is measured.  */
struct acr_writer
{
  char *text;
  size_t len;
};

static inline void
acr_put_char (struct acr_writer *w, char c)
{
  if (w->text)
    w->text[w->len] = c;
  w->len++;
}

static inline void
acr_put_text (struct acr_writer *w, const char *s)
{
  while (*s)
    acr_put_char (w, *s++);
}

static inline void
acr_put_number (struct acr_writer *w, unsigned long long n)
{
  char buf[3 * sizeof n];
  snprintf (buf, sizeof buf, "%llu", n);
  acr_put_text (w, buf);
}

/* Decimal digits only, up to MAX.  */
static inline bool
acr_read_number (const char *s, unsigned long long max, unsigned long long *n)
{
  unsigned long long v = 0;
  if (!*s)
    return false;
  for (; *s; s++)
    {
      if (*s < '0' || *s > '9')
	return false;
      unsigned digit = *s - '0';
      if (v > (max - digit) / 10)
	return false;
      v = v * 10 + digit;
    }
  *n = v;
  return true;
}

/* The value of the field section= (section-text.c): write that of S; read VALUE, which
   is taken apart, into S, with terms at *TERM, of which there are as many as there
   are signs, commas and one more, and which is moved behind those that are used.  */
void acr_put_section (struct acr_writer *w, const struct acr_section *s);
bool acr_read_section (char *value, struct acr_section *s,
		       struct acr_term **term);

/* Whether S's slots are what they should be in R, all of which is read.  */
bool acr_section_fits (const struct acr_region *r, const struct acr_section *s);

#endif /* ACCRETE_LINE_H */
