! Threads on the host, and OpenACC's regions.
! SPDX-License-Identifier: GPL-3.0-or-later
program regions
  implicit none
  integer :: a(100), i, host
  host = 0
!$omp parallel do reduction(+: host)
  do i = 0, 99
    host = host + i
  end do
!$acc parallel loop copyout(a)
  do i = 1, 100
    a(i) = i
  end do
  print '(i0, 1x, i0)', host, sum (a)
end program regions
