"""Every command and vouch-check where one allocation is refused: out of memory is exit 3, or it was of no account and all that is written
is as it would have been. scarce.py VOUCH CHECK LIBRARY FOLDER [POINTS [ONLY]]

LIBRARY: tests/scarce.c, preloaded. POINTS: so many allocations of each run, evenly spread; 0: every one, each in a child that the run forks off there
(tests/scarce_fork.h); -N: likewise the first N, and every call stack at its first, second, fourth .. visit. ONLY: the cases whose names match it.
"""
import os, random, re, shutil, struct, subprocess, sys

VOUCH, CHECK, LIBRARY, FOLDER = (os.path.abspath(p) for p in sys.argv[1:5])
POINTS = int(sys.argv[5]) if len(sys.argv) > 5 else 12
ONLY = sys.argv[6] if len(sys.argv) > 6 else ''
TESTS = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.join(TESTS, 'data')
OUT_OF_MEMORY = 3
MODELS = [['twin-states', '-T', '3'], ['random', '--states', '4', '--actions', '2', '--environments', '3', '-T', '3', '-p', '0.2', '--seed', '8'],
          ['t-maze', '--size', '2,2,1,2', '-T', '5', '-p', '0.1']]
LP = '''Maximize
 obj: 3 x + 2 y - z + 5 b
Subject To
 c1: x + y + z <= 10.5
 c2: x - y >= -2
 c3: 2 x + 3 b + y <= 9
 c4: x + y + b - z = 4.5
Bounds
 x <= 4
 z free
%s
End
'''
LPS = {'lp.lp': LP % '', 'mip.lp': LP % 'General\n x\nBinary\n b', 'infeasible.lp': LP.replace('c3: ', 'c5: x + y >= 30\n c3: ') % ''}
# Of each model: words after vouch; M the model, P its policy, V its proof, o. what is written.
EACH = ['plan M -L 1', 'plan M -L 1 --json -o o.json --proof o.vproof', 'plan M --method history --proof o.vproof', 'plan M --method greedy', 'plan M --method exact-ccl -L 0',
        'plan M -L 1 --log-tree o.jsonl --journal o.journal', 'plan M --frontier --points 3 --plot o.svg', 'evaluate M P', 'show M P', 'show M P --csv', 'show M P --json', 'show M P --svg', 'show M P --dot',
        'show M P --tree', 'show M P --words', 'show M P --grid', 'show M P --rules', 'plan M --within 0.05', 'evaluate M P --within 0.05', 'plan M --minimise', 'show M P --induced drn -o o/', 'ccil M -L 1', 'simulate M P --episodes 20', 'act M -L 1',
        'sweep M --vary L=0:1 --vary p=0.1,0.2 --csv o.csv', 'sweep M --vary p=0.1:0.3:0.1 -m greedy --plot o.svg', 'convert M -o o.json', 'convert M -o o/', 'convert M -o o.csv', 'convert M -o o.pomdp',
        'export M -L 1 -o o.lp', 'export M -L 1 -o o.mps.gz', 'watch M -L 1 -o o.html', 'check M V', 'M']
ONCE = ['generate t-maze --size 2,2,1,2 -T 4 -o o.json', 'reproduce twin-states', 'tree T', 'tree T --svg', '--help', 'plan --help', '--manual plan', '--completion',
        'convert R --commit x=0 -T 2 -p 0', 'convert relay.jani --const noise=0.1:0.3:0.1 --commit delivered -T 3 -p 0', 'convert s.drn --commit init -T 2 -p 0', 'convert s.csv --commit 0 -T 2 -p 0', 'convert s.pomdp -T 2']
PROGRAMS = ['lp F', 'lp F --json', 'lp F --proof o.vipr', 'lp F --exact', 'lp F -o o.txt -w o.sol --basis-out o.bas', 'lp F --ranges o.ranges', 'lp F --log-tree o.jsonl', 'watch F -o o.html', 'lp F --check --wlp o.lp']


STEPS = b'{"reward":0,"state":"nowhere"}\n' * 9  # for act


