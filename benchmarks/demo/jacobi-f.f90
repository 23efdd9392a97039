! Jacobi relaxation of Laplace's equation on the unit square, OpenACC Fortran.
! Usage: jacobi-f [N [STEPS]]; prints the residual and a checksum.
! SPDX-License-Identifier: GPL-3.0-or-later
program jacobi
  implicit none
  integer :: n = 128, steps = 20, i, j, step
  real, allocatable :: u(:, :), v(:, :)
  real :: residual
  character(len=16) :: arg

  if (command_argument_count () > 0) then
     call get_command_argument (1, arg)
     read (arg, *) n
  end if
  if (command_argument_count () > 1) then
     call get_command_argument (2, arg)
     read (arg, *) steps
  end if
  allocate (u(n, n), v(n, n), source=0.0)
  u(:, 1) = 1.0
  v(:, 1) = 1.0

  !$acc data copy(u) copyin(v)
  do step = 1, steps
     residual = 0
     !$acc parallel loop collapse(2) reduction(max:residual)
     do j = 2, n - 1
        do i = 2, n - 1
           v(i, j) = 0.25 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1))
           residual = max (residual, abs (v(i, j) - u(i, j)))
        end do
     end do
     !$acc parallel loop collapse(2)
     do j = 2, n - 1
        do i = 2, n - 1
           u(i, j) = v(i, j)
        end do
     end do
  end do
  !$acc end data

  print '(a, es14.7, a, f12.5)', 'residual ', residual, ' checksum ', sum (dble (u))
end program jacobi
