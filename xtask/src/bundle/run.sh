#!/usr/bin/env bash
# Runs the test programs of this folder on this machine's GPU, and on request the benchmarks, on GPU and CPU.
#
#   ./run.sh [--sanitize memcheck|racecheck|initcheck|synccheck] [--jobs N] [--bench] [--logs DIR] [--only PATTERN]
#   ./run.sh --unpack
#
# The first run unpacks bundle.tar.xz into this folder; --unpack does that alone, for whoever runs ribbonmesh and
# ribbonmesh-bench by hand.
#
# --jobs runs so many programs at a time, dealt to the GPUs that there are, or those of CUDA_VISIBLE_DEVICES; benchmarks
# follow alone.
#
# The test of the Python package, python.gpu, needs python3 from 3.10 on with numpy; --only '[!p]*' leaves it out.
#
# One line per program, one at the end; the exit status is that of the whole, and 1 where there is no GPU. The folder for
# logs (default: logs) gets what is printed here as summary.txt, each program's full output, and the measurements in its
# folder bench. RIBBONMESH_MESHES names a folder of real meshes (default: meshes, if it came along).
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
logs=$here/logs
sanitize='' bench=false only='*' unpack=false jobs=1

usage() { sed -n '2,/^[^#]/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2; }
while (($#)); do
  case $1 in
    --sanitize) sanitize=${2:-}; [[ $sanitize =~ ^(mem|race|init|sync)check$ ]] || usage; shift 2 ;;
    --jobs) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; jobs=$2; shift 2 ;;
    --bench) bench=true; shift ;;
    --unpack) unpack=true; shift ;;
    --logs) [[ -n ${2:-} ]] || usage; logs=$2; shift 2 ;;
    --only) [[ -n ${2:-} ]] || usage; only=$2; shift 2 ;;
    *) usage ;;
  esac
done

# Under the sanitizer only the tests of the GPU: those of the CPU take most of the time there, and show nothing. The
# variable tells them to do a part of their work.
under=() which=() python=python.gpu
[[ -n $sanitize ]] && which=(cuda) && export RIBBONMESH_SANITIZED=1
if [[ -n $sanitize ]]; then
  tool=$(command -v compute-sanitizer || true)
  for place in "${CUDA_HOME:-/usr/local/cuda}" /usr/local/cuda; do
    [[ -z $tool && -x $place/bin/compute-sanitizer ]] && tool=$place/bin/compute-sanitizer
  done
  [[ -n $tool ]] || { echo "run.sh: there is no compute-sanitizer on the PATH or in CUDA_HOME" >&2; exit 2; }
  under=("$tool" --tool "$sanitize" --error-exitcode 99 --target-processes all)
fi

if [[ ! -e $here/tests || $here/bundle.tar.xz -nt $here/tests ]]; then
  rm -rf "$here/tests" "$here/meshes"
  "$here/ribbonmesh-xz" unpack <"$here/bundle.tar.xz" | tar -x -C "$here" && touch "$here/tests" ||
    { rm -rf "$here/tests"; echo "run.sh: could not unpack bundle.tar.xz" >&2; exit 2; }
fi
$unpack && exit
mkdir -p "$logs" && logs=$(cd "$logs" && pwd) || exit 2
[[ -z ${RIBBONMESH_MESHES:-} && -d $here/meshes ]] && export RIBBONMESH_MESHES=$here/meshes
export RIBBONMESH_REQUIRE_CUDA=1 RIBBONMESH_PROGRAM=$here/ribbonmesh
cd "$here"

# What the programs wrote about their tests, added up.
count() { grep -oE "^test result: .*" "$1" | grep -oE "[0-9]+ $2" | awk '{ n += $1 } END { print n + 0 }'; }

