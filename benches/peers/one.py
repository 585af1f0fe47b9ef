"""One job by one peer in a process of its own: prints the seconds of the work. Called by compare.py.

With a file as the last argument, the work returns vertices and faces, which go there."""
import sys
import time

import ply
from jobs import JOBS

job, peer, mesh, *output = sys.argv[1:]
work = JOBS[job].peers[peer](*ply.read(mesh))
start = time.perf_counter()
result = work()
seconds = time.perf_counter() - start
for path in output:
    ply.write(path, *(result() if callable(result) else result))
print(seconds)
