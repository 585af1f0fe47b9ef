#!/usr/bin/env python3
"""Products of sparse matrices by cuSPARSE (through cupy and torch) or scipy, beside those of `ribbonmesh-bench sparse`.

    ribbonmesh-bench sparse --machine cuda --output OUT --matrices MATRICES
    python sparse.py MATRICES OUT/MACHINE/sparse.json

Measures on the machine of the report: cuSPARSE if that is a GPU, scipy on one thread if it is a CPU. y = A x with x and y in memory.
On a GPU by events around batches of products, the median of 20 batches after one that does not count; on a CPU the least mean of three
batches, as the report's own times. A peer whose package is missing, or that fails, has a line that says so. Writes `sparse-peers.json` and
`sparse-peers.md` beside the report, or to `--output`. Needs numpy.
"""

import argparse
import json
import statistics
import sys
import time
from datetime import date
from pathlib import Path

import numpy as np

# seconds of a batch, and products that it has at most
BATCH, MOST = 0.005, 200


def repetitions(one):
    """Products in a batch if one takes so many seconds."""
    return max(3, min(MOST, int(BATCH / max(one, 1e-9))))


class Cpu:
    """scipy, on one thread."""

    def __init__(self):
        import scipy
        import scipy.sparse as sparse

        self.sparse, self.versions = sparse, [f"scipy {scipy.__version__}"]

    def time(self, product):
        def batch(n):
            start = time.perf_counter()
            for _ in range(n):
                product()
            return (time.perf_counter() - start) / n

        batch(1)
        n = repetitions(batch(1))
        return min(batch(n) for _ in range(3))

    def peers(self, block):
        return {"scipy bsr": self.bsr} if block > 1 else {"scipy csr": self.csr}

    def csr(self, m, real):
        a = self.sparse.csr_matrix((m.values.astype(real), m.columns, m.starts), shape=m.shape)
        x = np.ones(a.shape[1], real)
        return lambda: a @ x

    def bsr(self, m, real):
        shape = tuple(m.block * n for n in m.shape)
        a = self.sparse.bsr_matrix((m.values.astype(real), m.columns, m.starts), shape=shape)
        x = np.ones(a.shape[1], real)
        return lambda: a @ x


