# The kinds of scenes.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Shapes;
use strict;
use warnings;
use Exporter 'import';
use Whole::Chain;
use Whole::Draw;
use Whole::Text;
our @EXPORT = qw(draw_scene scene_sizes);

# Name, what it can be in, what draws it.
my @shapes = (
  ['chain', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 0) }],
  ['deferred', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 1) }]);

# Whole::Shapes::wrong: known to be wrong today, and not drawn unless asked for.
my %wrong = map { $_ => 1 } qw();

sub draw_scene
{
  my ($s, $only) = @_;
  my $model = $acc ? 'acc' : 'omp';
  my @may = grep { " $_->[1] " =~ / $lang / && " $_->[1] " =~ / $model / } @shapes;
  @may = grep { $only ? $_->[0] eq $only : !$wrong{$_->[0]} } @may;
  die "no such shape in $lang and $model: $only\n" if !@may;
  return pick (@may)->[2]->($s);
}

sub scene_sizes { return () }

1;
