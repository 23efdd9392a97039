# Scenes of gang loops whose iterations set scalars, change them in an inner
# loop of workers or vectors, and read them: variables of the function, which
# the loop's gangs do not share.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Gang;
use strict;
use warnings;
use Whole::Draw;
use Whole::Scene;
use Whole::Text;

sub draw
{
  my ($s) = @_;
  my ($rows, $columns) = (pick (7, 100, 700), pick (5, 37, 70));
  my $size = $rows * $columns;
  my $count = pick (1, 1, 2, 3);
  my @names = map { "sum$_" } 1 .. $count;
  my $type = pick ('double', 'int', 'float');
  my $construct = $acc ? pick ('parallel', 'parallel', 'kernels')
    : 'target teams distribute';
  my @c = ('copyin (a, x) copy (y)');
  push @c, "num_gangs ($rows)" if chance (0.4);
  push @c, 'num_workers (' . pick (2, 4) . ')' if chance (0.4);
  push @c, 'vector_length (' . pick (32, 64) . ')' if chance (0.3);
  my $level = !$acc ? pick ('parallel for', 'parallel for simd') : pick ('worker vector', 'vector', 'vector', 'worker');
  my (@start, @inner, @use);
  for my $i (1 .. $count)
    {
      my $c = between (1, 5);
      push @start, set ("sum$i", $fortran && chance (0.5) ? "mod (j, $c)"
			: between (0, 3));
      push @inner, set ("sum$i", "sum$i + " . at ('a', "j * $columns + k") . ' * '
			. at ('x', $fortran ? "mod (j + k * $c, $rows)"
			      : "(j + k * $c) % $rows"));
      push @use, set (at ('y', 'j'), at ('y', 'j') . " + sum$i");
    }
  # The reduction may be used in a second loop again.
  my $twice = chance (0.3);
  my @again = $twice ? (set ('sum1', 0), inner_loop ($level, ['sum1'], $columns,
    set ('sum1', 'sum1 + ' . at ('a', "j * $columns + k"))),
			set (at ('y', 'j'), at ('y', 'j') . ' + sum1 * 2')) : ();
  my @nest = sub { return loop ('j', 0, $rows, 1, @start, @_, @use) }->(
    inner_loop ($level, \@names, $columns, @inner));
  splice @nest, -1, 0, @again;
  my @device = !$acc ? (pragma ("$construct private (" . join (', ', @names)
				. ') map (to: a, x) map (tofrom: y)'), @nest)
    : block_pragma ($construct, "@c", pragma ('loop gang'
    . ($construct eq 'kernels' ? ' independent' : '')), @nest);
  my @host = grep { !/^(#pragma|!\$)/ } @nest;
  s/\by([\[(])/h_y$1/g for @host;
  my @declare = (map ({ (scene_array ('int', @$_))[0] } ['a', $size], ['x', $rows]),
		 scene_array ('int', 'y', $rows),
		 map { declare ($type, $_, 0) } @names);
  $s->{launches} = [];
  return scene_text ($s, \@declare,
		     [loop ('i', 0, $size, 1, set (at ('a', 'i'), rem ('i', 5))),
		      loop ('i', 0, $rows, 1, set (at ('x', 'i'), rem ('i', 7))),
		      fill_array ('y', $rows, rem ('i', 3)),
		      loop ('it', 0, between (3, 8), 1, @device, @host),
		      same_array ('y', $rows)]);
}

sub inner_loop
{
  my ($level, $names, $columns, @body) = @_;
  $level = 'loop ' . $level if $acc;
  $level =~ s/for/do/ if $fortran;
  return (pragma ("$level reduction (+: " . join (', ', @$names) . ')'),
	  loop ('k', 0, $columns, 1, @body));
}

1;
