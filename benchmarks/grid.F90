! What the Fortran benchmark programs share; the counterpart of bench.h and
! grid.h, whose comments hold here as well: same command line, same output,
! same checks.  A program includes this file, so that it is one compilation
! of one file.
!
! Sizes on the command line stand with the slowest dimension first, as in C.
!
! SPDX-License-Identifier: GPL-3.0-or-later

! Kind of the grid's values.
#ifndef REAL_KIND
#define REAL_KIND real32
#endif

#include "mapping.h"

module bench
  use, intrinsic :: iso_fortran_env, only: int64, real32, real64, error_unit
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  implicit none

  integer, parameter :: wp = REAL_KIND
  integer, parameter :: enough = 3             ! so many timed calls

  type bench_t
     character(len=16) :: name
     integer :: dims, sizes(3) = 1
     integer :: repeats = 0, timed = 0
     logical :: running = .false.
     logical :: any_order = .false.   ! last digits depend on a sum's order
     integer :: failures = 0
     integer(int64) :: began
     real(real64) :: most_us = 3e5    ! enough timed calls do then
     real(real64) :: first = 0        ! the call whose results are checked
     real(real64), allocatable :: us(:)
     real(real64) :: checksum = 0, max_error = 0, total = 0
  end type bench_t

  interface
     function c_open (path, flags) bind(c, name='open') result (fd)
       import c_char, c_int
       character(kind=c_char), intent(in) :: path(*)
       integer(c_int), value :: flags
       integer(c_int) :: fd
     end function c_open
     function c_flock (fd, operation) bind(c, name='flock') result (status)
       import c_int
       integer(c_int), value :: fd, operation
       integer(c_int) :: status
     end function c_flock
  end interface

