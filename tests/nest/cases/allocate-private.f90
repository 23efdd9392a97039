! A clause makes an array private that may be allocated: each thread gets memory
! of its own where the program has some, and with firstprivate what is in it, and
! children work on that.
! NESTED: 2
! LAUNCHES: 2
! SPDX-License-Identifier: GPL-3.0-or-later
program allocate_private
  implicit none
  integer, parameter :: n = 100
  integer :: s(n), i, m, t, k
  integer, allocatable :: p(:), q(:)
  allocate (p(48))
  p = 7
  !$omp target teams distribute parallel do map(tofrom: s) private(p, q, m, t, k)
  do i = 1, n
    m = 8 + mod (i, 40)
    allocate (q(m))
    !$omp target teams distribute parallel do
    do k = 1, m
      p(k) = k + i
      q(k) = k - i
    end do
    t = 0
    do k = 1, m
      t = t + p(k) * q(k)
    end do
    s(i) = t
    deallocate (q)
  end do
  print *, s, allocated (p), p(3), allocated (q)
  !$omp target map(tofrom: s, p)
  !$omp teams distribute parallel do firstprivate(p) private(m, t)
  do i = 1, n
    m = 8 + mod (i, 40)
    p = 7
    !$omp target teams distribute parallel do
    do k = 1, m
      p(k) = p(k) * k + i
    end do
    t = 0
    do k = 1, m
      t = t * 3 + p(k)
    end do
    s(i) = t
  end do
  !$omp end target
  print *, s, p(3)
end program
