"""Binary PLY as `ribbonmesh convert` writes it: float coordinates, triangles."""
import numpy as np


def read(path):
    """Coordinates (n × 3, float64) and faces (m × 3, int32)."""
    with open(path, "rb") as file:
        counts = {}
        while (line := file.readline().split()) != [b"end_header"]:
            if not line:
                raise ValueError(f"{path}: no end of the header")
            if line[0] == b"element":
                counts[line[1]] = int(line[2])
        vertices = np.fromfile(file, "<f4", 3 * counts[b"vertex"]).reshape(-1, 3)
        faces = np.fromfile(file, [("count", "u1"), ("corners", "<i4", 3)], counts[b"face"])
    if len(faces) != counts[b"face"] or not (faces["count"] == 3).all():
        raise ValueError(f"{path}: not the triangles that ribbonmesh writes")
    return vertices.astype(np.float64), np.ascontiguousarray(faces["corners"])
