! OpenACC: what a thread has for itself, bounds that the body computes again, and
! regions without loops.
!
! FLAGS: -fopenacc
! ACCEPT: 5
! REJECT: all gangs execute it
!
! SPDX-License-Identifier: GPL-3.0-or-later
program inside
  implicit none
  integer, parameter :: n = 60
  integer :: a(n, n), b(n), want(n), t, k

  call fill (a)
  ! The bounds' temporaries are the body's as well.
  b = -1
  want = -1
  call sums (a, b, n, 3)
  do k = 4, n - 3
    want(k) = sum (a(4:n - 3, k))
  end do
  call compare ('sums', b, want)

  ! Scratch variables of the function around it, one whose address it has given.
  call set (t)
  !$acc parallel loop copyin (a) copy (b)
  do k = 1, n
    t = a(k, 2) * 2
    b(k) = t + k
  end do
  call compare ('scratch', b, a(:, 2) * 2 + [(k, k = 1, n)])
  if (t /= 3) stop 2

  ! A copy of an array.
  want = 7
  !$acc parallel loop gang vector firstprivate (want) copyin (a) copy (b)
  do k = 2, n - 1
    want(1:3) = a(k - 1:k + 1, 1)
    b(k) = want(1) + want(3) + want(4)
  end do
  want(2:n - 1) = a(1:n - 2, 1) + a(3:n, 1) + 7
  call compare ('a copy', b(2:n - 1), want(2:n - 1))

  ! One thread.
  !$acc parallel num_gangs (1) copy (b)
  b(1) = 5
  !$acc loop seq
  do k = 2, n
    b(k) = b(k - 1) + k
  end do
  !$acc end parallel
  !$acc parallel copy (b)
  b(3) = b(1) + 1
  !$acc end parallel
  want(1) = 5
  do k = 2, n
    want(k) = want(k - 1) + k
  end do
  want(3) = 6
  call compare ('alone', b, want)
  !$acc parallel num_gangs (3) copy (b)
  b(1) = 8
  !$acc end parallel
  if (b(1) /= 8) stop 3

contains

  subroutine fill (x)
    integer, intent (out) :: x(n, n)
    integer :: i, j
    do j = 1, n
      do i = 1, n
        x(i, j) = mod (7 * i + j, 23)
      end do
    end do
  end subroutine

  subroutine sums (x, y, m, r)
    integer, intent (in) :: m, r, x(m, m)
    integer, intent (inout) :: y(m)
    integer :: i, j, s
    !$acc parallel loop private (s) copyin (x) copy (y)
    do j = r + 1, m - r
      s = 0
      do i = r + 1, m - r
        s = s + x(i, j)
      end do
      y(j) = s
    end do
  end subroutine

  subroutine set (x)
    integer, intent (out) :: x
    x = 3
  end subroutine

  subroutine compare (what, got, wanted)
    character (*), intent (in) :: what
    integer, intent (in) :: got(:), wanted(:)
    if (all (got == wanted)) return
    print *, what, got, 'should be', wanted
    stop 1
  end subroutine
end program
