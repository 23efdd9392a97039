! A row for each form of Fortran that becomes a kernel.
!
! ACCEPT: 19
! SPDX-License-Identifier: GPL-3.0-or-later
module m
  implicit none
  integer, parameter :: n0 = 300
  integer :: failures = 0
  type pair
    integer :: x
    real(8) :: y(2)
  end type
contains
  subroutine expect (what, a)
    character(*), intent(in) :: what
    integer, intent(inout) :: a(:)
    integer :: i
    if (any (a /= [(2 * i, i = 1, size (a))])) then
      print *, what
      failures = failures + 1
    end if
    a = 0
  end subroutine
  subroutine check (what, ok)
    character(*), intent(in) :: what
    logical, intent(in) :: ok
    if (ok) return
    print *, what
    failures = failures + 1
  end subroutine
  integer function twice (x)
    !$omp declare target
    integer, intent(in) :: x
    twice = 2 * x
  end function
  ! Bounds by reference, shapes assumed and explicit.
  subroutine forms (a, b, low, high)
    integer, intent(inout) :: a(:)
    integer, intent(in) :: low, high
    integer, intent(inout) :: b(low:high)
    integer :: i, j
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = low, high
      a(i) = 2 * i
    end do
    call expect ("teams distribute parallel do", a)
    !$omp target teams distribute parallel do simd map(tofrom: a)
    do i = high, low, -1
      a(i) = 2 * i
    end do
    call expect ("teams distribute parallel do simd", a)
    !$omp target teams loop map(tofrom: a)
    do i = low, high
      a(i) = 2 * i
    end do
    call expect ("teams loop", a)
    !$omp target parallel do map(tofrom: a)
    do i = low, high
      a(i) = 2 * i
    end do
    call expect ("parallel do", a)
    !$omp target teams distribute map(tofrom: a)
    do i = low, high
      a(i) = 2 * i
    end do
    call expect ("teams distribute", a)
    !$omp target teams distribute simd map(tofrom: a)
    do i = low, high
      a(i) = 2 * i
    end do
    call expect ("teams distribute simd", a)
    !$omp target simd map(tofrom: a)
    do i = low, high
      a(i) = 2 * i
    end do
    call expect ("simd", a)
    !$omp target parallel do simd map(tofrom: b)
    do i = low, high
      b(i) = 2 * i
    end do
    call expect ("parallel do simd", b)
    !$omp target teams distribute map(tofrom: a)
    do i = 0, high / 10 - 1
      !$omp parallel do
      do j = 1, 10
        a(10 * i + j) = 2 * (10 * i + j)
      end do
    end do
    call expect ("teams distribute around parallel do", a)
    !$omp target teams distribute parallel do collapse(2) map(tofrom: a)
    do i = 0, high / 10 - 1
      do j = 10, 1, -1
        a(10 * i + j) = 2 * (10 * i + j)
      end do
    end do
    call expect ("collapse", a)
  end subroutine
  subroutine data (a, n)
    integer, intent(inout) :: a(:)
    integer, intent(in) :: n
    integer :: i, t, f, last, x
    type(pair) :: p
    integer, allocatable :: v(:)
    integer, pointer :: q(:)
    f = 2
    last = 0
    x = 2
    p = pair (2, [1d0, 2d0])
    allocate (v(n), q(n))
    v = 2
    q = 2
    !$omp target teams distribute parallel do private(t) map(tofrom: a)
    do i = 1, n
      t = 2 * i
      a(i) = t
    end do
    call expect ("private", a)
    !$omp target teams distribute parallel do firstprivate(f) map(tofrom: a)
    do i = 1, n
      a(i) = f * i
    end do
    call expect ("firstprivate", a)
    !$omp target teams distribute parallel do lastprivate(last) &
    !$omp map(tofrom: a, last)
    do i = 1, n
      last = i
      a(i) = 2 * last
    end do
    call expect ("lastprivate", a)
    call check ("lastprivate", last == n)
    !$omp target parallel do linear(x: 2) map(tofrom: a)
    do i = 1, n
      a(i) = x
      x = x + 2
    end do
    call expect ("linear", a)
    call check ("linear", x == 2 * n + 2)
    !$omp target teams distribute parallel do map(tofrom: a) map(to: p)
    do i = 1, n
      a(i) = p%x * i
    end do
    call expect ("a derived type", a)
    !$omp target teams distribute parallel do map(tofrom: a) map(to: v)
    do i = 1, n
      a(i) = v(i) * i
    end do
    call expect ("an allocatable array", a)
    !$omp target teams distribute parallel do map(tofrom: a) map(to: q)
    do i = 1, n
      a(i) = q(i) * i
    end do
    call expect ("a pointer", a)
    !$omp target teams distribute parallel do map(tofrom: a) map(to: v(1:n))
    do i = 1, n
      a(i) = v(i) * twice (i) / 2
    end do
    call expect ("a section and a function", a)
    deallocate (v, q)
  end subroutine
  subroutine reductions (a, n)
    integer, intent(inout) :: a(:)
    integer, intent(in) :: n
    integer :: i, sum, most, least, bits, ones, other, bins(0:3)
    real(8) :: product
    complex(8) :: c
    logical :: every, some, same, odd
    sum = 3; most = -1; least = 1000; bits = 127; ones = 0; other = 5
    product = 1; c = 1; every = .true.; some = .false.; same = .true.
    odd = .false.; bins = 0
    !$omp target teams distribute parallel do &
    !$omp reduction(+: sum, c, bins) reduction(*: product) &
    !$omp reduction(max: most) reduction(min: least) reduction(iand: bits) &
    !$omp reduction(ior: ones) reduction(ieor: other) reduction(.and.: every) &
    !$omp reduction(.or.: some) reduction(.eqv.: same) reduction(.neqv.: odd) &
    !$omp map(tofrom: a, sum, c, bins, product, most, least, bits, ones, &
    !$omp other, every, some, same, odd)
    do i = 1, n
      a(i) = 2 * i
      sum = sum + mod (i, 2)
      c = c + cmplx (i, 1, 8)
      bins(mod (i, 4)) = bins(mod (i, 4)) + 1
      if (mod (i, 100) == 0) product = product * 2
      most = max (most, mod (i, 77))
      least = min (least, mod (i, 77) + 4)
      if (i == 9) bits = iand (bits, 120)
      if (i == 9) ones = ior (ones, 64)
      other = ieor (other, merge (1, 0, i <= 3))
      every = every .and. i /= 7
      some = some .or. i == 7
      same = same .eqv. i /= 7
      odd = odd .neqv. i == 7
    end do
    call expect ("reductions", a)
    call check ("+", sum == 3 + n / 2)
    call check ("complex +", c == cmplx (n * (n + 1) / 2 + 1, n, 8))
    call check ("an array", all (bins == n / 4))
    call check ("*", product == 2 ** (n / 100))
    call check ("max, min", most == 76 .and. least == 4)
    call check ("bits", bits == 120 .and. ones == 64 .and. other == 4)
    call check ("logical", .not. every .and. some .and. .not. same .and. odd)
  end subroutine
end module

program main
  use m
  implicit none
  integer :: a(n0)
  a = 0
  call forms (a, a, 1, n0)
  call data (a, n0)
  call reductions (a, n0)
  if (failures /= 0) stop 1
end program
