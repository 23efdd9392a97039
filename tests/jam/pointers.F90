! Nests whose addresses follow from one another, over arrays of all kinds of
! shapes and strides.
! REMARK: what -fopt-info-omp says about the construct below
!
! SPDX-License-Identifier: GPL-3.0-or-later

module nests
  implicit none
  integer, parameter :: nx = 67, ny = 72, nz = 130

  type pair
     real :: u, v
  end type pair

contains

  subroutine show (name, b)
    character(len=*), intent(in) :: name
    real, intent(in) :: b(:, :, :)
    double precision :: total
    integer :: x, y, z

    total = 0
    do z = 1, size (b, 3)
       do y = 1, size (b, 2)
          do x = 1, size (b, 1)
             total = total + b(x, y, z) * mod (x + 3 * y + 7 * z, 101)
          end do
       end do
    end do
    print '(a, 1x, es24.16)', name, total
  end subroutine show

! Neighbours that are up to two away along an axis.
#define ALONG_X(u) u(x-2,y,z) + u(x-1,y,z) + u(x+1,y,z) + u(x+2,y,z)
#define ALONG_Y(u) u(x,y-2,z) + u(x,y-1,z) + u(x,y+1,z) + u(x,y+2,z)
#define ALL_ROWS(u) u(x,y-1,z) + u(x,y,z) - u(x,y+1,z)
#define ALONG_Z(u) u(x,y,z-2) + u(x,y,z-1) + u(x,y,z+1) + u(x,y,z+2)

  subroutine explicit (n, m, l, a, b)
    integer, intent(in) :: n, m, l
    real, intent(in) :: a(n, m, l)
    real, intent(inout) :: b(n, m, l)
    integer :: x, y, z

    ! REMARK: 8 follow from others
    !$acc parallel loop collapse(3) copyin(a) copy(b)
    do z = 3, l - 2
       do y = 3, m - 2
          do x = 3, n - 2
             b(x, y, z) = 0.125 * (a(x, y, z) + ALONG_X (a) &
                  + ALONG_Y (a) + ALONG_Z (a))
          end do
       end do
    end do
    call show ('explicit', b)
  end subroutine explicit

  ! Bounds that do not start at 1.
  subroutine bounds (a, b)
    real, intent(in) :: a(-3:nx-4, 0:ny-1, -nz:-1)
    real, intent(inout) :: b(-3:nx-4, 0:ny-1, -nz:-1)
    integer :: x, y, z

    !$acc parallel loop collapse(3) copyin(a) copy(b)
    do z = 2 - nz, -3
       do y = 2, ny - 3
          do x = -1, nx - 6
             b(x, y, z) = 0.25 * (a(x, y, z) + ALONG_X (a) &
                  + ALONG_Y (a) + ALONG_Z (a))
          end do
       end do
    end do
    call show ('bounds', b)
  end subroutine bounds

  ! Strides in all dimensions.
  subroutine assumed (a, b)
    real, intent(in) :: a(:, :, :)
    real, intent(inout) :: b(:, :, :)
    integer :: x, y, z, n, m, l

    n = size (b, 1)
    m = size (b, 2)
    l = size (b, 3)
    ! REMARK: 12 follow from others
    !$acc parallel loop collapse(3) copyin(a) copy(b)
    do z = 3, l - 2
       do y = 3, m - 2
          do x = 3, n - 2
             b(x, y, z) = a(x, y, z) - b(x, y, z) + ALONG_X (a) &
                  + ALONG_Y (a) + ALONG_Z (a)
          end do
       end do
    end do
    call show ('assumed', b)
  end subroutine assumed

  ! Points and rows that go up and down.
  subroutine every_second (n, m, l, a, b)
    integer, intent(in) :: n, m, l
    real, intent(in) :: a(n, m, l)
    real, intent(inout) :: b(n / 2, m, l)
    integer :: x, y, z

    ! REMARK: 3 follow from others
    !$acc parallel loop collapse(3) copyin(a) copy(b)
    do z = 2, l - 1
       do y = 2, m - 1
          do x = 2, n / 2 - 1
             b(x, y, z) = a(2 * x, m - y, z) + a(2 * x - 1, m - y + 1, z) &
                  + a(2 * x + 1, m - y, z) - a(2 * x, m - y, l - z) &
                  + a(2 * x, m - y, z - 1) - a(2 * x, m - y + 1, l - z + 1)
          end do
       end do
    end do
    call show ('every second', b)
  end subroutine every_second

  ! In place, with loads under a condition, and a loop inside.
  subroutine mixed (n, m, l, a, b)
    integer, intent(in) :: n, m, l
    real, intent(in) :: a(n, m, l)
    real, intent(inout) :: b(n, m, l)
    real :: s
    integer :: x, y, z, i

    ! REMARK: 2 follow from others
    !$acc parallel loop collapse(3) copyin(a) copy(b) private(s)
    do z = 3, l - 2
       do y = 3, m - 2
          do x = 3, n - 2
             s = a(x, y - 1, z) + a(x, y, z) + a(x, y + 1, z) + b(x, y, z)
             b(x, y, z) = 0.5 * s
             if (s > 2) then
                do i = -2, 2
                   s = s - 0.0625 * a(x, y + i, z - i)
                end do
             end if
             b(x, y, z) = b(x, y, z) + s * a(x, y, z + 1) + a(x, y, z - 1)
          end do
       end do
    end do
    call show ('mixed', b)
  end subroutine mixed

  ! Rows whose distance the program computes itself, and a variable that it
  ! changes after it was used; the numbers that it computes them from are values.
  subroutine linear (n, m, l, a, b)
    integer(8), intent(in) :: n, m, l
    real, intent(in) :: a(n * m * l)
    real, intent(inout) :: b(n, m, l)
    integer(8) :: x, y, z, i, row

    ! REMARK: 4 follow from others
    !$acc parallel loop collapse(3) copyin(a) copy(b) private(i, row)
    do z = 2, l - 1
       do y = 2, m - 1
          do x = 2, n - 1
             row = n
             i = x + n * (y - 1 + m * (z - 1))
             b(x, y, z) = a(i - row) + a(i) + a(i + row)
             row = n * m
             b(x, y, z) = b(x, y, z) - a(i - row) + a(i + row) * 0.5
          end do
       end do
    end do
    call show ('linear', b)
  end subroutine linear

  ! More strides than there are registers for: nobody says that all are N.
  subroutine many (n, s, m, l, a, b, c, d, e, f, g, h, i, r)
    integer, intent(in) :: n, s(9), m, l
    real, intent(in) :: a(s(1), m, l), b(s(2), m, l), c(s(3), m, l)
    real, intent(in) :: d(s(4), m, l), e(s(5), m, l), f(s(6), m, l)
    real, intent(in) :: g(s(7), m, l), h(s(8), m, l), i(s(9), m, l)
    real, intent(inout) :: r(n, m, l)
    integer :: x, y, z

    ! REMARK: 16 follow from others
    !$acc parallel loop collapse(3) copyin(a, b, c, d, e, f, g, h, i) copy(r)
    do z = 2, l - 1
       do y = 2, m - 1
          do x = 1, n
             r(x, y, z) = ALL_ROWS (a) &
                  + ALL_ROWS (b) + ALL_ROWS (c) &
                  + ALL_ROWS (d) + ALL_ROWS (e) &
                  + ALL_ROWS (f) + ALL_ROWS (g) &
                  + ALL_ROWS (h) + ALL_ROWS (i)
          end do
       end do
    end do
    call show ('many', r)
  end subroutine many

  ! Two components of one array.
  subroutine members (n, m, p, b)
    integer, intent(in) :: n, m
    type(pair), intent(in) :: p(n, m)
    real, intent(inout) :: b(n, m, 1)
    integer :: x, y

    ! REMARK: 2 follow from others
    !$acc parallel loop collapse(2) copyin(p) copy(b)
    do y = 2, m - 1
       do x = 1, n
          b(x, y, 1) = p(x, y - 1)%u + p(x, y - 1)%v * p(x, y)%u &
               + p(x, y + 1)%v + p(x, y + 1)%u
       end do
    end do
    call show ('members', b)
  end subroutine members

