! Functions of libm and libgfortran in a region; prints how many results differ
! from the host's.
! SPDX-License-Identifier: GPL-3.0-or-later
program functions
  implicit none
  integer, parameter :: n = 100
  real(8) :: a(n), x
  integer :: k(n), i, wrong
  wrong = 0
!$acc parallel loop private(x) copyout(a, k)
!$omp target teams distribute parallel do private(x) map(from: a, k)
  do i = 1, n
    x = i * 0.01d0
    a(i) = exp (x) + sin (x) + (x + 1) ** 1.5d0
    k(i) = mod (i, 5) ** mod (i, 7)
  end do
  do i = 1, n
    x = i * 0.01d0
    if (abs (a(i) - exp (x) - sin (x) - (x + 1) ** 1.5d0) > 1d-9) wrong = wrong + 1
    if (k(i) /= mod (i, 5) ** mod (i, 7)) wrong = wrong + 1
  end do
  print '(i0)', wrong
end program functions
