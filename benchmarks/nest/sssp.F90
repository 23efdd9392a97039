! Single-source shortest paths by Bellman and Ford; see sssp.c.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "forms.F90"
#define GRAPH SECTION (row) SECTION (to) SECTION (weight)

module paths
  use bench
  implicit none
  integer, parameter :: far = huge (far) / 2

contains

  ! An R-MAT graph as in graph.h: half of the EDGES, each in both directions.
  subroutine make_graph (vertices, edges, row, to, weight)
    integer, intent(in) :: vertices, edges
    integer, intent(out) :: row(vertices + 1), to(edges), weight(edges)
    integer, allocatable :: ends(:, :), next(:)
    integer :: bit, e, i
    integer(int64) :: id(2)
    real(real64) :: u

    allocate (ends(2, edges / 2), next(vertices))
    next = 0
    do e = 1, edges / 2
       id = 0
       bit = 0
       do while (2_int64**bit < vertices)
          u = bench_uniform (10 + bit, int (e, int64))
          id = 2 * id + merge (1, 0, [u >= 0.76, &
               (u >= 0.57 .and. u < 0.76) .or. u >= 0.95])
          bit = bit + 1
       end do
       ends(:, e) = int (mod (id * 1000003, int (vertices, int64))) + 1
       next(ends(1, e)) = next(ends(1, e)) + 1
       next(ends(2, e)) = next(ends(2, e)) + 1
    end do
    row(1) = 1
    do i = 1, vertices
       row(i + 1) = row(i) + next(i)
    end do
    next = row(1:vertices)
    do e = 1, edges / 2
       do i = 1, 2
          to(next(ends(i, e))) = ends(3 - i, e)
          next(ends(i, e)) = next(ends(i, e)) + 1
       end do
    end do
    do e = 1, edges
       weight(e) = 1 + int (bench_uniform (4, int (e, int64)) * 16)
    end do
  end subroutine make_graph

  subroutine begin (vertices, distance, shrunk, next)
    integer, intent(in) :: vertices
    integer, intent(inout) :: distance(vertices), shrunk(vertices)
    integer, intent(inout) :: next(vertices)
    integer :: v

    ALONE (SECTION (distance) SECTION (shrunk) SECTION (next))
    do v = 1, vertices
       distance(v) = merge (0, far, v == 1)
       shrunk(v) = merge (1, 0, v == 1)
       next(v) = 0
    end do
  end subroutine begin

  ! One round; MORE is set when a distance has shrunk.
  subroutine relax (vertices, edges, row, to, weight, distance, shrunk, next, &
       more)
    integer, intent(in) :: vertices, edges
    integer, intent(in) :: row(vertices + 1), to(edges), weight(edges)
    integer, intent(inout) :: distance(vertices), shrunk(vertices)
    integer, intent(inout) :: next(vertices), more
    integer :: e, here, old, v

    PARENTS (GRAPH SECTION (distance) SECTION (shrunk) SECTION (next) SCALAR (more) private (here, old))
    do v = 1, vertices
       if (shrunk(v) /= 0) then
          ! A later, shorter one is for the next round.
          ATOMIC (read)
          here = distance(v)
          shrunk(v) = 0
          CHILDREN (SCALAR (more), private (old))
          do e = row(v), row(v + 1) - 1
             ATOMIC (capture)
             old = distance(to(e))
             distance(to(e)) = min (distance(to(e)), here + weight(e))
             END_ATOMIC
             if (here + weight(e) < old) then
                ATOMIC (write)
                next(to(e)) = 1
                ATOMIC (write)
                more = 1
             end if
          end do
       end if
    end do
  end subroutine relax

  ! The distance of every vertex from vertex 1, FAR where there is no way.  All
  ! is on the device.
  subroutine search (vertices, edges, row, to, weight, distance, shrunk, next)
    integer, intent(in) :: vertices, edges
    integer, intent(in) :: row(vertices + 1), to(edges), weight(edges)
    integer, intent(inout) :: distance(vertices), shrunk(vertices)
    integer, intent(inout) :: next(vertices)
    integer :: more
    logical :: swapped

    call begin (vertices, distance, shrunk, next)
    more = 1
    swapped = .false.
    do while (more /= 0)
       more = 0
       if (swapped) then
          call relax (vertices, edges, row, to, weight, distance, &
               next, shrunk, more)
       else
          call relax (vertices, edges, row, to, weight, distance, &
               shrunk, next, more)
       end if
       swapped = .not. swapped
    end do
  end subroutine search

  ! The same in rounds over all edges.
  subroutine expected (vertices, edges, row, to, weight, distance)
    integer, intent(in) :: vertices, edges
    integer, intent(in) :: row(vertices + 1), to(edges), weight(edges)
    integer, intent(out) :: distance(vertices)
    integer :: e, v
    logical :: more

    distance = far
    distance(1) = 0
    more = .true.
    do while (more)
       more = .false.
       do v = 1, vertices
          if (distance(v) == far) cycle
          do e = row(v), row(v + 1) - 1
             if (distance(v) + weight(e) < distance(to(e))) then
                distance(to(e)) = distance(v) + weight(e)
                more = .true.
             end if
          end do
       end do
    end do
  end subroutine expected

end module paths

program main
  use paths
  implicit none
  type(bench_t) :: b
  integer :: edges, v, vertices
  integer, allocatable :: row(:), to(:), weight(:)
  integer, allocatable :: distance(:), shrunk(:), next(:), want(:)

  call bench_begin (b, 'sssp', 2, [1031, 8])
  vertices = b%sizes(1)
  edges = b%sizes(2) * vertices / 2 * 2
  allocate (row(vertices + 1), to(edges), weight(edges))
  allocate (distance(vertices), shrunk(vertices), next(vertices))
  allocate (want(vertices))
  call make_graph (vertices, edges, row, to, weight)
  distance = 0
  shrunk = 0
  next = 0
  !$acc enter data copyin(row, to, weight, distance, shrunk, next)
  !$omp target enter data map(to: row, to, weight, distance, shrunk, next)

  call first_begins (b)
  call search (vertices, edges, row, to, weight, distance, shrunk, next)
  call first_ends (b)
  !$acc update self(distance)
  !$omp target update from(distance)
  call expected (vertices, edges, row, to, weight, want)
  do v = 1, vertices
     b%checksum = b%checksum + distance(v)
     if (.not. bench_check (b, real (distance(v), real64), &
          real (want(v), real64), 0.0_real64, 1.0_real64) &
          .and. b%failures <= 5) write (error_unit, '(3(a, i0))') &
          'sssp: vertex ', v, ' at distance ', distance(v), ', should be ', &
          want(v)
  end do
  do while (bench_repeat (b))
     call search (vertices, edges, row, to, weight, distance, shrunk, next)
  end do

  !$acc exit data delete(row, to, weight, distance, shrunk, next)
  !$omp target exit data map(delete: row, to, weight, distance, shrunk, next)
  call bench_end (b)
end program main
