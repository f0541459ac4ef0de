# Every file of tests/data/bad is refused with exit status 1, the message it asks for, and nothing on standard output.
#
# The message stands in the file itself, behind "expect: " up to a double quote or the end of the line (with ' for "), or in FILE.expect;
# it must appear behind the file's name. "options: " in the file, in the same manner, gives options for the command.
out=$(mktemp) err=$(mktemp)
for file in tests/data/bad/*; do
    case $file in *.expect) continue ;; esac
    source=$file
    [ -e "$file.expect" ] && source=$file.expect
    if [ "$source" = "$file" ]; then want=$(grep -a -m1 -o 'expect: .*' "$source" | sed 's/^expect: //; s/".*//')
    else want=$(head -n 1 "$source" | sed 's/^expect: //'); fi
    options=$(grep -a -h -m1 -o 'options: [^"]*' "$source" | sed 's/^options: //')
    # shellcheck disable=SC2086
    "$VOUCH" plan "$file" $options > "$out" 2> "$err"
    code=$?
    name=${file##*/}
    if [ "$code" = 1 ] && [ ! -s "$out" ] && [ -n "$want" ] && tr '"' "'" < "$err" | grep -aqF -- "$want"; then echo "ok $name"
    else echo "not ok $name: exit $code, wanted: $want, got: $(head -c 300 "$err")"; fi
done

# Ten megabytes of noise, plain and compressed; a file that is not there; a directory.
noise=$(mktemp)
awk 'BEGIN { srand(7); for (i = 0; i < 2500000; i++) printf "%c%c%c%c", 1 + rand() * 254, 1 + rand() * 254, 1 + rand() * 254, 1 + rand() * 254 }' > "$noise"
check() {
    "$VOUCH" plan "$2" > "$out" 2> "$err"
    code=$?
    if [ "$code" = 1 ] && [ ! -s "$out" ] && grep -aqF -- "$3" "$err"; then echo "ok $1"; else echo "not ok $1: exit $code, $(head -c 300 "$err")"; fi
}
check noise "$noise" "$noise: this is no file that vouch knows"
gzip -c "$noise" | head -c 5000 > "$noise.gz"
check noise_gzip "$noise.gz" "$noise.gz"
check no_such_file /nonexistent/model.json "cannot open"
check directory tests "tests: "
# A zero byte in each text.
zeros=$(mktemp -d)
${PYTHON:-python3} tests/zero_bytes.py "$VOUCH" "$zeros/texts"
rm -rf "$out" "$err" "$noise" "$noise.gz" "$zeros"
echo "done"
