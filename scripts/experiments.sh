#!/usr/bin/env bash
# Every experiment of Style Amnesia and constraint amnesia, one log folder each:
#   scripts/experiments.sh OUT MODEL OPENERS TURNS STYLES CONSTRAINTS
# An experiment whose log is there already is not run again.
set -euo pipefail
out=$1 model=$2 openers=$3 turns=$4 styles=$5 constraints=$6
cd "$(dirname "$0")/.."
bin=${BIN:-.venv/bin}
display=$([ -n "${CI:-}" ] && echo plain || echo rich)

run() { # NAME TASK options…
  local name=$1 task=$2
  shift 2
  if [ ! -e "$out/$name/done" ]; then
    rm -rf "${out:?}/$name"
    mkdir -p "$out/$name"
    echo "== $name"
    "$bin/inspect" eval "tasks/$task.py" --display "$display" --log-dir "$out/$name" \
      --model "$model" -T "openers=$openers" -T "turns=$turns" "$@"
    touch "$out/$name/done"
  fi
}

style=(style_amnesia -T "styles=$styles")
recalling=()
case $model in synthetic/*) recalling=(-M recall=0.8 -M recall_restores=true) ;; esac

run hold "${style[@]}"
run phrasing-1 "${style[@]}" -T phrasing=1
run phrasing-2 "${style[@]}" -T phrasing=2
run text "${style[@]}" -T instruction_as=text
run system "${style[@]}" -T position=system
run recall-fork "${style[@]}" -T recall=fork "${recalling[@]}"
run recall-keep "${style[@]}" -T recall=keep "${recalling[@]}"
run coherence "${style[@]}" -T coherence=true --model-role grader=embedded/smollm2-135m
run add style_amnesia -T schedule=add -T styles=loud,slow
run switch style_amnesia -T schedule=switch -T styles=high,low
run constraint constraint_amnesia -T "constraints=$constraints"
run constraint-and-style constraint_amnesia -T "constraints=${constraints%%,*}" -T style=loud
