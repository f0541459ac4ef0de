"""bench/proofs.py VOUCH CHECK LIST.. [--limit SECONDS] [--options "WORDS"] [--keep DIR]

Proves each line of the lists (as bench/plan.py and bench/growth.py read them) and has vouch-check verify it: processor seconds of the plan without a proof, with
one, and of the check; lines and bytes of the proof, plain and compressed; what the check said. The exit status is 1 if something proved optimal was not verified.
"""
import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile


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
    return code, out, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('vouch')
    parser.add_argument('check')
    parser.add_argument('lists', nargs='+')
    parser.add_argument('--limit', type=float, default=30)
    parser.add_argument('--options', default='--tie-break none')
    parser.add_argument('--keep')
    arguments = parser.parse_args()
    bad = proved = verified = 0
    total = [0.0, 0.0, 0.0]
    with tempfile.TemporaryDirectory() as folder:
        model, proof = os.path.join(folder, 'm.json'), os.path.join(folder, 'm.vproof')
        for path in arguments.lists:
            for words, lookahead in lines_of(path):
                subprocess.run([arguments.vouch, 'generate', *words.split(), '-o', model], check=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
                plan = [arguments.vouch, 'plan', model, '-L', lookahead, '--json', '--time-limit', str(arguments.limit), *arguments.options.split()]
                _, plain, first = timed(plan, arguments.limit)
                _, out, second = timed(plan + ['--proof', proof], arguments.limit)
                code, said, third = timed([arguments.check, '-L', lookahead, model, proof], arguments.limit)
                status, before = json.loads(out)['status'], json.loads(plain)['status']
                said = said.decode().strip().split('\n')[-1]
                content = open(proof, 'rb').read()
                settled = status in ('optimal', 'infeasible')
                bound = said.split('>= ')[-1].split(';')[0] if 'verified' in said else ''
                full = code == 0 and (status != 'optimal' or json.loads(out)['max_regret'] - float(bound) <= 1e-6)
                proved += settled
                verified += settled and full
                bad += settled and not full
                total = [a + b for a, b in zip(total, (first, second, third))]
                print('%-55s L=%-2s %-10s %-10s %7.2f %7.2f %7.2f s %8d lines %9d bytes %8d gz  %s' %
                      (words, lookahead, before, status, first, second, third, content.count(b'\n'), len(content), len(gzip.compress(content)),
                       'ok' if full else said), flush=True)
                if arguments.keep:
                    os.makedirs(arguments.keep, exist_ok=True)
                    name = (words + ' L' + lookahead).replace(' ', '_').replace(',', '.')
                    open(os.path.join(arguments.keep, name + '.json'), 'wb').write(open(model, 'rb').read())
                    open(os.path.join(arguments.keep, name + '.vproof'), 'wb').write(content)
    print('proved %d, verified %d; processor seconds: plan %.1f, with proof %.1f, check %.1f' % (proved, verified, *total))
    sys.exit(1 if bad else 0)


main()
