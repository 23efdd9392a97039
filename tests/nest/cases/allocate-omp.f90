! The same in OpenMP: parents that allocate arrays, on which their children work.
! NESTED: 1
! LAUNCHES: 1
! SPDX-License-Identifier: GPL-3.0-or-later
program allocate_omp
  implicit none
  integer, parameter :: n = 100
  integer :: s(n), i, m, t, k
  !$omp target teams distribute parallel do map(tofrom: s) private(m, t, k)
  do i = 1, n
    block
      integer, allocatable :: p(:)
      m = 8 + mod (i, 40)
      allocate (p(m))
      !$omp target teams distribute parallel do
      do k = 1, m
        p(k) = k + i
      end do
      t = 0
      do k = 1, m
        t = t + p(k)
      end do
      s(i) = t
    end block
  end do
  print *, s
end program
