"""Names are data: hostile names through every output of vouch, each read by a parser of its kind. hostile.py VOUCH FOLDER"""
import csv, io, json, os, pty, re, shutil, subprocess, sys, xml.dom.minidom
from html.parser import HTMLParser

vouch, folder = sys.argv[1:]
os.chdir(folder)
NAMES = ['\x1b[2J\x1b[31mred', 'two\nlines\r', '<b', '=1+1', '"quo\'te"', '\u202eright', 'back\\slash', '</script><script>x', 'a,b;c',
         '\x7f\x9b', '\u2028', 'x' * 10000, '&amp;']
acts = re.compile('[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]')
count = len(NAMES)
rows = [[NAMES[s], NAMES[a], NAMES[(s + 1 + a) % count], 1] for s in range(count) for a in range(2)]
model = {'vouch': 1, 'name': NAMES[0] + NAMES[1], 'states': NAMES, 'actions': NAMES[:2], 'initial': NAMES[0], 'horizon': 3,
         'commitments': [{'name': n, 'kind': 'by', 'states': [NAMES[1]], 'time': 3, 'probability': 0} for n in NAMES[:4]],
         'labels': {n: [NAMES[0]] for n in NAMES},
         'transitions': rows, 'rewards': [[NAMES[0], NAMES[1], 1]], 'environments': [{'name': n} for n in NAMES[:3]]}
json.dump(model, open('m.json', 'w'))
del model['commitments']
json.dump(dict(model, commitment={'states': [NAMES[1]], 'probability': 0.1}), open('q.json', 'w'))


def check(name, good, why=''):
    print(('ok ' if good else 'not ok ') + name + ('' if good else ': ' + str(why)[:200]))


def run(*words, codes=(0,)):
    p = subprocess.run([vouch, *words], capture_output=True)
    if p.returncode not in codes: check(' '.join(words)[:60], False, (p.returncode, p.stderr))
    return p.stdout.decode(), p.stderr.decode()


def plain(name, words, codes=(0,)):
    out, err = run(*words, codes=codes)
    found = acts.search(out + err)
    check(name, not found and (out + err), found)
    return out


class Page(HTMLParser):
    scripts = 0

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == 'script'
        if any(word == 'onerror' for word, _ in attrs): self.scripts += 100


out = plain('plan', ['plan', 'm.json', '-L', '1', '-o', 'p.json'])
check('a promise that begins with <', ' <b ' in out, out)
for way in ([], ['--tree'], ['--words'], ['--grid'], ['--likelihood']):
    codes = (0, 1)
    plain('show ' + ' '.join(way), ['show', 'm.json', 'p.json', *way], codes)
plain('what keeps promises from being kept', ['plan', 'q.json', '-L', '0', '-p', '1'], (2,))
plain('evaluate', ['evaluate', 'm.json', 'p.json'])
plain('about', ['m.json'])
plain('an error', ['plan', 'm.json', '--commit', NAMES[0] + 'zz', '-L', '0'], (1,))
plain('an unknown command', [NAMES[0]], (1,))
plain('an option', ['plan', 'm.json', '--method', NAMES[0]], (1,))
json.loads(plain('plan --json', ['plan', 'm.json', '-L', '1', '--json']))
table = plain('show --csv', ['show', 'm.json', 'p.json', '--csv'])
lines = list(csv.reader(io.StringIO(table)))
check('csv', len({len(line) for line in lines}) == 1 and not any(f[:1] in ('=', '+', '@') for line in lines for f in line), lines[:2])
nodes = json.loads(run('show', 'm.json', 'p.json', '--json')[0])['nodes']
check('json keeps names', {n['state'] for n in nodes} <= set(NAMES))
for way in ('--svg',):
    check(way, xml.dom.minidom.parseString(run('show', 'm.json', 'p.json', way)[0].encode()) is not None)
dot = run('show', 'm.json', 'p.json', '--dot')[0]
check('dot', not acts.search(dot) and len(re.findall(r'(?<!\\)(?:\\\\)*"', dot)) % 2 == 0)
run('watch', 'm.json', '-L', '0', '-o', 'w.html', codes=(0, 1, 2, 3))
if os.path.exists('w.html'):
    page = Page()
    page.feed(open('w.html').read())
    check('watch', 0 < page.scripts < 10, page.scripts)


def drawing(name, words, file=None):
    """A picture that a parser of XML reads, whose text acts on nothing."""
    out = run(*words)[0]
    if file: out = open(file, encoding='utf-8').read()
    tree = xml.dom.minidom.parseString(out.encode())
    texts = ''.join(n.firstChild.data for n in tree.getElementsByTagName('text') if n.firstChild)
    check(name, texts and not acts.search(texts.replace('\n', '')), acts.search(texts))


