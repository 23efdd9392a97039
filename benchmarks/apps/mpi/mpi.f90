! MPI for one process (mpi.c).  A type is its size in bytes.
! SPDX-License-Identifier: GPL-3.0-or-later
module mpi
  implicit none
  integer, parameter :: mpi_comm_world = 0, mpi_info_null = 0, mpi_status_size = 1, &
    mpi_sum = 0, mpi_min = 0, mpi_max = 0, mpi_integer = 4, mpi_real = 4, mpi_real8 = 8, &
    mpi_double_precision = 8, mpi_offset_kind = 8
  double precision, external :: mpi_wtime
end module mpi

double precision function mpi_wtime ()
  integer(8) :: now, rate
  call system_clock (now, rate)
  mpi_wtime = dble (now) / rate
end function mpi_wtime