class Cupy:
    """cuSPARSE through cupy: what is prepared once is prepared once."""

    def __init__(self):
        import cupy
        import cupyx.cusparse
        import cupyx.scipy.sparse as sparse
        from cupy.cuda import device
        from cupy_backends.cuda.libs import cusparse

        self.cupy, self.sparse, self.lib, self.descriptors = cupy, sparse, cusparse, cupyx.cusparse
        self.handle = device.get_cusparse_handle
        self.versions = [f"cupy {cupy.__version__}", f"cuSPARSE {cusparse.getVersion(self.handle())}"]

    def time(self, product):
        cupy = self.cupy

        def batch(n):
            start, end = cupy.cuda.Event(), cupy.cuda.Event()
            start.record()
            for _ in range(n):
                product()
            end.record()
            end.synchronize()
            return cupy.cuda.get_elapsed_time(start, end) / 1e3 / n

        batch(3)
        n = repetitions(batch(3))
        return statistics.median(batch(n) for _ in range(20))

    def peers(self, block):
        if block > 1:
            return {"cuSPARSE csr of the numbers, cupy": self.numbers}
        return {
            "cuSPARSE csr, cupy": lambda m, real: self.csr(m, real, 2),
            "cuSPARSE csr, second algorithm, cupy": lambda m, real: self.csr(m, real, 3),
        }

    def csr(self, m, real, algorithm):
        cupy = self.cupy
        arrays = [cupy.asarray(m.values, real), cupy.asarray(m.columns), cupy.asarray(m.starts)]
        return self.spmv(self.sparse.csr_matrix(tuple(arrays), shape=m.shape), algorithm)

    def numbers(self, m, real):
        # entries of a block's row of all blocks of a row follow each other
        b, lengths = m.block, np.diff(m.starts)
        starts = np.concatenate([[0], np.cumsum(np.repeat(lengths * b, b))]).astype(np.int32)
        of_row = np.repeat(np.arange(len(lengths)), lengths)
        first = b * b * m.starts[:-1][of_row].astype(np.int64) + b * (np.arange(len(of_row)) - m.starts[:-1][of_row])
        columns, values = np.empty(m.values.size, np.int32), np.empty(m.values.size, real)
        for i in range(b):
            for j in range(b):
                at = first + i * b * lengths[of_row] + j
                columns[at], values[at] = b * m.columns + j, m.values[:, i, j]
        cupy = self.cupy
        arrays = tuple(cupy.asarray(array) for array in (values, columns, starts))
        return self.spmv(self.sparse.csr_matrix(arrays, shape=tuple(b * n for n in m.shape)), 2)

    def spmv(self, a, algorithm):
        cupy, lib = self.cupy, self.lib
        x, y = cupy.ones(a.shape[1], a.dtype), cupy.zeros(a.shape[0], a.dtype)
        matrix = self.descriptors.SpMatDescriptor.create(a)
        of_x, of_y = (self.descriptors.DnVecDescriptor.create(v) for v in (x, y))
        one, zero = np.ones(1, a.dtype), np.zeros(1, a.dtype)
        # cudaDataType: 0 and 1 are real numbers of single and of double precision
        kind = 0 if a.dtype == np.float32 else 1
        head = (self.handle(), 0, one.ctypes.data, matrix.desc, of_x.desc, zero.ctypes.data, of_y.desc, kind, algorithm)
        scratch = cupy.empty(max(lib.spMV_bufferSize(*head), 1), cupy.int8)

        def product(_kept=(a, x, y, one, zero, matrix, of_x, of_y)):
            lib.spMV(*head, scratch.data.ptr)

        product()
        total = float(y.sum())
        expected = float(a.data.sum(dtype=cupy.float64))
        if abs(total - expected) > 1e-3 * float(abs(a.data).sum(dtype=cupy.float64)):
            raise ArithmeticError(f"the sum of the product is {total}, not {expected}")
        return product


class Torch:
    """torch, which calls cuSPARSE or kernels of its own."""

    def __init__(self):
        import torch

        if not torch.cuda.is_available():
            raise RuntimeError("torch finds no GPU")
        self.torch, self.versions = torch, [f"torch {torch.__version__}"]

    def time(self, product):
        torch = self.torch

        def batch(n):
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            start.record()
            for _ in range(n):
                product()
            end.record()
            end.synchronize()
            return start.elapsed_time(end) / 1e3 / n

        batch(3)
        n = repetitions(batch(3))
        return statistics.median(batch(n) for _ in range(20))

    def peers(self, block):
        return {"sparse_bsr, torch": self.made} if block > 1 else {"sparse_csr, torch": self.made}

    def made(self, m, real):
        torch = self.torch
        starts, columns = (torch.from_numpy(of).cuda() for of in (m.starts, m.columns))
        values = torch.from_numpy(m.values.astype(real)).cuda()
        make = torch.sparse_bsr_tensor if m.block > 1 else torch.sparse_csr_tensor
        a = make(starts, columns, values, size=tuple(m.block * n for n in m.shape))
        x, y = torch.ones(a.shape[1], dtype=a.dtype, device="cuda"), torch.zeros(a.shape[0], dtype=a.dtype, device="cuda")
        return lambda: torch.mv(a, x, out=y)


class Matrix:
    """A matrix of the folder, in compressed sparse rows of numbers or blocks."""

    def __init__(self, folder, entry):
        of = lambda name: np.load(folder / f"{entry['files']}.{name}.npy")
        self.starts, self.columns, self.values = of("starts"), of("columns"), of("values")
        self.shape, self.block = (entry["rows"], entry["columns"]), entry["block"]


