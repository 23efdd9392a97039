! Parents that allocate arrays, on which their children work: the child reads
! members of the descriptor, and the end of the scope frees the memory.
! FLAGS: -fopenacc
! NESTED: 1
! LAUNCHES: 1
! SPDX-License-Identifier: GPL-3.0-or-later
program allocate_
  implicit none
  integer, parameter :: n = 100
  integer :: s(n), i, m, t, k
  !$acc parallel loop gang vector copy(s) private(m, t)
  do i = 1, n
    block
      integer, allocatable :: p(:)
      m = 8 + mod (i, 40)
      allocate (p(m))
      !$acc parallel loop
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
