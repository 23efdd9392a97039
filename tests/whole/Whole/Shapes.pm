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
use Whole::Wrong;
our @EXPORT = qw(draw_scene scene_sizes);

# Name, languages and models, what draws it.
my @shapes = (
  ['chain', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 0) }],
  ['deferred', 'c cc f90 omp acc', sub { Whole::Chain::draw ($_[0], 1) }],
  ['limits', 'c cc f90 omp', sub { Whole::Chain::draw ($_[0], 1, 'limits') }],
  ['host-bound', 'f90 omp acc', sub { Whole::Chain::draw ($_[0], 0, 'host-bound') }],
  ['schedule', 'c cc f90 omp', \&Whole::Schedule::draw],
  ['gang', 'c cc f90 omp acc', \&Whole::Gang::draw],
  ['overlap', 'c cc f90 acc', \&Whole::Overlap::draw],
  ['address', 'c cc omp acc', \&Whole::Address::draw],
  ['size', 'c cc f90 omp acc', \&Whole::Size::draw]);

sub draw_scene
{
  my ($s, $only) = @_;
  my $model = $acc ? 'acc' : 'omp';
  my @may = grep { " $_->[1] " =~ / $lang / && " $_->[1] " =~ / $model / } @shapes;
  @may = grep { $only ? $_->[0] eq $only : !known_wrong ($_->[0]) } @may;
  die "no such shape in $lang and $model: $only\n" if !@may;
  my $kind = pick (@may);
  $s->{kind} = $kind->[0];
  return $kind->[2]->($s);
}

# For each procedure of S whose regions have several iterations at once: its
# name, the least and the most threads that its kernels may have.
sub scene_sizes
{
  my ($s, $only) = @_;
  my %sizes;
  return () if $only !~ /^(size|host-bound)$/ && known_wrong ('size');
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
