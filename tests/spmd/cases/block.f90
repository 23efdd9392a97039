! Teams that are blocks, in Fortran.
!
! ACCEPT: 2
! SPDX-License-Identifier: GPL-3.0-or-later
program block
  use omp_lib
  implicit none
  integer, parameter :: threads = 64, teams = 6, n = threads * teams
  integer :: a(n), b(n), want(n), i, bad
  real(8) :: s(teams), x(n), total
  bad = 0
  do i = 1, n
    a(i) = mod (i * 7, 31)
    x(i) = a(i) / 2d0
  end do
  b = 0
  call tiles (a, b, n)
  do i = 1, n
    want(i) = a((i - 1) / threads * threads + threads - mod (i - 1, threads)) + 1
  end do
  if (any (b /= want)) then
    print *, 'tiles'
    bad = 1
  end if
  s = 0
  total = 1
  call sums (x, s, n, total)
  do i = 1, teams
    if (abs (s(i) - sum (x((i - 1) * threads + 1 : i * threads))) > 1d-9) then
      print *, 'sums', i, s(i)
      bad = 1
    end if
  end do
  if (abs (total - 1 - sum (x)) > 1d-9) then
    print *, 'total', total
    bad = 1
  end if
  if (bad /= 0) stop 1
contains
  subroutine tiles (a, b, n)
    integer, intent (in) :: n
    integer, intent (in) :: a(n)
    integer, intent (inout) :: b(n)
    integer :: part(threads), k, tid, t, nt, one
    !$omp target teams num_teams (n / threads) thread_limit (threads) private (part, k, t, one)
    one = 1
    t = omp_get_team_num () * threads
    !$omp parallel private (tid, k, nt)
    tid = omp_get_thread_num ()
    nt = omp_get_num_threads ()
    do k = tid + 1, threads, nt
      part(k) = a(t + k) + one
    end do
    !$omp barrier
    !$omp do
    do k = 1, threads
      b(t + k) = part(threads + 1 - k)
    end do
    !$omp end do
    !$omp end parallel
    !$omp end target teams
  end subroutine
  subroutine sums (x, s, n, total)
    integer, intent (in) :: n
    real(8), intent (in) :: x(n)
    real(8), intent (inout) :: s(:), total
    real(8) :: mine, all
    integer :: i, k
    !$omp target teams distribute private (all, mine) map (tofrom: s, total) reduction (+: total) thread_limit (threads)
    do i = 1, n / threads
      all = 0
      !$omp parallel private (mine, k)
      mine = 0
      !$omp do
      do k = 1, threads
        mine = mine + x((i - 1) * threads + k)
      end do
      !$omp end do nowait
      !$omp critical
      all = all + mine
      !$omp end critical
      !$omp barrier
      !$omp single
      s(i) = all
      !$omp end single
      !$omp end parallel
      total = total + all
    end do
  end subroutine
end program
