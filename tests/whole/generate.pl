#!/usr/bin/perl
# Write whole programs with OpenMP or OpenACC regions that check themselves.
#
#   generate.pl --lang=c|cc|f90 --seed=N... [--model=omp|acc] [--only=NAME]
#		[--entry=NAME] [--sizes=FILE] [--stock]
#
# A program is a scene or two (Whole/Shapes.pm has the kinds, Whole/Wrong.pm those
# known to be wrong, which only --only asks for).  The same computation runs on the host, without directives, and all
# that the host can see is compared.  Numbers are small integers, in floating-
# point variables too, so that the order of reductions does not matter.  The same
# seed gives the same program.
#
# With an entry, there is a C function of that name and the seed for each seed,
# which returns the status, in a file that goes with others into one program.
# FILE gets a line for each region: part of its kernel's name, the least and the
# most threads that it may get.
#
# Left out is what stock GCC 12 gets wrong or does not compile:
#   - enter data and "always" with components, components in depend clauses
#   - OpenACC's regions that use members of *this, references, or arrays by
#     reference without a clause; Fortran's components of dummies there
#   - structures mapped with pointers to be attached, in what is deferred and in
#     OpenMP
#   - descriptors of frames that are gone, read by other threads of a team
#   - scalars in OpenACC's kernels regions are copied back: none where the frame
#     may have gone, or where the argument is a constant
# Gang scalars and overlapping strides in OpenACC are wrong with stock as well: for
# stock GCC (--stock) those scenes are there, and are not executed.
#
# SPDX-License-Identifier: GPL-3.0-or-later
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/..";
use Fold;
use Getopt::Long;
use Whole::Draw;
use Whole::Model;
use Whole::Text;
use Whole::Shapes;
use Whole::Wrong;

my %o = (lang => 'c', seed => [], model => 'omp', only => '', entry => '',
	 sizes => '', stock => 0);
GetOptions (\%o, qw(lang=s seed=i@ model=s only=s entry=s sizes=s stock)) && !@ARGV
  && $o{lang} =~ /^(c|cc|f90)$/ && $o{model} =~ /^(omp|acc)$/
  or die "usage: generate.pl --lang=c|cc|f90 --seed=N... [--model=omp|acc]"
  . " [--only=NAME] [--entry=NAME] [--sizes=FILE] [--stock]\n";
$lang = $o{lang};
$fortran = $lang eq 'f90';
$acc = $o{model} eq 'acc';
my @seeds = @{$o{seed}} ? @{$o{seed}} : 1;
$unit = "w$seeds[0]_";
my @sizes;

sub program
{
  my ($seed) = @_;
  srand $seed * 6 + $acc + 2 * ($lang eq 'cc') + 4 * $fortran;
  my (@text, @names);
  for my $k (0 .. pick (0, 0, 1))
    {
      my $s = { name => "w${seed}_s$k" };
      push @text, '', draw_scene ($s, $o{only});
      push @names, $s->{name} unless $o{stock} && wrong_in_stock ($s->{kind});
      push @sizes, scene_sizes ($s, $o{only});
    }
  my $entry = $o{entry} ? "$o{entry}$seed" : 'whole';
  return (@text, '', "integer(c_int) function $entry () bind(c)",
	  'use iso_c_binding', "use ${unit}model", "failures = 0",
	  "program = $seed", (map { "call $_ ()" } @names),
	  "$entry = min (failures, 1)", 'end function') if $fortran;
  return (@text, '', $lang eq 'cc' ? 'extern "C"' : (), "int $entry (void)", '{',
	  'failures = 0;', "program = $seed;", (map { "$_ ();" } @names),
	  'return failures != 0;', '}');
}

my @out = (($fortran ? '! ' : '// ') . "generate.pl --lang=$lang --seed=@seeds"
	   . " --model=$o{model}" . ($o{only} ? " --only=$o{only}" : ''),
	   Whole::Model::prelude (), map { program ($_) } @seeds);
if (!$o{entry})
  {
    push @out, $fortran ? ('program main', 'use iso_c_binding', 'implicit none',
			   'interface', 'integer(c_int) function whole () bind(c)',
			   'use iso_c_binding', 'end function', 'end interface',
			   "if (whole () /= 0) stop 1", 'end program')
      : ('int main (void) { return whole (); }');
  }
print "$_\n" for map { fold ($_, $fortran) } @out;
if ($o{sizes})
  {
    open my $file, '>>', $o{sizes} or die "$o{sizes}: $!\n";
    print $file "@$_\n" for @sizes;
  }
