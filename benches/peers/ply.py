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


def write(path, vertices, faces):
    """The same the other way; vertices without a face are left out."""
    used, corners = np.unique(faces, return_inverse=True)
    rows = np.zeros(len(faces), [("count", "u1"), ("corners", "<i4", 3)])
    rows["count"], rows["corners"] = 3, corners.reshape(-1, 3)
    header = [
        "ply",
        "format binary_little_endian 1.0",
        f"element vertex {len(used)}",
        *(f"property float {axis}" for axis in "xyz"),
        f"element face {len(faces)}",
        "property list uchar int vertex_indices",
        "end_header",
    ]
    with open(path, "wb") as file:
        file.write(("\n".join(header) + "\n").encode())
        file.write(np.asarray(vertices)[used].astype("<f4").tobytes())
        file.write(rows.tobytes())
