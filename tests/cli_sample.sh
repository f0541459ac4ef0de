# --sample N: some of the environments of a family, which may have more than a million; each as likely, none twice, the same for a seed.
. tests/expect.sh
enter
"$python" - <<'END_OF_FILE'
holes = "".join(f"hole int h{i} in {{0..3}};\n" for i in range(16))
total = "+".join(f"h{i}" for i in range(16))
body = f"module m x : [0..60] init 0; [go] x<58 -> (x'=mod({total}, 3)); [stay] true -> true; endmodule\nrewards x=1 : 1; endrewards\nlabel \"one\" = x=1;\n"
open("large.templ", "w").write("mdp\n" + holes + body)
small = "".join(f"hole int h{i} in {{0,1,2}};\n" for i in range(3))
open("small.templ", "w").write("mdp\n" + small + body.replace(total, "h0+h1+h2"))
END_OF_FILE
ask="--commit one -p 0 -T 3"
expect too_many 3 'large.templ: 4.29497e+09 environments, more than a million; --sample N plans for N of them' "$vouch" plan large.templ $ask
expect fixed 0 '16 environments' "$vouch" convert large.templ $ask --const "$("$python" -c 'print(",".join(f"h{i}=1" for i in range(14)))')" -o fixed.json
expect sampled 0 '20 environments' "$vouch" plan large.templ $ask --sample 20 --seed 7 -L 1
expect one 0 '1 environment,' "$vouch" plan large.templ $ask --sample 1
expect all_of_them 0 '27 environments' "$vouch" convert small.templ $ask --sample 100 -o all.json
printf "idstatefrom,idaction,idstateto,probability\n0,0,0,1\n" > m.csv
expect not_csv 1 "m.csv: --sample: only PRISM and JANI files have open constants" "$vouch" plan m.csv $ask --sample 2
for run in 1 2; do "$vouch" convert large.templ $ask --sample 50 --seed 3 -o "s$run.json" > /dev/null 2>&1; done
"$vouch" convert large.templ $ask --sample 50 --seed 4 -o s3.json > /dev/null 2>&1
mkdir whole; cp small.templ whole; "$vouch" convert whole/small.templ $ask -o whole/all.json > /dev/null
if cmp -s all.json whole/all.json; then echo "ok all_the_same"; else echo "not ok all_the_same"; fi
for seed in $("$python" -c 'print(*range(1, 301))'); do
    "$vouch" convert small.templ $ask --sample 3 --seed "$seed" -o - 2> /dev/null | grep -o '"name": "h0=[^"]*"' | tr '\n' ' '
    echo
done > draws
"$python" - <<'END_OF_FILE'
import collections, json
def names(f): return [e["name"] for e in json.load(open(f))["environments"]]
def check(name, got): print(f"{'ok' if got else 'not ok'} {name}")
one, two, three = (names(f"s{i}.json") for i in (1, 2, 3))
key = lambda n: [int(part.split("=")[1]) for part in n.split(",")]
check("same_seed", one == two)
check("other_seed", not set(one) & set(three))
check("distinct_and_in_order", len(set(one)) == 50 and one == sorted(one, key=key))
check("every_value", all({key(n)[i] for n in one} == {0, 1, 2, 3} for i in range(16)))
draws = [line.split('" "') for line in open("draws")]
count = collections.Counter(word for line in open("draws") for word in line.replace('"name": ', "").split())
check("three_each", all(len(line.split('"name"')) == 4 for line in open("draws")))
chi = sum((n - 900 / 27) ** 2 / (900 / 27) for n in count.values())
check("as_likely", len(count) == 27 and chi < 55)  # 26 degrees of freedom: 54.05 is passed once in a thousand
END_OF_FILE
finish
