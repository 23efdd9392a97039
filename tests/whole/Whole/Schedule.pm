# Scenes that ask how iterations are dealt out: thread and team numbers of each,
# with schedules written out.
#   - each iteration runs once, in a thread and a team that there is
#   - static without a chunk: a thread, or team, has one contiguous chunk
#   - static with a chunk: blocks of that size go round
#   - two loops with the same static schedule and nowait between them: the
#     second reads what the same thread has written in the first
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Schedule;
use strict;
use warnings;
use Whole::Draw;
use Whole::Scene;
use Whole::Text;

# CLAUSE for NAME with CHUNK, 0 for none written.
sub schedule { my ($name, $chunk) = @_; return "$name (static" . ($chunk ? ", $chunk" : '') . ')' }

# Loop over LENGTH elements: checks that the numbers in array WHO are dealt out
# as by a static schedule with CHUNK over COUNT ones, from index FROM.
sub dealt_out
{
  my ($what, $who, $count, $n, $chunk) = @_;
  my $now = at ($who, 'i');
  my $before = at ($who, 'i - 1');
  # Contiguous, and in the order of numbers.
  return loop ('i', 1, $n, 1, when ("$now < $before", complain ($what, 'i', $now, $before)))
    if !$chunk;
  return loop ('i', 0, $n, 1, complain ($what, 'i', $now,
					$fortran ? "mod (i / $chunk, $count)"
					: "i / $chunk % $count"));
}

my $ask = sub {
  my ($who) = @_;
  return "omp_get_${who}_num ()";
};

sub directive
{
  my ($name, @clauses) = @_;
  $name =~ s/\bfor\b/do/ if $fortran;
  return pragma (join ' ', $name, @clauses);
}
sub end_directive { my ($name) = @_; $name =~ s/\bfor\b/do/; return $fortran ? pragma ("end $name") : () }

# One loop, with or without teams.
sub one_loop
{
  my ($s) = @_;
  my $n = pick (1, 64, 1000, 5000, 20000);
  my ($teams, $threads) = (chance (0.7), chance (0.7));
  $threads = 1 if !$teams;
  my $both = $teams && $threads;
  my ($dist, $chunk) = map { chance (0.6) ? 0 : between (1, 60) } 1, 2;
  my $form = 'target' . ($teams ? ' teams distribute' : '') . ($threads ? ' parallel for' : '');
  my @c;
  push @c, schedule ('dist_schedule', $dist) if $teams;
  push @c, schedule ('schedule', $chunk) if $threads;
  push @c, 'num_teams (' . between (1, 6) . ')' if $teams && chance (0.4);
  push @c, pick ('thread_limit', $threads ? 'num_threads' : 'thread_limit')
    . ' (' . pick (4, 8, 32, 50) . ')' if $teams && chance (0.3);
  my @body = (set (at ('seen', 'i'), at ('seen', 'i') . ' + 1'));
  push @body, set (at ('team', 'i'), 'omp_get_team_num ()'),
    set (at ('teams', 'i'), 'omp_get_num_teams ()') if $teams;
  push @body, set (at ('thread', 'i'), 'omp_get_thread_num ()'),
    set (at ('threads', 'i'), 'omp_get_num_threads ()') if $threads;
  my @names = ('seen', $teams ? ('team', 'teams') : (), $threads ? ('thread', 'threads') : ());
  my @text = (directive ($form, @c, 'map (tofrom: ' . join (', ', @names) . ')'),
	      loop ('i', 0, 'n', 1, @body), end_directive ($form));
  my @check = loop ('i', 0, 'n', 1, complain ('times', 'i', at ('seen', 'i'), 1));
  push @check, dealt_out ('team', 'team', at ('teams', '0'), 'n', $dist) if $teams;
  if ($threads && !$teams)
    { push @check, dealt_out ('thread', 'thread', at ('threads', '0'), 'n', $chunk); }
  elsif ($threads && !$chunk && !$dist)
    {
      # Threads of a team in order.
      push @check, loop ('i', 1, 'n', 1,
	when (at ('team', 'i') . ' == ' . at ('team', 'i - 1') . ($fortran ? ' .and. ' : ' && ')
	      . at ('thread', 'i') . ' < ' . at ('thread', 'i - 1'),
	      complain ('thread', 'i', at ('thread', 'i'), at ('thread', 'i - 1'))));
    }
  my @declare = map { (scene_array ('int', $_, $n))[0] } @names;
  my @fill = loop ('i', 0, $n, 1, map { set (at ($_, 'i'), 0) } @names);
  $s->{launches} = [];
  return scene_text ($s, [@declare, $fortran ? () : "int n = opaque ($n);"],
		     [$fortran ? "n = opaque ($n)" : (), @fill, @text, @check]);
}

# Two loops of one parallel construct with nowait between them.
sub two_loops
{
  my ($s) = @_;
  my $n = pick (100, 1000, 5000);
  my $chunk = chance (0.6) ? 0 : between (1, 60);
  my $static = schedule ('schedule', $chunk);
  my $c = between (2, 9);
  my @first = loop ('i', 0, 'n', 1, set (at ('a', 'i'), at ('a', 'i') . " * 2 + $c"));
  # Its neighbour where that has the same thread: none without a chunk is sure
  # of it but itself.
  my @second = loop ('i', 0, 'n', 1, set (at ('b', 'i'), at ('a', 'i') . ' + '
					  . at ('b', 'i')));
  my $do = $fortran ? 'do' : 'for';
  my @text = (pragma ('target map (tofrom: a, b)'), $fortran ? () : '{',
	      pragma ('parallel' . (chance (0.3) ? ' num_threads (' . pick (3, 8, 40) . ')' : '')),
	      $fortran ? () : '{',
	      pragma ("$do $static" . ($fortran ? '' : ' nowait')), @first,
	      $fortran ? pragma ("end $do nowait") : (),
	      pragma ("$do $static"), @second, $fortran ? pragma ("end $do") : (),
	      $fortran ? (pragma ('end parallel'), pragma ('end target')) : ('}', '}'));
  my @host = (loop ('i', 0, 'n', 1, set (at ('h_a', 'i'), at ('h_a', 'i') . " * 2 + $c")),
	      loop ('i', 0, 'n', 1, set (at ('h_b', 'i'), at ('h_a', 'i') . ' + '
					 . at ('h_b', 'i'))));
  $s->{launches} = [];
  return scene_text ($s, [scene_array ('int', 'a', $n), scene_array ('int', 'b', $n),
			  $fortran ? () : "int n = opaque ($n);"],
		     [$fortran ? "n = opaque ($n)" : (), fill_array ('a', $n, 'i'),
		      fill_array ('b', $n, '3'), @text, @host,
		      same_array ('a', $n), same_array ('b', $n)]);
}

sub draw { return pick (\&one_loop, \&one_loop, \&two_loops)->(@_) }

1;
