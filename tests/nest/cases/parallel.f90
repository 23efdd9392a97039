! Nested OpenACC regions in Fortran.
! FLAGS: -fopenacc
! NESTED: 4
! SPDX-License-Identifier: GPL-3.0-or-later

program parallel
  implicit none
  integer, parameter :: n = 40, m = 32
  integer :: a(m, n), degree(n), i, j, k, s, total
  a = 0
  total = 0
  do i = 1, n
    degree(i) = mod (i * 3, m)
  end do
  !$acc parallel loop copy(a, total) copyin(degree) private(k, s)
  do i = 1, n
    k = degree(i)
    !$acc parallel loop present(a)
    do j = 1, k
      a(j, i) = i + j
    end do
    s = 0
    !$acc kernels copy(s)
    !$acc loop reduction(+: s)
    do j = k, 1, -1
      s = s + a(j, i)
    end do
    !$acc end kernels
    !$acc serial
    a(m, i) = s
    !$acc end serial
    !$acc parallel loop reduction(max: total) copy(total)
    do j = 1, k
      total = max (total, s + j)
    end do
  end do
  print *, sum (a), total
  print *, a(m, :)
end program
