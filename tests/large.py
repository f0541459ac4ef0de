"""Inputs of 100000 of everything, and in `list` which exit status vouch convert has on each. large.py FOLDER"""
import os, sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
N = 100000


def w(name, content):
    with open(os.path.join(folder, name), 'w') as f: f.write(content)


w('sum.prism','mdp\nmodule m\nx:[0..1];\n[a] '+'+'.join(['0']*N)+'=0 -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('and.prism','mdp\nmodule m\nx:[0..1];\n[a] '+'&'.join(['x>=0']*N)+' -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('formulas.prism','mdp\nformula f0=1;\n'+''.join('formula f%d=f%d+1;\n'%(i,i-1) for i in range(1,N))+'module m\nx:[0..1];\n[a] f%d>0 -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n'%(N-1))
w('brackets.prism','mdp\nmodule m\nx:[0..1];\n[a] '+'('*N+'true'+')'*N+' -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('nots.prism','mdp\nmodule m\nx:[0..1];\n[a] '+'!'*N+'true -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('ternary.prism','mdp\nmodule m\nx:[0..1];\n[a] '+'true?true:'*N+'true -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('labels.prism','mdp\nmodule m\nx:[0..1];\n[a] true -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n'+''.join('label "l%d"=x=0;\n'%i for i in range(N)))
w('commands.prism','mdp\nmodule m\nx:[0..1];\n'+''.join('[a%d] true -> (x\'=1);\n'%i for i in range(N))+'endmodule\nlabel "t"=x=1;\n')
w('updates.prism','mdp\nmodule m\nx:[0..%d];\n[a] x=0 -> '%N+'+'.join('1/%d:(x\'=%d)'%(N,i) for i in range(N))+';\n[b] x>0->true;\nendmodule\nlabel "t"=x=1;\n')
w('modules.prism','mdp\nmodule m\nx:[0..1];\n[a] true->true;\nendmodule\n'+''.join('module m%d = m [x=x%d] endmodule\n'%(i,i) for i in range(N)))
w('envs.prism','mdp\nconst int n;\nmodule m\nx:[0..1];\n[a] n>=0 -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('props.props',''.join('"a%d": P>=0.1 [ F<=2 x=0 ];\n'%i for i in range(N)))
w('unnamed.props','P>=0.1 [ F<=2 x=0 ];\n'*N)
w('one.prism','mdp\nmodule m\nx:[0..1];\n[a] true -> (x\'=1);\nendmodule\nlabel "t"=x=1;\n')
w('states.csv','idstatefrom,idaction,idoutcome,idstateto,probability\n'+''.join('%d,%d,0,%d,1\n'%(i,i,(i+1)%N) for i in range(N)))
w('models.csv','idstatefrom,idaction,idoutcome,idstateto,probability\n'+''.join('0,0,%d,0,1\n'%i for i in range(N)))
w('states.json','{"vouch":1,"states":%d,"actions":%d,"initial":"s0","horizon":2,"commitment":{"states":["s0"],"probability":0},"transitions":[%s],"rewards":[],"environments":[{}]}'%(N,N,','.join('["s%d","a%d","s%d",1]'%(i,i,i) for i in range(N))))
w('labels.json','{"vouch":1,"states":1,"actions":1,"initial":"s0","horizon":2,"commitment":{"states":["s0"],"probability":0},"labels":{%s},"transitions":[["s0","a0","s0",1]],"rewards":[],"environments":[{}]}'%(','.join('"l%d":["s0"]'%i for i in range(N))))
w('envs.json','{"vouch":1,"states":1,"actions":1,"initial":"s0","horizon":2,"commitment":{"states":["s0"],"probability":0},"transitions":[["s0","a0","s0",1]],"rewards":[],"environments":[%s]}'%','.join(['{}']*N))
w('promises.json','{"vouch":1,"states":1,"actions":1,"initial":"s0","horizon":2,"commitments":[%s],"transitions":[["s0","a0","s0",1]],"rewards":[],"environments":[{}]}'%','.join(['{"name":"p%d","kind":"at","states":["s0"],"time":2,"probability":0}'%i for i in range(N)]))
w('deep.json','['*N+']'*N)
w('states.drn','@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n%d\n@nr_choices\n%d\n@model\n'%(N,N)+''.join('state %d %s\n\taction 0\n\t\t%d : 1\n'%(i,'init' if i==0 else '',i) for i in range(N)))
w('actions.drn','@type: MDP\n@parameters\n\n@reward_models\n\n@nr_states\n1\n@nr_choices\n%d\n@model\nstate 0 init\n'%N+''.join('\taction a%d\n\t\t0 : 1\n'%i for i in range(N)))
w('named.drn','@type: MDP\n@parameters\n\n@placeholders\n'+''.join('$%d : 1\n'%i for i in range(N))+'@reward_models\n\n@nr_states\n1\n@nr_choices\n1\n@model\nstate 0 init\n\taction 0\n\t\t0 : $%d\n'%(N-1))
w('gaps.csv', 'idstatefrom,idaction,idoutcome,idstateto,probability\n0,100000,0,0,1\n100000,0,0,0,1\n0,0,0,0,1\n')
w('list', '''0 sum.prism --commit x=0 -T 2 -p 0
0 and.prism --commit x=0 -T 2 -p 0
0 labels.prism --commit x=0 -T 2 -p 0
0 commands.prism --commit x=0 -T 2 -p 0
0 updates.prism --commit x=0 -T 2 -p 0
0 modules.prism --commit x=0 -T 2 -p 0
1 formulas.prism --commit x=0 -T 2 -p 0
1 brackets.prism --commit x=0 -T 2 -p 0
1 nots.prism --commit x=0 -T 2 -p 0
1 ternary.prism --commit x=0 -T 2 -p 0
0 envs.prism --const n=0:99999 --commit x=0 -T 2 -p 0
0 one.prism --prop props.props -T 2
0 one.prism --prop unnamed.props -T 2
0 states.csv --commit 0 -T 2 -p 0
0 models.csv --commit 0 -T 2 -p 0
0 gaps.csv --commit 0 -T 2 -p 0
0 states.json
0 labels.json
0 envs.json
0 promises.json
1 deep.json
0 states.drn --commit init -T 2 -p 0
0 actions.drn --commit init -T 2 -p 0
0 named.drn --commit init -T 2 -p 0
''')
