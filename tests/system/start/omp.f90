! The sum of 0 to 99, by OpenMP in Fortran.
! SPDX-License-Identifier: GPL-3.0-or-later
program main
  integer :: a(0:99), i, s
  !$omp target teams distribute parallel do map(from: a)
  do i = 0, 99
    a(i) = i
  end do
  s = 0
  !$omp target teams distribute parallel do map(to: a) reduction(+: s)
  do i = 0, 99
    s = s + a(i)
  end do
  print '(I0)', s
end program
