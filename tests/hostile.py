"""Names are data: hostile names through every output of vouch, each read by a parser of its kind. hostile.py VOUCH FOLDER"""
import csv, io, json, os, pty, re, subprocess, sys, xml.dom.minidom
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
plain('explain', ['explain', 'm.json', '-L', '0'], (0, 1, 2))
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
master, slave = pty.openpty()
p = subprocess.Popen([vouch, 'plan', 'm.json', '-L', '1', '-v'], stdout=slave, stderr=slave)
os.close(slave)
seen = b''
while True:
    try: part = os.read(master, 65536)
    except OSError: break
    if not part: break
    seen += part
p.wait()
text = seen.decode().replace('\r\n', '\n').replace('\x1b[K', '').replace('\r', '')
check('on a terminal', p.returncode == 0 and not acts.search(text), acts.search(text))