def graph(name, dot):
    """Of Graphviz, read by it where it is there."""
    check(name, not acts.search(dot) and len(re.findall(r'(?<!\\)(?:\\\\)*"', dot)) % 2 == 0, dot[:100])
    if shutil.which('dot'):
        p = subprocess.run(['dot', '-Tplain'], input=dot.encode(), capture_output=True)
        check(name + ', read by dot', p.returncode == 0 and p.stdout.startswith(b'graph '), p.stderr)


def page(name, file):
    seen = Page()
    seen.feed(open(file, encoding='utf-8').read())
    check(name, seen.scripts < 10, seen.scripts)


graph('show --dot', run('show', 'm.json', 'p.json', '--dot')[0])
drawing('sweep --plot', ['sweep', 'q.json', '--vary', 'p=0:0.1:0.05', '--plot', 's.svg'], 's.svg')
plain('sweep', ['sweep', 'q.json', '--vary', 'p=0:0.1:0.05', '--csv', 's.csv'])
lines = list(csv.reader(open('s.csv', newline='')))
check('sweep --csv', len(lines) == 4 and len({len(line) for line in lines}) == 1, lines)
drawing('plan --frontier', ['plan', 'q.json', '-L', '0', '--frontier', '--plot', 'f.svg'], 'f.svg')
plain('simulate', ['simulate', 'm.json', 'p.json', '--episodes', '5'])
plain('ccil', ['ccil', 'm.json', '-L', '1'])
json.loads(plain('ccil --json', ['ccil', 'm.json', '-L', '1', '--json']))
run('plan', 'm.json', '-L', '1', '--log-tree', 't.jsonl')
for line in open('t.jsonl', encoding='utf-8'): json.loads(line)
plain('tree', ['tree', 't.jsonl'])
for ending in ('json', 'pomdp', 'csv'):
    run('convert', 'q.json', '-o', 'c.' + ending, codes=(0, 1))
    if os.path.exists('c.' + ending): plain('a converted ' + ending, ['c.' + ending], (0, 1))
check('convert keeps names', json.load(open('c.json', encoding='utf-8'))['states'] == NAMES)
names = ['s0', 's1', 's2']
json.dump({'vouch': 1, 'states': names, 'actions': ['a'], 'initial': 's0', 'horizon': 2, 'commitment': {'states': ['s1'], 'probability': 0},
           'transitions': [[names[i], 'a', names[(i + 1) % 3], 1] for i in range(3)], 'rewards': [], 'environments': [{'name': n} for n in NAMES]}, open('n.json', 'w'))
run('convert', 'q.json', '-o', 'c/', codes=(1,))
run('convert', 'n.json', '-o', 'c/')
made = os.listdir('c')
check('names of files', made and not any(acts.search(f) or '/' in f or len(f) > 255 for f in made), made)
plain('a converted folder', ['convert', 'c', '--commit', 'init', '-T', '2', '-p', '0', '-o', 'd.json'])
run('show', 'm.json', 'p.json', '--induced', 'drn', '-o', 'i/')
check('induced index', json.load(open('i/index.json', encoding='utf-8')) is not None)
run('export', 'q.json', '-L', '0', '-p', '0', '-o', 'e.mps')
run('lp', 'e.mps')
decisions = subprocess.run([vouch, 'act', 'm.json', '-L', '1'], input=json.dumps({'reward': 0, 'state': NAMES[1]}).encode() + b'\n', capture_output=True)
check('act', all(json.loads(line) is not None for line in decisions.stdout.decode().splitlines()) and not acts.search(decisions.stderr.decode()))

# ---- programs: names of rows and columns, without blanks
words = [re.sub(r'[\s\x00-\x20\x7f-\x9f\u2028]', '\x1b', n)[:200] + str(i) for i, n in enumerate(NAMES)]
with open('h.mps', 'w', encoding='utf-8') as f:
    f.write('NAME ' + NAMES[0] + '\nROWS\n N cost\n' + ''.join(' L r%s\n' % w for w in words) + 'COLUMNS\n' +
            ''.join(' %s cost -1 r%s 1\n' % (w, w) for w in words) + 'RHS\n' + ''.join(' RHS r%s 2.5\n' % w for w in words) + 'ENDATA\n')
plain('lp', ['lp', 'h.mps'])
for option in ('-o', '-w', '--ranges', '--basis-out', '--wlp', '--log-tree'):
    plain('lp ' + option, ['lp', 'h.mps', option, 'h.out'])
    if option in ('-o', '--ranges'):
        text = open('h.out', encoding='utf-8').read()
        check('lp %s, what is written' % option, not acts.search(text), acts.search(text))
