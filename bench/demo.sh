#!/bin/sh
# make demo: plans for the Slippery T-Maze, checks the policy by propagation, and reproduces the paper's Twin-States table.
vouch=$1
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
set -e
say() { printf '\n$ vouch %s\n' "$*"; }
say generate t-maze -o maze.json
"$vouch" generate t-maze -o "$dir/maze.json"
say plan maze.json -L 3 -o policy.json
"$vouch" plan "$dir/maze.json" -L 3 -o "$dir/policy.json"
say evaluate maze.json policy.json
"$vouch" evaluate "$dir/maze.json" "$dir/policy.json"
say reproduce twin-states
"$vouch" reproduce twin-states
