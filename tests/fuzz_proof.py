"""tests/fuzz_proof.py VOUCH CHECK FOLDER [SECONDS [SEED]]: what is no proof, or no proof of this model, is refuted or not to be read, and nothing crashes.

Proofs and models are truncated, reordered, edited, given numbers of 10 000 digits, exchanged, asked about with another L, T and p. CHECK is best built with sanitizers. What is accepted
is compared with the optimum that VOUCH finds for the model as it is then.
"""
import gzip
import json
import os
import random
import re
import subprocess
import sys
import time

from proof_models import generate

VOUCH, CHECK, FOLDER = sys.argv[1:4]
SECONDS = float(sys.argv[4]) if len(sys.argv) > 4 else 20
DRAW = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 1)
SHAPES = [('twin-states -T 4', ['-L', '1']), ('t-maze --size 3,2,2,2 -T 6 -p 0.5', ['-L', '1']), ('lookahead', ['-L', '3']),
          ('random --states 4 --actions 2 --environments 3 -T 4 -p 0.3 --branching 2 --seed 17', ['-L', '1']),
          ('random --states 5 --actions 3 --environments 2 -T 4 -p 0.4 --seed 3', ['-L', '0']),
          ('random --states 5 --actions 3 --environments 3 -T 4 -p 0.4 --seed 4 --shared-transitions', ['-L', '2']),
          ('random --states 4 --actions 3 --environments 3 -T 4 -p 0.2 --seed 8', ['--method', 'history']),
          ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --seed 9', ['-p', '0.99', '-L', '1']),
          ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --seed 10', ['--method', 'exact-ccl', '-L', '1']),
          ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --branching 2 --seed 7', ['--method', 'exact-ccl', '--certify', '-L', '0']),
          ('random --states 4 --actions 2 --environments 2 -T 4 -p 0.3 --seed 11', ['-L', '1', '--objective', 'weighted', '--weights', '1,2']),
          ('random --states 4 --actions 2 --environments 3 -T 3 -p 0.2 --seed 12', ['-L', '0', '--objective', 'max-min']),
          ('random --states 5 --actions 3 --environments 2 -T 3 -p 0.2 --branching 2 --seed 552999 + promises', ['-L', '1']),
          ('random --states 6 --actions 3 --environments 3 -T 4 -p 0.3 --branching 2 --seed 5 + promises', ['--method', 'history'])]
NUMBERS = ['0', '1', '-1', '1e308', '1e-308', '1e4000', '-1e4000', '1e99999999999', '1e-99999999999999999999', '1/3', '1/0', '0/1', '-1/-3', '9' * 10000, '0.' + '3' * 10000, '1/' + '7' * 9000, 'nan', 'inf',
           '0x10', '1e', '.', '-', '+1', '2147483647', '2147483648', '-2147483648', '18446744073709551616', '4294967296', '', '1=1', '*', ';', '0,1', '0,99999999999']


def fingerprint(data):
    h = 14695981039346656037
    for b in data:
        h = (h ^ b) * 1099511628211 % 2**64
    return '%016x' % h


def edit(data):
    """Some bytes of a text changed."""
    data = bytearray(data)
    for _ in range(DRAW.randint(1, 3)):
        kind, i = DRAW.randrange(8), DRAW.randrange(len(data) + 1)
        if kind == 0:
            data[i:i + 1] = bytes([DRAW.randrange(256)])
        elif kind == 1:
            del data[i:i + DRAW.choice([1, 2, 10, 100])]
        elif kind == 2:
            data[i:i] = data[DRAW.randrange(len(data) + 1):][:DRAW.choice([1, 5, 50])]
        elif kind == 3:
            data = data[:i]
        else:
            numbers = list(re.finditer(rb'[-0-9.e+/]+', bytes(data)))
            if numbers:
                at = DRAW.choice(numbers)
                word = DRAW.choice(numbers).group() if kind < 6 else DRAW.choice(NUMBERS).encode()
                data[at.start():at.end()] = word
        if not data:
            break
    return bytes(data)


def reorder(data):
    lines = data.split(b'\n')
    for _ in range(DRAW.randint(1, 4)):
        i, j = DRAW.randrange(len(lines)), DRAW.randrange(len(lines))
        kind = DRAW.randrange(3)
        if kind == 0:
            lines[i], lines[j] = lines[j], lines[i]
        elif kind == 1:
            lines.insert(i, lines[j])
        elif len(lines) > 1:
            del lines[i]
    if DRAW.random() < .7 and len(lines) > 2:
        lines[-2] = b'complete %d' % (len(lines) - 1)
    return b'\n'.join(lines)


