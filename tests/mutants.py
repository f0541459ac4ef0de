#!/usr/bin/env python3
"""Mutation analysis: which faults of a single token would the tests not notice?

    make mutants [N=150] [SEED=1] [JOBS=2] [DIRS='plan policy know lp mip io'] [ONLY='test_know_box ..'] [AGAIN=survivors.txt] [REACH=DIR]

N times a line of code is drawn at random from src/DIR (a directory, which counts by its lines, or a file) and one token
of it is changed: a relation, an arithmetic or logical operator, a constant, a condition negated, a statement
removed, two arguments exchanged, an index letter replaced. The file is compiled again in a copy of the tree and
the tests run until one fails. Each has a chance of noticing: largest for those named after the file (src/plan/ccil/ccil.c:
test_plan_ccil_ccil, prop_ccil) and the exact figures of its directory's work (WORK), then for those that include a header of
the directory, then for all others with the shell tests; the order is by time over chance. A test that never comes to the changed line
cannot notice: which do is counted first, by a library built with gcov's counters, and the others are not asked. Tests that take more than LONG
seconds of processor time (those named after the file, and its directory's figures: eight times LONG) wait: they run at the end, on what survived all others.
The library is built with its contracts on (base/check.h), and memory comes filled with a pattern. A test that fails, crashes or takes far longer than it normally does kills
the mutant. What survives the short tests is built once more with the sanitizers of `make asan`, for the nearest tests up to CAREFUL seconds: what is
lost, stale, or beyond an array's end shows only there. What no test kills survives, and is a missing test, needless code or an equivalent program. Not run are
cli_install.sh, which builds a program of its own, and tests of a directory that the file's is not below of (tests/layers.sh): they never come there.
src/check is a program of its own, which ends at once and leaves no counts: its mutants are asked of all tests that name it, the quickest first. AGAIN runs just the mutants listed in a file that an earlier run left. REACH=DIR takes the counts
of an earlier run, which left them in build/mutants/counted; a file of src or a test that has changed since counts as reached or reaching everything.

Not drawn, because no result of the program hangs on them:
  - contracts, the loops and conditions of nothing but one, and what stands between #ifdef VOUCH_DEBUG and its end: they are tests themselves;
  - declarations, comments, strings, preprocessor lines, tables outside functions, sizes of local arrays;
  - the arguments of error_set, error_memory, fail, log_line, log_wants, progress, snprintf, fprintf and assert,
    and the removal of statements that are only such a call.
Not counted: what the compiler refuses, and what compiles to the same code as the original
(Papadakis et al., "Trivial compiler equivalence", ICSE 2015). Another line is drawn instead.
"""
import argparse
import bisect
import concurrent.futures
import difflib
import itertools
import json
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TOKEN = re.compile(r'''(?P<comment>/\*.*?\*/|//[^\n]*)|(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
    |(?P<number>(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*)|(?P<name>[A-Za-z_]\w*)
    |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])''', re.S | re.M | re.X)
OTHERS = {'<': ['<=', '>'], '<=': ['<', '>='], '>': ['>=', '<'], '>=': ['>', '<='], '==': ['!='], '!=': ['=='],
          '+': ['-'], '-': ['+'], '*': ['/', '+'], '/': ['*'], '%': ['*'], '&&': ['||'], '||': ['&&'], '&': ['|'],
          '|': ['&'], '<<': ['>>'], '>>': ['<<'], '+=': ['-=', '='], '-=': ['+=', '='], '*=': ['/='], '/=': ['*='],
          '|=': ['='], '&=': ['=']}
NAMES = {'true': 'false', 'false': 'true', 'fmin': 'fmax', 'fmax': 'fmin', 'floor': 'ceil', 'ceil': 'floor',
         'INFINITY': '-INFINITY', 'lower': 'upper', 'upper': 'lower', 'continue': 'break', 'fabs': ''}
INDEX = set('ijktsabrcmnpqh')
SILENT = {'error_set', 'error_memory', 'fail', 'fail_in_state', 'log_line', 'log_wants', 'log_node', 'progress',
          'snprintf', 'fprintf', 'assert', 'CHECK', 'CHECK_COMPARE'}
