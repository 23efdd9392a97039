! Borders of two arrays, rows and columns at the ends, without the corners or, with 1 as
! MORE, columns with one element that rows have as well, again and again.  Prints how many
! elements are wrong.
! usage: borders ROUNDS MORE
! SPDX-License-Identifier: GPL-3.0-or-later
program borders
  implicit none
  integer, parameter :: nx = 17, ny = 13
  integer :: a(nx, ny), b(nx, ny), want(nx, ny, 2), rounds, more, i, j, k, round
  character (20) :: text
  call get_command_argument (1, text)
  read (text, *) rounds
  call get_command_argument (2, text)
  read (text, *) more
  do j = 1, ny
    do i = 1, nx
      a(i, j) = i * 3 + j * 100
      b(i, j) = i * 5 + j * 77
    end do
  end do
  want(:, :, 1) = a
  want(:, :, 2) = b
!$acc enter data copyin (a, b)
!$omp target enter data map (to: a, b)
  do round = 1, rounds
!$acc parallel loop present (a)
!$omp target teams distribute parallel do
    do i = 3, nx - 2
      do k = 0, 1
        a(i, 2 - k) = iand (a(i, 3 + k) * 3 + round, 65535)
      end do
    end do
!$acc parallel loop present (a)
!$omp target teams distribute parallel do
    do i = 3, nx - 2
      do k = 0, 1
        a(i, ny - 1 + k) = iand (a(i, ny - 2 - k) * 5 + round, 65535)
      end do
    end do
!$acc parallel loop present (a)
!$omp target teams distribute parallel do
    do j = 3 - more, ny - 2
      do k = 0, 1
        a(2 - k, j) = iand (a(3 + k, j) * 7 + round, 65535)
      end do
    end do
!$acc parallel loop present (b)
!$omp target teams distribute parallel do
    do i = nx - 2, 3, -1
      b(i, 2) = iand (b(i, 3) * 3 + round, 65535)
    end do
!$acc parallel loop present (b)
!$omp target teams distribute parallel do
    do j = 3, ny - 2
      b(nx - 1, j) = iand (b(nx - 2, j - more) * 7 + round, 65535)
    end do
    call host (want, round, more)
  end do
!$acc exit data copyout (a, b)
!$omp target exit data map (from: a, b)
  print '(i0, a)', count (a /= want(:, :, 1)) + count (b /= want(:, :, 2)), ' wrong'

contains
  subroutine host (w, round, more)
    integer :: w(nx, ny, 2), round, more, k
    do k = 0, 1
      w(3 : nx - 2, 2 - k, 1) = iand (w(3 : nx - 2, 3 + k, 1) * 3 + round, 65535)
    end do
    do k = 0, 1
      w(3 : nx - 2, ny - 1 + k, 1) = iand (w(3 : nx - 2, ny - 2 - k, 1) * 5 + round, 65535)
    end do
    do k = 0, 1
      w(2 - k, 3 - more : ny - 2, 1) = iand (w(3 + k, 3 - more : ny - 2, 1) * 7 + round, 65535)
    end do
    w(3 : nx - 2, 2, 2) = iand (w(3 : nx - 2, 3, 2) * 3 + round, 65535)
    w(nx - 1, 3 : ny - 2, 2) = iand (w(nx - 2, 3 - more : ny - 2 - more, 2) * 7 + round, 65535)
  end subroutine
end program
