"""A folder of meshes: ``python folder.py IN OUT``. Run it again after an interruption, and it goes on."""

import sys
from pathlib import Path

import ribbonmesh as rm


def small(mesh: rm.Mesh) -> rm.Mesh:
    """What becomes of each mesh."""
    return mesh.clean(faces=1000, resolution=48)


files = sorted(Path(sys.argv[1]).glob("*.ply"))
result = rm.map(files, small, out=sys.argv[2], workers=4)
print(result)
for path, error in result.failed.items():
    print(path, error)
