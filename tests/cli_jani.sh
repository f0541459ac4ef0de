# JANI models: the same model in PRISM gives the same bytes, and what is wrong or not supported is named with line and path.
. tests/expect.sh
enter

# twin NAME OPTIONS..: relay.jani and relay.prism become the same model.
twin() {
    name=$1
    shift
    for kind in jani prism; do "$vouch" convert "$data/relay.$kind" "$@" -o "$kind.json" > /dev/null 2>&1 || echo "not ok $name: $kind is not read"; done
    if cmp -s jani.json prism.json; then echo "ok $name"; else echo "not ok $name: the models differ"; fi
}
twin states --const noise=3 -T 8
twin environments --const noise=1,4 -T 8 --commit full -p 0.2 --reward energy
twin property --const noise=0:10:5 -T 30 --commit delivered -p 0.2
twin expression --const noise=1 -T 6 --commit 'sent>=1 & awake' -p 0.1 --time-to full
twin initial --const noise=1 -T 6 --initial 'sent=1,sender=0,awake' --commit full -p 0.1
expect plan 0 "optimal" "$vouch" plan "$data/relay.jani" --const noise=1,4 -T 8 --commit full -p 0.2 --reward energy -L 1
expect about 0 "rewards       energy" "$vouch" "$data/relay.jani"
cp "$data/relay.jani" unnamed
expect content 0 "14 states" "$vouch" convert unnamed --const noise=1 -T 8 -o unnamed.json