contains

  subroutine bench_begin (b, name, dims, defaults)
    type(bench_t), intent(inout) :: b
    character(len=*), intent(in) :: name
    integer, intent(in) :: dims, defaults(dims)
    character(len=32) :: arg
    integer :: i, sizes, status, value

    b%name = name
    b%dims = dims
    b%sizes(1:dims) = defaults
    sizes = 0
    do i = 1, command_argument_count ()
       call get_command_argument (i, arg)
       if (arg(1:7) == '--time=') then
          read (arg(8:), *, iostat=status) b%repeats
       else if (arg == '--time') then
          b%repeats = 20
          status = 0
       else
          read (arg, *, iostat=status) value
          sizes = sizes + 1
          if (status == 0) status = merge (0, 1, value > 0 .and. sizes <= dims)
          if (status == 0) b%sizes(sizes) = value
       end if
       if (status /= 0) then
          write (error_unit, '(3a, i0, a)') 'usage: ', name, &
               ' [--time[=REPEATS]] [SIZE]...  (', dims, ' sizes)'
          stop 1
       end if
    end do
    allocate (b%us(b%repeats))
    call get_environment_variable ('BENCH_SECONDS', arg, status=status)
    if (status == 0) then
       read (arg, *) b%most_us
       b%most_us = 1e6 * b%most_us
    end if
  end subroutine bench_begin

  ! Number INDEX of the pseudo-random sequence SEED, uniform in [0, 1).
  pure function bench_uniform (seed, index) result (u)
    integer, intent(in) :: seed
    integer(int64), intent(in) :: index
    integer(int64), parameter :: prime = 2147483647
    integer(int64) :: z
    real(real64) :: u

    z = mod (mod (index + 7919 * seed, prime) * 48271, prime)
    z = mod (ieor (z, shiftr (z, 13)) * 69621, prime)
    z = mod (ieor (z, shiftr (z, 17)) * 16807, prime)
    u = real (mod (z, 16777216_int64), real64) / 16777216
  end function bench_uniform

  function bench_check (b, got, want, tolerance, epsilon) result (right)
    type(bench_t), intent(inout) :: b
    real(real64), intent(in) :: got, want, tolerance, epsilon
    real(real64) :: error
    logical :: right

    error = abs (got - want) / (epsilon * max (1.0_real64, abs (want)))
    if (error > b%max_error) b%max_error = error
    right = error <= tolerance
    if (.not. right) b%failures = b%failures + 1
  end function bench_check

  subroutine device_in (v, n)
    integer(int64), intent(in) :: n
    real(wp), intent(inout) :: v(n)
    !$acc enter data copyin(v)
    !$omp target enter data map(to: v)
  end subroutine device_in

  subroutine device_out (v, n)
    integer(int64), intent(in) :: n
    real(wp), intent(inout) :: v(n)
    !$acc update self(v)
    !$omp target update from(v)
  end subroutine device_out

  subroutine device_drop (v, n)
    integer(int64), intent(in) :: n
    real(wp), intent(inout) :: v(n)
    !$acc exit data delete(v)
    !$omp target exit data map(delete: v)
  end subroutine device_drop

  ! bench_take_turn.
  subroutine take_turn
    integer(c_int), parameter :: rdonly = 0, exclusive = 2
    character(len=4096) :: file
    integer :: length, status

    call get_environment_variable ('BENCH_TURN', file, length, status)
    if (status /= 0) return
    if (c_flock (c_open (file(:length) // c_null_char, rdonly), exclusive) /= 0) &
         stop 'BENCH_TURN: cannot be locked'
  end subroutine take_turn

  ! Around the call whose results are checked, for BENCH_CALLS.
  subroutine first_begins (b)
    type(bench_t), intent(inout) :: b

    call system_clock (b%began)
  end subroutine first_begins

  subroutine first_ends (b)
    type(bench_t), intent(inout) :: b
    integer(int64) :: now, rate

    call system_clock (now, rate)
    b%first = 1e6_real64 * (now - b%began) / rate
  end subroutine first_ends

  function bench_repeat (b) result (again)
    type(bench_t), intent(inout) :: b
    logical :: again
    integer(int64) :: now, rate

    if (b%timed == 0 .and. b%repeats > 0 .and. .not. b%running) call take_turn
    call system_clock (now, rate)
    if (b%running) then
       b%timed = b%timed + 1
       b%us(b%timed) = 1e6_real64 * (now - b%began) / rate
       b%total = b%total + b%us(b%timed)
    end if
    again = b%timed < b%repeats .and. &
         (b%timed < enough .or. b%total < b%most_us)
    b%running = again
    call system_clock (b%began)
  end function bench_repeat

  ! The middle of the timed calls, as many below as above.
  function bench_median (us) result (median)
    real(real64), intent(in) :: us(:)
    real(real64) :: median
    integer :: i

    median = 0
    do i = 1, size (us)
       if (count (us < us(i)) <= size (us) / 2 &
            .and. count (us <= us(i)) > size (us) / 2) median = us(i)
    end do
  end function bench_median

  subroutine bench_end (b)
    type(bench_t), intent(in) :: b
    character(len=40) :: sizes, median
    integer :: status

    write (sizes, '(*(i0, :, "x"))') b%sizes(1:b%dims)
    if (b%any_order) then
       print '(4a, g0.9)', trim (b%name), ' ', trim (sizes), ' checksum ', &
            b%checksum
    else
       print '(4a, g0, a, g0.3)', trim (b%name), ' ', trim (sizes), &
            ' checksum ', b%checksum, ' error ', b%max_error
    end if
    call get_environment_variable ('BENCH_CALLS', status=status)
    if (status == 0) print '(2a, *(1x, f0.2))', 'calls ', trim (b%name), &
         b%first, b%us(1:b%timed)
    if (b%timed > 0) then
       write (median, '(f16.2)') bench_median (b%us(1:b%timed))
       print '(5a)', 'time ', trim (b%name), ' ', trim (adjustl (median)), ' us'
    end if
    if (b%failures > 0) then
       write (error_unit, '(2a, i0, a)') trim (b%name), ': ', b%failures, &
            ' results differ from the serial ones'
       stop 1
    end if
  end subroutine bench_end

end module bench

module grid
  use bench
  implicit none

  integer, parameter :: grid_steps = 3
  integer(int64), parameter :: grid_sample = 32768, grid_period = 1048573

  type grid_array
     real(wp), pointer, contiguous :: v(:)
     integer :: id              ! its place before the arrays swapped roles
     real(real64) :: total      ! of all points, as of the last step
  end type grid_array

  type grid_t
     integer :: nx, ny, nz      ! borders included; 1 where not used
     type(grid_array) :: a(6)
  end type grid_t

  ! See struct grid_program.
  type grid_program
     character(len=16) :: name
     integer :: dims, border, arrays, outputs, rotate
     real(real64) :: tolerance
     procedure(apply_grid), pointer, nopass :: apply
     procedure(expected_point), pointer, nopass :: expected
  end type grid_program

  abstract interface
     ! The offloaded loop.
     subroutine apply_grid (g)
       import grid_t
       type(grid_t), intent(in) :: g
     end subroutine apply_grid
     ! The value of array OUT at one inner point.
     function expected_point (g, out, x, y, z) result (want)
       import grid_t, real64
       type(grid_t), intent(in) :: g
       integer, intent(in) :: out, x, y, z
       real(real64) :: want
     end function expected_point
  end interface

contains

  ! Point (x, y, z), counted from 1, of array A on the host.
  function at (g, a, x, y, z) result (value)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: a, x, y, z
    real(real64) :: value

    value = g%a(a)%v(((z - 1_int64) * g%ny + y - 1) * g%nx + x)
  end function at

  ! The initial value of point I, counted from 1, of array ID.
  function grid_initial (id, i) result (value)
    integer, intent(in) :: id
    integer(int64), intent(in) :: i
    real(wp) :: value

    value = real (bench_uniform (id, mod (i - 1, grid_period) + 1), wp)
  end function grid_initial

  subroutine grid_fill (a)
    type(grid_array), intent(inout) :: a
    integer(int64) :: i, n, points

    points = size (a%v, kind=int64)
    do i = 1, min (points, grid_period)
       a%v(i) = grid_initial (a%id, i)
    end do
    do i = grid_period, points - 1, grid_period
       n = min (grid_period, points - i)
       a%v(i+1:i+n) = a%v(1:n)
    end do
  end subroutine grid_fill

  ! Several sums at a time, as an addition waits for the one before.
  function grid_total (v) result (total)
    real(wp), contiguous, intent(in) :: v(:)
    integer(int64), parameter :: lanes = 8
    real(real64) :: total, part(lanes)
    integer(int64) :: i, whole

    part = 0
    whole = size (v, kind=int64) / lanes * lanes
    do i = 1, whole, lanes
       part = part + v(i:i+lanes-1)
    end do
    total = sum (part)
    do i = whole + 1, size (v, kind=int64)
       total = total + v(i)
    end do
  end function grid_total

  function grid_inside (p, n, border) result (inside)
    integer, intent(in) :: p, n, border
    logical :: inside

    inside = n == 1 .or. (p > border .and. p <= n - border)
  end function grid_inside

  subroutine grid_check (b, p, g, out)
    type(bench_t), intent(inout) :: b
    type(grid_program), intent(in) :: p
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out
    integer(int64) :: i, points, stride
    integer :: x, y, z
    logical :: inside
    real(real64) :: got, want

    points = size (g%a(out)%v, kind=int64)
    stride = 1
    if (b%repeats > 0) stride = ior (points / grid_sample, 1_int64)
    do i = 1, points, stride
       x = int (mod (i - 1, int (g%nx, int64))) + 1
       y = int (mod ((i - 1) / g%nx, int (g%ny, int64))) + 1
       z = int ((i - 1) / g%nx / g%ny) + 1
       inside = grid_inside (x, g%nx, p%border) &
            .and. grid_inside (y, g%ny, p%border) &
            .and. grid_inside (z, g%nz, p%border)
       if (inside) then
          want = p%expected (g, out, x, y, z)
       else
          want = grid_initial (g%a(out)%id, i)
       end if
       got = g%a(out)%v(i)
       if (.not. bench_check (b, got, want, &
            merge (p%tolerance, 0.0_real64, inside), &
            real (epsilon (1.0_wp), real64)) .and. b%failures <= 5) &
            write (error_unit, '(2a, i0, a, 3(i0, 1x), 2(a, es16.9))') &
            trim (p%name), ': array ', out, ' at ', x, y, z, ': ', got, &
            ' should be ', want
    end do
  end subroutine grid_check

  ! Apply the operator once and check all it did.
  subroutine grid_step (b, p, g)
    type(bench_t), intent(inout) :: b
    type(grid_program), intent(in) :: p
    type(grid_t), intent(inout) :: g
    integer :: k, first_out, first_rotated
    real(real64) :: total

    first_out = p%arrays - p%outputs + 1
    call p%apply (g)
    do k = merge (first_out, 1, b%repeats > 0), p%arrays
       call device_out (g%a(k)%v, size (g%a(k)%v, kind=int64))
       total = grid_total (g%a(k)%v)
       if (k < first_out .and. total /= g%a(k)%total) then
          write (error_unit, '(2a, i0, a)') trim (p%name), ': input array ', &
               k, ' has changed'
          b%failures = b%failures + 1
       end if
       g%a(k)%total = total
    end do
    do k = first_out, p%arrays
       call grid_check (b, p, g, k)
    end do
    b%checksum = sum (g%a(first_out:p%arrays)%total)
    first_rotated = p%arrays - p%rotate + 1
    g%a(first_rotated:p%arrays) &
         = cshift (g%a(first_rotated:p%arrays), p%outputs)
  end subroutine grid_step

  ! All of a program.
  subroutine grid_main (p)
    type(grid_program), intent(in) :: p
    integer, parameter :: defaults(3, 3) &
         = reshape ([1031, 1, 1, 37, 131, 1, 9, 11, 70], [3, 3])
    type(bench_t) :: b
    type(grid_t) :: g
    integer(int64) :: points
    integer :: k

    call bench_begin (b, trim (p%name), p%dims, defaults(1:p%dims, p%dims))
    g%nx = b%sizes(p%dims)
    g%ny = 1
    if (p%dims > 1) g%ny = b%sizes(p%dims - 1)
    g%nz = 1
    if (p%dims > 2) g%nz = b%sizes(1)
    points = int (g%nx, int64) * g%ny * g%nz
    do k = 1, p%arrays
       allocate (g%a(k)%v(points))
       g%a(k)%id = k
       call grid_fill (g%a(k))
       g%a(k)%total = 0
       if (b%repeats == 0) g%a(k)%total = grid_total (g%a(k)%v)
       call device_in (g%a(k)%v, points)
    end do

    do k = 1, merge (1, grid_steps, b%repeats > 0)
       call grid_step (b, p, g)
    end do
    do while (bench_repeat (b))
       call p%apply (g)
    end do

    do k = 1, p%arrays
       call device_drop (g%a(k)%v, points)
       deallocate (g%a(k)%v)
    end do
    call bench_end (b)
  end subroutine grid_main

end module grid