def program(words, **variables):
    """What is run, and its environment."""
    environment = dict(os.environ, VOUCH_CHECK=CHECK, **variables)
    if variables:
        environment['LD_PRELOAD'] = LIBRARY
        environment['ASAN_OPTIONS'] = 'verify_asan_link_order=0:allocator_may_return_null=1:detect_leaks=0:exitcode=99'
    return [CHECK, *words[1:]] if words[0] == 'check' else [VOUCH, *words], environment


def start(words, **variables):
    line, environment = program(words, **variables)
    return subprocess.run(line, input=STEPS, capture_output=True, env=environment, timeout=300)


def written(folder='.'):
    """All that a run has written there, by name; removed."""
    found = {}
    for root, _, files in os.walk(folder, topdown=False):
        for name in files:
            path = os.path.join(root, name)
            with open(path, 'rb') as f: found[os.path.relpath(path, folder)] = f.read()
            os.remove(path)
        if root != folder: os.rmdir(root)
    return found


def steady(words):
    """Two undisturbed runs that are the same, else words cannot be compared; None."""
    runs = []
    for _ in range(2):
        p = start(words)
        runs.append((p.returncode, untimed(p.stdout), {n: untimed(b) for n, b in written().items()}))
    return runs[0] if runs[0] == runs[1] else None


def untimed(data):
    """Without seconds: at the end of a line, in a field of JSON, in a column of CSV."""
    if data.startswith(b'method,'):
        rows = [line.split(b',') for line in data.split(b'\n')]
        at = rows[0].index(b'seconds')
        return b'\n'.join(b','.join(row[:at] + row[at + 1:]) for row in rows)
    data = re.sub(rb'(?m)^(  milp.*|  greedy.*|seconds) +[0-9.]+$', rb'\1', data)
    return re.sub(rb'("seconds": ?|to 1e-6, all proved optimal; |"time": ?|, |Time used: +)[0-9.e-]+( s\b| secs|(?=[,}]))', rb'\1', data)


def whole(words, f, data, before):
    """Is what stands under the name of an output whole? Plans may be others, and proofs say less, but what they say is true."""
    if f.endswith('.vproof'):
        with open('../proof', 'wb') as out: out.write(data)
        return start(['check', *(words[2:4] if words[2] == '-L' else []), words[1], '../proof']).returncode == 0
    if f.endswith('.vipr'):
        with open('../proof', 'wb') as out: out.write(data)
        return subprocess.run([sys.executable, os.path.join(TESTS, 'check_vipr.py'), '../proof'], capture_output=True).returncode == 0
    if f.endswith('.csv') and words[0] == 'sweep': # a cell may have failed, and says so
        rows = before[f].split(b'\n')
        return all(row in rows or row.split(b',')[4] == b'failed' for row in untimed(data).split(b'\n'))
    # Pictures of sweeps and frontiers lack the points that failed.
    return words[0] in ('plan', 'watch', 'sweep') or f.endswith('.jsonl') or untimed(data) == before.get(f)


def count(words):
    if os.path.exists('../count'): os.remove('../count')
    start(words, SCARCE_COUNT='../count')
    written()
    with open('../count', 'rb') as f: return int.from_bytes(f.read(8), 'little')


def some(words, draw):
    """Runs with one of POINTS allocations refused: which of how many; exit status, outputs and files of each."""
    total = count(words)
    for n in range(1, total + 1) if total <= POINTS else sorted(draw.sample(range(1, total + 1), POINTS)):
        p = start(words, SCARCE_AT=str(n))
        yield n, total, p.returncode, p.stdout, p.stderr, written()


