"""bench/proofs.py VOUCH CHECK LIST.. [--random N] [--infeasible N] [--seed S] [--limit SECONDS] [--options "WORDS"] [--promises N] [--keep DIR] [--brief]

Proves each line of the lists (as bench/plan.py and bench/growth.py read them), of N random models of all shapes, and of N where no policy keeps the promise, and has vouch-check verify it: processor seconds of the plan without a proof, with one, and of the check; lines and bytes of
the proof, plain and compressed; what the check said. The exit status is 1 if something proved was not verified. --promises: random models promise so much more, each of other states. --brief: lines of these only.
"""
import argparse
import gzip
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile

LONG = 0.05
EXACT = '--method exact-ccl --certify'  # what bench/exact.list is about
GAP = {True: 1e-4, False: 1e-6}         # of exact-ccl, of the others


def lines_of(path):
    for line in open(path):
        line = line.strip()
        if not line or line.startswith('#'):
            continue
        if ';' in line:
            *_, model, lookahead = line.split(';')
        else:
            model, lookahead = line.rsplit(None, 1)
        yield model.strip(), lookahead.strip()


def timed(command, limit):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=limit * 20)
        code, out = done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        code, out = -1, b''
    if not out:
        sys.stderr.write('nothing printed by ' + ' '.join(command) + '\n')
    return code, out, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def drawn(draw, infeasible):
    """A random model's words, L, and further words of the plan."""
    words = 'random --states %d --actions %d --environments %d -T %d -p %.2f --branching %d --seed %d' % (
        draw.randint(3, 8), draw.randint(2, 3), draw.randint(2, 5), draw.randint(3, 6), draw.choice([0, .1, .2, .3, .4, .5]), draw.randint(1, 3),
        draw.randint(1, 10**6))
    more = ['-p', '%.2f' % draw.uniform(.5, 1)] if infeasible else draw.choice([[], [], [], ['--method', 'history']])
    return words + draw.choice(['', '', ' --shared-transitions']), str(draw.randint(0, 3)), more


def promise(path, count, draw):
    """The model makes further promises, about some of its states each."""
    with open(path) as file:
        m = json.load(file)
    states = ['s%d' % i for i in range(m['states'])] if isinstance(m['states'], int) else m['states']
    m['commitments'] = [dict(m.pop('commitment'), name='first', kind='at')]
    for i in range(count):
        kept = draw.sample(states, max(1, len(states) * 2 // 3))
        m['commitments'].append({'name': 'further %d' % i, 'kind': 'at', 'states': kept, 'probability': draw.choice([.1, .2, .3, .4])})
    with open(path, 'w') as file:
        json.dump(m, file)


class Run:
    def __init__(self, arguments, folder, draw=None):
        self.arguments, self.folder, self.draw = arguments, folder, draw
        self.model, self.proof = os.path.join(folder, 'm.json'), os.path.join(folder, 'm.vproof')
        self.proved = self.verified = self.bad = self.content = self.packed = 0
        self.total = [0.0, 0.0, 0.0]
        self.long = []  # (with a proof / without one, check / plan) of lines both proved that take LONG seconds at least

    def plan(self, words, lookahead, more):
        """Proves and checks one line; returns whether there is no plan."""
        a = self.arguments
        subprocess.run([a.vouch, 'generate', *words.split(), '-o', self.model], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if self.draw and a.promises:
            promise(self.model, a.promises, self.draw)
            more = [word for word in more if 'history' in more]  # -p is of one promise
        plan = [a.vouch, 'plan', self.model, '--json', '--time-limit', str(a.limit), *more,
                *([] if 'history' in more else ['-L', lookahead] + a.options.split())]
        _, plain, first = timed(plan, a.limit)
        before = json.loads(plain)['status']
        if a.wanted and before != a.wanted:
            return False
        _, out, second = timed(plan + ['--proof', self.proof, '--check-limit', '1'], a.limit)  # checked below
        status = json.loads(out)['status']
        code, said, third = timed([a.check, *(more if '-p' in more else []), self.model, self.proof], a.limit)
        said = said.decode().strip().split('\n')[-1]
        content = open(self.proof, 'rb').read() if os.path.exists(self.proof) else b''
        settled = before in ('optimal', 'infeasible')
        bound = said.split('>= ')[-1].split(';')[0] if 'verified' in said else ''
        full = code == 0 and status == before and (status != 'optimal' or json.loads(out)['max_regret'] - float(bound) <= 1.001 * GAP['exact-ccl' in plan])
        self.proved += settled
        self.verified += settled and full
        self.bad += settled and not full
        self.total = [x + y for x, y in zip(self.total, (first, second, third))]
        if settled and full and first >= LONG:
            self.long.append((second / first, third / first))
        packed = len(gzip.compress(content))
        self.content += len(content)
        self.packed += packed
        if not a.brief or (settled and not full):
            print('%-55s L=%-2s %-10s %-10s %7.2f %7.2f %7.2f s %8d lines %9d bytes %8d gz  %s' %
                  (' '.join([words] + more), lookahead, before, status, first, second, third, content.count(b'\n'), len(content), packed,
                   'ok' if full else said), flush=True)
        if a.keep:
            os.makedirs(a.keep, exist_ok=True)
            name = ' '.join([words, 'L' + lookahead] + more).replace(' ', '_').replace(',', '.')
            open(os.path.join(a.keep, name + '.json'), 'wb').write(open(self.model, 'rb').read())
            open(os.path.join(a.keep, name + '.vproof'), 'wb').write(content)
        return True

    def tell(self, what):
        print('%s: proved %d, verified %d; processor seconds: plan %.1f, with proof %.1f, check %.1f; %d bytes, %d gz' %
              (what, self.proved, self.verified, *self.total, self.content, self.packed), flush=True)
        if self.long:
            more, check = ([line[i] for line in self.long] for i in (0, 1))
            print('    of the %d that take %g s or more: with proof / without: median %.2f, most %.2f; check / plan: median %.2f, most %.2f' %
                  (len(more), LONG, statistics.median(more), max(more), statistics.median(check), max(check)), flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('vouch')
    parser.add_argument('check')
    parser.add_argument('lists', nargs='*')
    parser.add_argument('--random', type=int, default=0)
    parser.add_argument('--infeasible', type=int, default=0)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--limit', type=float, default=30)
    parser.add_argument('--options', default='--tie-break none')
    parser.add_argument('--promises', type=int, default=0)
    parser.add_argument('--keep')
    parser.add_argument('--brief', action='store_true')
    arguments = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in arguments.lists:
            arguments.wanted = None
            options = arguments.options
            if path.endswith('exact.list'):
                arguments.options = EXACT
            run = Run(arguments, folder)
            for words, lookahead in lines_of(path):
                run.plan(words, lookahead, [])
            run.tell(path)
            arguments.options = options
            bad += run.bad
        for infeasible, count in ((False, arguments.random), (True, arguments.infeasible)):
            arguments.wanted = 'infeasible' if infeasible else None
            draw, made = random.Random(arguments.seed), 0
            run = Run(arguments, folder, draw)
            while made < count:
                made += run.plan(*drawn(draw, infeasible))
            if count:
                run.tell('infeasible' if infeasible else 'random')
            bad += run.bad
    sys.exit(1 if bad else 0)


main()
