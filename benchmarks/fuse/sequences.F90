! The sequences of blas.h as a Fortran program of loops and array statements has them:
! a construct for each call of BLAS.  A column's elements are neighbours, so that it is
! products with the transposed matrix that go along them.
!
! SPDX-License-Identifier: GPL-3.0-or-later

module sequences
  use, intrinsic :: iso_c_binding, only: long => c_long, single => c_float
  implicit none
  real(single), parameter :: alpha = 1.25, beta = .75

contains

  ! z = w - alpha x; the result is z y
  function axpydot (n, w, x, y, z) bind (c) result (total)
    integer(long), value :: n
    real(single), intent(in) :: w(n), x(n), y(n)
    real(single), intent(inout) :: z(n)
    real(single) :: total
    integer(long) :: i

    total = 0
    !$acc parallel loop default(present)
    !$omp target teams distribute parallel do
    do i = 1, n
       z(i) = w(i)
    end do
    !$acc parallel loop default(present)
    !$omp target teams distribute parallel do
    do i = 1, n
       z(i) = z(i) - alpha * x(i)
    end do
    !$acc parallel loop default(present) reduction(+: total)
    !$omp target teams distribute parallel do reduction(+: total) map(tofrom: total)
    do i = 1, n
       total = total + z(i) * y(i)
    end do
  end function axpydot

  ! x = alpha x
  subroutine sscal (n, x) bind (c)
    integer(long), value :: n
    real(single), intent(inout) :: x(n)
    integer(long) :: i

    !$acc parallel loop default(present)
    !$omp target teams distribute parallel do
    do i = 1, n
       x(i) = alpha * x(i)
    end do
  end subroutine sscal

  ! x = w + y + z
  subroutine vadd (n, w, y, z, x) bind (c)
    integer(long), value :: n
    real(single), intent(in) :: w(n), y(n), z(n)
    real(single), intent(inout) :: x(n)
#ifndef _OPENACC
    integer(long) :: i
#endif

#ifdef _OPENACC
    !$acc kernels default(present)
    x = w
    x = x + y
    x = x + z
    !$acc end kernels
#else
    !$omp target teams distribute parallel do
    do i = 1, n
       x(i) = w(i)
    end do
    !$omp target teams distribute parallel do
    do i = 1, n
       x(i) = x(i) + y(i)
    end do
    !$omp target teams distribute parallel do
    do i = 1, n
       x(i) = x(i) + z(i)
    end do
#endif
  end subroutine vadd

  ! w = alpha x + beta y
  subroutine waxpby (n, x, y, w) bind (c)
    integer(long), value :: n
    real(single), intent(in) :: x(n), y(n)
    real(single), intent(inout) :: w(n)
#ifndef _OPENACC
    integer(long) :: i
#endif

#ifdef _OPENACC
    !$acc kernels default(present)
    w = y
    w = beta * w
    w = w + alpha * x
    !$acc end kernels
#else
    !$omp target teams distribute parallel do
    do i = 1, n
       w(i) = y(i)
    end do
    !$omp target teams distribute parallel do
    do i = 1, n
       w(i) = beta * w(i)
    end do
    !$omp target teams distribute parallel do
    do i = 1, n
       w(i) = w(i) + alpha * x(i)
    end do
