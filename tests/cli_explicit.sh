# PRISM's explicit models (.tra and what lies beside it): the same model as DRN files, and what is wrong is named with its line.
. tests/expect.sh
enter

# twin NAME [LABEL]: NAME.json as a directory of DRN files and as one of explicit files is the same model.
twin() {
    name=$1 label=${2:-commit}
    "$vouch" convert "$name.json" -o "$name.drn/" > /dev/null 2>&1
    rm -f "$name.drn/index.json"
    "$python" "$tests/explicit_twins.py" "$name.drn" "$name.tra.d"
    for kind in drn tra.d; do
        mkdir "$name.$kind.read"
        mv "$name.$kind" "$name.$kind.read/model"
        (cd "$name.$kind.read" && "$vouch" convert model --commit "$label" -p 0.1 -T 4 --fix-deadlocks -o ../"$name.$kind.json") > /dev/null 2> "$name.log" || echo "not ok $name: $(cat "$name.log")"
    done
    if cmp -s "$name.drn.json" "$name.tra.d.json"; then echo "ok $name"; else echo "not ok $name: the models differ"; fi
}
for seed in 1 2 3 4 5 6; do
    "$vouch" generate random --states 8 --actions 3 --environments 3 -T 4 -p 0.1 --branching 3 --seed $seed -o random$seed.json > /dev/null
    twin random$seed
done
"$vouch" convert "$data/relay.prism" --const noise=1,4 -T 8 --commit full -p 0.1 -o relay.json > /dev/null
twin relay full

# By hand: names, labels, several reward structures, rewards by successor and for all of a choice.
printf '3 4 5\n0 0 1 0.5 go\n0 0 2 0.5 go\n0 1 0 1 stay\n1 0 1 1\n2 0 2 1\n' > m.tra
printf '0="init" 1="deadlock" 2="goal" 3="never"\n0: 0\n1: 2\n' > m.lab
printf '(x,b)\n0:(0,true)\n1:(1,false)\n2:(2,false)\n' > m.sta
printf '# Reward structure "time"\n3 1\n0 1\n' > m1.srew
printf '# Reward structure "fuel"\n3 4 2\n0 0 1 5\n0 1 0 2\n' > m2.trew
plan="$vouch plan m.tra -T 3 -L 1 --commit goal -p 0.5"
expect plan 0 "3 states, 3 actions, 1 environment" $plan --reward time
expect several 1 "m.tra: 2 reward structures; choose one: --reward time or fuel" $plan
expect fuel 0 '"max_regret": 0,' $plan --reward fuel --json
expect fuel_value 0 '"optimal_value": 6.5' $plan --reward fuel --json
expect time_value 0 '"optimal_value": 3' $plan --reward time --json
expect no_reward 1 'm.tra: --reward: no reward file beside it has the name "mass"' $plan --reward mass
expect names 0 '"x=0,b=true"' "$vouch" convert m.tra -T 3 --commit goal -p 0.5 -o -
expect unheld 0 'optimal' "$vouch" plan m.tra -T 3 --commit '!never' -p 0.5 --reward time
expect about 0 'goal' "$vouch" m.tra
expect content 0 '2 states, 1 action' sh -c "printf '2 2 2\n0 0 1 1 a\n1 0 1 1 a\n' > here; '$vouch' plan here -T 3 --commit 1 -p 0.5"
expect beside_lab 1 'part of an explicit PRISM model; give its .tra file' "$vouch" ./m.lab
expect beside_sta 1 'part of an explicit PRISM model; give its .tra file' "$vouch" ./m.sta
expect beside_srew 1 'part of an explicit PRISM model; give its .tra file' "$vouch" ./m1.srew
expect beside_plan 1 'm.lab: this is part of an explicit PRISM model; give its .tra file' "$vouch" plan m.lab -T 3 --commit goal -p 0.5
printf 'mdp\n0 0 1 0.5\n0 0 0 0.5\n1 0 1 1\n' > old.tra
expect no_sizes 1 'old.tra:1: expected how many STATES CHOICES TRANSITIONS there are: this is Storm' "$vouch" plan old.tra -T 3 --commit 1 -p 0.5
expect about_directory 0 'explicit transitions of PRISM' "$vouch" random1.tra.d.read/model
gzip -k m.tra m.lab m.sta m1.srew && mkdir packed && mv ./*.gz packed
expect packed 0 'optimal' "$vouch" plan packed/m.tra.gz -T 3 --commit goal -p 0.5 --reward time
# A dtmc; without labels it begins in state 0.
printf '3 4\n0 1 0.5\n0 2 0.5\n1 1 1\n2 2 1\n' > chain.tra
printf '3 3\n0 1 4\n' > chain.trew
expect chain 0 '"optimal_value": 2' "$vouch" plan chain.tra -T 3 --commit 1 -p 0.5 --json
# Two lines with one successor are one step.
printf '3 5\n0 1 0.2\n0 2 0.5\n0 1 0.3\n1 1 1\n2 2 1\n' > chain.tra
expect line_twice 0 '"optimal_value": 2' "$vouch" plan chain.tra -T 3 --commit 1 -p 0.5 --json

# wrong NAME TEXT: m.tra, after "sed" commands in m.tra, m.lab, .., is refused so.
wrong() {
    mkdir "$1" && cp m.* m1.* m2.* "$1" && (cd "$1" && sed "$3" m."$4" > t && mv t m."$4" && sed "$5" m2.trew > t && mv t m2.trew)
    expect "$1" 1 "$2" "$vouch" plan "$1/m.tra" -T 3 --commit goal -p 0.5 --reward fuel
}
wrong probability 'm.tra:2: a probability must lie between 0 and 1' '2s/0.5/2.5/' tra ''
wrong state 'm.tra:4: expected a state, a whole number from 0 to 2' '4s/0 1 0/0 1 3/' tra ''
wrong gap 'm.tra:4: the choices of a state are numbered 0, 1, ..: there is no 1' '4s/0 1 0/0 2 0/' tra ''
wrong short 'm.tra:3: expected STATE CHOICE SUCCESSOR NUMBER' '3s/ 0.5 go//' tra ''
wrong head 'm.tra:1: expected how many STATES CHOICES TRANSITIONS' '1s/.*/3 4 5 6/' tra ''
wrong no_state 'm.tra:1: there is no state; expected STATES CHOICES TRANSITIONS' '1s/3/0/' tra ''
wrong sums 'sum' '2s/0.5/0.25/' tra ''
wrong label 'm.lab:3: expected the number of a label' '3s/2/7/' lab ''
wrong label_head 'm.lab:1: expected labels as 0="init"' '1s/0=/zero=/' lab ''
wrong no_start 'no state is labelled init' '2d' lab ''
wrong values 'm.sta:3: expected a value for each variable' '3s/1,false/1/' sta ''
wrong state_twice 'm.sta:4: the state is given twice' '4s/2:/1:/' sta ''
wrong no_transition 'm2.trew:3: there is no such transition' '' lab '3s/0 0 1/0 1 1/'
wrong other_size 'm2.trew:2: the file is about another number of states' '' lab '2s/3/4/'
finish