# edit NAME STATUS TEXT PYTHON: relay.jani, `m`, after the statement; is planned for.
edit() {
    "$python" - "$data/relay.jani" "$4" > "$1.jani" <<'END_OF_FILE'
import json, sys
m = json.load(open(sys.argv[1]))
sender, receiver = m["automata"]
exec(sys.argv[2])
json.dump(m, sys.stdout, indent=1)
END_OF_FILE
    expect "$1" "$2" "$3" "$vouch" plan "$1.jani" --const noise=1 -T 8 --commit full -p 0.2 --reward energy --fix-deadlocks
}
edit same 0 "optimal" ""
edit minus 0 "optimal" 'sender["edges"][0]["guard"]["exp"] = {"op": "∧", "left": sender["edges"][0]["guard"]["exp"], "right": {"op": "<", "left": {"op": "-", "exp": 1}, "right": 0}}'
# A local variable hides a global constant in its automaton; in others the constant is itself.
edit hidden 0 "optimal" 'm["constants"].append({"name": "K", "type": "int", "value": 1}); sender.setdefault("variables", []).append({"name": "K", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 1}, "initial-value": 0}); receiver["edges"][0]["guard"] = {"exp": {"op": "∧", "left": receiver["edges"][0].get("guard", {"exp": True})["exp"], "right": {"op": "=", "left": "K", "right": 1}}}; sender["edges"][0]["guard"]["exp"] = {"op": "∧", "left": sender["edges"][0]["guard"]["exp"], "right": {"op": "=", "left": "K", "right": 0}}'
edit local_twice 1 'the name "K" is declared twice' 'sender.setdefault("variables", []).extend([{"name": "K", "type": "bool", "initial-value": False}] * 2)'
edit ma 1 'type: "ma" is a Markov automaton; vouch plans for models of type mdp and dtmc' 'm["type"] = "ma"'
edit other_type 1 'type: expected mdp or dtmc, found "foo"' 'm["type"] = "foo"'
edit real_variable 1 'variables[0].type: a variable of type real has to be transient' 'm["variables"][0]["type"] = "real"'
edit clock 1 'variables[0].type: the type "clock" is not supported' 'm["variables"][0]["type"] = "clock"'
edit unknown_name 1 'automata[0].edges[0].guard.exp: there is no constant or variable "x" here' 'sender["edges"][0]["guard"]["exp"] = "x"'
edit other_scope 1 'there is no constant or variable "awake" here' 'sender["edges"][0]["guard"]["exp"] = "awake"'
edit unknown_location 1 'edges[0].location: the automaton has no location "away"' 'sender["edges"][0]["location"] = "away"'
edit bounded_constant 1 'constants[0]: the constant "noise" is 1; expected at least 2' 'm["constants"][0]["type"] = {"kind": "bounded", "base": "int", "lower-bound": 2}'
edit bounded_above 1 'the constant "noise" is 1; expected at most 0' 'm["constants"][0]["type"] = {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": {"op": "-", "left": "most", "right": "most"}}'
edit bounded_within 0 "optimal" 'm["constants"][0]["type"] = {"kind": "bounded", "base": "int", "lower-bound": 1, "upper-bound": 1}'
edit unknown_operator 1 'guard.exp.op: the operator "xor" is not supported' 'sender["edges"][0]["guard"]["exp"] = {"op": "xor", "left": True, "right": True}'
edit missing_operand 1 'the operator "∧" needs the field "right"' 'sender["edges"][0]["guard"]["exp"] = {"op": "∧", "left": True}'
edit unknown_field 1 'automata[0].edges[0].colour: unknown field' 'sender["edges"][0]["colour"] = 1'
edit rate 1 'edges[0].rate: an edge of a model of type mdp or dtmc must not have a rate' 'sender["edges"][0]["rate"] = {"exp": 1}'
edit sums 1 'edges[1]: the probabilities sum to 0.6; expected 1 (within 1e-06), in state' 'sender["edges"][1]["destinations"][1]["probability"] = {"exp": 0.5}; sender["edges"][1]["destinations"][0]["probability"] = {"exp": 0.1}'
edit negative 1 'probability.exp: a probability must lie between 0 and 1, found -0.1' 'sender["edges"][1]["destinations"][0]["probability"] = {"exp": -0.1}'
edit leaves_range 1 'leaves the range [0..3]' 'sender["edges"][1]["destinations"][0]["assignments"][0]["value"] = 4'
edit twice 1 'the name "most" is declared twice' 'm["variables"][0]["name"] = "most"'
edit assigned_twice 1 'the variable is assigned twice' 'a = sender["edges"][1]["destinations"][0]["assignments"]; a.append(dict(a[0]))'
edit circle 1 'the function "left" calls itself' 'm["functions"][1]["body"] = {"op": "call", "function": "left", "args": []}'
edit arguments 1 'the function takes 2 arguments, found 1' 'sender["edges"][1]["destinations"][0]["assignments"][0]["value"]["args"] = [1]'
edit sync_length 1 'expected an action or null for each of the 2 automata, found 1' 'm["system"]["syncs"][0]["synchronise"] = ["send"]'
edit sync_twice 1 'syncs[3]: the same synchronisation is given twice' 'm["system"]["syncs"].append(m["system"]["syncs"][0])'
edit no_automaton 1 'there is no automaton "nobody"' 'm["system"]["elements"][0]["automaton"] = "nobody"'
edit no_reward 1 'there is no reward structure "energy"' 'm["variables"][2]["name"] = "other"; s = json.dumps(sender).replace("energy", "other"); m["automata"][0] = json.loads(s)'
# The bodies of functions see their own parameters alone, and arguments those of the caller.
edit parameters 0 "optimal" 'm["functions"].append({"name": "swap", "type": "int", "parameters": [{"name": "by", "type": "int"}, {"name": "n", "type": "int"}], "body": {"op": "call", "function": "more", "args": ["by", "n"]}}); sender["edges"][1]["destinations"][0]["assignments"][0]["value"] = {"op": "call", "function": "swap", "args": ["sent", 1]}'
if [ "$("$vouch" plan same.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" = "$("$vouch" plan parameters.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" ]; then echo "ok parameters_same"
else echo "not ok parameters_same"; fi
# In a DTMC what is enabled is as likely, and one action that pays the mean.
cat > chain.prism <<'END_OF_FILE'
mdp
module chain
    s : [0..2] init 0;
    [] s=0 -> 0.5 : (s'=1) + 0.5 : (s'=2);
    [] s>0 -> true;
