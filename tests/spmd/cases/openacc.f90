! Regions of OpenACC in Fortran: what a dummy argument refers to.
! FLAGS: -fopenacc
! ACCEPT: 2
! REJECT: a reduction that does not reach the target
! SPDX-License-Identifier: GPL-3.0-or-later
subroutine own (s, n, a)
  integer :: s, n, a(n), i
  !$acc parallel firstprivate(s) copy(a)
  !$acc loop gang worker vector reduction(+: s)
  do i = 1, n
    s = s + i
    a(i) = 2 * i
  end do
  !$acc end parallel
end subroutine

subroutine shared (s, n, a)
  integer :: s, n, a(n), i
  !$acc parallel loop copy(a) reduction(+: s)
  do i = 1, n
    s = s + i
    a(i) = 2 * a(i)
  end do
end subroutine

subroutine read_only (s, n, a)
  integer :: s, n, a(n), i
  !$acc parallel loop firstprivate(s) copy(a)
  do i = 1, n
    a(i) = a(i) + s
  end do
end subroutine

program main
  implicit none
  integer, parameter :: n = 1000
  integer :: s, a(n), i
  a = 0
  s = 3
  call own (s, n, a)
  if (s /= 3 .or. any (a /= [(2 * i, i = 1, n)])) stop 1
  call shared (s, n, a)
  if (s /= 3 + n * (n + 1) / 2 .or. any (a /= [(4 * i, i = 1, n)])) stop 2
  s = 5
  call read_only (s, n, a)
  if (any (a /= [(4 * i + 5, i = 1, n)])) stop 3
end program
