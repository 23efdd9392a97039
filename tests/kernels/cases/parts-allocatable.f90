! Kernels regions of statements about allocatable arrays, which may be allocated
! anew where shapes differ.
! FLAGS: -fopenacc
! SPDX-License-Identifier: GPL-3.0-or-later
module arrays
  implicit none
  integer, parameter :: n = 120
  real, allocatable :: a(:), b(:), c(:), field(:, :), old(:, :)
contains
  subroutine start
    integer :: i
    if (allocated (a)) deallocate (a, b, c, field, old)
    allocate (a(n), b(0:n - 1), c(5:n + 4), field(8, 12), old(8, 12))
    a = [(mod (i, 7), i = 1, n)]
    b = [(mod (i, 5), i = 1, n)]
    c = 1
    field = reshape ([(mod (i, 11), i = 1, 96)], [8, 12])
    old = 2
  end subroutine

  subroutine show (what)
    character(*) :: what
    print *, what, sum (a), sum (b), sum (c), sum (field), sum (old)
    print *, a(7), b(8), c(9), field(3, 4), old(5, 6), lbound (b), lbound (c), &
      size (c)
  end subroutine

  subroutine copy
! REMARK: its loop runs in parallel after a check$
    !$acc kernels
    c = a
    !$acc end kernels
  end subroutine

  subroutine triad (s)
    real, intent(in) :: s
! REMARK: its loop runs in parallel after a check$
    !$acc kernels
    a = b + s * c
    !$acc end kernels
  end subroutine

  subroutine several (k)
    integer, intent(in) :: k
    real :: s
    s = 3
! REMARK: 4 parts: 6 of 6 loops run in parallel after a check$
    !$acc kernels
    old = field
    field = 2 * old + s
    if (k > 2) c = a * b
    b = c(n + 4:5:-1)
    !$acc end kernels
  end subroutine

  ! The array itself is on both sides.
  subroutine shifted
    !$acc kernels
    a = a + b
    c(6:) = c(5:n + 3)
    b = b(n - 1:0:-1)
    !$acc end kernels
  end subroutine

  subroutine arguments (x, y)
    real, allocatable, intent(inout) :: x(:)
    real, allocatable, intent(in) :: y(:)
! REMARK: its loop runs in parallel after a check$
    !$acc kernels
    x = x + 2 * y
    !$acc end kernels
  end subroutine

  subroutine absent (x, y)
    real, allocatable, optional, intent(inout) :: x(:)
    real, allocatable, intent(inout) :: y(:)
    !$acc kernels
    if (present (x)) then
      x = y
    end if
    y = y + 1
    !$acc end kernels
  end subroutine

  subroutine taken_out (to)
    real, intent(inout) :: to(:)
! REMARK: its loop runs in parallel
    !$acc kernels
    to = a
    !$acc end kernels
  end subroutine

  ! On the host the shape may change.
  subroutine grows (on, m)
    logical, intent(in) :: on
    integer, intent(in) :: m
    deallocate (a)
    allocate (a(m))
    a = 4
! REMARK: parallel after a check$
    !$acc kernels if(on)
    c = a
    field = field + 1
    !$acc end kernels
  end subroutine

  ! Arrays that may overlap.
  subroutine overlap (p, q)
    real, pointer, intent(in) :: p(:), q(:)
    integer :: i
! REMARK: on one GPU thread
    !$acc kernels
    do i = 1, 20
      p(i) = q(i) + 1
    end do
    !$acc end kernels
  end subroutine
end module

program main
  use arrays
  implicit none
  real :: x(n)
  real, target :: t(30)
  real, pointer :: p(:), q(:)
  integer :: k
  call start
  call copy
  call show ('copy')
  call triad (2.)
  call show ('triad')
  do k = 1, 4, 3
    call several (k)
    call show ('several')
  end do
  call start
  call shifted
  call show ('shifted')
  call arguments (c, b)
  call show ('arguments')
  !$acc data copy(a, b, c, field, old)
  call copy
  call triad (1.)
  call several (3)
  call arguments (a, c)
  !$acc end data
  call show ('data')
  call absent (y=b)
  call absent (a, b)
  call show ('absent')
  call taken_out (x)
  print *, sum (x), x(9)
  call grows (.false., n)
  call show ('same shape')
  call grows (.false., 40)
  call show ('other shape')
  call start
  call grows (.true., n)
  call show ('on the device')
  t = [(k, k = 1, 30)]
  p => t(2:21)
  q => t(1:20)
  !$acc data copy(t)
  call overlap (p, q)
  !$acc end data
  print *, t
end program
