! Parallel constructs that the threads of a parallel construct meet, in Fortran.
!
! ACCEPT: 4
!
! SPDX-License-Identifier: GPL-3.0-or-later

program inactive
  implicit none
  integer, parameter :: n = 500, m = 21
  integer :: a(n), want(n), i, k, s
  real(8) :: x(m, n), t(n), u
  do i = 1, n
    do k = 1, m
      x(k, i) = k * .5d0 - i
    end do
  end do

  !$omp target teams distribute parallel do map(to: x) map(from: t) private(u)
  do i = 1, n
    u = 0
    !$omp parallel do simd reduction(+: u)
    do k = 1, m
      u = u + x(k, i)
    end do
    t(i) = u
  end do
  do i = 1, n
    if (t(i) /= sum (x(:, i))) stop 1
  end do

  !$omp target teams distribute parallel do map(from: a) private(s)
  do i = 1, n
    s = i
    call rows (s, i)
    a(i) = s
  end do
  call expect (2)

  ! A dummy argument is shared, an array in the iteration's.
  call dummy (a, want)
  call expect (3)

  s = 7
  call own_dummy (a, s)
  want = [(m * (m + 1) + m * i, i = 1, n)]
  call expect (4)
contains
  subroutine rows (s, i)
    integer, intent(inout) :: s
    integer, intent(in) :: i
    !$omp declare target
    s = s + 2 * i
  end subroutine

  subroutine dummy (a, want)
    integer :: a(n), want(n)
    integer :: i, k, own(m), s
    !$omp target teams distribute parallel do map(from: a) private(own, s)
    do i = 1, n
      s = 0
      !$omp parallel do
      do k = 1, m
        own(k) = k + i
      end do
      !$omp parallel do reduction(ior: s) firstprivate(i)
      do k = 1, m
        s = ior (s, own(k))
      end do
      a(i) = s
    end do
    do i = 1, n
      want(i) = 0
      do k = 1, m
        want(i) = ior (want(i), k + i)
      end do
    end do
  end subroutine

  ! A dummy argument that loops have for themselves.
  subroutine own_dummy (a, w)
    integer :: a(n), w, i, k, t
    !$omp target teams distribute parallel do map(from: a) private(t)
    do i = 1, n
      t = 0
      !$omp parallel do simd private(w) reduction(+: t)
      do k = 1, m
        w = 2 * k + i
        t = t + w
      end do
      a(i) = t
    end do
    if (w /= 7) stop 5
  end subroutine

  subroutine expect (status)
    integer :: status
    if (status == 2) want = [(3 * i, i = 1, n)]
    if (any (a /= want)) stop status
  end subroutine
end program
