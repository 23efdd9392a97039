/* How many CPUs there are for threads of ours.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CPUS_H
#define ACCRETE_CPUS_H

/* Those that the process may use, by its affinity and its control group's quota; at
   least 1.  Thread-safe; reads files of the system's.  */
unsigned acr_cpus (void);

#endif /* ACCRETE_CPUS_H */
