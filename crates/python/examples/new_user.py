"""From a file to a remeshed, simplified, rendered mesh."""

import sys

import ribbonmesh as rm

mesh = rm.read(sys.argv[1])
sound = mesh.repair()
even = sound.remesh("1.2x")
small = even.simplify(ratio=0.1)
print(small, "genus", small.info().genus)
print("distance from the input, in diagonals:", mesh.distance(small, samples=10_000).relative.hausdorff)
small.render(sys.argv[2], view="iso")
