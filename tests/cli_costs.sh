#!/bin/sh
# Costs: --minimise and "sense": "min", as rewards of the other sign (judge_costs.py); reward structures that must be chosen; notes; files.
. tests/expect.sh
enter
judge costs "$python" "$tests/judge_costs.py" "$vouch" "$vouch-check" "$(part 4 200 1)"
cat > costs.prism <<'END'
mdp
const double q;
module m
 s:[0..2] init 0;
 [safe] s=0 -> 0.5:(s'=1)+0.5:true;
 [fast] s=0 -> q:(s'=2)+1-q:(s'=1);
 [stay] s>0 -> true;
endmodule
rewards "cost" [safe] true:1; [fast] true:2; s=2:5; endrewards
label "goal"=s=1;
END
read='--const q=0.1,0.4 --commit goal -T 4 -p 0.5'
sed 's/^endmodule/&\nrewards "fee" [fast] true:1; endrewards/' costs.prism > two.prism
sed 's/"cost"/"gain"/' costs.prism > gain.prism
expect note 0 'note: rewards "cost" are maximised; --minimise minimises them' "$vouch" plan costs.prism $read
expect no_note 0 'maximises rewards' sh -c "'$vouch' plan gain.prism $read 2>&1 | grep -v 'note: rewards'"
expect quiet 0 'minimises costs' sh -c "'$vouch' plan costs.prism $read --minimise 2>&1 | grep -v 'note: rewards' | head -n 1"
# The first line says maximises or minimises. 1.875 = 1 + 1/2 + 1/4 + 1/8: safe until it works; 1.875 again if q is 0.4.
expect first 0 'milp-ccl, L = 0: least maximum regret of deterministic policies that see only time and state; minimises costs' \
    sh -c "'$vouch' plan costs.prism $read --minimise -o policy | head -n 1"
expect safe 0 '1.875' "$vouch" plan costs.prism $read --minimise
for command in 'evaluate costs.prism policy' 'simulate costs.prism policy --episodes 10' 'show costs.prism policy' 'ccil costs.prism -L 1' \
    'sweep costs.prism --vary L=0:1' 'plan costs.prism --frontier --points 2' 'plan costs.prism --policies 2' 'plan costs.prism --objective max-min'; do
    name=$(echo "$command" | tr -c 'a-z\n' _)
    expect "first_$name" 0 'minimises costs' sh -c "'$vouch' $command $read --minimise 2> /dev/null | head -n 1"
done
expect words 0 'a policy of 4 steps that minimises costs' "$vouch" show costs.prism policy $read --minimise --words
expect tree 0 'cost 1' "$vouch" show costs.prism policy $read --minimise --tree
expect largest 0 'largest cost    1.875  (proved optimal' "$vouch" plan costs.prism $read --minimise --objective max-min
expect weighted 0 'least weighted cost of' "$vouch" plan costs.prism $read --minimise --objective weighted
expect other_sense 1 'policy:2: sense: the policy minimises costs, the model has rewards: give --minimise' "$vouch" evaluate costs.prism policy $read
expect bad_sense 1 'sense: expected "max" (rewards) or "min" (costs), found "least"' sh -c \
    "'$vouch' convert costs.prism $read --minimise -o - | sed 's/\"min\"/\"least\"/' | '$vouch' plan -"
# Files keep the costs; those that cannot say so are read with --minimise.
expect json 0 '"sense": "min"' "$vouch" convert costs.prism $read --minimise -o -
"$vouch" convert costs.prism $read --minimise -o costs.json > /dev/null
"$vouch" plan costs.json | grep -v ^nodes > expected
expect csv 0 'to be read with -T 4 --commit 1 -p 0.5 --minimise' "$vouch" convert costs.json -o costs.csv
expect drn 0 '--minimise' "$vouch" convert costs.json -o costs/
expect pomdp 0 'to be read with' "$vouch" convert costs.json -o costs.pomdp
expect pomdp_values 0 '' grep -q '^values: cost' costs.pomdp
same() {
    name=$1 && shift
    if "$vouch" plan "$@" -T 4 -p 0.5 2> /dev/null | grep ^maximum > found && grep ^maximum expected | cmp -s - found && [ -s found ]
    then echo "ok $name"; else echo "not ok $name: $(head -n 3 found)"; fi
}
same same_csv costs.csv --commit 1 --minimise
same same_drn costs --commit commit --minimise
"$vouch" convert costs.json -o costs.pomdp > reading
eval "set -- $(sed -n 's/^to be read with -T 4//p' reading)"
if "$vouch" plan costs.pomdp -T 4 "$@" 2> /dev/null | grep ^maximum | cmp -s - "$(grep ^maximum expected > most && echo most)"; then echo "ok same_pomdp"; else echo "not ok same_pomdp"; fi
expect time_to 0 '1.6  ' "$vouch" plan costs.prism $read --time-to goal --minimise
expect sweep_csv 0 'limits,sense' sh -c "'$vouch' sweep costs.json --vary L=0:1 --csv rows.csv -q > /dev/null; head -n 1 rows.csv"
expect sweep_merge 0 'minimises costs' "$vouch" sweep --merge rows.csv
expect sweep_resume 0 '2 finished cells reused' "$vouch" sweep costs.json --vary L=0:1 --resume rows.csv
# Several reward structures: one must be chosen where rewards count.
refusal='two.prism: 2 reward structures; choose one: --reward fee or cost'
for command in plan ccil 'sweep --vary L=0' export 'plan --frontier' act; do
    expect "several_$(echo "$command" | tr -c 'a-z\n' _)" 1 "$refusal" "$vouch" ${command%% *} two.prism $(echo "$command " | cut -s -d ' ' -f 2-) $read
done
expect chosen 0 'proved optimal' "$vouch" plan two.prism $read --reward fee
expect several_time_to 0 'proved optimal' "$vouch" plan two.prism $read --time-to goal
expect several_largest 0 'largest commitment' "$vouch" plan two.prism $read --max-commitment
expect several_convert 0 'choose one: --reward fee or cost' "$vouch" convert two.prism $read -o - 
printf '@type: MDP\n@parameters\n\n@reward_models\nfee cost\n@nr_states\n1\n@nr_choices\n1\n@model\nstate 0 [1, 2] init goal\n\taction a [3, 4]\n\t\t0 : 1\n' > one.drn
expect several_drn 1 'one.drn: 2 reward structures; choose one: --reward fee or cost' "$vouch" plan one.drn --commit goal -T 2 -p 0.5
expect several_drn_chosen 0 'minimises costs' "$vouch" plan one.drn --commit goal -T 2 -p 0.5 --reward cost --minimise
finish
