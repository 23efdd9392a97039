/* Processes of MPI that each have a part of a rod: halos are exchanged between the
   GPUs' addresses, which host_data hands to the library, as to one that is aware of
   CUDA.  Prints a sum that does not depend on the number of processes, and what
   device each process has.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <mpi.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 12, STEPS = 20 };

int
main (int argc, char **argv)
{
  int rank, size;
  (void) argc, (void) argv;
  MPI_Init (NULL, NULL);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &size);
  int devices = acc_get_num_devices (acc_device_nvidia);
  if (devices)
    acc_set_device_num (rank % devices, acc_device_nvidia);
  int n = N / size, left = rank ? rank - 1 : MPI_PROC_NULL;
  int right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
  double *a = malloc ((n + 2) * sizeof *a), *b = malloc ((n + 2) * sizeof *b);
  for (int i = 0; i < n + 2; i++)
    a[i] = b[i] = 0;
  for (int i = 1; i <= n; i++)
    a[i] = (rank * n + i) % 97;
#pragma acc data copy(a[0 : n + 2]) create(b[0 : n + 2])
  for (int step = 0; step < STEPS; step++)
    {
#pragma acc host_data use_device(a)
      {
	MPI_Sendrecv (a + n, 1, MPI_DOUBLE, right, 1, a, 1, MPI_DOUBLE, left, 1,
		      MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv (a + 1, 1, MPI_DOUBLE, left, 2, a + n + 1, 1, MPI_DOUBLE, right,
		      2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
#pragma acc parallel loop present(a[0 : n + 2], b[0 : n + 2])
      for (int i = 1; i <= n; i++)
	b[i] = .25 * a[i - 1] + .5 * a[i] + .25 * a[i + 1];
#pragma acc parallel loop present(a[0 : n + 2], b[0 : n + 2])
      for (int i = 1; i <= n; i++)
	a[i] = b[i];
    }
  /* Each process's part in turn, so that sums are the same for any number.  */
  double sum = 0;
  if (rank)
    MPI_Recv (&sum, 1, MPI_DOUBLE, left, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 1; i <= n; i++)
    sum += a[i] * (1 + (rank * n + i) % 7);
  if (right != MPI_PROC_NULL)
    MPI_Send (&sum, 1, MPI_DOUBLE, right, 3, MPI_COMM_WORLD);
  else
    printf ("sum %.17g\n", sum);
  fprintf (stderr, "rank %d device %d\n", rank, devices ? rank % devices : -1);
  MPI_Finalize ();
}