json.loads(plain('lp --json', ['lp', 'h.mps', '--json']))
run('watch', 'h.mps', '-o', 'v.html')
page('watch of a program', 'v.html')
plain('a name in an error', ['lp', 'h.mps', '--basis-in', 'm.json'], (1,))

# ---- several policies, and sweeps over their number
plain('plan --policies', ['plan', 'm.json', '-L', '1', '--policies', '2', '-o', 'g.json'])
json.loads(plain('plan --policies --json', ['plan', 'm.json', '-L', '1', '--policies', '2', '--json']))
check('names in a file of several', json.load(open('g.json', encoding='utf-8')) is not None)
plain('evaluate several', ['evaluate', 'm.json', 'g.json'])
plain('show one of several', ['show', 'm.json', 'g.json', '--environment', NAMES[2]])
plain('an environment that is not there', ['show', 'm.json', 'g.json', '--environment', NAMES[0] + 'zz'], (1,))
plain('sweep of policies', ['sweep', 'm.json', '--vary', 'policies=1:2', '--csv', 'g.csv'])
lines = list(csv.reader(open('g.csv', newline='', encoding='utf-8')))
check('sweep of policies --csv', len(lines) == 3 and len({len(line) for line in lines}) == 1, lines)

# ---- JANI: labels, actions, locations
jani = {'jani-version': 1, 'name': NAMES[0], 'type': 'mdp', 'actions': [{'name': n} for n in NAMES],
        'variables': [{'name': 'x', 'type': {'kind': 'bounded', 'base': 'int', 'lower-bound': 0, 'upper-bound': 1}, 'initial-value': 0}] +
                     [{'name': n, 'type': 'bool', 'transient': True, 'initial-value': False} for n in NAMES],
        'automata': [{'name': NAMES[2], 'initial-locations': [NAMES[3]],
                      'locations': [{'name': NAMES[3], 'transient-values': [{'ref': n, 'value': {'op': '=', 'left': 'x', 'right': 1}} for n in NAMES]}],
                      'edges': [{'location': NAMES[3], 'action': n,
                                 'destinations': [{'location': NAMES[3], 'assignments': [{'ref': 'x', 'value': 1}]}]} for n in NAMES]}],
        'system': {'elements': [{'automaton': NAMES[2]}], 'syncs': [{'synchronise': [n], 'result': n} for n in NAMES]}, 'properties': []}
json.dump(jani, open('j.jani', 'w'))
about = plain('a JANI model', ['j.jani'])
plain('options that are missing', ['plan', 'j.jani'], (1,))
plain('a label that is not there', ['plan', 'j.jani', '--commit', NAMES[0] + 'zz', '-T', '2', '-p', '0'], (1,))
run('convert', 'j.jani', '--commit', NAMES[2], '-T', '2', '-p', '0', '-o', 'j.json')
made = json.load(open('j.json', encoding='utf-8'))
check('names of JANI are kept', {n for n in NAMES if len(n) < 100} <= set(made['labels']) and set(made['actions']) == set(NAMES), made['actions'])
if shutil.which('bash'):  # the command that is suggested is the one that was meant
    suggested = re.search(r' --commit (.*) -T STEPS', about).group(1)
    word = subprocess.run(['bash', '-c', 'printf %s ' + suggested], capture_output=True).stdout.decode()
    check('a suggested command', word == NAMES[0], word)

# ---- what is completed and the manual hold no names; file names are completed as they are
plain('manual', ['--manual', 'plan'])
if shutil.which('bash'):
    os.mkdir('names')
    for n in ('$(touch ran)', 'two words', '*'): open('names/' + n, 'w').close()
    script = run('--completion')[0] + '\nCOMP_WORDS=(vouch plan names/); COMP_CWORD=2; _vouch; printf "%s\\n" "${COMPREPLY[@]}"\n'
    done = subprocess.run(['bash', '-c', script], capture_output=True).stdout.decode().splitlines()
    check('completion', set(done) >= {'names/$(touch ran)', 'names/two words', 'names/*'} and not os.path.exists('ran'), done)

for words in (['plan', 'm.json', '-L', '1', '-v'], ['show', 'm.json', 'p.json'], ['lp', 'h.mps', '-v'], ['plan', 'm.json', '--commit', NAMES[0]]):
    master, slave = pty.openpty()
    p = subprocess.Popen([vouch, *words], stdout=slave, stderr=slave, env={**os.environ, 'NO_COLOR': '1'})
    os.close(slave)
    seen = b''
    while True:
        try: part = os.read(master, 65536)
        except OSError: break
        if not part: break
        seen += part
    p.wait()
    text = seen.decode().replace('\r\n', '\n').replace('\x1b[K', '').replace('\r', '')
    check('on a terminal: ' + words[0], p.returncode in (0, 1) and not acts.search(text), acts.search(text))
