"""One job by one peer in a process of its own: prints the seconds of the preparation and of the work. Called by compare.py.

With a file as the last argument, the work returns vertices and faces, which go there."""
import sys
import time

import ply
from jobs import JOBS

job, peer, mesh, *output = sys.argv[1:]
arrays = ply.read(mesh)
prepare = JOBS[job].peers[peer]
# libraries are loaded once before
prepare(*arrays)
start = time.perf_counter()
work = prepare(*arrays)
prepared = time.perf_counter()
result = work()
end = time.perf_counter()
for path in output:
    ply.write(path, *(result() if callable(result) else result))
print(prepared - start, end - prepared)
