/* What the wrappers say of their work, for those who ask (ACCRETE_DEBUG).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NOTE_H
#define ACCRETE_NOTE_H

/* How much is asked for; 0 nothing.  */
int post_debug (void);

/* At 1 and more, a line of WHO's on stderr.  */
void __attribute__ ((format (printf, 2, 3)))
post_note (const char *who, const char *fmt, ...);

#endif /* ACCRETE_NOTE_H */
