! Regions one after the other that each map pointers of their own to sections: the next
! one gets the same block for its own.
! SPDX-License-Identifier: GPL-3.0-or-later
program held
  implicit none
  integer, parameter :: n = 900
  integer :: a(0:4095), b(0:4095), c(0:4095), i, step, bad
  bad = 0
  do step = 1, 20
    do i = 0, 4095
      a(i) = i + step
      b(i) = 3 * i
      c(i) = 7
    end do
    !$acc data copy (a(0:4095), c(0:4095)) copyin (b(0:4095))
    !$acc parallel loop copy (a(0:4095)) copyin (b(0:4095))
    do i = 0, n - 1
      a(i) = a(i) + b(i)
    end do
    !$acc parallel loop copy (c(0:4095)) copyin (b(0:4095))
    do i = 0, n - 1
      c(i) = c(i) + b(i)
    end do
    !$acc end data
    do i = 0, 4095
      if (a(i) /= i + step + merge (3 * i, 0, i < n)) bad = bad + 1
      if (c(i) /= 7 + merge (3 * i, 0, i < n)) bad = bad + 1
    end do
  end do
  print *, bad
end program
