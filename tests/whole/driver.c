/* Several generated programs in one: run them all, or those from a number on,
   and say of each how it went.  PROGRAMS is a file with a line PROGRAM (N) for
   each.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define PROGRAM(N) int program_##N (void);
#include PROGRAMS
#undef PROGRAM

static const struct
{
  int number;
  int (*run) (void);
} programs[] = {
#define PROGRAM(N) { N, program_##N },
#include PROGRAMS
};

int
main (int argc, char **argv)
{
  int first = argc > 1 ? atoi (argv[1]) : 0;
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
    if (programs[i].number >= first)
      {
        int status = programs[i].run ();
        printf ("%d %s\n", programs[i].number, status ? "FAILED" : "ok");
        fflush (stdout);
      }
  return 0;
}
