"""Writes bracket.ply: an angle bracket in millimetres, as a CAD program triangulates it. Needs Python 3 alone.

    python3 bracket.py > bracket.ply

The wall plate is at x from 0 to THICK, the arm at z from 0 to THICK; the corner between them is rounded. Both have holes. Each face has
the number of its region.
"""

from math import cos, pi, sin

LENGTH, WIDTH, THICK, FILLET = 60.0, 40.0, 5.0, 5.0
# holes: along the plate, across it, radius
WALL_HOLES = [(42.0, 10.0, 4.0), (42.0, 30.0, 4.0)]
ARM_HOLES = [(35.0, 20.0, 6.0)]
HOLE_CORNERS, FILLET_EDGES = 32, 12


def circle(x, y, radius, n=HOLE_CORNERS):
    return [(x + radius * cos(2 * pi * i / n), y + radius * sin(2 * pi * i / n)) for i in range(n)]


def turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def apart(a, b):
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def crosses(a, b, c, d):
    if {a, b} & {c, d}:
        return False
    return turn(a, b, c) * turn(a, b, d) <= 0 and turn(c, d, a) * turn(c, d, b) <= 0


def triangulate(outline, holes):
    """Triangles of a counterclockwise polygon with holes. Each hole is joined to the outline, then ears are cut off."""
    ring, left = list(outline), [hole[::-1] for hole in holes]
    while left:
        edges = [(l[i - 1], l[i]) for l in [ring, *left] for i in range(len(l))]
        bridges = ((apart(r, v), i, h, k) for i, r in enumerate(ring) for h, l in enumerate(left) for k, v in enumerate(l))
        for _, i, h, k in sorted(bridges):
            if not any(crosses(ring[i], left[h][k], *edge) for edge in edges):
                break
        hole = left.pop(h)
        ring[i + 1 : i + 1] = [*hole[k:], *hole[: k + 1], ring[i]]
    triangles = []
    while len(ring) > 3:
        ears = []
        for i in range(len(ring)):
            a, b, c = ring[i - 1], ring[i], ring[(i + 1) % len(ring)]
            area = turn(a, b, c)
            if area <= 1e-9:
                continue
            if all(p in (a, b, c) or min(turn(a, b, p), turn(b, c, p), turn(c, a, p)) < 0 for p in ring):
                # the least slender one
                ears.append((area / max(apart(a, b), apart(b, c), apart(c, a)), i))
        _, i = max(ears)
        triangles.append((ring[i - 1], ring[i], ring[(i + 1) % len(ring)]))
        del ring[i]
    return [*triangles, tuple(ring)]


REGIONS = ["arm_outside", "arm_inside", "arm_hole_1", "wall_outside", "wall_inside", "wall_hole_1", "wall_hole_2", "side", "arm_end", "wall_end", "fillet"]
vertices, faces = {}, []


def add(region, triangles):
    for triangle in triangles:
        ids = [vertices.setdefault(tuple(round(x, 9) for x in p), len(vertices)) for p in triangle]
        faces.append((*ids, REGIONS.index(region) + 1))


def walls(loop, low, high, place):
    """Quads, cut in two, between a loop at two heights. They look to the right of the loop."""
    for a, b in zip(loop, loop[1:] + loop[:1]):
        corners = [place(*a, low), place(*b, low), place(*b, high), place(*a, high)]
        yield corners[:3]
        yield [corners[0], *corners[2:]]


def plate(name, holes, place, flip):
    """The two sides of a plate and its holes; `place` takes along, across, height."""
    loops = [circle(*hole) for hole in holes]
    found = []
    for height, start in ((0.0, 0.0), (THICK, THICK + FILLET)):
        outline = [(start, 0.0), (LENGTH, 0.0), (LENGTH, WIDTH), (start, WIDTH)]
        up = [[place(*p, height) for p in t] for t in triangulate(outline, loops)]
        found.append([t[::-1] for t in up] if (height == 0.0) != flip else up)
    add(f"{name}_outside", found[0])
    add(f"{name}_inside", found[1])
    for i, loop in enumerate(loops):
        tube = list(walls(loop[::-1], 0.0, THICK, place))
        add(f"{name}_hole_{i + 1}", [t[::-1] for t in tube] if flip else tube)


def main():
    plate("arm", ARM_HOLES, lambda along, across, height: (along, across, height), False)
    plate("wall", WALL_HOLES, lambda along, across, height: (height, across, along), True)
    # the profile in the plane of x and z, counterclockwise
    r, c = FILLET, THICK + FILLET
    arc = [(c - r * sin(t), c - r * cos(t)) for t in (pi / 2 * i / FILLET_EDGES for i in range(FILLET_EDGES + 1))]
    profile = [(0.0, 0.0), (LENGTH, 0.0), (LENGTH, THICK), *arc, (THICK, LENGTH), (0.0, LENGTH)]
    side = triangulate(profile, [])
    add("side", [[(x, 0.0, z) for x, z in t] for t in side] + [[(x, WIDTH, z) for x, z in t[::-1]] for t in side])
    strip = list(walls(profile, 0.0, WIDTH, lambda x, z, y: (x, y, z)))
    end = {"arm_end": 1, "wall_end": len(profile) - 2}
    for name, i in end.items():
        add(name, [t[::-1] for t in strip[2 * i : 2 * i + 2]])
    add("fillet", [t[::-1] for t in strip[6 : 6 + 2 * FILLET_EDGES]])
    print("ply\nformat ascii 1.0\ncomment An angle bracket, 60 x 40 x 60 mm, of plates of 5 mm; made by bracket.py")
    for i, name in enumerate(REGIONS):
        print(f"comment region {i + 1} {name}")
    print(f"element vertex {len(vertices)}\nproperty float x\nproperty float y\nproperty float z")
    print(f"element face {len(faces)}\nproperty list uchar int vertex_indices\nproperty int region\nend_header")
    for p in vertices:
        print("{:.9g} {:.9g} {:.9g}".format(*p))
    for face in faces:
        print("3 {} {} {} {}".format(*face))


main()