end module nests

program main
  use nests
  implicit none
  real, save :: a(nx, ny, nz), b(nx, ny, nz)
  real, save :: c(2 * nx, ny, nz), w(nx, ny, nz, 9)
  type(pair), save :: p(4 * nx, 32 * ny)
  real, save :: q(4 * nx, 32 * ny, 1)
  integer :: x, y, z

  do z = 1, nz
     do y = 1, ny
        do x = 1, nx
           a(x, y, z) = mod (x * 31 + y * 17 + z * 7, 61) / 61.0
           b(x, y, z) = mod (x * 13 + y * 5 + z * 3, 59) / 59.0
        end do
     end do
  end do
  c(1::2, :, :) = b
  c(2::2, :, :) = a
  do y = 1, 32 * ny
     do x = 1, 4 * nx
        p(x, y) = pair (mod (x + y, 7) / 7.0, mod (x * 3 + y, 11) / 11.0)
     end do
  end do
  q = 0

  call explicit (nx, ny, nz, a, b)
  call bounds (a, b)
  call assumed (a, b)
  call every_second (2 * nx, ny, nz, c, b)
  call mixed (nx, ny, nz, a, b)
  call linear (int (nx, 8), int (ny, 8), int (nz, 8), a, b)
  do x = 1, 9
     w(:, :, :, x) = x * a
  end do
  call many (nx, spread (nx, 1, 9), ny, nz, &
       w(:, :, :, 1), w(:, :, :, 2), w(:, :, :, 3), w(:, :, :, 4), &
       w(:, :, :, 5), w(:, :, :, 6), w(:, :, :, 7), &
       w(:, :, :, 8), w(:, :, :, 9), b)
  call members (4 * nx, 32 * ny, p, q)
end program main
