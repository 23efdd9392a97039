# The frame of a scene that is one function: arrays of its own, its mirror of
# them for the host's computation, and what compares them.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Scene;
use strict;
use warnings;
use Exporter 'import';
use Whole::Text;
our @EXPORT = qw(scene_text scene_array fill_array same_array complain);

# A static array NAME of LENGTH elements of TYPE, and its mirror h_NAME.
sub scene_array
{
  my ($type, $name, $length) = @_;
  return map { $fortran ? type_name ($type) . ", save :: $_(0:" . ($length - 1) . ')'
		 : "static $type $_\[$length];" } $name, "h_$name";
}

sub fill_array
{
  my ($name, $length, $value) = @_;
  return loop ('i', 0, $length, 1, map { set (at ($_, 'i'), $value) } $name, "h_$name");
}

sub same_array
{
  my ($name, $length) = @_;
  return loop ('i', 0, $length, 1,
	       differs_text ($name, 'i', at ($name, 'i'), at ("h_$name", 'i')));
}

# The failure WHAT at I if GOT is not WANT.
sub differs_text
{
  my ($what, $i, $got, $want) = @_;
  return invoke ('differs', $fortran ? ("'$what'", $i, "real ($got, 8)", "real ($want, 8)")
		 : ("\"$what\"", $i, $got, $want));
}
sub complain { my ($what, $i, $got, $want) = @_; return differs_text (@_) }

# Element of an array of a scene's own.
sub at { my ($name, $i) = @_; return $fortran ? "$name($i)" : "$name\[$i]" }
push @EXPORT, 'at';

# Scene S with declarations, statements, and Fortran's procedures or C's
# functions.
sub scene_text
{
  my ($s, $declare, $body, $procs) = @_;
  return ("subroutine $s->{name} ()", "use ${unit}model", $acc ? () : 'use omp_lib',
	  'implicit none', 'integer :: i, j, k, it, n', @$declare, @$body,
	  @{$procs // []} ? ('contains', @$procs) : (), 'end subroutine') if $fortran;
  return (@{$procs // []}, "static void $s->{name} (void)", '{', @$declare, @$body,
	  '}');
}

1;
