! target nowait in procedures: dummies, sections, descriptors and pointers that are
! gone, or changed, when a deferred task would read them.  depend and taskwait order
! all that is done to the data itself.  (No enter data of dummies: GCC leaves their
! pointers mapped, at addresses that are other variables' later.)  Prints how many
! results are wrong.
! usage: nowait-frames [STEPS]
!
! SPDX-License-Identifier: GPL-3.0-or-later

module shapes
  implicit none
  integer, parameter :: n = 500, columns = 6
  type box
    integer :: k
    real(8), pointer :: a(:)
  end type
  real(8), save :: static(n, columns), line(n)
contains
  ! Put something into a frame like those of finished procedures: is it still there
  ! when all tasks are done?
  subroutine keep (wrong)
    integer, intent(inout) :: wrong
    integer :: words(64)
    volatile :: words
    words = 4711
    !$omp taskwait
    if (any (words /= 4711)) wrong = wrong + 1
  end subroutine

  ! Write over what the frames of finished procedures have left.
  recursive subroutine trash (depth)
    integer, intent(in) :: depth
    integer(8) :: words(64)
    volatile :: words
    words = 4096 * depth
    if (depth > 0) call trash (depth - 1)
    words(1) = 0
  end subroutine

  subroutine explicit_shape (a, b, tag)
    real(8) :: a(n), b(n)
    integer :: tag, i
    !$omp target teams distribute parallel do map(tofrom: a, b) depend(inout: tag) nowait
    do i = 1, n
      a(i) = b(i) + 1
    end do
  end subroutine

  subroutine assumed_size (a, b, tag)
    real(8) :: a(*), b(*)
    integer :: tag, i
    !$omp target teams distribute parallel do map(tofrom: a(1:n), b(1:n)) &
    !$omp&  depend(inout: tag) nowait
    do i = 1, n
      a(i) = b(i) * 2
    end do
  end subroutine

  subroutine assumed_shape (a, b, tag)
    real(8) :: a(:), b(:)
    integer :: tag, i
    !$omp target teams distribute parallel do depend(inout: tag) nowait
    do i = 1, size (a)
      a(i) = b(i) + i
    end do
  end subroutine

  subroutine pointers (a, b, tag)
    real(8), pointer :: a(:), b(:)
    integer :: tag, i
    !$omp target teams distribute parallel do map(tofrom: a, b) depend(inout: tag) nowait
    do i = 1, n
      a(i) = a(i) + b(i)
    end do
  end subroutine

  subroutine component (x, tag)
    type(box) :: x
    integer :: tag, i
    !$omp target teams distribute parallel do map(tofrom: x%a) depend(inout: tag) nowait
    do i = 1, n
      x%a(i) = x%a(i) + 2
    end do
  end subroutine

  ! GCC maps the variables of simd loops, and copies them back.
  subroutine simd_loop
    integer :: i, k
    !$omp target teams distribute parallel do simd collapse(2) nowait
    do k = 1, columns
      do i = 1, n
        static(i, k) = static(i, k) + i * k
      end do
    end do
  end subroutine

  subroutine one_simd_loop
    integer :: i
    !$omp target teams distribute parallel do simd nowait
    do i = 1, n
      line(i) = line(i) + i
    end do
  end subroutine

  subroutine update_from (a, tag)
    real(8) :: a(:)
    integer :: tag
    !$omp target update from(a) depend(inout: tag) nowait
  end subroutine
end module

program nowait_frames
  use shapes
  implicit none
  integer :: steps = 3, step, wrong = 0
  character(16) :: word
  if (command_argument_count () > 0) then
    call get_command_argument (1, word)
    read (word, *) steps
  end if
  do step = 1, steps
    call chain (.false.)
    call chain (.true.)
    call swapped
    call several
    call sections
    call components
    call data_directives
    call whole
    call simd_loops
    call ordered
  end do
  print '(i0,a)', wrong, ' wrong'
contains
  subroutine check (right)
    logical, intent(in) :: right
    if (.not. right) wrong = wrong + 1
  end subroutine

  ! Two arrays by turns, through the same frames.
  subroutine chain (present)
    logical, intent(in) :: present
    real(8), allocatable :: a(:), b(:)
    integer :: tag = 0, k
    allocate (a(n), b(n))
    a = step
    b = 0
    !$omp target data map(tofrom: a, b) if(present)
    do k = 1, 3
      call explicit_shape (a, b, tag)
      call trash (3)
      call explicit_shape (b, a, tag)
      call trash (3)
      call assumed_size (a, b, tag)
      call trash (3)
      call assumed_shape (b, a, tag)
    end do
    call trash (3)
    !$omp taskwait
    !$omp end target data
    ! a = 2 (b + 2), b = a + i
    call check (all (a == 28 + [(6 * k, k = 1, n)]))
    call check (all (b == 28 + [(7 * k, k = 1, n)]))
  end subroutine

  ! Pointers that are other arrays' behind the construct.
  subroutine swapped
    real(8), target :: x(n), y(n)
    real(8), pointer :: p(:), q(:), r(:)
    integer :: tag = 0, k
    x = 1
    y = step
    p => x
    q => y
    do k = 1, 4
      call pointers (p, q, tag)
      call trash (3)
      r => p
      p => q
      q => r
    end do
    p => null ()
    !$omp taskwait
    call check (all (x == 2 + 3 * step))
    call check (all (y == 3 + 5 * step))
  end subroutine

  ! Tasks that nothing orders, from one line.
  subroutine several
    integer(8) :: w(n, columns)
    integer :: k, i
    w = step
    do k = 1, columns
      !$omp target teams distribute parallel do map(tofrom: w(1:n, k)) nowait
      do i = 1, n
        w(i, k) = w(i, k) + i * k
      end do
    end do
    call trash (3)
    !$omp taskwait
    do k = 1, columns
      call check (all (w(:, k) == step + [(i * k, i = 1, n)]))
    end do
  end subroutine

  ! Descriptors that the caller makes for one call.
  subroutine sections
    real(8) :: a(n, columns), b(n, columns)
    integer :: tag(columns), k, i
    a = 0
    b = step
    do k = 1, columns
      call assumed_shape (a(:, k), b(:, k), tag(k))
    end do
    call trash (3)
    do k = 1, columns
      call assumed_shape (b(:, k), a(:, k), tag(k))
    end do
    call trash (3)
    !$omp taskwait
    do k = 1, columns
      call check (all (b(:, k) == step + [(2 * i, i = 1, n)]))
    end do
  end subroutine

  subroutine components
    type(box) :: x(3)
    integer :: tag = 0, k
    do k = 1, 3
      allocate (x(k)%a(n))
      x(k)%a = k
    end do
    do k = 1, 3
      call component (x(k), tag)
      call trash (3)
    end do
    !$omp taskwait
    do k = 1, 3
      call check (all (x(k)%a == k + 2))
    end do
  end subroutine

  subroutine data_directives
    real(8) :: a(n, 2)
    integer :: tag = 0, i
    a = step
    !$omp target enter data map(to: a) depend(inout: tag) nowait
    call assumed_shape (a(:, 1), a(:, 1), tag)
    call trash (3)
    call update_from (a(:, 1), tag)
    call trash (3)
    !$omp taskwait depend(inout: tag)
    call check (all (a(:, 1) == step + [(i, i = 1, n)]))
    call assumed_shape (a(:, 1), a(:, 1), tag)
    call trash (3)
    !$omp target exit data map(from: a) depend(inout: tag) nowait
    !$omp taskwait
    call check (all (a(:, 1) == step + [(2 * i, i = 1, n)]))
    call check (all (a(:, 2) == step))
  end subroutine

  subroutine simd_loops
    integer :: i, k
    static = step
    line = step
    call simd_loop
    call keep (wrong)
    call one_simd_loop
    call keep (wrong)
    do k = 1, columns
      call check (all (static(:, k) == step + [(i * k, i = 1, n)]))
    end do
    call check (all (line == step + [(i, i = 1, n)]))
  end subroutine

  ! gfortran 12 drops these depend clauses.
  subroutine ordered
    integer :: i, k
    line = step
    do k = 1, 12
      !$omp target teams distribute parallel do map(always, tofrom: line) &
      !$omp&  depend(inout: line) nowait
      do i = 1, n
        line(i) = mod (int (line(i)) * 3 + i + k, 1009)
      end do
    end do
    !$omp taskwait
    static(:, 1) = step
    do k = 1, 12
      static(:, 1) = mod (int (static(:, 1)) * 3 + [(i, i = 1, n)] + k, 1009)
    end do
    call check (all (line == static(:, 1)))
  end subroutine

  ! No pointer of the frame's, and what it depends on: such regions may be tasks.
  subroutine whole
    real(8) :: a(n)
    integer :: i
    a = step
    !$omp target map(tofrom: a) private(i) depend(inout: a) nowait
    do i = 1, n
      a(i) = a(i) + i
    end do
    !$omp end target
    !$omp taskwait
    call check (all (a == step + [(i, i = 1, n)]))
  end subroutine
end program
