# What a region computes: a loop over the elements of one array, made of others.
#
# draw_body (SCENE, OTHERS) gives
#   needs     how the first array is used: "w" every element set and none read,
#	      "rw" otherwise
#   from, count  the part of it that is used
#   trips     iterations that may run at once; 1: none
#   nest      loops in the directive
#   lines     sub (ELEMENT, ...) -> the loop; ELEMENT (ARRAY, INDEX) writes an
#	      element of array 0 (the first) or of another
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Body;
use strict;
use warnings;
use Exporter 'import';
use Whole::Draw;
use Whole::Text;
our @EXPORT = qw(draw_body);

# All numbers stay below it.
my $limit = 1009;

# The other arrays' part of a value, at index I.
sub others
{
  my ($e, $n, $how, $i) = @_;
  return join '', map {
    my ($array, $factor, $shift) = @$_;
    ' + ' . $e->($array, $factor == 1 && !$shift ? $i
		 : $fortran ? "mod ($i * $factor + $shift, n)"
		 : "($i * $factor + $shift) % n")
  } @$how;
}

my %body = (
  set => sub {
    my ($s, $how, $c) = @_;
    return { needs => 'w', lines => sub {
      my ($e) = @_;
      return loop ('i', 0, 'n', 1,
		   set ($e->(0, 'i'), rem ("i * $c + s" . others ($e, $s->{n}, $how, 'i'), $limit)));
    } };
  },
  add => sub {
    my ($s, $how, $c) = @_;
    return { lines => sub {
      my ($e) = @_;
      return loop ('i', 0, 'n', 1,
		   set ($e->(0, 'i'), rem ($e->(0, 'i') . " * 3 + $c + s"
					   . others ($e, $s->{n}, $how, 'i'), $limit)));
    } };
  },
  step => sub {
    my ($s, $how, $c) = @_;
    my $step = between (2, 4);
    my $trips = int (($s->{n} + $step - 1) / $step);
    return { trips => $trips, lines => sub {
      my ($e) = @_;
      return loop ('i', 0, 'n', $step,
		   set ($e->(0, 'i'), rem ($e->(0, 'i') . " + $c + s"
					   . others ($e, $s->{n}, $how, 'i'), $limit)));
    } };
  },
  part => sub {
    my ($s, $how, $c) = @_;
    my $from = between (0, int ($s->{n} / 2));
    my $count = between (1, $s->{n} - $from);
    return { from => $from, count => $count, trips => $count, lines => sub {
      my ($e) = @_;
      return loop ('i', $from, $from + $count, 1,
		   set ($e->(0, 'i'), rem ($e->(0, 'i') . " + s * $c"
					   . others ($e, $s->{n}, $how, 'i'), $limit)));
    } };
  },
  grid => sub {
    my ($s, $how, $c) = @_;
    my $rows = $s->{n} / 4;
    return { nest => 2, needs => 'w', lines => sub {
      my ($e) = @_;
      return loop ('j', 0, quotient ('n', 4), 1,
		   loop ('i', 0, 4, 1,
			 set ($e->(0, 'j * 4 + i'),
			      rem ("i * $c + j + s"
				   . others ($e, $s->{n}, $how, '(j * 4 + i)'), $limit))));
    } };
  },
  inner => sub {
    my ($s, $how, $c) = @_;
    my $k = between (2, 5);
    return { private => 1, lines => sub {
      my ($e) = @_;
      return loop ('i', 0, 'n', 1,
		   $fortran ? () : 'int t, q;',
		   set ('t', 's'),
		   $fortran ? "do q = 1, $k" : "for (q = 1; q <= $k; q++)",
		   set ('t', 't + q * ' . rem ('i' . others ($e, $s->{n}, $how, 'i'), 97)),
		   $fortran ? 'end do' : (),
		   set ($e->(0, 'i'), rem ($e->(0, 'i') . ' + t', $limit)));
    } };
  },
  one => sub {
    my ($s, $how, $c) = @_;
    my $k = between (0, $s->{n} - 1);
    return { trips => 1, nest => 0, lines => sub {
      my ($e) = @_;
      return set ($e->(0, $k), rem ($e->(0, $k) . " + $c + s"
				    . others ($e, $s->{n}, $how, $k), $limit));
    } };
  });

sub draw_body
{
  my ($s, $others) = @_;
  my @how = map { [$_, chance (0.6) ? (1, 0)
		   : (pick (1, 3, 7), between (0, 9))] } 1 .. $others;
  my $kind = pick (qw(set add add step part grid inner), chance (0.3) ? 'one' : ());
  my $b = $body{$kind}->($s, \@how, between (1, 9));
  return { kind => $kind, needs => 'rw', from => 0, count => $s->{n}, nest => 1,
	   trips => $s->{n}, private => 0, %$b };
}

1;