def measure(folder, report, libraries):
    """A row for each matrix, precision and peer; the time or the reason why there is none."""
    ours = {(row["matrix"], row["entry"]): row for row in report["measurements"]}
    found = []
    for entry in json.loads((folder / "matrices.json").read_text()):
        matrix = Matrix(folder, entry)
        for real in ("f32", "f64"):
            block = matrix.block
            own = ours.get((entry["matrix"], real if block == 1 else f"DenseBlock<{real}, {block}>"))
            if own is None:
                raise SystemExit(f"the report has no matrix \"{entry['matrix']}\" of {real}, blocks of {block}: measured with another version?")
            for library in libraries:
                for name, make in library.peers(block).items():
                    row = {key: own[key] for key in ("matrix", "entry", "rows", "entries", "best", "best_ms", "guess", "guess_ms")}
                    row["peer"] = name
                    try:
                        kind = np.float32 if real == "f32" else np.float64
                        row["peer_ms"] = 1e3 * library.time(make(matrix, kind))
                    except Exception as error:  # whatever a library raises is named, and the others are measured
                        row["failed"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
                    print(*row.values(), sep=", ", file=sys.stderr, flush=True)
                    found.append(row)
    return found


def table(report, rows, versions, missing):
    """The table in Markdown."""
    text = f"# Sparse products beside other libraries: {report['machine']['name']}\n\n"
    text += f"{date.today()}, ribbonmesh {report['version']}; {', '.join(versions)}. Milliseconds of y = A x. *Best* is the fastest measured variant, "
    text += "*guess* what is taken without measuring; above 1 in the last columns, `ribbonmesh` is faster. Written by `benches/peers/sparse.py`.\n\n"
    text += "".join(f"* {line}\n" for line in missing) + ("\n" if missing else "")
    head = ["matrix", "entry", "rows", "best", "best, ms", "guess, ms", "peer", "peer, ms", "peer / best", "peer / guess"]
    lines = [head, ["---"] * len(head)]
    for row in rows:
        cells = [row["matrix"], row["entry"], row["rows"], row["best"], f"{row['best_ms']:.4f}", f"{row['guess_ms']:.4f}", row["peer"]]
        if "failed" in row:
            cells += [row["failed"].replace("|", "/"), "–", "–"]
        else:
            ms = row["peer_ms"]
            cells += [f"{ms:.4f}", f"{ms / row['best_ms']:.2f}", f"{ms / row['guess_ms']:.2f}"]
        lines.append(cells)
    return text + "".join(f"| {' | '.join(map(str, cells))} |\n" for cells in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("matrices", type=Path, help="the folder that `--matrices` wrote")
    parser.add_argument("report", type=Path, help="sparse.json of the same run")
    parser.add_argument("--output", type=Path, help="a folder [default: that of the report]")
    given = parser.parse_args()
    report = json.loads(given.report.read_text())
    libraries, missing = [], []
    for library in (Cpu,) if report["machine"]["kind"] == "cpu" else (Cupy, Torch):
        try:
            libraries.append(library())
        except Exception as error:  # a package that is missing or does not load
            missing.append(f"{library.__name__.lower()} was not measured: {type(error).__name__}: {error}")
            print(missing[-1], file=sys.stderr)
    if not libraries:
        raise SystemExit("no peer is there: install scipy, or cupy and torch on a GPU")
    rows = measure(given.matrices, report, libraries)
    versions = [version for library in libraries for version in library.versions]
    output = given.output or given.report.parent
    raw = {"date": str(date.today()), "versions": versions, "missing": missing, "measurements": rows}
    (output / "sparse-peers.json").write_text(json.dumps(raw, indent=2) + "\n")
    text = table(report, rows, versions, missing)
    (output / "sparse-peers.md").write_text(text)
    print(text)


if __name__ == "__main__":
    main()