CHECKER = 'vouch-check'  # of src/check
TYPES = {'int', 'long', 'double', 'char', 'bool', 'void', 'const', 'static', 'unsigned', 'size_t', 'struct', 'enum', 'float'}
HEADS = {'if', 'for', 'while', 'switch'}
WORK = {'plan': ['prop_work_plan'], 'lp': ['prop_work_lp'], 'mip': ['prop_work_mip'], 'io': ['prop_work_io']}  # exact figures
LONG = 5.0  # processor time with counters, which is up to twice that without
CAREFUL = 20.0
FLAGS = '-g0 -DVOUCH_DEBUG -fvisibility=default -fno-semantic-interposition -Werror=incompatible-pointer-types -Werror=int-conversion'
COUNTED = ['--coverage', '-fprofile-update=atomic']
SANITIZED = ['-O1', '-fsanitize=address,undefined', '-fno-sanitize-recover=undefined', '-fno-omit-frame-pointer']
ROOT = Path(__file__).resolve().parent.parent
LIBS = subprocess.run(['make', '-s', 'ask-LDLIBS'], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


class Token:
    def __init__(self, match):
        self.kind, self.text, self.start, self.end = match.lastgroup, match.group(), match.start(), match.end()


class Source:
    """A C file as tokens, and for every line of its functions the changes (start, end, replacement, what)."""

    def __init__(self, path):
        self.path, self.text = path, (ROOT / path).read_text()
        self.tokens = [t for t in map(Token, TOKEN.finditer(self.text)) if t.kind not in ('comment', 'directive')]
        self.match = self.pairs()
        self.ends = [m.start() for m in re.finditer('\n', self.text)]
        self.changes = {}
        self.lines = set()
        self.checkers = [m.span() for m in re.finditer(r'^#ifdef VOUCH_DEBUG\n.*?^#(?:else|endif)', self.text, re.S | re.M)]
        for first, last in self.bodies():
            self.read(first, last)

    def pairs(self):
        match, open_ones = {}, []
        for k, token in enumerate(self.tokens):
            if token.text in ('(', '[', '{'):
                open_ones.append(k)
            elif token.text in (')', ']', '}') and open_ones:
                match[open_ones.pop()] = k
        return match

    def bodies(self):
        k = 0
        while k < len(self.tokens):
            if self.tokens[k].text == '{' and k in self.match:
                if self.tokens[k - 1].text == ')':
                    yield k + 1, self.match[k]
                k = self.match[k]
            k += 1

    def read(self, first, last):
        text = [t.text for t in self.tokens]
        letters = sorted({text[k] for k in range(first, last) if text[k] in INDEX})
        silent, begins, brackets = set(), {first}, set()
        contracts = {k for k in range(first, last) if text[k] in ('CHECK', 'CHECK_COMPARE')}
        for k in range(first, last):
            if text[k] in SILENT and text[k + 1] == '(' and k + 1 in self.match:
                silent.update(range(k, self.match[k + 1] + 1))
            if text[k] in HEADS and text[k + 1] == '(':
                begins.add(self.match[k + 1] + 1)
            if text[k] in ('{', '}', 'else', 'do') or text[k] == ';':
                begins.add(k + 1)
        for k in range(last - 1, first - 1, -1):  # loops and conditions of nothing but a contract
            if text[k] in HEADS and text[k + 1] == '(' and k + 1 in self.match and self.match[k + 1] + 1 in contracts:
                contracts.add(k)
                silent.update(range(k, self.match[k + 1] + 1))
        inside = 0  # of parentheses: a semicolon in a for header ends no statement
        for k in range(first, last):
            inside += (text[k] == '(') - (text[k] == ')')
            if inside == 0 and k in begins and k not in silent:
                if self.declares(k):
                    end = k
                    while end < last and text[end] not in (';', '='):
                        if text[end] == '[' and end in self.match:
                            brackets.update(range(end, self.match[end]))
                        end += 1
                elif not any(a <= self.tokens[k].start < b for a, b in self.checkers):
                    self.removal(k, last, text)
        for k in range(first, last):
            if any(a <= self.tokens[k].start < b for a, b in self.checkers):
                continue
            self.lines.add(self.line(self.tokens[k].start))
            if k not in silent and k not in brackets:
                self.token(k, text, letters)

    def declares(self, k):
        one, two, three = (self.tokens + self.tokens[-1:] * 2)[k:k + 3]
        return one.text in TYPES or one.kind == 'name' and one.text not in HEADS | {'return', 'goto', 'case', 'else', 'do'} and (
            two.kind == 'name' or two.text == '*' and three.kind == 'name')

    def removal(self, k, last, text):
        if self.tokens[k].kind != 'name' and text[k] not in ('*', '++', '--'):
            return
        if text[k] in HEADS or text[k] in ('return', 'goto', 'case', 'default', 'else', 'do') or text[k + 1] == ':':
            return
        end, inside = k, 0
        while end < last and (inside or text[end] != ';'):
            if text[end] == '{':
                return
            inside += (text[end] in '([') - (text[end] in ')]')
            end += 1
        start, stop = self.tokens[k].start, self.tokens[end].start
        words = ' '.join(self.text[start:stop].split())
        self.add(start, stop, '\n' * self.text.count('\n', start, stop), 'remove ' + words)

    def token(self, k, text, letters):
        here, before, after = self.tokens[k], text[k - 1], text[k + 1]
        spaced = self.text[here.start - 1].isspace() and self.text[here.end].isspace()
        swap = lambda new: self.add(here.start, here.end, new, '%s -> %s' % (here.text, new or 'nothing'))
        if here.kind == 'number':
            for new in self.constants(here.text):
                swap(new)
        elif here.kind == 'sign':
            if spaced:
                for new in OTHERS.get(here.text, []):
                    swap(new)
            elif here.text in ('++', '--'):
                swap('--' if here.text == '++' else '++')
            elif here.text == '!' or here.text == '-' and self.tokens[k - 1].kind == 'sign' and before not in (')', ']'):
                swap('')
        elif here.text in ('if', 'while') and after == '(' and k + 1 in self.match:
            stop = self.tokens[self.match[k + 1]].start
            start = self.tokens[k + 1].end
            self.add(start, stop, '!(' + self.text[start:stop] + ')', 'negate ' + ' '.join(self.text[start:stop].split()))
        elif here.text in NAMES:
            swap(NAMES[here.text])
        elif here.text in INDEX and before == '[' and after == ']':
            for new in letters:
                if new != here.text:
                    swap(new)
        elif here.kind == 'name' and before in ('(', ',') and after == ',' and text[k + 3] in (',', ')'):
            there = self.tokens[k + 2]
            if there.kind == 'name' and there.text != here.text and text[k + 1] == ',':
                self.add(here.start, there.end, there.text + ', ' + here.text, 'exchange %s, %s' % (here.text, there.text))

    @staticmethod
    def constants(word):
        if re.fullmatch(r'\d+', word):
            value = int(word)
            return [str(value + 1)] + ([str(value - 1)] if value else [])
        if re.fullmatch(r'[\d.]+([eE][+-]?\d+)?', word):
            return ['(10 * %s)' % word, '(0.1 * %s)' % word] + (['(1 + %s)' % word] if float(word) >= 0.1 else [])
        return []

    def line(self, position):
        return bisect.bisect_left(self.ends, position) + 1

    def add(self, start, end, new, what):
        self.changes.setdefault(self.line(start), []).append((start, end, new, what))


class Mutant:
    def __init__(self, source, line, change):
        self.path, self.line, self.original = source.path, line, source.text
        self.start, self.end, self.new, self.what = change

    @property
    def text(self):
        return self.original[:self.start] + self.new + self.original[self.end:]

    def diff(self):
        lines = difflib.unified_diff(self.original.splitlines(), self.text.splitlines(), 'a/%s' % self.path, 'b/%s' % self.path, 'original', 'mutant', 3, '')
        return '\n'.join(lines) + '\n'


def sources(dirs):
    for name in dirs:
        place = ROOT / 'src' / name
        for path in [place] if place.is_file() else sorted(place.rglob('*.c')):
            yield Source(str(path.relative_to(ROOT)))


def draw(dirs, seed):
    """Every line of code once, in an order that depends on the seed alone, each with one change of it."""
    chance = random.Random(seed)
    all_lines = [(source, line) for source in sources(dirs) for line in sorted(source.lines)]
    chance.shuffle(all_lines)
    return [Mutant(source, line, chance.choice(source.changes[line])) for source, line in all_lines if line in source.changes]


def listed(path):
    """The mutants of a file of survivors, as far as their lines are still there; the nearest one where a line is there twice."""
    found, text = [], Path(path).read_text()
    for head in re.finditer(r'^(src/\S+):(\d+): (.*)\n(?:[-+ @].*\n)*?(?=-[^-])-(.*)$', text, re.M):
        name, line, what, old = head[1], int(head[2]), head[3], head[4]
        options = []
        for pattern in (Path(name).name, '*.c'):  # files may have moved, functions too
            for source in [Source(str(p.relative_to(ROOT))) for p in (ROOT / 'src').rglob(pattern)]:
                lines = source.text.split('\n')
                options += [(abs(at - line), Mutant(source, at, c)) for at in source.changes for c in source.changes[at] if c[3] == what and lines[at - 1] == old]
            if options:
                break
        if options:
            found.append(min(options, key=lambda o: o[0])[1])
        else:
            print('%s:%d: %s: no longer there' % (name, line, what), flush=True)
    return found


def limit(seconds, room):
    def apply():
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if room:
            resource.setrlimit(resource.RLIMIT_AS, (room, room))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    return apply


class Tree:
    """A copy of the project with its objects, one shared object of the whole library, and tests linked to it."""

    def __init__(self, path, extra=()):
        self.path, self.build = path, path / 'build'
        self.trusted, self.failing = set(), set()  # tests known to pass and to fail on the original
        self.extra, self.slow = list(extra), 4 if extra else 1
        self.room = None if '-fsanitize=address,undefined' in extra else 6 << 30  # the sanitizer's shadow is larger than any limit
        self.env = dict(os.environ, BUILD='build', VOUCH='build/vouch', OPENBLAS_NUM_THREADS='1', MALLOC_PERTURB_='85')
        self.env.setdefault('PYTHON', '/usr/bin/python3')
        self.cc = os.environ.get('CC', 'ccache cc' if shutil.which('ccache') else 'cc')
        self.env['TMPDIR'] = str(path / 'tmp')
        self.env['LD_LIBRARY_PATH'] = str(self.build)

    def run(self, command, seconds=600.0):
        """(exit status or None at the limit, output); self.seconds: processor time, waited-for children included"""
        with tempfile.TemporaryFile('w+', errors='replace', dir=self.path) as output:
            process = subprocess.Popen(command, cwd=self.path, env=self.env, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT, preexec_fn=limit(seconds, self.room))
            alarm = threading.Timer(20 * seconds + 30, os.killpg, (process.pid, signal.SIGKILL))
            alarm.start()
            status, used = os.wait4(process.pid, 0)[1:]
            process.returncode = os.waitstatus_to_exitcode(status)
            late = not alarm.is_alive()
            alarm.cancel()
            self.seconds = used.ru_utime + used.ru_stime
            if late:
                return None, ''
            output.seek(0)
            return process.returncode, output.read()

    def make(self, targets, jobs):
        return self.run(['make', '-s', '-o', 'deps-run', '-o', 'deps-test', '-j%d' % jobs, 'BUILD=build', 'CC=' + self.cc, 'EXTRA=' + ' '.join([FLAGS] + self.extra)] + targets)

    def link(self, out, inputs, options):
        return self.run(self.cc.split() + self.extra + ['-o', out] + options + inputs + ['-lcmocka', '-ljansson'] + LIBS)

    def objects(self, folder, pattern, prefix=''):
        names = sorted(p.relative_to(self.path / folder).with_suffix('.o') for p in (self.path / folder).glob(pattern))
        return ['build/%s%s' % (prefix, name) for name in names]

    def must(self, answer):
        if answer[0] != 0:
            sys.exit('mutants: the original does not build\n' + answer[1])

    def prepare(self, jobs, wanted):
        shutil.copytree(ROOT, self.path, ignore=lambda folder, names: [n for n in names if n == '.git' or folder == str(ROOT) and n.startswith('build')],
                        dirs_exist_ok=True)
        (self.path / 'tmp').mkdir(exist_ok=True)
        objects = [o for o in self.objects('src', '**/*.c', 'obj/') if not o.startswith(('build/obj/check/', 'build/obj/link/mpi.'))]  # parts of other programs
        objects.append('build/obj/cli/watch/assets.o')  # made by make
        tests = [o for o in self.objects('tests', '*_*.c', 'tests/') if re.match('(test|prop)_', Path(o).stem) and (not wanted or Path(o).stem in wanted)]
        aids = self.objects('tests', 'oracle/*.c', 'tests/')
        own = {t: [o for o in self.objects('tests', Path(t).stem.split('_')[1] + '/*.c', 'tests/') if Path(o).stem != 'main'] for t in tests}  # prop_campaign_proofs: campaign/
        self.must(self.make(objects + tests + aids + sorted(sum(own.values(), [])) + ['build/' + CHECKER], jobs))
        self.checker = self.objects('src', 'check/*.c', 'obj/')
        self.library = [o for o in objects if not o.startswith('build/obj/cli/')]
        self.must(self.relink())
        self.must(self.link('build/vouch', [o for o in objects if o.startswith('build/obj/cli/')] + ['build/libtested.so'], []))
        for test in tests:
            self.must(self.link(test[:-2], [test] + own[test] + aids + ['build/libtested.so'], []))
        scripts = sorted(p.name for p in (self.path / 'tests').glob('cli_*.sh') if p.name != 'cli_install.sh')
        return [Path(t).stem for t in tests] + [s for s in scripts if not wanted or s in wanted]

    def relink(self, mutant=None):
        if mutant and of_checker(mutant):
            return self.run(self.cc.split() + self.extra + ['-o', 'build/' + CHECKER] + self.checker + ['-ljson-c', '-lgmp', '-lz', '-lm'])
        return self.link('build/libtested.so', self.library, ['-shared', '-Wl,-Bsymbolic,-soname,libtested.so'])

    def test(self, name, seconds):
        """None when it passes, otherwise why it does not."""
        code, output = self.run(['sh', 'tests/' + name] if name.endswith('.sh') else ['build/tests/' + name], seconds)
        if code is None or code in (-signal.SIGXCPU, -signal.SIGKILL):
            return 'time'
        if code != 0:
            return 'signal %d' % -code if code < 0 else 'failure'
        return 'failure' if re.search('^not ok', output, re.M) else None

    def longest(self, usual):
        return self.slow * (3 * usual + 2)

    def try_mutant(self, mutant, order, normal, known=False):
        """(test that kills it or None, reason), or None when the compiler refuses it or sees no difference."""
        source = self.path / mutant.path
        built = self.build / 'obj' / Path(mutant.path).relative_to('src').with_suffix('.o')
        original = built.read_bytes()
        try:
            source.write_text(mutant.text)
            os.utime(built, (0, 0))
            if self.make([str(built.relative_to(self.path))], 1)[0] != 0 or built.read_bytes() == original or self.relink(mutant)[0] != 0:
                return (None, 'does not build') if known else None
            for test in order:
                if test in self.failing:
                    continue
                reason = self.test(test, self.longest(normal[test]))
                if reason and self.passes(test, normal, built, original, mutant):
                    return test, reason
            return None, ''
        finally:
            source.write_text(mutant.original)
            built.write_bytes(original)
            if of_checker(mutant):
                self.relink(mutant)  # tests of the library call it, too

    def passes(self, test, normal, built, original, mutant):
        """Does a test that was not measured in this run pass on the original? Asked when it is about to kill its first mutant."""
        if test in self.trusted:
            return True
        mutated = built.read_bytes()
        built.write_bytes(original)
        self.relink(mutant)
        fails = self.test(test, self.longest(normal[test]))
        built.write_bytes(mutated)
        self.relink(mutant)
        if fails:
            print('mutants: %s does not pass on the original (%s) and is left out%s' % (test, fails, ' of what is sanitized' if self.extra else ''), flush=True)
            self.failing.add(test)
        else:
            self.trusted.add(test)
        return not fails


def of_checker(mutant):
    return Path(mutant.path).parts[1] == 'check'


def calls_checker(test):
    aids = [] if test.endswith('.sh') else sorted((ROOT / 'tests' / test.split('_')[1]).glob('*.c'))
    own = ROOT / 'tests' / (test if test.endswith('.sh') else test + '.c')
    texts = [path.read_text() for path in [own] + aids]
    judged = re.findall(r'tests/(judge_\w+\.py)', texts[0]) if test.endswith('.sh') else []
    return any(CHECKER in text for text in texts + [(ROOT / 'tests' / name).read_text() for name in judged])


def below():
    """For each directory of src those that it may reach by includes, as tests/layers.sh has them."""
    arrows = {}
    for name, words in re.findall(r'^    ([a-z/]+)\) echo (.*?) ;;', (ROOT / 'tests/layers.sh').read_text(), re.M):
        arrows.setdefault(name.split('/')[0], set()).update(w.split('/')[0] for w in words.split())
    for _ in arrows:
        for name in arrows:
            arrows[name] = arrows[name].union(*(arrows.get(w, set()) for w in arrows[name]))
    return arrows


def nearest(mutant, normal, reach):
    """Tests to run at once, those to run sanitized, those that wait; each by time over chance, without those that do not come to the line."""
    folder, stem = Path(mutant.path).parts[1], Path(mutant.path).stem
    first_word = stem.split('_')[0]
    arrows = below()
    work = WORK.get({'know': 'plan', 'program': 'plan', 'policy': 'plan', 'mdp': 'plan', 'nlp': 'plan', 'la': 'lp'}.get(folder, folder), ())

    def chance(test):
        if of_checker(mutant):
            return int(calls_checker(test))
        own = re.match('(?:test|prop)_([a-z]+)_', test)
        if own and own[1] in arrows and folder not in arrows[own[1]]:
            return 0
        if test.endswith('.sh'):
            return 1
        if test in work or re.match('test_.*_%s' % first_word, test) and folder in test or test in ('prop_' + stem, 'prop_%s_%s' % (folder, stem)):
            return 30
        text = (ROOT / 'tests' / (test + '.c')).read_text()
        return 4 if '_%s_' % folder in test or '"%s/' % folder in text or '<vouch/%s.h>' % folder in text else 1
    order = sorted((test for test in normal if chance(test) and reach(mutant, test)), key=lambda test: ((normal[test] + 0.05) / chance(test), test))
    now = [test for test in order if normal[test] <= LONG or chance(test) == 30 and normal[test] <= 8 * LONG]
    sums = list(itertools.accumulate(normal[test] for test in now))
    careful = [test for test, so_far in zip(now, sums) if so_far <= CAREFUL or so_far == sums[0]]
    return now, careful, [test for test in order if test not in now]


class Reach:
    """Which tests come to a line of src: gcov's counters of each test, in a folder of its own."""

    def __init__(self, path):
        self.path, self.known, self.turn = path, {}, threading.Lock()
        self.whole = set()  # tests that are taken to reach everything
        self.seconds = {}  # processor time of the others

    def folder(self, test):
        return self.path / 'reach' / test

    def same(self, path):
        """Is this file as it was when it was counted?"""
        return (self.path / path).exists() and (self.path / path).read_bytes() == (ROOT / path).read_bytes()

    def load(self):
        told = json.loads((self.path / 'reach.json').read_text())
        self.seconds = {test: seconds for test, seconds in told.items() if self.same('tests/' + (test if test.endswith('.sh') else test + '.c'))}

    def count(self, tree, tests):
        """Runs the tests with counters; those that fail so are left to be asked without."""
        tree.env['GCOV_PREFIX_STRIP'] = str(len(tree.build.parts) - 1)
        for test in tests:
            tree.env['GCOV_PREFIX'] = str(self.folder(test))
            if not tree.test(test, 400):
                self.seconds[test] = tree.seconds
        (self.path / 'reach.json').write_text(json.dumps(self.seconds))

    def lines(self, path, test):
        """(lines run, lines with code, functions: first line, last line, whether it ran) of a file of src; None: no counters."""
        own = Path('obj') / Path(path).relative_to('src')
        counted, graph = self.folder(test) / own.with_suffix('.gcda'), self.path / 'build' / own.with_suffix('.gcno')
        if not counted.exists():
            return None
        shutil.copy(graph, counted.with_suffix('.gcno'))
        told = subprocess.run(['gcov', '-j', '-t', str(counted)], cwd=self.path, stdout=subprocess.PIPE, check=True).stdout
        found = [f for f in json.loads(told)['files'] if f['file'] == path][0]
        return ({x['line_number'] for x in found['lines'] if x['count']}, {x['line_number'] for x in found['lines']},
                [(f['start_line'], f['end_line'], f['execution_count'] > 0) for f in found['functions']])

    def __call__(self, mutant, test):
        if test in self.whole or of_checker(mutant) or not self.same(mutant.path):
            return True
        with self.turn:
            if (mutant.path, test) not in self.known:
                self.known[mutant.path, test] = self.lines(mutant.path, test)
        known = self.known[mutant.path, test]
        if known is None:
            return False
        ran, code, functions = known
        lines = range(mutant.line, mutant.line + mutant.original.count('\n', mutant.start, mutant.end) + 1)
        if mutant.line in code:
            return any(line in ran for line in lines)
        return any(ran for first, last, ran in functions if first <= mutant.line <= last)


def measure(reach, plain, tests):
    """Processor time of each test that passes, in seconds."""
    normal = {}
    for test in tests:
        if test in reach.seconds:
            normal[test] = reach.seconds[test]
            continue
        reach.whole.add(test)
        reason = plain.test(test, 300)
        if reason:
            print('mutants: %s does not pass on the original (%s) and is left out' % (test, reason), flush=True)
        else:
            normal[test] = plain.seconds
    return normal


class Table:
    """What became of each mutant, as it is known; the survivors in a file."""

    def __init__(self, path):
        self.path, self.count, self.survivors = path, 0, []

    def show(self, mutant, by, seconds):
        what = mutant.what if len(mutant.what) <= 52 else mutant.what[:49] + '...'
        print('%-38s %-52s %-34s %7.1f' % ('%s:%d' % (mutant.path, mutant.line), what, by, seconds), flush=True)

    def add(self, mutant, test, reason, seconds):
        self.count += 1
        self.show(mutant, '%s (%s)' % (test, reason) if test else reason or 'SURVIVED', seconds)
        if not test:
            self.survivors.append(mutant)
            self.write()

    def kill(self, mutant, test, reason, seconds):
        self.survivors.remove(mutant)
        self.show(mutant, '%s (%s)' % (test, reason), seconds)
        self.write()

    def write(self):
        self.path.write_text('\n'.join('%s:%d: %s\n%s' % (m.path, m.line, m.what, m.diff()) for m in self.survivors))

    def close(self):
        killed = self.count - len(self.survivors)
        print('%d mutants: %d killed (%.1f %%), %d survived (%s)' % (self.count, killed, 100.0 * killed / max(self.count, 1), len(self.survivors), self.path))


def snapshot(path):
    """A copy of the project, from which all trees are made, so that what is edited during a run is not in some of them."""
    global ROOT
    shutil.copytree(ROOT, path, ignore=lambda folder, names: [n for n in names if n == '.git' or folder == str(ROOT) and n.startswith('build')])
    ROOT = path


def guard_devices():
    """As root a mutant of what writes files can take /dev/null away from the whole machine: for what runs here /dev cannot be changed."""
    if os.geteuid() != 0 or os.environ.get('MUTANTS_GUARDED'):
        return
    os.environ['MUTANTS_GUARDED'] = 'yes'
    within = ['unshare', '--mount', 'sh', '-c', 'mount --rbind /dev /dev && mount -o remount,bind,ro /dev && exec "$@"', 'sh']
    try:
        possible = subprocess.run(within + ['true'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        possible = False
    if not possible:
        sys.exit('mutants run as another user than root, or where unshare --mount is possible: they could change what is in /dev')
    os.execvp(within[0], within + [sys.executable] + sys.argv)


def main():
    parser = argparse.ArgumentParser(description='Mutation analysis of src (see the head of this file).')
    parser.add_argument('--count', type=int, default=150)
    parser.add_argument('--seed', default='1')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--dirs', default='plan policy know lp mip io')
    parser.add_argument('--tests', default='', help='only these, instead of all')
    parser.add_argument('--build', default='build/mutants')
    parser.add_argument('--again', default='', help='only the mutants listed in this file')
    parser.add_argument('--reach', default='', help='folder with the counts of an earlier run')
    parser.add_argument('--list', action='store_true', help='only say what would be tried')
    args = parser.parse_args()
    build, again = Path(args.build).resolve(), args.again and Path(args.again).resolve()
    if not args.list:
        guard_devices()
        for old in build.glob('*'):
            if old.is_dir() and not (args.reach and old == Path(args.reach).resolve()):
                shutil.rmtree(old)
        build.mkdir(parents=True, exist_ok=True)
        snapshot(build / 'base')
    pool = listed(again) if again else draw(args.dirs.split(), args.seed)
    if again:
        args.count = len(pool)
    if args.list:
        for mutant in pool[:args.count]:
            print('%s:%d: %s' % (mutant.path, mutant.line, mutant.what))
        return
    trees = [Tree(build / ('tree%d' % k)) for k in range(args.jobs)]
    careful = [Tree(build / ('sanitized%d' % k), SANITIZED) for k in range(args.jobs)]
    tests = [tree.prepare(args.jobs, args.tests.split()) for tree in trees][0]
    reach = Reach(Path(args.reach or build / 'counted').resolve())
    if args.reach:
        reach.load()
    elif not all(of_checker(mutant) for mutant in pool):
        counted = Tree(reach.path, COUNTED)
        counted.prepare(args.jobs, args.tests.split())
        reach.count(counted, tests)
    normal = measure(reach, trees[0], tests)
    print('%d tests, %.0f s for all but the %d that take more than %g s, %.0f s for these' % (
        len(normal), sum(s for s in normal.values() if s <= LONG), sum(s > LONG for s in normal.values()), LONG, sum(s for s in normal.values() if s > LONG)), flush=True)
    free = {False: queue.Queue(), True: queue.Queue()}
    for one, other in zip(trees, careful):
        free[False].put(one)
        free[True].put(other)

    def work(candidates, stage):
        """The first of the candidates that compiles to something else: (mutant, test, reason, seconds). Stages: as nearest() has them."""
        tree, start = free[stage == 1].get(), time.monotonic()
        try:
            for mutant in candidates:
                answer = tree.try_mutant(mutant, nearest(mutant, normal, reach)[stage], normal, stage > 0 or bool(args.again))
                if answer:
                    return (mutant,) + answer + (time.monotonic() - start,)
        finally:
            free[stage == 1].put(tree)

    table = Table(build / 'survivors.txt')
    print('%-38s %-52s %-34s %7s' % ('line', 'mutation', 'killed by', 'seconds'))
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as crew:
        for found in crew.map(lambda k: work(pool[k::args.count], 0), range(args.count)):
            if found:
                table.add(*found)
        for stage, what in (1, 'the tests that are not long'), (2, 'the sanitizers too'):
            print('%d survived %s' % (len(table.survivors), what), flush=True)
            for tree in careful if stage == 1 and table.survivors else []:
                tree.prepare(args.jobs, args.tests.split())
            for found in crew.map(lambda mutant: work([mutant], stage), list(table.survivors)):
                if found[1]:
                    table.kill(found[0], found[1] + (', sanitized' if stage == 1 else ''), *found[2:])
    table.close()


if __name__ == '__main__':
    main()
