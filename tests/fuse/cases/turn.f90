! OpenACC: rows and sums of columns of one matrix, as one kernel: here the columns are
! contiguous, so that it is sums along these that come row by row.  All values are small
! whole numbers.
! FLAGS: -fopenacc -fplugin-arg-accrete-turn=1
! SPDX-License-Identifier: GPL-3.0-or-later

module products
contains
  subroutine bicgk (n, m, a, p, r, q, s)
    integer, value :: n, m
    real, intent(in) :: a(n, m), p(m), r(n)
    real, intent(inout) :: q(n), s(m)
    real :: total
    integer :: i, j

    !$acc parallel loop gang default(present) private(total)
    do i = 1, n
       total = 0
       !$acc loop vector reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * p(j)
       end do
       q(i) = total * 2
    end do
    ! REMARK: fused with the one at turn.f90:16 after a check
    ! INSIDE: yes
    !$acc parallel loop gang default(present) private(total)
    do j = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       do i = 1, n
          total = total + a(i, j) * r(i)
       end do
       s(j) = total
    end do
  end subroutine bicgk

  ! s = transposed A r + s; q = A s
  subroutine sgemvt (n, m, a, r, s, q)
    integer, value :: n, m
    real(8), intent(in) :: a(n, m), r(n)
    real(8), intent(inout) :: q(n), s(m)
    real(8) :: total
    integer :: i, j

    !$acc parallel loop gang default(present) private(total)
    do j = 1, m
       total = 0
       !$acc loop vector reduction(+: total)
       do i = 1, n
          total = total + a(i, j) * r(i)
       end do
       s(j) = total + s(j)
    end do
    ! REMARK: fused with the one at turn.f90:46 after a check
    ! INSIDE: no
    !$acc parallel loop gang default(present) private(total)
    do i = 1, n
       total = 0
       !$acc loop vector reduction(+: total)
       do j = 1, m
          total = total + a(i, j) * s(j)
       end do
       q(i) = total
    end do
  end subroutine sgemvt
end module products

program turn
  use products
  implicit none
  integer, parameter :: rows(5) = [1, 40, 513, 3, 8300], columns(5) = [1, 70, 7, 90, 4]
  integer :: t

  do t = 1, 5
     call try (rows(t), columns(t))
  end do
contains
  subroutine try (n, m)
    integer, intent(in) :: n, m
    real, allocatable :: a(:, :), p(:), r(:), q(:), s(:)
    real(8), allocatable :: b(:, :), f(:), g(:), h(:)
    integer :: k

    allocate (p(m), r(n), q(n), s(m), f(n), g(m), h(n))
    a = reshape ([(mod (k * 7 + k / 64, 11) - 5, k = 1, n * m)], [n, m])
    b = a
    p = [(mod (k, 5) - 2, k = 1, m)]
    r = [(mod (k, 7) - 3, k = 1, n)]
    f = r
    q = 0
    s = 0
    g = 1
    h = 0
    !$acc data copyin (a, b, p, r, f) copy (q, s, g, h)
    call bicgk (n, m, a, p, r, q, s)
    call sgemvt (n, m, b, f, g, h)
    !$acc end data
    print '(2i6, 4i15)', n, m, nint (sum (q * [(mod (k, 9) + 1, k = 1, n)])), &
         nint (sum (s * [(mod (k, 9) + 1, k = 1, m)])), &
         nint (sum (g * [(mod (k, 9) + 1, k = 1, m)])), &
         nint (sum (h * [(mod (k, 9) + 1, k = 1, n)]))
  end subroutine try
end program turn
