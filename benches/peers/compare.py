#!/usr/bin/env python3
"""Compares the commands of ribbonmesh on this CPU with libraries that do the same, and writes ratios.

    benches/peers/compare.py                                 # every job, on the dragon
    benches/peers/compare.py --job normals --rounds 5 --threads 4 MESH...
    benches/peers/compare.py --processor --job simplify --threads 1 MESH...

With --processor, the ratios are of the least processor time, from arrays to arrays, and are only printed: for a machine
that does other work too.
Makes a virtual environment beside itself (.venv) and installs requirements.txt and the Python package ribbonmesh into it. Every
program runs in a process of
its own, bound to the same processors, with the same number of threads. Rounds are interleaved: each runs everything once,
so that what disturbs the machine disturbs all. Reading and writing files is not timed.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import venv
from datetime import date
from pathlib import Path

from jobs import JOBS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ENVIRONMENT = HERE / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
NOT_WORK = {"machine", "read", "build", "write", "measure"}


def ready(given):
    """Makes the environment if it is not that of the requirements, installs the wheel, and runs this script in it."""
    wanted = (HERE / "requirements.txt").read_text()
    installed = ENVIRONMENT / "requirements.txt"
    if not installed.exists() or installed.read_text() != wanted:
        print(f"installing into {ENVIRONMENT}", file=sys.stderr)
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        subprocess.run([PYTHON, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt"], check=True)
        installed.write_text(wanted)
    if Path(sys.prefix) != ENVIRONMENT:
        install = [PYTHON, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]
        subprocess.run([*install, given.wheel or wheel()], check=True)
        os.execv(PYTHON, [str(PYTHON), *sys.argv])


def arguments(jobs):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mesh", nargs="*", type=Path, help="meshes [default: assets/meshes/dragon.ply]")
    parser.add_argument("--job", action="append", choices=jobs, help="only this; repeatable [default: all]")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="[default: all processors]")
    parser.add_argument("--rounds", type=int, default=3, help="[default: 3]")
    parser.add_argument("--processor", action="store_true", help="ratios of processor time, printed only")
    parser.add_argument("--limit", type=float, default=600, help="seconds for one run of a peer [default: 600]")
    parser.add_argument("--program", type=Path, help="ribbonmesh [default: built by cargo]")
    parser.add_argument("--wheel", type=Path, help="the Python package [default: made by cargo xtask wheel]")
    parser.add_argument("--output", type=Path, default=ROOT / "benches" / "results", help="[default: benches/results]")
    given = parser.parse_args()
    for mesh in given.mesh:
        if not mesh.is_file():
            parser.error(f"there is no file {mesh}")
    if given.rounds < 1 or not 1 <= given.threads <= len(os.sched_getaffinity(0)):
        parser.error("--rounds and --threads are at least 1, --threads at most the number of processors")
    return given


def wheel():
    """The Python package, optimized."""
    subprocess.run(["cargo", "xtask", "wheel"], cwd=ROOT, check=True, stdout=sys.stderr)
    return next((target() / "wheels").glob("*.whl"))


def target():
    listed = subprocess.run(
        ["cargo", "metadata", "--format-version=1", "--no-deps"], cwd=ROOT, check=True, capture_output=True
    )
    return Path(json.loads(listed.stdout)["target_directory"])


def build():
    """The program, optimized."""
    subprocess.run(["cargo", "build", "--release", "--quiet", "--package", "ribbonmesh-cli"], cwd=ROOT, check=True)
    return target() / "release" / "ribbonmesh"


def processors():
    """The CPU's model, as ribbonmesh-bench names it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(models, "unknown CPU")


