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
use Whole::Size;
use Whole::Text;
our @EXPORT = qw(draw_scene scene_sizes);

# Name, languages and models, what draws it.
my @shapes = (
  ['chain', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 0) }],
  ['deferred', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 1) }],
  ['schedule', 'c cc f90 omp', \&Whole::Schedule::draw],
  ['gang', 'c cc f90 omp acc', \&Whole::Gang::draw],
  ['overlap', 'c cc f90 acc', \&Whole::Overlap::draw],
  ['address', 'c cc omp acc', \&Whole::Address::draw],
  ['size', 'c cc f90 omp acc', \&Whole::Size::draw]);

# Those that are known to be wrong today, with the languages and models in which
# they are: not drawn unless asked for by name.  A line goes when its mend comes.
my %wrong = (
  deferred => 'f90-omp',
  schedule => 'c-omp cc-omp f90-omp',
  gang => 'c-acc cc-acc f90-acc',
  overlap => 'c-acc cc-acc f90-acc',
  address => 'c-omp cc-omp c-acc cc-acc',
  size => 'c-omp cc-omp f90-omp c-acc cc-acc f90-acc');

sub known_wrong
{
  my ($name) = @_;
  my $where = $lang . ($acc ? '-acc' : '-omp');
  return grep { $_ eq $where } split / /, $wrong{$name} // '';
}

sub draw_scene
{
  my ($s, $only) = @_;
  my $model = $acc ? 'acc' : 'omp';
  my @may = grep { " $_->[1] " =~ / $lang / && " $_->[1] " =~ / $model / } @shapes;
  @may = grep { $only ? $_->[0] eq $only : !known_wrong ($_->[0]) } @may;
  die "no such shape in $lang and $model: $only\n" if !@may;
  return pick (@may)->[2]->($s);
}

# For each procedure of S whose regions have several iterations at once: its
# name, the least and the most threads that its kernels may have.
sub scene_sizes
{
  my ($s, $only) = @_;
  my %sizes;
  return () if $only ne 'size' && known_wrong ('size');
  for (@{$s->{launches}})
    {
      my ($name, $g) = @$_;
      my ($least, $most) = ($g->{trips} >= 64 && !$g->{few} ? 2 : 1,
			    $g->{asked} > 4 * $g->{trips} + 4096 ? $g->{asked}
			    : 4 * $g->{trips} + 4096);
      my $was = $sizes{$name} // [$least, $most];
      $sizes{$name} = [$least < $was->[0] ? $least : $was->[0],
		       $most > $was->[1] ? $most : $was->[1]];
    }
  return map { [$_, @{$sizes{$_}}] } sort keys %sizes;
}

1;
