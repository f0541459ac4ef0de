# vouch reproduce: every reference met, every check holds, the page is whole and loads nothing.
dir=$(mktemp -d)
say() { if [ "$2" = 0 ]; then echo "ok $1"; else echo "not ok $1: $(tail -n 12 "$dir/out")"; fi; }
"$VOUCH" reproduce all --episodes 2000 -o "$dir/report.html" > "$dir/out" 2>&1
say reproduce_all $?
grep -q "80 of 80 values agree with the reference to 1e-6, all proved optimal; 11 of 11 checks hold" "$dir/out"
say reproduce_summary $?
[ "$(grep -c '<svg .*role="img"' "$dir/report.html")" = 5 ] && grep -q '</html>' "$dir/report.html"
say reproduce_page $?
! grep -qE 'https?:|<script|<link|<img|url\(' "$dir/report.html"
say reproduce_loads_nothing $?
${PYTHON:-python3} - "$dir/report.html" > "$dir/out" 2>&1 <<'END'
import html.parser, sys
class Checker(html.parser.HTMLParser):
    void, stack = {"meta", "circle", "rect", "line", "path"}, []
    def handle_starttag(self, tag, attrs):
        if tag not in self.void: self.stack.append(tag)
    def handle_startendtag(self, tag, attrs): pass
    def handle_endtag(self, tag):
        if tag in self.void: return
        assert self.stack.pop() == tag, (tag, self.getpos())
c = Checker(); c.feed(open(sys.argv[1]).read()); assert not c.stack, c.stack
END
say reproduce_tags $?
"$VOUCH" reproduce lookahead --json 2> /dev/null | ${PYTHON:-python3} -c 'import json,sys; d=json.load(sys.stdin); assert d["agreeing"] == d["compared"] == 7' > "$dir/out" 2>&1
say reproduce_json $?
"$VOUCH" reproduce lookahead --proofs "$dir/proofs" > "$dir/out" 2>&1
say reproduce_proofs $?
grep -q "; 9 of 9 proofs verified, 0 show less" "$dir/out"
say reproduce_proofs_summary $?
"${CHECK:-$(dirname "$VOUCH")/vouch-check}" -L 1 "$dir/proofs/lookahead-milp-ccl-T3-L1.json" "$dir/proofs/lookahead-milp-ccl-T3-L1.vproof.gz" > "$dir/out" 2>&1
say reproduce_proof $?
"$VOUCH" reproduce guarantees --json 2> /dev/null | ${PYTHON:-python3} -c 'import json,sys; d=json.load(sys.stdin); assert len(d["cells"]) == 30 and d["holding"] == d["checks"] == 2' > "$dir/out" 2>&1
say reproduce_guarantees $?
"$VOUCH" reproduce nothing > "$dir/out" 2>&1; [ $? = 1 ]
say reproduce_unknown $?
echo "done"