def every(words):
    """The same for every allocation, by one run that forks. Those it cannot fork at are runs of their own."""
    folders = os.path.abspath('..') # where what they read lies beside them too
    hear, say = os.pipe()
    line, environment = program(words, SCARCE_FORK='%d %d %s' % (say, -POINTS if POINTS < 0 else sys.maxsize, folders))
    with open('stdin', 'wb') as f: f.write(STEPS)
    with open('stdin', 'rb') as steps, open('stdout', 'wb') as out, open('stderr', 'wb') as err:
        p = subprocess.Popen(line, stdin=steps, stdout=out, stderr=err, env=environment, pass_fds=(say,))
    os.close(say)
    n, alone = 0, []
    while said := os.read(hear, 16):
        n, status = struct.unpack('ll', said)
        if status < 0: alone.append(n)
        else:
            folder = os.path.join(folders, str(n))
            found = written(folder)
            os.rmdir(folder)
            found.pop('stdin')
            yield n, n, os.waitstatus_to_exitcode(status), found.pop('stdout'), found.pop('stderr'), found
    os.close(hear)
    code = p.wait()
    found = written()
    found.pop('stdin')
    lost = [f for f in os.listdir(folders) if f.isdigit()]
    if lost: raise RuntimeError('children without an end: %s' % lost)
    yield 0, n, code, found.pop('stdout'), found.pop('stderr'), found
    for k in alone:
        p = start(words, SCARCE_AT=str(k))
        yield k, n, p.returncode, p.stdout, p.stderr, written()


def examine(name, words, draw):
    before = steady(words)
    if before is None:
        print('not ok', name, 'two runs differ')
        return 0
    bad, stopped, runs, most, right = [], 0, 0, 0, set()
    for n, total, code, out, err, found in every(words) if POINTS <= 0 else some(words, draw):
        runs, most = runs + 1, max(most, total)
        left = [f for f in found if 'vouch.tmp' in f]
        if code == OUT_OF_MEMORY and b'memory' in err: stopped += 1
        elif code != before[0]: bad.append((n, code, err[-200:]))
        elif code == 0 and (untimed(out), {f: untimed(b) for f, b in found.items()}) != before[1:]: bad.append((n, 'differs'))
        if left: bad.append((n, left))
        if code != OUT_OF_MEMORY: continue
        for f, data in found.items():
            if (f, data) not in right and not whole(words, f, data, before[2]): bad.append((n, 'half', f))
            right.add((f, data))
    print('%s %s: %d of %d allocations, %d out of memory%s' % ('not ok' if bad else 'ok', name, runs, most, stopped, ''.join('\n# %s' % (b,) for b in bad[:12])), flush=True)
    return runs


def main():
    os.makedirs(FOLDER, exist_ok=True)
    os.chdir(FOLDER)
    os.mkdir('here') # where the runs are; what they read is beside it
    os.chdir('here')
    draw, runs = random.Random(1), 0
    shutil.copy(os.path.join(DATA, 'relay.jani'), '..')
    shutil.copy(os.path.join(DATA, 'relay.prism'), '..')
    for f, content in LPS.items():
        with open('../' + f, 'w') as out: out.write(content)
    made = []
    for i, parameters in enumerate(MODELS):
        names = {'M': '../m%d.json' % i, 'P': '../p%d.json' % i, 'V': '../v%d.vproof' % i, 'T': '../t%d.jsonl' % i}
        start(['generate', *parameters, '-o', names['M']])
        start(['plan', names['M'], '-L', '1', '-o', names['P'], '--proof', names['V']])
        start(['plan', names['M'], '-L', '1', '--log-tree', names['T']])
        made += [(' '.join(parameters[:1]) + ': ' + line, [names.get(w, w) for w in line.split()]) for line in EACH]
    with open('../r.prism', 'w') as f: f.write('mdp\nmodule m\nx:[0..2];\n[a] x<2 -> 0.5:(x\'=x+1)+0.5:true;\n[b] true -> (x\'=0);\nendmodule\nlabel "t"=x=1;\nrewards "r" [a] true:1; endrewards\n')
    for ending in ('drn', 'csv', 'pomdp'): start(['convert', '../m0.json', '-o', '../s.' + ending if ending != 'drn' else '../drn/'])
    shutil.copy(os.path.join('../drn', sorted(f for f in os.listdir('../drn') if f.endswith('.drn'))[0]), '../s.drn')
    beside = {'T': 't0.jsonl', 'R': 'r.prism'}
    made += [(line, ['../' + beside.get(w, w) if w in beside or os.path.isfile('../' + w) else w for w in line.split()]) for line in ONCE]
    made += [(f + ': ' + line, ['../' + f if w == 'F' else w for w in line.split()]) for f in LPS for line in PROGRAMS]
    for name, words in made:
        if re.search(ONLY, name): runs += examine(name, words, draw)
    print('# %d runs' % runs)


main()