def optimum(model, options):
    done = subprocess.run([VOUCH, 'plan', model, '--json', '--tie-break', 'none', '--time-limit', '20', *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.stdout) if done.stdout else None


def main():
    corpus = []
    model, proof = os.path.join(FOLDER, 'fuzz.json'), os.path.join(FOLDER, 'fuzz.vproof')
    for words, options in SHAPES:
        generate(VOUCH, words, model)
        subprocess.run([VOUCH, 'plan', model, *options, '--json', '--proof', proof], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        corpus.append((open(model, 'rb').read(), open(proof, 'rb').read(), options))
    end, runs, codes, bad = time.time() + SECONDS, 0, {0: 0, 1: 0, 2: 0}, []
    while time.time() < end and not bad:
        m, p, options = DRAW.choice(corpus)
        asked, of_model = [], False
        kind = DRAW.randrange(7)
        if kind == 0:
            p = reorder(p)
        elif kind <= 2:
            p = edit(p)
        elif kind == 3:
            m, of_model = edit(m), True
            p = re.sub(rb'^model .*$', b'model %s %d' % (fingerprint(m).encode(), len(m)), p, count=1, flags=re.M)
        elif kind == 4:
            p = DRAW.choice(corpus)[1]
            if DRAW.random() < .7:
                p = re.sub(rb'^model .*$', b'model %s %d' % (fingerprint(m).encode(), len(m)), p, count=1, flags=re.M)
        elif kind == 5:
            asked = DRAW.choice([['-L'], ['-T'], ['-p']]) + [DRAW.choice(NUMBERS + ['2', '3', '0.3'])]
        else:
            p = gzip.compress(p)
            p = p[:DRAW.randrange(len(p) + 1)] if DRAW.random() < .5 else edit(p)
        open(model, 'wb').write(m)
        open(proof, 'wb').write(p)
        arithmetic = DRAW.choice([[], ['--exact'], ['--interval']])
        own = options[:2] if options[0] == '-p' and '-p' not in asked and '-T' not in asked else []
        done = subprocess.run([CHECK, *arithmetic, *own, *asked, model, proof], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300)
        said, runs = done.stdout.decode(errors='replace'), runs + 1
        crashed = b'Sanitizer' in done.stderr or b'runtime error' in done.stderr or done.returncode not in codes
        if done.returncode == 2 and 'refuted: line ' not in said or done.returncode == 1 and not done.stderr:
            crashed = True
        if crashed:
            bad.append('exit %d %s %s' % (done.returncode, said, done.stderr.decode(errors='replace')[:2000]))
        else:
            codes[done.returncode] += 1
        if done.returncode == 0 and (of_model or kind in (0, 1, 2, 4)):
            plan = re.search(rb'^plan (.*)$', p, flags=re.M).group(1).decode().split()
            method, L, objective = plan[0], plan[1], plan[5:6] or ['regret']
            weights = dict(w.split('=') for w in plan[6:])
            if weights:
                count = len(json.loads(m, strict=False)['environments'])
                objective += ['--weights', ','.join(weights.get(str(k), '0') for k in range(count))]
            if method in ('milp-ccl', 'history', 'exact-ccl'):
                out = optimum(model, [*own, '--objective', *objective, '--method', method] + ([] if method == 'history' else ['-L', L]) + (['--certify'] if method == 'exact-ccl' else []))
                gap = 1.001e-4 if method == 'exact-ccl' else 0  # of the policy that is found
                found = re.search(r'(?:maximum regret <=|value >=) ([^\s,;]+)(?:, [<>]= ([^\s;]+))?;', said)  # of a value the bound may be missing
                sign, best = (1, 'max_regret') if objective == ['regret'] else (-1, 'value')
                if out and out['status'] == 'optimal' and (not found or (found.group(2) and sign * (float(found.group(2)) - out[best]) > 1e-6) or sign * (float(found.group(1)) - out[best]) < -gap - 2e-6):
                    bad.append('accepted: %s, but the optimum is %s' % (said, out[best]))
                if out and out['status'] == 'infeasible' and found:
                    bad.append('accepted: %s, but there is no policy' % said)
        if bad:
            os.rename(model, os.path.join(FOLDER, 'bad.json'))
            os.rename(proof, os.path.join(FOLDER, 'bad.vproof'))
            print('options', arithmetic, own, asked)
    print('not ok fuzz_proof: ' + bad[0] if bad else 'ok fuzz_proof')
    print('# %d runs: %d verified, %d not to be read, %d refuted' % (runs, codes[0], codes[1], codes[2]))
    sys.exit(1 if bad else 0)


main()
