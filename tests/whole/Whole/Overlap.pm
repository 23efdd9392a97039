# Scenes of kernels regions whose strides are known at run time: iterations may
# meet in an element, and then their order counts.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Overlap;
use strict;
use warnings;
use Whole::Draw;
use Whole::Scene;
use Whole::Text;

sub draw
{
  my ($s) = @_;
  my $n = pick (4, 12, 20);
  my @strides = map { pick ([1, $n], [$n, 1], [$n - 1, 1], [int ($n / 2), 1],
			    [1, 1], [1, 2], [$n, 2], [2 * $n, 2], [0, 1]) } 1 .. 4;
  my $size = 3 * $n * $n + 3 * $n;
  my $place = 'i * s1 + j * s2' . (chance (0.3) ? ' + s1' : '');
  my $value = pick ('i * 3 + j', 'i - j * 2', 'i * j');
  my $kind = pick ('set', 'add', 'shift');
  my $statement = sub {
    my ($a) = @_;
    return set (at ($a, $place), $kind eq 'set' ? $value
		: $kind eq 'add' ? at ($a, $place) . " + $value"
		: rem (at ($a, $place) . ' + ' . at ($a, 'i * s1 + (j + 1) * s2'), 1009));
  };
  my $nest = sub {
    my ($a) = @_;
    return loop ('i', 0, 'n', 1, loop ('j', 0, 'n', 1, $statement->($a)));
  };
  my $name = "$s->{name}_walk";
  my @proc = $fortran
    ? ("subroutine $name (a, n, s1, s2)", "integer :: a(0:$size - 1), n, s1, s2, i, j",
       block_pragma ('kernels', 'copy (a)', $nest->('a')), 'end subroutine')
    : ('static __attribute__ ((noinline)) void',
       "$name (int *a, int n, int s1, int s2)", '{',
       block_pragma ('kernels', "copy (a[0:$size])", $nest->('a')), '}');
  my @rounds = map {
    my ($s1, $s2) = @$_;
    ($fortran ? ("n = opaque ($n)", "s1 = opaque ($s1)", "s2 = opaque ($s2)")
     : ("s1 = opaque ($s1);", "s2 = opaque ($s2);"),
     invoke ($name, 'a', 'n', 's1', 's2'), $nest->('h_a'))
  } @strides;
  $s->{launches} = [];
  return scene_text ($s, [scene_array ('int', 'a', $size),
			  $fortran ? 'integer :: s1, s2'
			  : ("int n = opaque ($n);", 'int s1, s2;')],
		     [fill_array ('a', $size, 'i'),
		      loop ('it', 0, 3, 1, @rounds), same_array ('a', $size)], \@proc);
}

1;