class Runner:
    def __init__(self, program, threads, limit):
        self.program, self.threads, self.limit = program, threads, limit
        self.processors = sorted(os.sched_getaffinity(0))[:threads]
        variables = ["OMP_NUM_THREADS", "IGL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]
        self.environment = os.environ | {name: str(threads) for name in variables}

    def run(self, command):
        return subprocess.run(
            [str(word) for word in command],
            capture_output=True,
            text=True,
            timeout=self.limit,
            env=self.environment,
            preexec_fn=lambda: os.sched_setaffinity(0, self.processors),
        )

    def inputs(self, job, mesh, folder):
        """The meshes that the job works on."""
        if job.prepare:
            import ply

            prepared = folder / "prepared.ply"
            ply.write(prepared, *job.prepare(*ply.read(mesh)))
            mesh = prepared
        if not job.second:
            return [mesh]
        second = folder / "second.ply"
        if callable(job.second):
            ply.write(second, *job.second(*ply.read(mesh)))
            return [mesh, second]
        command, *args = job.second
        done = self.run([self.program, command, mesh, *args, "-o", second])
        if done.returncode != 0:
            sys.exit(f"{command} of {mesh}: {done.stderr.strip()}")
        return [mesh, second]

    def ours(self, job, meshes, folder):
        """Seconds of the work, of the work and building the mesh, and of all but files and measuring."""
        report = folder / "report.json"
        output = ["-o", folder / "out.ply"] if job.output else []
        command = [self.program, job.command, *meshes, *job.args, *output]
        options = ["--device", "cpu", "--threads", self.threads, "--report", report]
        done = self.run(command + options)
        if done.returncode != 0:
            sys.exit(f"{job.command} of {meshes[0]}: {done.stderr.strip()}")
        found = json.loads(report.read_text())
        phases = [(phase["name"], phase["seconds"]) for phase in found["phases"]]
        work = sum(seconds for name, seconds in phases if name not in NOT_WORK)
        if job.timed:
            work = found["results"]["seconds"]
        whole = sum(seconds for name, seconds in phases if name not in NOT_WORK - {"build"})
        return work, work + sum(seconds for name, seconds in phases if name == "build"), whole

    def peer(self, name, peer, meshes, output=None, processor=False):
        """Seconds of the work and of all, or why there are none. A surface goes to the output."""
        options = (["-o", output] if output else []) + (["--processor"] if processor else [])
        try:
            done = self.run([PYTHON, HERE / "one.py", name, peer, *meshes, *options])
        except subprocess.TimeoutExpired:
            return f"more than {self.limit:.0f} s"
        if done.returncode != 0:
            lines = done.stderr.strip().splitlines()
            return f"failed: {lines[-1] if lines else f'exit status {done.returncode}'}"
        prepare, work = map(float, done.stdout.strip().splitlines()[-1].split())
        return work, prepare + work

    def error(self, mesh, result):
        """Largest distance and root mean square of a surface from the input, both ways."""
        done = self.run([self.program, "distance", mesh, result, "--json", "--quiet"])
        if done.returncode != 0:
            sys.exit(f"distance of {result}: {done.stderr.strip()}")
        symmetric = json.loads(done.stdout)["symmetric"]
        return [symmetric["hausdorff"], symmetric["rms"]]


def processor_time(runner, name, job, mesh, rounds, folder):
    """A line for each peer: its least processor time in that of the package ribbonmesh."""
    meshes, best, failures = runner.inputs(job, mesh, folder), {}, {}
    for _ in range(rounds):
        for peer in ["ribbonmesh", *job.peers]:
            found = runner.peer(name, peer, meshes, processor=True)
            if isinstance(found, str):
                failures[peer] = found
            else:
                best[peer] = min(found[1], best.get(peer, found[1]))
    for peer in job.peers:
        if peer in failures or "ribbonmesh" in failures:
            yield f"| {name} | {peer} | {failures.get(peer) or failures['ribbonmesh']} |"
        else:
            yield f"| {name} | {peer} | {best[peer] / best['ribbonmesh']:.2f} |"


def compare(runner, name, job, mesh, rounds, folder):
    ours, seconds, failures = [], {peer: [] for peer in job.peers}, {}
    python = []
    errors, surface = {}, folder / "peer.ply" if job.surface else None
    meshes = runner.inputs(job, mesh, folder)
    for _ in range(rounds):
        ours.append(runner.ours(job, meshes, folder))
        if surface:
            our_error = runner.error(mesh, folder / "out.ply")
        found = runner.peer(name, "ribbonmesh", meshes)
        if isinstance(found, str):
            sys.exit(f"{name} from Python: {found}")
        python.append(found[1])
        for peer in job.peers:
            if peer in failures:
                continue
            found = runner.peer(name, peer, meshes, surface)
            if surface and not isinstance(found, str):
                errors[peer] = [theirs / own for theirs, own in zip(runner.error(mesh, surface), our_error)]
            if isinstance(found, str):
                failures[peer] = found
            else:
                seconds[peer].append(found)
    work, built, command = (statistics.median(run[i] for run in ours) for i in range(3))
    from_python = statistics.median(python)
    rows = [{"peer": "ribbonmesh from Python", "to_command": from_python / command}]
    for peer in job.peers:
        if peer in failures:
            rows.append({"peer": peer, "failure": failures[peer]})
            continue
        median, whole = (statistics.median(run[i] for run in seconds[peer]) for i in range(2))
        rows.append({
            "peer": peer,
            "to_work": median / work,
            "to_work_and_build": median / built,
            "whole": whole / from_python,
            # of one round each, smallest and largest
            "to_work_range": [f(t[0] / run[0] for t, run in zip(seconds[peer], ours)) for f in (min, max)],
        })
        if peer in errors:
            rows[-1]["to_hausdorff"], rows[-1]["to_rms"] = errors[peer]
    return rows


def markdown(results):
    lines = [
        f"# CPU peers: {results['cpu']}, {results['threads']} threads",
        "",
        f"{results['date']}, {results['rounds']} interleaved rounds, medians. Numbers are ratios: how many times longer a peer "
        "takes than `ribbonmesh`; above 1, `ribbonmesh` is faster. *Work*: the job alone, on a mesh that is built. *With "
        "building*: edges, patches, ribbons and all included. *Python*: from arrays of coordinates and faces to arrays, by the peer and by "
        "the Python package ribbonmesh. *Error*: root mean square and largest distance of a surface from the input, "
        "in those of `ribbonmesh`; above 1, `ribbonmesh` is closer. Versions: " + ", ".join(results["versions"]) + ".",
    ]
    for entry in results["comparisons"]:
        lines += [
            "",
            f"## {entry['job']}: {entry['mesh']}, {entry['faces']} faces",
            "",
            entry["what"][0].upper() + entry["what"][1:] + ".",
            "",
            "| peer | work | range | with building | Python | error |",
            "| --- | --- | --- | --- | --- | --- |",
        ]
        own, *rows = entry["rows"]
        for row in rows:
            if "failure" in row:
                lines.append(f"| {row['peer']} | {row['failure']} | – | – | – | – |")
                continue
            low, high = row["to_work_range"]
            error = f"{row['to_rms']:.2f}, {row['to_hausdorff']:.2f}" if "to_rms" in row else "–"
            lines.append(
                f"| {row['peer']} | {row['to_work']:.2f} | {low:.2f} to {high:.2f} | {row['to_work_and_build']:.2f} | "
                f"{row['whole']:.2f} | {error} |"
            )
        lines += ["", f"From Python, from arrays to arrays, ribbonmesh takes {own['to_command']:.2f} times as long as its command without files and measuring."]
    return "\n".join(lines) + "\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(path.suffix + ".part")
    beside.write_text(text)
    beside.replace(path)


def main():
    given = arguments(list(JOBS))
    ready(given)
    import ply

    meshes = given.mesh or [ROOT / "assets" / "meshes" / "dragon.ply"]
    if not meshes[0].is_file():
        sys.exit(f"there is no {meshes[0]}: run cargo xtask meshes, or name a mesh")
    runner = Runner(given.program or build(), given.threads, given.limit)
    comparisons = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for mesh in meshes:
            plain = folder / "mesh.ply"
            done = runner.run([runner.program, "convert", mesh, plain])
            if done.returncode != 0:
                sys.exit(f"{mesh}: {done.stderr.strip()}")
            faces = len(ply.read(plain)[1])
            for name in given.job or JOBS:
                job = JOBS[name]
                print(f"{name}: {mesh.name}", file=sys.stderr)
                if given.processor:
                    for line in processor_time(runner, name, job, plain, given.rounds, folder):
                        print(line, flush=True)
                    continue
                rows = compare(runner, name, job, plain, given.rounds, folder)
                entry = {"job": name, "what": job.what, "mesh": mesh.name, "faces": faces, "rows": rows}
                comparisons.append(entry)
    if given.processor:
        return
    results = {
        "date": date.today().isoformat(),
        "cpu": processors(),
        "threads": given.threads,
        "rounds": given.rounds,
        "versions": (HERE / "requirements.txt").read_text().split(),
        "comparisons": comparisons,
    }
    machine = f"{results['cpu']} cpu {given.threads} threads"
    words = "".join(c if c.isalnum() else " " for c in machine.lower()).split()
    output = given.output / "-".join(words)
    write(output / "peers.json", json.dumps(results, indent=2) + "\n")
    write(output / "peers.md", markdown(results))
    print(markdown(results), end="")


if __name__ == "__main__":
    main()