endmodule
rewards s=0 : 1; [] s=0 : 4; endrewards
END_OF_FILE
"$python" - > chain.jani <<'END_OF_FILE'
import json
def edge(guard, to, pay): return {"location": "l", "guard": {"exp": {"op": guard, "left": "s", "right": 0}}, "destinations": [{"location": "l", "assignments": [{"ref": "s", "value": to}, {"ref": "pay", "value": pay}]}]}
print(json.dumps({"jani-version": 1, "name": "chain", "type": "dtmc", "variables": [{"name": "s", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 2}, "initial-value": 0},
    {"name": "pay", "type": "real", "transient": True, "initial-value": 0}],
    "automata": [{"name": "a", "locations": [{"name": "l", "transient-values": [{"ref": "pay", "value": {"op": "ite", "if": {"op": "=", "left": "s", "right": 0}, "then": 1, "else": 0}}]}], "initial-locations": ["l"],
                  "edges": [edge("=", 1, 2), edge("=", 2, 6), edge(">", "s", 0)]}], "system": {"elements": [{"automaton": "a"}]}}))
END_OF_FILE
for kind in jani prism; do "$vouch" convert chain.$kind -T 4 -o chain_$kind.json > /dev/null; done
if cmp -s chain_jani.json chain_prism.json; then echo "ok dtmc"; else echo "not ok dtmc: $(diff chain_jani.json chain_prism.json | head -5)"; fi
# An argument that is a sum, used three times, and a value whose sign is asked for.
edit sum_argument 0 "optimal" 'm["functions"].append({"name": "thrice", "type": "int", "parameters": [{"name": "n", "type": "int"}], "body": {"op": "-", "left": {"op": "+", "left": {"op": "*", "left": "n", "right": 2}, "right": {"op": "-", "left": "n", "right": 0}}, "right": {"op": "+", "left": "n", "right": {"op": "+", "left": "n", "right": 0}}}}); sender["edges"][1]["destinations"][0]["assignments"][0]["value"] = {"op": "call", "function": "more", "args": [{"op": "call", "function": "thrice", "args": [{"op": "+", "left": {"op": "*", "left": "sent", "right": 1}, "right": 0}]}, {"op": "abs", "exp": {"op": "sgn", "exp": {"op": "-", "left": {"op": "trc", "exp": 0.5}, "right": {"op": "+", "left": "sent", "right": 1}}}}]}'
if [ "$("$vouch" plan same.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" = "$("$vouch" plan sum_argument.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" ]; then echo "ok sum_argument_same"
else echo "not ok sum_argument_same"; fi
# Assignments of a higher index see what lower ones did.
edit index 0 "optimal" 'm["variables"].append({"name": "next", "type": "int", "initial-value": 0}); d = sender["edges"][1]["destinations"][0]["assignments"]; d[0] = {"ref": "next", "value": d[0]["value"], "index": 1}; d += [{"ref": "sent", "value": "next", "index": 2}, {"ref": "next", "value": 0, "index": 3}]'
if [ "$("$vouch" plan same.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" = "$("$vouch" plan index.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" ]; then echo "ok index_same"
else echo "not ok index_same"; fi
# Assignments of an edge hold for all of its destinations, as Storm writes them.
paid='[{"ref": "energy", "value": {"op": "-", "left": 0, "right": "sent"}}, {"ref": "awake", "value": False}]; e = receiver["edges"][0]; [d.pop("assignments", 0) for d in e["destinations"]]'
edit by_destination 0 "optimal" "p = $paid; [d.update(assignments=p) for d in e['destinations']]"
edit by_edge 0 "optimal" "e_paid = $paid; e['assignments'] = e_paid; s = sender['edges'][0]; s['assignments'] = s['destinations'][0].pop('assignments')"
if [ "$("$vouch" plan by_destination.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" = "$("$vouch" plan by_edge.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g;s/by_edge/by_destination/g')" ]; then echo "ok by_edge_same"
else echo "not ok by_edge_same"; fi
edit edge_assigned_twice 1 'the variable is assigned twice' 'e = sender["edges"][1]; e["assignments"] = e["destinations"][0]["assignments"]'
# An automaton that is input-enabled for an action stays as it is where no edge has the action.
edit with_edge 0 "optimal" 'receiver["edges"].append({"location": "only", "action": "take", "guard": {"exp": {"op": "¬", "exp": "awake"}}, "destinations": [{"location": "only"}]})'
edit enabled 0 "optimal" 'm["system"]["elements"][1]["input-enable"] = ["take", "never"]'
if [ "$("$vouch" plan with_edge.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g')" = "$("$vouch" plan enabled.jani --const noise=1 -T 8 --commit full -p 0.2 --json | sed 's/"seconds[^,]*,//g;s/enabled/with_edge/g')" ]; then echo "ok enabled_same"
else echo "not ok enabled_same"; fi
edit enabled_wrong 1 'system.elements[1].input-enable[0]: ' 'm["system"]["elements"][1]["input-enable"] = [1]'
edit index_conflict 1 "two automata assign the same variable in one step" 'm["variables"].append({"name": "next", "type": "int", "initial-value": 0}); [a["edges"][i]["destinations"][0].setdefault("assignments", []).append({"ref": "next", "value": 1, "index": 1}) for a, i in ((sender, 1), (receiver, 0))]'
edit index_transient 1 'in an assignment of a higher index is not supported' 'sender["edges"][1]["destinations"][0]["assignments"].append({"ref": "sent", "index": 1, "value": {"op": "floor", "exp": "energy"}})'
# What has no initial value begins anywhere that restrict-initial allows.
edit anywhere 0 "optimal" 'del m["variables"][0]["initial-value"]; m["restrict-initial"] = {"exp": {"op": "≥", "left": "sent", "right": 2}}'
if "$vouch" convert anywhere.jani --const noise=1 -T 1 -o begin.json > /dev/null && "$python" -c '
import json
m = json.load(open("begin.json"))
begin = {s for s, p in m["initial"].items()} if isinstance(m["initial"], dict) else m["initial"]
assert len(begin) == 2, begin'; then echo "ok two_initial_states"; else echo "not ok two_initial_states"; fi
# Arrays: random models, and the same with a variable for each element.
mkdir with without
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    "$python" "$tests/jani_twins.py" $seed with/twin.jani without/twin.jani
    for side in with without; do "$vouch" convert $side/twin.jani -T 3 --commit x=1 -p 0 -o $side/twin.json > /dev/null 2> $side.log || echo "not ok arrays $seed: $(cat $side.log)"; done
    if cmp -s with/twin.json without/twin.json; then echo "ok arrays $seed"; else echo "not ok arrays $seed: the models differ"; fi
done
# array NAME STATUS TEXT PYTHON: relay.jani with an array, "times" of three numbers, which the sender's second edge changes.
array() {
    edit "$1" "$2" "$3" 'aa = lambda a, i: {"op": "aa", "exp": a, "index": i}
m["variables"].append({"name": "times", "type": {"kind": "array", "base": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 9}}, "initial-value": {"op": "ac", "var": "i", "length": 3, "exp": "i"}})
sent = sender["edges"][1]["destinations"][0]["assignments"]
put = lambda i, v: sent.append({"ref": aa("times", i), "value": v})
'"$4"
}
array array_element 0 "optimal" 'put(0, aa("times", 2)); put(1, aa("times", 0))'
array array_outside 1 'the index 3 lies outside an array of 3 elements' 'put(3, 1)'
array array_read_outside 1 'the index 4 lies outside an array of 3 elements' 'put({"op": "-", "left": 2, "right": "sent"}, aa("times", {"op": "+", "left": "sent", "right": 4}))'
array array_outside_later 1 'the index -1 lies outside an array of 3 elements' 'put({"op": "-", "left": "sent", "right": 1}, 1)'
array array_twice 1 'the variable is assigned twice' 'put(1, 1); put(1, 2)'
array array_twice_later 1 'the variable is assigned twice, in state' 'put({"op": "*", "left": "sent", "right": 0}, 1); put(0, 2)'
array array_two_places 0 'optimal' 'put({"op": "*", "left": "sent", "right": 0}, 1); put(1, 2)'
array array_two_automata 1 'two automata assign the same variable in one step' '[a["edges"][i]["destinations"][0].setdefault("assignments", []).append({"ref": aa("times", {"op": "*", "left": 0, "right": "sent"}), "value": 1}) for a, i in ((sender, 1), (receiver, 0))]'
array array_two_elements 0 'optimal' '[a["edges"][i]["destinations"][0].setdefault("assignments", []).append({"ref": aa("times", {"op": "+", "left": n, "right": {"op": "*", "left": 0, "right": "sent"}}), "value": 1}) for n, (a, i) in enumerate(((sender, 1), (receiver, 0)))]'
array array_range 1 "times_1'=10 leaves the range [0..9]" 'put(1, 10)'
array array_lengths 1 'the variable and its value are arrays of different lengths' 'sent.append({"ref": "times", "value": {"op": "av", "elements": [1, 2]}})'
array array_number 1 'the variable and its value are arrays in part' 'sent.append({"ref": "times", "value": 1})'
array array_no_value 1 'an array is no value here' 'sender["edges"][0]["guard"] = {"exp": {"op": "=", "left": "times", "right": 1}}'
array array_ragged 1 'the elements are arrays in part' 'sent.append({"ref": "times", "value": {"op": "av", "elements": [1, {"op": "av", "elements": [1]}, 2]}})'
array array_empty 1 'an array needs an element' 'm["variables"][-1]["initial-value"] = {"op": "av", "elements": []}'
array array_no_start 1 'an array needs an initial value, which gives its length' 'del m["variables"][-1]["initial-value"]'
array array_by_variable 1 'the length of an array must not depend on variables' 'm["variables"][-1]["initial-value"]["length"] = "sent"; m["constants"][0]["value"] = 1'
# The length may be computed from constants that the command line gives, as long as they are the same in all environments.
array array_length 0 "optimal" 'm["variables"][-1]["initial-value"]["length"] = {"op": "+", "left": "noise", "right": 2}; put(2, aa("times", {"op": "*", "left": "noise", "right": "sent"}))'
array array_length_three 0 "optimal" 'put(2, aa("times", {"op": "*", "left": "noise", "right": "sent"}))'
cp array_length.jani with/twin.jani
cp array_length_three.jani without/twin.jani
for side in with without; do "$vouch" convert $side/twin.jani --const noise=1 -T 5 --commit full -p 0.2 -o $side/twin.json > /dev/null; done
if cmp -s with/twin.json without/twin.json; then echo "ok array_length_same"; else echo "not ok array_length_same"; fi
expect array_length_outside 1 'the index 2 lies outside an array of 2 elements' "$vouch" convert array_length.jani --const noise=0 -T 5
expect array_several_lengths 1 'the length of an array must be the same in all environments: give --const noise=VALUE' "$vouch" convert array_length.jani --const noise=1,2 -T 5
expect array_no_length 1 'the length of an array must be the same in all environments: give --const noise=VALUE' "$vouch" "$dir/array_length.jani"
array array_type 1 'the initial value does not fit the type' 'm["variables"][-1]["initial-value"] = 1'
array array_transient 1 'a transient variable that is an array is not supported' 'm["variables"][-1]["transient"] = True'
array array_constant 1 'a constant is no array' 'm["constants"][0]["type"] = {"kind": "array", "base": "int"}'
edit of_other_programs 0 "optimal" 'm["x-maker"] = {"any": [1]}; sender["x-note"] = 1'
finish
