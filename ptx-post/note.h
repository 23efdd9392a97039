/* What the wrappers say of their work, for those who ask (ACCRETE_DEBUG), and
   of settings that are not understood, which is worth a line in any build.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NOTE_H
#define ACCRETE_NOTE_H

#include <stddef.h>

/* How much is asked for; 0 nothing.  */
int post_debug (void);

/* At 1 and more, a line of WHO's on stderr.  */
void __attribute__ ((format (printf, 2, 3)))
post_note (const char *who, const char *fmt, ...);

/* A line of WHO's: WHERE, a variable or option, has the LEN characters at WHAT,
   which nobody knows.  */
void post_complain (const char *who, const char *where, const char *what,
		    size_t len);

/* A line of WHO's for each variable ACCRETE_NAME that there is none of.  */
void post_check_variables (const char *who);

#endif /* ACCRETE_NOTE_H */
