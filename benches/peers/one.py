"""One job by one peer in a process of its own: prints the seconds of the work. Called by compare.py."""
import sys
import time

import ply
from jobs import JOBS

job, peer, mesh = sys.argv[1:]
work = JOBS[job].peers[peer](*ply.read(mesh))
start = time.perf_counter()
result = work()
print(time.perf_counter() - start)
