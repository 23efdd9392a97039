# The kinds of scenes.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Shapes;
use strict;
use warnings;
use Exporter 'import';
use Whole::Address;
use Whole::Chain;
use Whole::Draw;
use Whole::Gang;
use Whole::Overlap;
use Whole::Schedule;
use Whole::Text;
our @EXPORT = qw(draw_scene scene_sizes);

# Name, languages and models, what draws it.
my @shapes = (
  ['chain', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 0) }],
  ['deferred', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 1) }],
  ['schedule', 'c cc f90 omp', \&Whole::Schedule::draw],
  ['gang', 'c cc f90 omp acc', \&Whole::Gang::draw],
  ['overlap', 'c cc f90 acc', \&Whole::Overlap::draw],
  ['address', 'c cc omp acc', \&Whole::Address::draw]);

# Those known to be wrong today: not drawn unless asked for by name.  Take a name
# out where its mend comes in.
my %wrong = map { $_ => 1 } qw(deferred schedule gang overlap address);

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