# Runs one program; adds a line of its tests passed and whether it failed to the tally.
run_one() {
  local name=$1 log=$logs/$1${sanitize:+.$sanitize}.log start=$SECONDS verdict text
  local program=("tests/$name" "${which[@]}" --test-threads=1)
  [[ $name == "$python" ]] && program=(env "PYTHONPATH=$here/python" python3 python/gpu.py ${sanitize:+--limit 7200})
  if "${under[@]}" "${program[@]}" >"$log" 2>&1; then verdict=ok; else verdict="FAILED ($?)"; fi
  # The sanitizer's complaint about a program whose tests use no GPU.
  [[ -n $sanitize && $(count "$log" failed) == 0 ]] && grep -q '^test result: ok' "$log" &&
    grep -q 'terminated before first instrumented API call' "$log" && verdict='ok, no GPU'
  text=$(printf '%-40s %-12s %4d passed %3d failed %3d ignored %5d s' "$name" "$verdict" \
    "$(count "$log" passed)" "$(count "$log" failed)" "$(count "$log" ignored)" $((SECONDS - start)))
  [[ $verdict == ok* ]] || text+=$'\n'$(tail -n 40 "$log" | sed 's/^/    /')
  echo "$text"
  echo "$(count "$log" passed) $([[ $verdict == ok* ]]; echo $?)" >>"$tally"
}

# The GPUs to deal programs to: one for each line.
gpus() {
  if [[ -n ${CUDA_VISIBLE_DEVICES:-} ]]; then tr , '\n' <<<"$CUDA_VISIBLE_DEVICES"
  else nvidia-smi --query-gpu=index --format=csv,noheader 2>/dev/null || echo 0; fi
}

# Takes programs from the queue until it is empty; on one GPU, if one is named.
work() {
  local name
  [[ -n ${1:-} ]] && export CUDA_VISIBLE_DEVICES=$1
  while name=$(flock "$queue.lock" sh -c 'head -n 1 "$0"; sed -i 1d "$0"' "$queue") && [[ -n $name ]]; do
    run_one "$name" </dev/null
  done
}

run_all() {
  ./ribbonmesh-bench machines --machine cuda 2>&1 || { echo "run.sh: nothing can be tested without a GPU"; return 1; }
  local programs passed failures name i start cards
  queue=$logs/.queue tally=$logs/.tally
  : >"$queue"
  : >"$tally"
  for program in "$here"/tests/*; do
    name=${program##*/}
    # shellcheck disable=SC2053 # the pattern is meant as one
    [[ $name == $only ]] || continue
    if [[ -n $sanitize && $name == ribbonmesh-cli.* ]]; then
      printf '%-40s left out: hundreds of processes that run the kernels of the other suites\n' "$name"
    else
      echo "$name" >>"$queue"
    fi
  done
  # shellcheck disable=SC2053
  if [[ $python == $only ]]; then
    case $sanitize in
      '' | memcheck) echo "$python" >>"$queue" ;;
      *) printf '%-40s left out: it runs the kernels of the other suites\n' "$python" ;;
    esac
  fi
  if ((jobs == 1)); then
    work
  else
    mapfile -t cards < <(gpus)
    for ((i = 0; i < jobs; i++)); do work "${cards[i % ${#cards[@]}]}" & done
    wait
  fi
  read -r programs passed failures < <(awk '{ p += $1; f += $2 } END { print NR, p + 0, f + 0 }' "$tally")
  rm -f "$queue" "$queue.lock" "$tally"

  if $bench; then
    start=$SECONDS
    ./ribbonmesh-bench all --machine all --output "$logs/bench" 2>&1 || failures=$((failures + 1))
    ./ribbonmesh-bench static --machine cuda --output "$logs/bench" 2>&1 || failures=$((failures + 1))
    cat "$logs"/bench/*/*.md
    printf '%-40s %d s\n' benchmarks $((SECONDS - start))
  fi

  echo "$programs test programs${sanitize:+ under $sanitize}, $passed tests passed, $failures failures"
  ((programs > 0 && failures == 0))
}

run_all | tee "$logs/summary${sanitize:+.$sanitize}.txt"
