"""Runs that are killed, that meet a full disk or a folder they may not write to, and many that write one file: what stood under a name is there
as it was, or the whole of what is new, and only a killed run leaves anything else. disturbed.py VOUCH FOLDER KILLS FULL READONLY WRITERS

A disk is full where files may not grow beyond some bytes. Folders are read-only to a user other than root.
"""
import os, random, resource, shutil, signal, subprocess, sys, tempfile, time

VOUCH, FOLDER = (os.path.abspath(p) for p in sys.argv[1:3])
KILLS, FULL, READONLY, WRITERS = (int(n) for n in sys.argv[3:7])
OLD = b'as it was\n'
NOBODY = 65534
COMMANDS = [('plan m.json -L 1 -q -o o.json', ['o.json']), ('plan m.json -L 1 -q -o o.json.gz --log-tree o.jsonl', ['o.json.gz', 'o.jsonl']),
            ('plan m.json -L 1 -q --proof o.vproof', ['o.vproof']), ('sweep m.json --vary L=0:1 --vary p=0:0.2:0.1 -m greedy,milp-ccl -q --csv o.csv', ['o.csv']),
            ('plan m.json -L 1 -q --frontier --points 3 --plot o.svg', ['o.svg']), ('generate random --states 200 -T 4 -o o.json', ['o.json']),
            ('convert m.json -o o.pomdp', ['o.pomdp']), ('export m.json -L 1 -o o.mps', ['o.mps']), ('lp m.mps --nomip -q -o o.txt -w o.sol --basis-out o.bas --wlp o.lp', ['o.txt', 'o.sol', 'o.bas', 'o.lp']),
            ('watch m.json -L 1 -o o.html', ['o.html'])]
draw = random.Random(45)
shutil.rmtree(FOLDER, ignore_errors=True)
os.makedirs(FOLDER)
os.chdir(FOLDER)


def start(words, prepare=None):
    return subprocess.Popen([VOUCH, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, preexec_fn=prepare)


def timed(words):
    """What differs from run to run: the seconds in a picture or a report."""
    return words[0] in ('watch', 'sweep', 'lp') or '--log-tree' in words


def content(f):
    try:
        with open(f, 'rb') as file: return file.read()
    except FileNotFoundError: return None


def place(files, data=OLD):
    for f in files:
        with open(f, 'wb') as out: out.write(data)


def untimed(table):
    """Its rows without the column of seconds."""
    rows = [row.split(b',') for row in table.split(b'\n')[:-1]]
    at = rows[0].index(b'seconds') if b'seconds' in rows[0] else 0
    return [b','.join(row[:at] + row[at + 1:]) for row in rows]


def whole(words, before, f, ended=True):
    """As an undisturbed run leaves it; where that holds seconds: as long as it, all but a few bytes, and with the same end."""
    now = content(f)
    if now == before[f]: return True
    if f == 'o.csv': # grows by cells, and is a table at each moment
        return now is not None and now.endswith(b'\n') and set(untimed(now)) <= set(untimed(before[f])) and (not ended or len(untimed(now)) == len(untimed(before[f])))
    return timed(words) and now is not None and abs(len(now) - len(before[f])) < 200 and now[-8:] == before[f][-8:]


def left_over():
    return [f for f in os.listdir('.') if 'vouch.tmp' in f]


def examine(words, files, before, codes, process, bad, what):
    """After one disturbed run: each file is old or whole."""
    for f in files:
        if content(f) != OLD and not whole(words, before, f, False): bad.append((what, ' '.join(words[:2]), f, len(content(f) or b'')))
    if codes is not None and process.returncode not in codes: bad.append((what, ' '.join(words), process.returncode, process.stderr.read()[-100:]))


def again(words, files, before, bad, what):
    p = start(words)
    p.communicate()
    for f in files:
        if p.returncode != 0 or not whole(words, before, f): bad.append((what + ', the next run', ' '.join(words[:2]), f, p.returncode))
    if left_over(): bad.append((what, 'left', left_over()))


def kill(words, files, before, seconds, bad):
    place(files)
    p = start(words)
    time.sleep(draw.uniform(0, 1.1 * seconds))
    p.send_signal(signal.SIGKILL)
    p.wait()
    examine(words, files, before, None, p, bad, 'killed')
    for f in left_over(): os.remove(f)
    again(words, files, before, bad, 'killed')
    return p.returncode == -signal.SIGKILL


def fill(words, files, before, seconds, bad):
    place(files)
    most = draw.randrange(max(len(before[f]) for f in files))
    p = start(words, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
    p.wait()
    examine(words, files, before, (1,), p, bad, 'full at %d' % most)
    if left_over(): bad.append(('full', 'left', left_over()))
    return True


def lock(words, files, before, seconds, bad):
    place(files)
    os.chmod('.', 0o555)
    p = start(words, (lambda: os.setuid(NOBODY)) if os.getuid() == 0 else None)
    p.wait()
    os.chmod('.', 0o755)
    examine(words, files, before, (1,), p, bad, 'read-only')
    if any(content(f) != OLD for f in files): bad.append(('read-only, and written', words))
    return True


def crowd(words, files, before, seconds, bad):
    place(files)
    crowd = [start(words) for _ in range(WRITERS)]
    for p in crowd:
        p.communicate()
        examine(words, files, before, (0,), p, bad, 'many writers') if p is crowd[-1] or p.returncode else None
    if any(not whole(words, before, f) for f in files): bad.append(('many writers', words))
    if left_over(): bad.append(('many writers', 'left', left_over()))
    return True


def runnable():
    """May another user run vouch and read this folder?"""
    if os.getuid() != 0: return True
    try:
        return subprocess.run([VOUCH, '--version'], capture_output=True, preexec_fn=lambda: os.setuid(NOBODY)).returncode == 0
    except PermissionError:  # a folder on the way to it is closed to them
        return False


def main():
    for words in ('generate t-maze --size 3,2,1,3 -T 7 -p 0.1 -o m.json', 'export m.json -L 1 -o m.mps'):
        if start(words.split()).wait() != 0: sys.exit('not ok ' + words)
    made = []
    for line, files in COMMANDS:
        words, began = line.split(), time.monotonic()
        p = start(words)
        said = p.communicate()[1]
        if p.returncode != 0: print('not ok undisturbed %s: %s' % (line, said.decode()))
        made.append((words, files, {f: content(f) for f in files}, time.monotonic() - began))
    for name, way, count in (('killed', kill, KILLS), ('disks full', fill, FULL), ('read-only folders', lock, READONLY), ('writers of one file', crowd, len(COMMANDS))):
        if way == lock and not runnable():
            print('# %s: nobody else may run vouch here' % name)
            continue
        bad, hit = [], 0
        for i in range(count): hit += way(*made[i % len(made)], bad)
        print('%s %s: %d runs, %d met it, %d wrong%s' % ('not ok' if bad else 'ok', name, count, hit, len(bad), ''.join('\n# %s' % (b,) for b in bad[:8])), flush=True)


main()
