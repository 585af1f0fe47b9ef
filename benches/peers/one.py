"""One job by one peer in a process of its own: prints the seconds of the preparation and of the work. Called by compare.py.

With -o FILE, the work returns vertices and faces, which go there. With --processor, seconds are those of all
threads on processors, whatever else these do meanwhile."""
import argparse
import time

import ply
from jobs import JOBS

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("job", choices=JOBS)
parser.add_argument("peer")
parser.add_argument("mesh", nargs="+")
parser.add_argument("-o", dest="output")
parser.add_argument("--processor", action="store_true")
given = parser.parse_args()
clock = time.process_time if given.processor else time.perf_counter
arrays = [array for mesh in given.mesh for array in ply.read(mesh)]
job = JOBS[given.job]
prepare = job.from_python if given.peer == "ribbonmesh" else job.peers[given.peer]
# libraries are loaded once before
prepare(*arrays)
start = clock()
work = prepare(*arrays)
prepared = clock()
result = work()
end = clock()
if given.output:
    ply.write(given.output, *(result() if callable(result) else result))
print(prepared - start, end - prepared)
