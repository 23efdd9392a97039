! Schedules that are written, where the program can tell who has an iteration.
!
! ACCEPT: 6
! SPDX-License-Identifier: GPL-3.0-or-later

program schedules
  use omp_lib
  implicit none
  integer, parameter :: n = 4003
  integer :: team(n), thread(n), teams, threads, failures
  failures = 0
  call asked
  call carried
  if (failures /= 0) stop 1
contains
  ! Has each of PARTS one chunk of NUMBER, in order, as long as the others'?
  subroutine expect (what, number, parts)
    character(*) :: what
    integer :: number(:), parts, i, q, rest, before
    q = size (number) / parts
    rest = mod (size (number), parts)
    do i = 1, size (number)
      before = (q + 1) * min (number(i), rest) + q * max (number(i) - rest, 0)
      if (i <= before .or. i > before + q + merge (1, 0, number(i) < rest)) then
        print *, what, ':', i, 'is of', number(i)
        failures = failures + 1
        return
      end if
    end do
  end subroutine

  subroutine asked
    integer :: i, j, first
    integer(8) :: far
    !$omp target teams distribute dist_schedule(static) map(from: team, teams)
    do i = 1, n
      if (i == 1) teams = omp_get_num_teams ()
      team(i) = omp_get_team_num ()
    end do
    call expect ('teams', team, teams)

    !$omp target teams distribute parallel do dist_schedule(static) &
    !$omp schedule(static) map(from: team, thread, teams, threads)
    do far = n, 1_8, -1
      if (far == 1) teams = omp_get_num_teams ()
      if (far == 1) threads = omp_get_num_threads ()
      team(n + 1 - far) = omp_get_team_num ()
      thread(n + 1 - far) = omp_get_thread_num ()
    end do
    call expect ('teams and threads', team, teams)
    first = 1
    do i = 2, n + 1
      if (i <= n) then
        if (team(i) == team(first)) cycle
      end if
      call expect ('threads of a team', thread(first:i - 1), threads)
      first = i
    end do

    !$omp target parallel do schedule(static) collapse(2) map(from: thread, threads)
    do i = 0, 49
      do j = 1, 80
        if (i == 0 .and. j == 1) threads = omp_get_num_threads ()
        thread(80 * i + j) = omp_get_thread_num ()
      end do
    end do
    call expect ('threads', thread(:4000), threads)

    !$omp target map(tofrom: team, thread)
    !$omp parallel num_threads(24)
    !$omp do schedule(static)
    do i = 1, n
      thread(i) = omp_get_thread_num ()
    end do
    !$omp end do nowait
    !$omp do schedule(static)
    do i = 1, n
      team(i) = thread(i) - omp_get_thread_num ()
    end do
    !$omp end parallel
    !$omp end target
    if (any (team /= 0)) then
      print *, 'two loops: another thread'
      failures = failures + 1
    end if
  end subroutine

  subroutine carried
    integer :: i, at
    at = -1
    !$omp target teams distribute parallel do dist_schedule(static) &
    !$omp schedule(static) firstprivate(at) map(from: team)
    do i = 1, n
      if (at < 0) at = 3 * (i - 1)
      at = at + 3
      team(i) = at
    end do
    do i = 1, n
      if (team(i) /= 3 * i) failures = failures + 1
    end do
    if (failures /= 0) print *, 'carried'

    !$omp target teams distribute dist_schedule(static) firstprivate(at) &
    !$omp num_teams(5) map(from: team)
    do i = 1, n
      if (at < 0) at = 3 * (i - 1)
      at = at + 3
      team(i) = at
    end do
    do i = 1, n
      if (team(i) /= 3 * i) failures = failures + 1
    end do
    if (failures /= 0) print *, 'carried by a team'
  end subroutine
end program
