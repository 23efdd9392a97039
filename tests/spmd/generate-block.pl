# Teams that are blocks: code of the team around parallel constructs, arrays that
# its threads share, barriers, and questions.  Part of generate.pl.
#
# On the host the same text runs without directives: there is one thread, of number
# 0, in each construct.
# SPDX-License-Identifier: GPL-3.0-or-later
use strict;
use warnings;

our (%r, $fortran);

# Elements of a team's arrays.
my $width;

# A place of a team's array, for the number VAR.
sub other
{
  my ($var) = @_;
  return pick ($var, "($var + 1) % $width", "$width - 1 - $var",
	       "($var * 3) % $width");
}

# The team's part of an array of the region's.
sub of_team { return '@' . pick ('in0', 'in1') . "\@[team * $width + $_[0]]"; }

# A loop over the arrays by the thread's number.
sub by_number
{
  my ($statement) = @_;
  return ("for (int i = tid; i < $width; i += threads)", $statement);
}

my $ask = 'int tid = omp_get_thread_num (), threads = omp_get_num_threads ();';

sub wish
{
  return pick ('', '', 'num_threads (' . between (1, 40) . ')', 'num_threads (32)',
	       'num_threads (1 + team % 3 * 16)', 'if (team % 4)');
}

# A worksharing loop, which may be a simd construct as well.
sub loop { return 'for' . pick ('', '', ' simd'); }

# Each: statements, which leave A and B, arrays, s and c, numbers, changed.
my %phase = (
  loop => sub {
    return ('#' . omp ('parallel ' . loop () . ' ' . wish () . pick ('', ' schedule (static)',
							 ' schedule (static, 3)',
							 ' schedule (dynamic)')),
	    "for (int i = 0; i < $width; i++)",
	    'A[i] = (B[' . other ('i') . '] + ' . of_team ('i') . ') % 1009;');
  },
  # What goes wrong where an iteration is executed twice.
  grid => sub {
    return ('#' . omp ('parallel ' . loop () . ' collapse (2) ' . wish ()),
	    "for (int i = 0; i < $width / 4; i++)", 'for (int k = 0; k < 4; k++)',
	    'A[i * 4 + k] = (A[i * 4 + k] * 3 + B[' . other ('i') . ']) % 1009;');
  },
  # A construct that each thread executes by itself.
  inactive => sub {
    return ('#' . omp ('parallel for ' . wish ()), "for (int i = 0; i < $width; i++)",
	    '{', 'int own = i;', '#' . omp ('parallel ' . loop () . ' reduction (+: own)'),
	    'for (int k = 0; k < 5; k++)', 'own += B[' . other ('i') . '] * k;',
	    'A[i] = (A[i] + own) % 1009;', '}');
  },
  barrier => sub {
    return ('#' . omp ('parallel ' . wish ()), '{', $ask,
	    by_number ('A[i] = B[i] + ' . of_team ('i') . ' % 50;'),
	    '#' . omp ('barrier'),
	    by_number ('B[i] = A[' . other ('i') . '];'), '}');
  },
  # A thread's own sums, loops that are shared out in a construct.
  sums => sub {
    my $wait = chance (0.5);
    return ('#' . omp ('parallel ' . wish ()), '{', 'int mine = 0;',
	    '#' . omp ('for' . ($wait ? '' : ' nowait')),
	    "for (int i = 0; i < $width; i++)", 'mine += B[' . other ('i') . '];',
	    $wait ? ('#' . omp ('for'), "for (int i = 0; i < $width; i++)",
		     'A[i] = i + s;') : (),
	    chance (0.5) ? '#' . omp ('critical') : '#' . omp ('atomic'),
	    'c += mine % 100003;', '}',
	    # The sum of remainders follows the number of threads.
	    'c = 0;');
  },
  reduction => sub {
    return ('#' . omp ('parallel ' . loop () . ' reduction (+: s) ' . wish ()),
	    "for (int i = 0; i < $width; i++)", 's += A[i] % 7;', 's %= 1009;');
  },
  one => sub {
    return ('#' . omp ('parallel ' . wish ()), '{',
	    '#' . omp ('single' . pick ('', ' nowait')), '{', 'c += 2;', '}',
	    '#' . omp ('barrier'),
	    '#' . omp ('master'), 'A[1] = c + 4;', '}');
  },
  first => sub {
    return ('#' . omp ('parallel firstprivate (s) ' . wish ()), '{', $ask,
	    's += 5;', by_number ('A[i] = B[i] % 100 + s;'),
	    # On the host it is the team's.
	    's -= 5;', '}');
  },
  last => sub {
    return ('#' . omp ('parallel ' . wish ()), '{',
	    '#' . omp (loop () . ' lastprivate (c)'), "for (int i = 0; i < $width; i++)",
	    'c = B[i] % 91;', '}');
  },
  # Code of the team.
  team => sub {
    return ("for (int i = 0; i < $width; i += 3)", 'A[i] = B[i] + c % 13;',
	    's = A[' . between (0, $width - 1) . '] % 31;');
  },
  address => sub {
    return ('{', 'int *to = &A[c % 5], *sum = &c;', '*to = s;',
	    '*sum = *to % 9 + 1;', '}');
  },
  memory => sub { return ('@o2@[team] += s;', 'c = @o2@[team] % 20;'); },
  call => sub { return ('s = twice (A[3]) % 300;'); });

# Statements around phases.
sub around
{
  my (@inside) = @_;
  return pick ([@inside], [@inside], ['if (s % 2 == ' . between (0, 1) . ')', '{',
				      @inside, '}'],
	       ['for (int k = 0; k < 1 + s % 3; k++)', '{', @inside, '}']);
}

sub draw_block
{
  my ($k) = @_;
  my $teams = between (1, 12);
  $width = pick (16, 33, 64, between (8, 80));
  %r = (has => 'td', scalars => [], clauses => [], loops => []);
  my $limit = pick ('', '', 'thread_limit (' . between (1, 70) . ')',
		    'thread_limit (32)', 'thread_limit (64)');
  my $number = pick ('', 'num_teams (' . between (1, 12) . ')');
  my @body;
  for (1 .. between (2, 5))
    {
      my @phase = $phase{pick (sort keys %phase)}->();
      my ($a, $b) = chance (0.5) ? ('t', 'u') : ('u', 't');
      s/\bA\b/$a/g, s/\bB\b/$b/g for @phase;
      push @body, @{around (@phase)};
    }
  my @lines
    = ('#' . omp ("target teams distribute $number $limit " . mapping ()),
       "for (int team = 0; team < $teams; team++)", '{',
       "int t[$width], u[$width], s = team, c = 3;",
       '#' . omp ('parallel for'), "for (int i = 0; i < $width; i++)", '{',
       't[i] = @in0@[i];', 'u[i] = i;', '}', @body,
       '#' . omp ('parallel for'), "for (int i = 0; i < $width; i++)",
       "\@o0\@[team * $width + i] = t[i] + 2 * u[i];",
       '@o1@[team] = s * 3 + c;', '}');
  my @device = run_text (0, @lines);
  my @host = run_text (1, @lines);
  return { k => $k, device => \@device, host => \@host, outside => 0, %r };
}

1;
