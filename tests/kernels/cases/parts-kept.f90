! Kernels regions of several parts in Fortran: who else has the scalars, arrays of
! other kinds, ways through a region.
! FLAGS: -fopenacc
! SPDX-License-Identifier: GPL-3.0-or-later
module kept
  implicit none
  integer, parameter :: n = 200
  real :: a(n), b(n), c(n)
  real, allocatable :: fl(:)
contains

  subroutine init
    integer :: i
    do i = 1, n
      a(i) = mod (i, 7); b(i) = mod (i, 5); c(i) = mod(i, 3)
    end do
  end subroutine

  subroutine show (w, x)
    character(*) :: w
    real :: x
    print *, w, sum (a), sum (b), sum (c), a(7), b(8), c(9), x
  end subroutine

  ! The data around have the scalar.
  subroutine mapped_around ()
    integer :: s, i
    s = 4
    !$acc data copy(s)
    !$acc parallel present(s)
    s = 77
    !$acc end parallel
    !$acc kernels
    do i = 1, n
      a(i) = s
    end do
    s = s + 1
    do i = 1, n
      b(i) = s
    end do
    !$acc end kernels
    !$acc parallel present(s)
    s = s + 1000
    !$acc end parallel
    !$acc end data
    call show ('mapped_around', real (s))
  end subroutine

  ! The procedure around has the scalar.
  subroutine host_associated ()
    integer :: i, k
    k = 5
    call inner
    call show ('host_associated', real (k))
  contains
    subroutine inner
      !$acc kernels
      do i = 1, n
        a(i) = a(i) + k
      end do
      k = k + 1
      do i = 1, n - k
        b(i) = b(i) + k
      end do
      !$acc end kernels
    end subroutine
  end subroutine

  ! An argument that may be absent.
  subroutine may_be_absent (s)
    real, optional, intent(inout) :: s
    integer :: i
    !$acc kernels
    do i = 1, n
      a(i) = a(i) + 1
    end do
    if (present (s)) then
      s = s + 1
      do i = 1, n
        b(i) = b(i) + s
      end do
    end if
    !$acc end kernels
    call show ('may_be_absent', 0.)
  end subroutine

  ! A queue gives back what arguments refer to.
  subroutine queued_reference (s, t)
    real, intent(inout) :: s
    real, intent(in) :: t
    integer :: i
    !$acc parallel loop async(1) reduction(+:s) copyin(a)
    do i = 1, n
      s = s + a(i)
    end do
    !$acc kernels async(1)
    !$acc loop independent
    do i = 1, n
      b(i) = s
    end do
    !$acc loop independent
    do i = 1, n
      c(i) = b(i) + s * t
    end do
    !$acc end kernels
    !$acc wait
    call show ('queued_reference', s)
  end subroutine

  ! Pointers to arrays.
  subroutine pointers (p, q)
    real, pointer :: p(:), q(:)
    !$acc data copy(p, q)
    !$acc kernels
    p = p + 1
    q = p * 2
    p(3:n) = q(1:n-2)
    !$acc end kernels
    !$acc end data
    call show ('pointers', sum (p) + sum (q))
  end subroutine

  ! An allocatable array of the module, with data around, or without.
  subroutine allocated ()
    allocate (fl(n))
    fl = 3
    !$acc data copy(fl)
    !$acc kernels
    fl(:) = fl(:) + a
    a = fl(n:1:-1)
    where (a > 5) b = a
    c = merge (a, b, a > b)
    !$acc end kernels
    !$acc end data
    call show ('allocated', sum (fl))
    deallocate (fl)
  end subroutine

  subroutine allocated_here ()
    integer :: i
    allocate (fl(n))
    fl = 3
    !$acc kernels
    !$acc loop independent
    do i = 1, size (fl)
      fl(i) = fl(i) + a(i)
    end do
    !$acc loop independent
    do i = 1, n
      a(i) = fl(n + 1 - i)
    end do
    !$acc end kernels
    call show ('allocated_here', sum (fl))
    deallocate (fl)
  end subroutine

  ! Intrinsics, and loops that end early.
  subroutine reductions (m, x)
    integer, intent(in) :: m
    real, intent(inout) :: x
    integer :: i
    logical :: hit
    hit = .false.
    !$acc kernels
    x = sum (a(1:m))
    do i = 1, m
      if (b(i) > 3) then
        hit = .true.
        exit
      end if
      if (b(i) > 2) cycle
      b(i) = 7
    end do
    if (hit) then
      c(i) = 100
      a = x
    end if
    x = maxval (a)
    !$acc end kernels
    call show ('reductions', x + i)
  end subroutine

  ! An array with strides, one of the procedure's own.
  subroutine automatic (v)
    real, intent(inout) :: v(:)
    real :: w(size (v))
    !$acc kernels create(w)
    w = v
    v(2:) = w(:size (v) - 1)
    v(1) = w(size (v))
    !$acc end kernels
    call show ('automatic', sum (v))
  end subroutine

  ! Complex numbers and logicals.
  subroutine other_types (l)
    logical, intent(inout) :: l
    character :: ch
    complex :: z
    integer :: i
    z = (1., 2.)
    ch = 'x'
    !$acc kernels
    z = z * (0., 1.)
    do i = 1, n
      a(i) = real (z)
    end do
    l = .not. l
    if (l) then
      do i = 1, n
        b(i) = aimag (z)
      end do
    end if
    !$acc end kernels
    call show ('other_types', real (z))
  end subroutine

  ! One of several ways.
  subroutine selected (r, k)
    real, intent(inout) :: r
    integer, intent(in) :: k
    integer :: i
    !$acc kernels
    select case (k)
    case (1)
      a = r
    case (2:4)
      do i = 1, n
        a(i) = a(i) * k
      end do
      r = r + 1
    case default
      b(5) = 9
    end select
    c = r
    !$acc end kernels
    call show ('selected', r)
  end subroutine

  ! An argument by value.
  subroutine by_value (x, m)
    integer, value :: m
    real :: x(m)
    real :: t
    integer :: i
    !$acc kernels copy(x(1:m))
    do i = 1, m
      t = x(i) * 2
      x(i) = t + 1
    end do
    m = m / 2
    do i = 1, m
      x(i) = x(i) + t
    end do
    !$acc end kernels
    call show ('by_value', sum (x) + m)
  end subroutine

  ! A function's result.
  function peak () result (r)
    real :: r
    integer :: i
    r = 0
    !$acc kernels
    do i = 1, n
      r = max (r, a(i))
    end do
    r = r + 1
    do i = 1, n
      b(i) = b(i) / r
    end do
    !$acc end kernels
  end function
end module
program main
  use kept
  implicit none
  integer :: k, m
  real :: x, y
  real, pointer :: p(:), q(:)
  logical :: l
  call init
  x = 2.5
  y = 2
  call mapped_around
  call host_associated
  call may_be_absent
  call may_be_absent (x)
  print *, x
  call init
  call queued_reference (x, y)
  allocate (p(n), q(n))
  p = 1
  q = 2
  call pointers (p, q)
  call init
  call allocated
  call init
  call allocated_here
  k = 50
  call init
  call reductions (k, x)
  k = 3
  call reductions (k, x)
  call init
  call automatic (a(1:100:2))
  call automatic (a)
  l = .false.
  call other_types (l)
  call other_types (l)
  print *, l
  call init
  do k = 1, 7, 2
    m = k
    call selected (x, m)
  end do
  m = 60
  call init
  call by_value (a, m)
  y = peak ()
  call show ('peak', y)
end program
