"""Inputs of 100000 of everything, and in list1 and list2 which exit status a command of vouch, or vouch-check, has on each. large.py FOLDER"""
import gzip, os, sys

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
w('rows.lp','Minimize\n obj: x0\nSubject To\n'+''.join(' c%d: x%d + x%d >= 1\n'%(i,i,(i+1)%N) for i in range(N))+'Bounds\n'+''.join(' x%d <= 5\n'%i for i in range(N))+'General\n'+''.join(' x%d\n'%i for i in range(N))+'End\n')
w('long.lp','Minimize\n obj: '+' + '.join('x%d'%i for i in range(N))+'\nSubject To\n c: '+' + '.join('2 x%d'%i for i in range(N))+' >= 1\nEnd\n')
w('sos.lp','Minimize\n obj: x0\nSubject To\n c: x0 + x1 >= 1\nSOS\n'+''.join(' s%d: S1:: x%d:1 x%d:2\n'%(i,i,i+1) for i in range(N))+'End\n')
w('name.lp','Minimize\n obj: '+'x'*N+'\nSubject To\n c: '+'x'*N+' >= 1\nEnd\n')
w('rows.mps','NAME m\nROWS\n N cost\n'+''.join(' G r%d\n'%i for i in range(N))+'COLUMNS\n'+''.join(' x%d cost 1 r%d 1\n'%(i,i) for i in range(N))+'RHS\n'+''.join(' RHS r%d 1\n'%i for i in range(N))+'BOUNDS\n'+''.join(' UP BND x%d 5\n'%i for i in range(N))+'ENDATA\n')
w('rows.glp','p lp min %d %d %d\n'%(N,N,N)+''.join('i %d l 1\n'%(i+1) for i in range(N))+''.join('j %d d 0 5\n'%(i+1) for i in range(N))+''.join('a %d %d 1\n'%(i+1,i+1) for i in range(N))+'e o f\n')
w('rows.bas','NAME m\n'+''.join(' XU x%d r%d\n'%(i,i) for i in range(N))+'ENDATA\n')
w('states.pomdp','discount: 1\nvalues: reward\nstates: %d\nactions: 1\nobservations: %d\nstart: 0\n'%(N,N)+''.join('T: 0 : %d : %d 1\nO: 0 : %d : %d 1\n'%(i,i,i,i) for i in range(N)))
w('deep.jani','{"jani-version":1,"name":"m","type":"mdp","properties":'+'{"a":'*N+'1'+'}'*N+'}')
jani='{"jani-version":1,"name":"m","type":"mdp","actions":[],"variables":[{"name":"x","type":{"kind":"bounded","base":"int","lower-bound":0,"upper-bound":1},"initial-value":0}],"properties":[%s],"automata":[{"name":"a","locations":[{"name":"l"}],"initial-locations":["l"],"edges":[%s]}],"system":{"elements":[{"automaton":"a"}]}}'
edge='{"location":"l","guard":{"exp":%s},"destinations":[{"location":"l","assignments":[{"ref":"x","value":1}]}]}'
w('edges.jani',jani%('',','.join([edge%'true']*N)))
w('nested.jani',jani%('',edge%('{"op":"\u00ac","exp":'*N+'true'+'}'*N)))
w('tree.jsonl',''.join('{"id":%d,"parent":%d,"depth":%d,"branch":null,"bound":0,"incumbent":1,"end":"branched"}\n'%(i+1,i,i) for i in range(N)))
w('broad.jsonl',''.join('{"id":%d,"parent":%d,"depth":%d,"branch":null,"bound":0,"incumbent":1,"end":"branched"}\n'%(i+1,min(i,1),min(i,1)) for i in range(N)))
w('nested.props','P>=0.1 [ F<=2 '+'('*N+'x=0'+')'*N+' ];\n')
w('chain.vproof','vouch-proof 2\nmodel 0 0\nplan milp-ccl 0 2 0 9.2e-13\ntree regret 2 *\n'+''.join('branch %d 0\nchild %d %d 0\n'%(i,i+1,i) for i in range(1,N)))
packed=b'{}'
for _ in range(100): packed=gzip.compress(packed)
with open(os.path.join(folder,'packed.json.gz'),'wb') as f: f.write(packed)
# list1 is quick.
w('list1', '''0 convert sum.prism --commit x=0 -T 2 -p 0 -o out.json
0 convert and.prism --commit x=0 -T 2 -p 0 -o out.json
0 convert labels.prism --commit x=0 -T 2 -p 0 -o out.json
0 convert commands.prism --commit x=0 -T 2 -p 0 -o out.json
0 convert updates.prism --commit x=0 -T 2 -p 0 -o out.json
0 convert modules.prism --commit x=0 -T 2 -p 0 -o out.json
1 convert formulas.prism --commit x=0 -T 2 -p 0 -o out.json
1 convert brackets.prism --commit x=0 -T 2 -p 0 -o out.json
1 convert nots.prism --commit x=0 -T 2 -p 0 -o out.json
1 convert ternary.prism --commit x=0 -T 2 -p 0 -o out.json
0 convert envs.prism --const n=0:99999 --commit x=0 -T 2 -p 0 -o out.json
0 convert one.prism --prop props.props -T 2 -o out.json
0 convert one.prism --prop unnamed.props -T 2 -o out.json
0 convert states.csv --commit 0 -T 2 -p 0 -o out.json
0 convert models.csv --commit 0 -T 2 -p 0 -o out.json
0 convert gaps.csv --commit 0 -T 2 -p 0 -o out.json
0 convert states.json -o out.json
0 convert labels.json -o out.json
0 convert envs.json -o out.json
0 convert promises.json -o out.json
1 convert deep.json -o out.json
0 convert states.drn --commit init -T 2 -p 0 -o out.json
0 convert actions.drn --commit init -T 2 -p 0 -o out.json
0 convert named.drn --commit init -T 2 -p 0 -o out.json
0 lp rows.mps --nomip -o out.txt -w out.sol --basis-out out.bas --wlp out.lp --wmps out.mps --wfreemps out.free --wglp out.glp
1 lp name.lp --check --wlp out.lp
0 convert states.json -o out.csv
1 convert states.json -o out.pomdp
1 convert deep.jani --commit x=1 -T 2 -p 0 -o out.json
1 convert nested.jani --commit x=1 -T 2 -p 0 -o out.json
1 convert packed.json.gz -o out.json
1 convert one.prism --prop nested.props -T 2 -o out.json
1 check states.json chain.vproof
''')
w('list2', '''0 lp rows.lp --check --wlp out.lp --wmps out.mps --wfreemps out.free --wglp out.glp
0 lp long.lp --check --wlp out.lp --wmps out.mps
0 lp sos.lp --check --wlp out.lp --wmps out.mps
0 lp rows.glp --glp --check --wlp out.lp --wglp out.glp
0 lp rows.mps --basis-in rows.bas -q
0 convert states.pomdp -T 2 -o out.json
0 convert states.json -o out/
0 convert edges.jani --commit x=1 -T 2 -p 0 -o out.json
0 tree tree.jsonl
0 tree tree.jsonl --svg
0 tree broad.jsonl --svg
0 plan commands.prism --commit x=0 -T 2 -p 0 -L 0 -o policy.json --log-tree out.jsonl
0 evaluate commands.prism policy.json --commit x=0 -T 2 -p 0
0 show commands.prism policy.json --commit x=0 -T 2 -p 0 --json
0 show commands.prism policy.json --commit x=0 -T 2 -p 0 --svg
0 show commands.prism policy.json --commit x=0 -T 2 -p 0 --dot
0 plan updates.prism --commit x=0 -T 2 -p 0 -L 0 -o policy.json
0 show updates.prism policy.json --commit x=0 -T 2 -p 0 --csv
0 show updates.prism policy.json --commit x=0 -T 2 -p 0 --svg
0 show updates.prism policy.json --commit x=0 -T 2 -p 0 --dot
0 show updates.prism policy.json --commit x=0 -T 2 -p 0 --tree
0 show updates.prism policy.json --commit x=0 -T 2 -p 0 --induced drn -o induced/
0 export updates.prism --commit x=0 -T 2 -p 0 -L 0 -o out.lp
0 watch rows.mps -o out.html --time-limit 1
''')
