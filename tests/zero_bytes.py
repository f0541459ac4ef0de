"""Texts with a zero byte somewhere: every reader refuses them, or says that it ignores what follows its end; none takes what stands before it for the whole. zero_bytes.py VOUCH FOLDER"""
import os, random, subprocess, sys

VOUCH, FOLDER = os.path.abspath(sys.argv[1]), sys.argv[2]
DRAW = random.Random(1)
GIVEN = ['--commit', 'goal', '-T', '2', '-p', '0']
TRA = '1 1 1\n0 0 0 1 stay\n'
TEXTS = {'m.prism': ('mdp\nmodule m\nx:[0..1];\n[a] true -> (x\'=1-x);\nendmodule\nlabel "goal" = x=1;\n', GIVEN),
         'm.drn': ('@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n1\n@nr_choices\n1\n@model\nstate 0 init goal\n\taction a\n\t\t0 : 1\n', GIVEN),
         'm.csv': ('idstatefrom,idaction,idoutcome,idstateto,probability,reward\n0,0,0,0,1,2\n', ['--commit', '0', *GIVEN[2:]]),
         'initial.csv': ('idstate,probability\n0,1\n', ['--commit', '0', *GIVEN[2:]]),
         'm.pomdp': ('discount: 1\nvalues: reward\nstates: 1\nactions: 1\nobservations: 1\nT: 0 : 0 : 0 1\nO: 0 : 0 : 0 1\n', ['-T', '2']),
         'm.tra': (TRA, GIVEN), 'm.lab': ('0="init" 1="goal"\n0: 0 1\n', GIVEN), 'm.sta': ('(x,y)\n0:(1,2)\n', GIVEN), 'm.srew': ('1 1\n0 2\n', GIVEN),
         'm.json': ('{"vouch": 1, "states": ["s"], "actions": ["a"], "initial": "s", "horizon": 1, "commitment": {"states": ["s"], "probability": 0},\n'
                    '"transitions": [["s", "a", "s", 1]], "rewards": [], "environments": [{"name": "k"}]}\n', []),
         'm.lp': ('Minimize\n o: x + y\nSubject To\n c: x + y >= 1\nEnd\n', None), 'm.mps': ('NAME m\nROWS\n N o\n G c\nCOLUMNS\n x o 1 c 1\nRHS\n r c 1\nENDATA\n', None),
         'm.glp': ('p lp min 1 1 1\ni 1 l 1\na 1 1 1\na 0 1 1\ne o f\n', None)}


def run(name, options):
    # What lies beside a file is read with it.
    file = {'initial.csv': 'm.csv', 'm.lab': 'm.tra', 'm.sta': 'm.tra', 'm.srew': 'm.tra'}.get(name, name)
    words = ['lp', file, '-q'] + (['--glp'] if name.endswith('.glp') else []) if options is None else ['convert', file, *options, '-o', '-']
    p = subprocess.run([VOUCH, *words], capture_output=True)
    return p.returncode, p.stderr


def write(name, content):
    with open(name, 'wb') as f: f.write(content)


os.makedirs(FOLDER)
os.chdir(FOLDER)
for name, (text, options) in TEXTS.items():
    for file in os.listdir('.'): os.remove(file)
    for file in ('m.csv', 'm.tra'): write(file, TEXTS[file][0].encode())
    write('m.lab', TEXTS['m.lab'][0].encode())
    whole, bad = text.encode(), []
    write(name, whole)
    if run(name, options)[0] != 0: bad.append(('whole', run(name, options)))
    for at in [0, len(whole), *DRAW.sample(range(1, len(whole)), min(12, len(whole) - 1))]:
        write(name, whole[:at] + b'\0' + whole[at:])
        code, said = run(name, options)
        if (code != 1 and b' is ignored' not in said) or name.encode() not in said: bad.append((at, code, said))
    print(('not ok ' if bad else 'ok ') + 'a zero byte in ' + name + (': %s' % bad[:3] if bad else ''))
