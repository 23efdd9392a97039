! Simd loops that count with a variable of GCC's: those with steps, and those
! whose variable has an address.
!
! ACCEPT: 6
! SPDX-License-Identifier: GPL-3.0-or-later

program main
  implicit none
  integer, parameter :: n = 100
  integer :: a(n), want(n), i, j, f
  f = 0
  call pass (i)
  call pass (j)

  !$omp target teams distribute parallel do map(from: a) private(j)
  do i = 1, n
    !$omp simd
    do j = 1, i
      a(i) = i
    end do
    a(i) = a(i) + j
  end do
  want = [(2 * i + 1, i = 1, n)]
  call expect ("simd within")

  !$omp target teams distribute parallel do map(from: a) private(j)
  do i = 1, n
    !$omp simd
    do j = i, 1, -3
      a(i) = 2 * i
    end do
    a(i) = a(i) + j
  end do
  want = [(2 * i + mod (i - 1, 3) - 2, i = 1, n)]
  call expect ("simd within, with a step")

  !$omp target teams distribute parallel do simd map(tofrom: a)
  do i = 1, n, 4
    a(i) = 7 * i
  end do
  do i = 1, n, 4
    want(i) = 7 * i
  end do
  call expect ("teams distribute parallel do simd")

  !$omp target simd map(tofrom: a)
  do i = n, 1, -3
    a(i) = a(i) - 1
  end do
  call check ("after simd", i, -2)
  do i = n, 1, -3
    want(i) = want(i) - 1
  end do
  call expect ("simd")

  !$omp target parallel do simd map(tofrom: a) lastprivate(j)
  do j = 1, n
    a(j) = a(j) + j
  end do
  call check ("after parallel do simd", j, n + 1)
  want = want + [(i, i = 1, n)]
  call expect ("parallel do simd")

  !$omp target teams distribute simd map(tofrom: a)
  do j = 2, n, 2
    a(j) = a(j) / 2
  end do
  want(2::2) = want(2::2) / 2
  call expect ("teams distribute simd")
  if (f /= 0) stop 1
contains
  subroutine pass (k)
    integer :: k
    k = 0
  end subroutine

  subroutine check (what, got, wanted)
    character(*) :: what
    integer :: got, wanted
    if (got == wanted) return
    print *, what, " is ", got, ", should be ", wanted
    f = f + 1
  end subroutine

  subroutine expect (what)
    character(*) :: what
    integer :: k
    do k = 1, n
      call check (what, a(k), want(k))
    end do
  end subroutine
end program
