# For the shell tests: a folder of their own in $dir, and expect NAME STATUS TEXT COMMAND..: exit status and a text ("" for any) on either output.
# Every test ends with `finish`, which prints the closing line "done": without it the test counts as failed, for it has stopped half-way.
dir=$(mktemp -d) || exit 1
expect() {
    name=$1 status=$2 want=$3
    shift 3
    "$@" > "$dir/out" 2>&1
    code=$?
    if [ $code = "$status" ] && { [ -z "$want" ] || grep -qF -- "$want" "$dir/out"; }; then echo "ok $name"
    else echo "not ok $name: exit $code, wanted $status and \"$want\", got: $(head -c 400 "$dir/out")"; fi
}
finish() {
    rm -rf "$dir"
    echo "done"
}
