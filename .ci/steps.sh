# Functions of .ci/run. Every step prints its name, its output and how many seconds it took.

# The step that runs, for the message after a failure.
current_step='the start'

# How many seconds each step took, for the table at the end. Steps that run side by side write to one file.
step_seconds=$(mktemp)

# A step that takes longer waits for something that never happens, in seconds.
: "${STEP_LIMIT:=1500}"

# At a terminal Ctrl-C must reach the program, although its children then outlive it after the limit.
limited=(--kill-after=10)
if [[ -t 0 ]]; then limited+=(--foreground); fi

# step NAME COMMAND [ARGUMENT...]: runs a program; under `set -e` its failure ends the run.
step() {
  local name=$1 started=$SECONDS status=0
  shift
  current_step=$name
  printf '\n== %s\n' "$name"
  timeout "${limited[@]}" "$STEP_LIMIT" "$@" || status=$?
  if ((status == 124)); then printf '== %s: ended after %s s, because it did not end by itself\n' "$name" "$STEP_LIMIT"; fi
  # It ignored SIGTERM after the limit, or the system needed its memory.
  if ((status == 137)); then printf '== %s: killed after %d s; its limit is %s s\n' "$name" $((SECONDS - started)) "$STEP_LIMIT"; fi
  if ((status != 0)); then return "$status"; fi
  printf '== %s: %d s\n' "$name" $((SECONDS - started))
  printf '%5d s  from second %4d  %s\n' $((SECONDS - started)) "$started" "$name" >>"$step_seconds"
}

# together FUNCTION...: runs functions side by side. The output of each is printed in one piece when it ends. All run to
# their end; then the whole fails if one has failed.
together() {
  local logs name pid status
  local -a failed=()
  local -A functions=()
  logs=$(mktemp -d)
  for name in "$@"; do
    "$name" >"$logs/$name" 2>&1 &
    functions[$!]=$name
  done
  while ((${#functions[@]} > 0)); do
    status=0
    wait -n -p pid "${!functions[@]}" || status=$?
    name=${functions[$pid]}
    unset "functions[$pid]"
    cat "$logs/$name"
    ((status == 0)) && continue
    printf '== FAILED with exit code %d: %s\n' "$status" "$name"
    failed+=("$name")
  done
  rm -r "$logs"
  current_step=${failed[*]:-}
  ((${#failed[@]} == 0))
}