#endif
  end subroutine waxpby

  ! c = a + b
  subroutine madd (m, a, b, c) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), b(m, m)
    real(single), intent(inout) :: c(m, m)
    integer(long) :: i, j

    !$acc parallel loop gang default(present)
    !$omp target teams distribute
    do j = 1, m
       !$acc loop vector
       !$omp parallel do
       do i = 1, m
          c(i, j) = a(i, j)
       end do
    end do
    !$acc parallel loop gang default(present)
    !$omp target teams distribute
    do j = 1, m
       !$acc loop vector
       !$omp parallel do
       do i = 1, m
          c(i, j) = c(i, j) + b(i, j)
       end do
    end do
  end subroutine madd

  ! z = alpha a x + beta y
  subroutine sgemv (m, a, x, y, z) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), x(m), y(m)
    real(single), intent(inout) :: z(m)
    real(single) :: total
    integer(long) :: i, j

    !$acc parallel loop default(present)
    !$omp target teams distribute parallel do
    do i = 1, m
       z(i) = y(i)
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * x(j)
       end do
       z(i) = alpha * total + beta * z(i)
    end do
  end subroutine sgemv

  ! z = a x; y = transposed a z
  subroutine atax (m, a, x, y, z) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), x(m)
    real(single), intent(inout) :: y(m), z(m)
    real(single) :: total
    integer(long) :: i, j

    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * x(j)
       end do
       z(i) = total
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do j = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do i = 1, m
          total = total + a(i, j) * z(i)
       end do
       y(j) = total
    end do
  end subroutine atax

  ! q = a p; s = transposed a r
  subroutine bicgk (m, a, p, r, q, s) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), p(m), r(m)
    real(single), intent(inout) :: q(m), s(m)
    real(single) :: total
    integer(long) :: i, j

    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * p(j)
       end do
       q(i) = total
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do j = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do i = 1, m
          total = total + a(i, j) * r(i)
       end do
       s(j) = total
    end do
  end subroutine bicgk

  ! x = beta transposed a y + z; w = alpha a x
  subroutine sgemvt (m, a, y, z, x, w) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), y(m), z(m)
    real(single), intent(inout) :: x(m), w(m)
    real(single) :: total
    integer(long) :: i, j

    !$acc parallel loop default(present)
    !$omp target teams distribute parallel do
    do i = 1, m
       x(i) = z(i)
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do j = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do i = 1, m
          total = total + a(i, j) * y(i)
       end do
       x(j) = beta * total + x(j)
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * x(j)
       end do
       w(i) = alpha * total
    end do
  end subroutine sgemvt

  ! b = a + u1 v1 + u2 v2; x = beta transposed b y + z; w = alpha b x
  subroutine gemver (m, a, u1, v1, u2, v2, y, z, b, x, w) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), u1(m), v1(m), u2(m), v2(m), y(m), z(m)
    real(single), intent(inout) :: b(m, m), x(m), w(m)
    real(single) :: total
    integer(long) :: i, j

    !$acc parallel loop gang default(present)
    !$omp target teams distribute
    do j = 1, m
       !$acc loop vector
       !$omp parallel do
       do i = 1, m
          b(i, j) = a(i, j)
       end do
    end do
    !$acc parallel loop gang default(present)
    !$omp target teams distribute
    do j = 1, m
       !$acc loop vector
       !$omp parallel do
       do i = 1, m
          b(i, j) = b(i, j) + u1(i) * v1(j)
       end do
    end do
    !$acc parallel loop gang default(present)
    !$omp target teams distribute
    do j = 1, m
       !$acc loop vector
       !$omp parallel do
       do i = 1, m
          b(i, j) = b(i, j) + u2(i) * v2(j)
       end do
    end do
    !$acc parallel loop default(present)
    !$omp target teams distribute parallel do
    do i = 1, m
       x(i) = z(i)
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do j = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do i = 1, m
          total = total + b(i, j) * y(i)
       end do
       x(j) = beta * total + x(j)
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + b(i, j) * x(j)
       end do
       w(i) = alpha * total
    end do
  end subroutine gemver

  ! y = alpha a x + beta b x
  subroutine gesummv (m, a, b, x, y) bind (c)
    integer(long), value :: m
    real(single), intent(in) :: a(m, m), b(m, m), x(m)
    real(single), intent(inout) :: y(m)
    real(single) :: total
    integer(long) :: i, j

    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * x(j)
       end do
       y(i) = alpha * total
    end do
    !$acc parallel loop gang default(present) private(total)
    !$omp target teams distribute private(total)
    do i = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       !$omp parallel do reduction(+: total)
       do j = 1, m
          total = total + b(i, j) * x(j)
       end do
       y(i) = beta * total + y(i)
    end do
  end subroutine gesummv

end module sequences
