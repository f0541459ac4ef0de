# What is written for other programs says what vouch says: policies as chains and schedulers, models in every format.
. tests/expect.sh
PYTHON=${PYTHON:-python3}
judge chains "$PYTHON" tests/judge_chains.py "$VOUCH" "$dir" "$(part 6 16 3)"
judge formats "$PYTHON" tests/judge_formats.py "$VOUCH" "$dir" "$(part 10 30 4)"

# A directory says by its index which file is which environment: names that no file can have, in an order that is not that of the files.
cat > "$dir/odd.json" <<'END'
{ "vouch": 1, "states": ["x=0", "x=1"], "actions": ["go"], "initial": "x=0", "horizon": 2, "commitment": {"states": ["x=1"], "probability": 0},
  "transitions": [["x=0", "go", "x=0", 0.5], ["x=0", "go", "x=1", 0.5], ["x=1", "go", "x=1", 1]], "rewards": [["x=0", "go", 7]],
  "environments": [{"name": "z"}, {"name": "a/b", "rewards": [["x=0", "go", 1]]}, {"name": "A?b", "rewards": [["x=0", "go", 2]]},
                   {"name": "..", "rewards": [["x=0", "go", 3]]}, {"name": "one, environment two", "rewards": [["x=0", "go", 4]]}, {"name": "\u00e9", "rewards": [["x=0", "go", 5]]}] }
END
expect index_written 0 "6 environments" "$VOUCH" convert "$dir/odd.json" -o "$dir/odd/"
expect index_again 0 "6 environments" "$VOUCH" convert "$dir/odd.json" -o "$dir/odd/"
expect index_read 0 "6 environments" "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o "$dir/back.json"
judge index "$PYTHON" - "$dir" <<'END'
import json, os, sys
want, back = (json.load(open(f"{sys.argv[1]}/{name}.json")) for name in ("odd", "back"))
index = json.load(open(sys.argv[1] + "/odd/index.json"))["environments"]
names = [e["name"] for e in want["environments"]]
def check(name, passed): print("ok" if passed else "not ok", "index_" + name)
check("names", [e["name"] for e in back["environments"]] == names == [e["name"] for e in index])
check("rewards", [json.dumps(e.get("rewards", back.get("rewards"))) for e in back["environments"]] == ['[["x=0", "go", %d]]' % r for r in (7, 1, 2, 3, 4, 5)])
files = [e["file"] for e in index]
check("files", files[:4] == ["z.drn", "a_b.drn", "A_b_2.drn", "_..drn"] and len({f.lower() for f in files}) == 6 and sorted(files + ["index.json"]) == sorted(os.listdir(sys.argv[1] + "/odd")))
END
for k in z a_b; do
    mv "$dir/odd/$k.drn" "$dir/kept"
    expect "index_lacks_$k" 1 "there is no file $k.drn, which index.json names" "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o -
    mv "$dir/kept" "$dir/odd/$k.drn"
done
cp "$dir/odd/z.drn" "$dir/odd/y.drn"
expect index_stranger 1 "index.json does not name the file y.drn" "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o -
rm "$dir/odd/y.drn"
cp "$dir/odd/index.json" "$dir/index.json"
sed 's/"a_b.drn"/"..\/a.drn"/' "$dir/index.json" > "$dir/odd/index.json"
expect index_outside 1 'index.json:3: environments[1].file: expected the name of a .drn file' "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o -
sed 's/"a_b.drn"/"z.drn"/' "$dir/index.json" > "$dir/odd/index.json"
expect index_twice 1 'index.json:3: environments[1].file: the file is given twice' "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o -
sed 's/"a.b"/"z"/' "$dir/index.json" > "$dir/odd/index.json"
expect index_name_twice 1 'index.json:3: environments[1].name: the environment is given twice' "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o -
echo '{ "pages": [] }' > "$dir/odd/index.json"
expect index_of_others 0 '"name": "A?b"' "$VOUCH" convert "$dir/odd" --commit commit -T 2 -p 0 -o -
finish
