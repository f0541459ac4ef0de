"""Models of the tests of proofs: generate(vouch, words, path) is vouch generate and, behind " + promises", two further promises, each about another part of the states."""
import json
import subprocess


def generate(vouch, words, path):
    """Returns whether there are several promises. Words "+ promises" ask for these, "+ twin" for one more action, which does what the first does."""
    words, _, more = words.partition(' + ')
    subprocess.run([vouch, 'generate', *words.split(), '-o', path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not more:
        return False
    with open(path) as file:
        m = json.load(file)
    if more == 'twin':
        for part in [m] + m['environments']:
            for field in 'transitions', 'rewards':
                part[field] = part.get(field, []) + [[row[0], 'twin'] + row[2:] for row in part.get(field, []) if row[1] == m['actions'][0]]
        m['actions'].append('twin')
    else:
        states = ['s%d' % i for i in range(m['states'])] if isinstance(m['states'], int) else m['states']
        m['commitments'] = [{'name': 'first', 'kind': 'at', **m.pop('commitment')}]
        for i in range(2):
            m['commitments'].append({'name': 'further%d' % i, 'kind': 'at', 'states': states[i::2], 'probability': 0.3})
    with open(path, 'w') as file:
        json.dump(m, file)
    return more == 'promises'
