! As tables.c: parameters in regions.
! SPDX-License-Identifier: GPL-3.0-or-later
program tables
  implicit none
  integer, parameter :: n = 300, m = 8
  integer, parameter :: table(0:m - 1) = [3, 1, 4, 1, 5, 9, 2, 6]
  real(8), parameter :: weights(2, 2) = reshape ([.5d0, 2d0, 4d0, .25d0], [2, 2])
  integer :: a(n), i, wrong
  real(8) :: x(n)
  a = [(i, i = 1, n)]
  !$acc parallel loop copy (a)
  !$omp target teams distribute parallel do
  do i = 1, n
    a(i) = a(i) + table(mod (i, m))
  end do
  !$acc kernels loop copyout (x)
  !$omp target teams distribute parallel do map (from: x)
  do i = 1, n
    x(i) = i * weights(1 + mod (i, 2), 1 + mod (i / 2, 2))
  end do
  wrong = 0
  do i = 1, n
    if (a(i) /= i + table(mod (i, m))) wrong = wrong + 1
    if (x(i) /= i * weights(1 + mod (i, 2), 1 + mod (i / 2, 2))) wrong = wrong + 1
  end do
  print '(i0)', wrong
end program
