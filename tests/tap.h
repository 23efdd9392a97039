/* Test Anything Protocol for C test programs.

     int main (void)
     {
       ok (1 + 1 == 2, "addition");
       ok_str (name (), "a", "name of %d", 1);
       return done_testing ();
     }

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TAP_H
#define ACCRETE_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

/* Report one test; returns COND so that a test can stop on failure.  */
__attribute__ ((format (printf, 2, 3), unused)) static bool
ok (bool cond, const char *fmt, ...)
{
  va_list ap;
  printf ("%sok %d - ", cond ? "" : "not ", ++tap_count);
  va_start (ap, fmt);
  vprintf (fmt, ap);
  va_end (ap);
  putchar ('\n');
  tap_failed += !cond;
  fflush (stdout);
  return cond;
}

/* Extra output; shown in the log only.  */
__attribute__ ((format (printf, 1, 2), unused)) static void
diag (const char *fmt, ...)
{
  va_list ap;
  fputs ("# ", stdout);
  va_start (ap, fmt);
  vprintf (fmt, ap);
  va_end (ap);
  putchar ('\n');
}

#define ok_int(got, want, ...)						      \
  do									      \
    {									      \
      long long tap_g = (got), tap_w = (want);				      \
      if (!ok (tap_g == tap_w, __VA_ARGS__))				      \
	diag ("%s:%d: got %lld, want %lld", __FILE__, __LINE__, tap_g, tap_w);  \
    }									      \
  while (0)

#define ok_str(got, want, ...)						      \
  do									      \
    {									      \
      const char *tap_g = (got), *tap_w = (want);			      \
      if (!ok (tap_g && tap_w && !strcmp (tap_g, tap_w), __VA_ARGS__))	      \
	diag ("%s:%d: got '%s', want '%s'", __FILE__, __LINE__,		      \
	      tap_g ? tap_g : "(null)", tap_w ? tap_w : "(null)");	      \
    }									      \
  while (0)

/* Report a test that cannot run here.  */
__attribute__ ((unused)) static void
skip (const char *why, const char *name)
{
  printf ("ok %d - %s # SKIP %s\n", ++tap_count, name, why);
}

/* The plan, at the end; the exit status of main.  */
__attribute__ ((unused)) static int
done_testing (void)
{
  printf ("1..%d\n", tap_count);
  return tap_failed != 0;
}

#endif /* ACCRETE_TAP_H */
