/* The report at exit (ACCRETE_REPORT): what was gained, and what the program's
   constructs did.

     report.c	who gets it
     summary.c	what was issued to the driver, of what libgomp asked for; hints
     table.c	constructs
     row.c	collects what table.c prints
     operand.c	bytes by variable
     directive.c	which directive of the program a call is
     counters.c	the counters as a list, and as JSON
     words.c	numbers as people write them

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_REPORT_H
#define ACCRETE_REPORT_H

/* Print the report, if one is wanted.  */
void acr_report (void);

/* In a forked child: start from zero, and stay silent unless it offloads.  */
void acr_report_fork (void);

#endif /* ACCRETE_REPORT_H */
