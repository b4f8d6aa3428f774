# Functions of .ci/run. Every step prints its name, its output and how many seconds it took.

# The step that runs, for the message after a failure.
current_step='the start'

# How many seconds each step took, for the table at the end. Steps that run side by side write to one file.
step_seconds=$(mktemp)

# step NAME COMMAND [ARGUMENT...]: runs a command; under `set -e` its failure ends the run.
step() {
  local name=$1 started=$SECONDS
  shift
  current_step=$name
  printf '\n== %s\n' "$name"
  "$@"
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
