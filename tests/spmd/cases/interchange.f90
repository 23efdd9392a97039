! Collapsed loops in the order of C, with OpenACC.
!
! FLAGS: -fopenacc
! LEVEL: -O2
! ACCEPT: 3
! INTERCHANGED: 2
! SPDX-License-Identifier: GPL-3.0-or-later
program interchange
  implicit none
  integer, parameter :: n = 70, m = 45
  integer :: a(n, m), b(n, m), i, j
  a = reshape ([(mod (i * 7, 1009), i = 1, n * m)], [n, m])
  b = 0
  !$acc parallel loop collapse(2) copyin(a) copy(b)
  do i = 2, n - 1
    do j = 1, m
      b(i, j) = a(i - 1, j) + 3 * a(i + 1, j)
    end do
  end do
  if (any (b(2:n - 1, :) /= a(1:n - 2, :) + 3 * a(3:n, :))) stop 1
  !$acc parallel loop gang vector collapse(2) copyin(a) copy(b)
  do i = n, 1, -1
    do j = 1, m
      b(i, j) = a(i, j) - i
    end do
  end do
  do i = 1, n
    if (any (b(i, :) /= a(i, :) - i)) stop 2
  end do
  !$acc parallel loop gang copyin(a) copy(b)
  do i = 1, n
    !$acc loop vector
    do j = 1, m
      b(i, j) = 2 * a(i, j)
    end do
  end do
  if (any (b /= 2 * a)) stop 3
end program
