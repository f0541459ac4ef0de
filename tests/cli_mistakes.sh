#!/bin/sh
# The mistakes of tests/data/mistakes.tsv are answered as told there, each in at most three lines; nothing is written.
. tests/expect.sh
case $VOUCH in /*) program=$VOUCH ;; *) program=$PWD/$VOUCH ;; esac
table=$PWD/tests/data/mistakes.tsv
mkdir "$dir/bin" "$dir/work" && ln -s "$program" "$dir/bin/vouch" && ln -s "$program-check" "$dir/bin/vouch-check"
PATH=$dir/bin:$PATH
cp bench/examples/ferry.prism bench/examples/diet.lp "$dir/work"
cd "$dir/work" || exit 1
vouch generate t-maze -o maze.json > /dev/null
vouch plan maze.json -L 3 -q -o policy.json > /dev/null
vouch convert ferry.prism --const current=0,3 --commit port -T 8 -p 0.9 -o ferry.json > /dev/null
grep -v label ferry.prism > unlabelled.prism
sed 's/"horizon"/"horizont"/' maze.json > misspelt.json
sed 's/x>0 ->/x>0 \&\& true ->/' ferry.prism > ampersands.prism
sed 's/const int current;/const bool wet;/; s/current\*0.2/(wet?0.2:0.1)/g' ferry.prism > wet.prism
sed 's/const int current;/const int current = 0;/' ferry.prism > fixed.prism
sed 's/^mdp/pomdp/' ferry.prism > pomdp.prism
sed 's/rewards "fares"/rewards fares/' ferry.prism > unquoted.prism
vouch plan ferry.json -L 1 -q --proof proof.vproof > /dev/null
mkdir nothing p
while read -r name property; do printf '%s\n' "$property" > "p/$name.props"; done << 'END'
pmax Pmax=? [ F "port" ]
pq P=? [ F "port" ]
rmin R{"fares"}min=? [ F "port" ]
above P>1 [ F "port" ]
below P<0 [ F "port" ]
weak P>=0.9 [ "port" W x=3 ]
conj P>=0.9 [ (F "port") & (G x<3) ]
conj2 P>=0.9 [ F "port" & F x=3 ]
lab P>=0.9 [ F "prot" ]
par P>=0.9 [ F ("port" ]
open const int k; P>=0.9 [ F<=k "port" ]
noconst P>=0.9 [ F<=k "port" ]
noprob P>=p [ F "port" ]
filt filter(min, P>=0.9 [ F "port" ])
multi multi(P>=0.9 [ F "port" ], P>=0.1 [ G x<3 ])
games <<a>> P>=0.9 [ F "port" ]
noend P>=0.9 [ F "port"
pct P>=90% [ F "port" ]
ands P>=0.9 [ F "port" && x=0 ]
word P>=0.9 [ F "port" or x=1 ]
eqeq P>=0.9 [ F x==0 ]
late P>=0.9 [ F<=9 "port" ]
lower P>=0.9 [ F[2,5] "port" ]
until P<=0.9 [ x<3 U "port" ]
steady S>=0.9 [ "port" ]
ex E [ F "port" ]
al A [ G x<3 ]
none // nothing here
lbl label "q" = x=0;
real P>=0.9 [ F<=2.5 "port" ]
nopath P>=0.9 [ "port" ]
nobound P=0.9 [ F "port" ]
END
sed 's/endmodule/&\nrewards "time" true : 1; endrewards/' ferry.prism > two.prism
vouch plan ferry.json -L 1 -q --minimise -o costs.policy > /dev/null
sed 's/"horizon"/"sense": "least", "horizon"/' ferry.json > sense.json
printf 'mdp\n0 0 1 0.5\n0 0 0 0.5\n1 0 1 1\n' > storm.tra
echo hello > README.txt
: > empty.json
echo '{ "vouch": 1, "states": [' > broken.json
printf 'smg\nplayer p m endplayer\nmodule m x:[0..1]; [a] true -> true; endmodule\n' > game.prism
printf 'ctmc\nmodule m\n x : [0..1];\n [a] true -> 2.5 : true;\nendmodule\n' > clock.prism
printf '4 4 6\n0 0 1 0.5 a\n0 0 2 0.5 a\n1 0 1 1 b\n2 0 2 1 b\n' > m.tra
printf '0="init"\n0: 0\n' > m.lab
echo '{"jani-version":1,"name":"x","type":"ma","variables":[]}' > ma.jani
printf 'discount: 0.95\nvalues: reward\nstates: a b\nactions: l o\nobservations: x y\nstart: uniform\nT: l\nidentity\nT: o\nuniform\nO: *\nuniform\nR: l : * : * : * -1\n' > tiger.pomdp
printf '@type: MDP\n@value_type: interval\n@parameters\n\n@reward_models\n\n@nr_states\n2\n@nr_choices\n2\n@model\nstate 0 init\n\taction a\n\t\t0 : [0.1, 0.2]\n\t\t1 : [0.8, 0.9]\nstate 1\n\taction a\n\t\t1 : 1\n' > interval.drn
find . -type f | sort | xargs cksum > "$dir/before"
count=0 one=0 two=0 three=0
tab=$(printf '\t')
while IFS=$tab read -r status command answer; do
    case $status in \#*) continue ;; esac
    count=$((count + 1))
    sh -c "$command" > "$dir/said" 2>&1 < /dev/null
    code=$?
    first=$(head -n 1 "$dir/said")
    case $first in
    "$answer"*)
        case $code:$(($(wc -l < "$dir/said"))):$status in
        "$status":1:*) one=$((one + 1)) && echo "ok mistake_$count" && continue ;;
        "$status":2:*) two=$((two + 1)) && echo "ok mistake_$count" && continue ;;
        "$status":3:*) three=$((three + 1)) && echo "ok mistake_$count" && continue ;;
        0:*:0) echo "ok mistake_$count" && continue ;; # a note before the answer
        esac
        ;;
    esac
    echo "not ok mistake_$count: $command: exit $code, $(wc -l < "$dir/said") lines, said: $first"
done < "$table"
find . -type f | sort | xargs cksum > "$dir/after"
if cmp -s "$dir/before" "$dir/after"; then echo "ok nothing_written"; else echo "not ok nothing_written: $(diff "$dir/before" "$dir/after" | head -n 3)"; fi
echo "# $count mistakes; answered in one line: $one, in two: $two, in three: $three, by a note above a result: $((count - one - two - three))"
if [ $count -ge 200 ]; then echo "ok enough"; else echo "not ok enough: $count"; fi
finish
