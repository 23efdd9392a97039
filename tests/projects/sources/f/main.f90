! SPDX-License-Identifier: GPL-3.0-or-later
program main
  use numbers
  implicit none
  integer :: a(100), i, total
  call fill (a)
  total = 0
!$acc parallel loop copyin(a) reduction(+: total)
  do i = 1, 100
    total = total + a(i)
  end do
  print '(i0)', total
end program main
