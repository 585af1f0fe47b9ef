"""One job by one peer in a process of its own: prints the seconds of the preparation and of the work. Called by compare.py.

With -o FILE, the work returns vertices and faces, which go there."""
import argparse
import time

import ply
from jobs import JOBS

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("job", choices=JOBS)
parser.add_argument("peer")
parser.add_argument("mesh", nargs="+")
parser.add_argument("-o", dest="output")
given = parser.parse_args()
arrays = [array for mesh in given.mesh for array in ply.read(mesh)]
job = JOBS[given.job]
prepare = job.from_python if given.peer == "ribbonmesh" else job.peers[given.peer]
# libraries are loaded once before
prepare(*arrays)
start = time.perf_counter()
work = prepare(*arrays)
prepared = time.perf_counter()
result = work()
end = time.perf_counter()
if given.output:
    ply.write(given.output, *(result() if callable(result) else result))
print(prepared - start, end - prepared)
