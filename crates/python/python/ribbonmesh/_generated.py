"""Applications of the registry as methods of a mesh. A test of `ribbonmesh-applications` writes this file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ._arguments import places_of, vertices_of, whole
from ._results import Curvature, Geodesic, Values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from os import PathLike

    from ._mesh import Array, Length, Mesh, Progress


class Applications:
    """Applications of the registry."""

    __slots__ = ()

    def _apply(self, name: str, progress: Progress, options: dict[str, object], others: tuple[Mesh, ...] = ()) -> Mesh:
        raise NotImplementedError

    def _values(self, name: str, options: dict[str, object]) -> Values:
        raise NotImplementedError

    def normals(
        self,
        *,
        weight: Literal["area", "angle", "max"] = "angle",
    ) -> Array:
        """Compute a unit normal at every vertex.

        A vertex has the normal 0 0 0 where there is no direction: without faces, or where its faces are
        degenerate or their normals cancel.

        Parameters
        ----------
        weight : ``"area"``, ``"angle"`` or ``"max"``
            Weights of the faces at a vertex.

        Returns
        -------
        Array
            A float32 array (n, 3).

        Examples
        --------
        >>> import numpy as np, ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> bool(np.allclose(ball.normals(), ball.vertices, atol=0.01))
        True
        """
        found = self._values(
            "normals",
            {
                "weight": weight,
            },
        )
        return found.arrays["normal"]

    def curvature(
        self,
        *,
        area: Literal["barycentric", "mixed"] = "mixed",
    ) -> Curvature:
        """Compute the curvatures of the vertices of a mesh.

        Gaussian and mean curvature, which are 0 on the boundary, and the geodesic curvature of the boundary,
        which is 0 elsewhere; also the angle defect in radians and the area of each vertex, whose quotient is
        the Gaussian curvature.

        Parameters
        ----------
        area : ``"barycentric"`` or ``"mixed"``
            The part of its faces that belongs to a vertex.

        Returns
        -------
        Curvature
            An array of n numbers for each curvature, and a report.

        Examples
        --------
        >>> import math, ribbonmesh as rm
        >>> found = rm.generate("icosphere", 3, device="cpu").curvature()
        >>> math.isclose(found.report.total_defect, 4 * math.pi, rel_tol=1e-4)
        True
        """
        found = self._values(
            "curvature",
            {
                "area": area,
            },
        )
        return Curvature._of(found)

    def geodesic(
        self,
        source: int | Iterable[int],
        *,
        order: Literal["auto", "sequence", "distance", "hops"] = "auto",
        tolerance: float = 1e-6,
        estimate: bool = False,
        exact: bool = False,
        heat: bool = False,
        time: float = 1.0,
        solver: Literal["auto", "iterative", "direct"] = "auto",
        signed: bool = False,
        log_map: bool = False,
        path_to: Iterable[int] = (),
        nearest: bool = False,
    ) -> Geodesic:
        """Compute the geodesic distance of every vertex from the nearest of some of them.

        Distances are in the units of the mesh, infinite where no path leads. They are lengths of paths on the
        mesh, found by front propagation (Romero et al. 2019), or with ``exact`` the least that are possible
        on these triangles (Mitchell, Mount and Papadimitriou 1987), or with ``heat`` those of the heat method
        (Crane, Weischedel and Wardetzky 2013). With ``signed`` they have a sign (Feng and Crane 2024); with
        ``log_map`` vertices get coordinates in the tangent plane of one of them (Soliman and Sharp 2025).

        Parameters
        ----------
        source : int or several
            Vertex of the input, from 0, from which distances are measured.
        order : ``"auto"``, ``"sequence"``, ``"distance"`` or ``"hops"``
            The order in which the front passes over the mesh.
        tolerance : float
            A distance that would decrease by no more than this part of itself stays, 0 to 0.1.
        estimate : bool
            Estimates, in a fraction of the time: no lengths of paths, and behind holes up to a fifth too
            small.
        exact : bool
            Exact distances, in double precision, on one core of the host: about two seconds for 100,000
            faces.
        heat : bool
            By the heat method: smooth distances in double precision, a few percent off, also below the exact
            ones.
        time : float
            With ``heat``: the time for which heat flows, in squared mean edge lengths; more is smoother, 0.01
            to 1000000.
        solver : ``"auto"``, ``"iterative"`` or ``"direct"``
            With ``heat``, ``signed`` or ``log_map``: how systems are solved.
        signed : bool
            Distances with a sign, from a curve along edges whose vertices the sources are, in order: positive
            on its right, outside if it goes counterclockwise. By the heat method, in double precision.
        log_map : bool
            The logarithmic map of one source: coordinates log_x and log_y of each vertex in its tangent
            plane. By the heat method, in double precision.
        path_to : several ints
            With ``exact``: vertex to which a shortest path is wanted.
        nearest : bool
            Also which source is the nearest of each vertex, by walks along edges.

        Returns
        -------
        Geodesic
            The distances, the paths that were asked for, and a report.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> found = rm.generate("icosphere", 3, device="cpu").geodesic(0)
        >>> bool(3.0 < found.distance.max() < 3.15)
        True
        """
        source = vertices_of("source", source)
        path_to = vertices_of("path_to", path_to)
        found = self._values(
            "geodesic",
            {
                "source": source,
                "order": order,
                "tolerance": tolerance,
                "estimate": estimate,
                "exact": exact,
                "heat": heat,
                "time": time,
                "solver": solver,
                "signed": signed,
                "log_map": log_map,
                "path_to": path_to,
                "nearest": nearest,
            },
        )
        return Geodesic._of(found)

    def denoise(
        self,
        *,
        method: Literal["bilateral", "normals", "taubin"] = "normals",
        noise: float | None = None,
        iterations: int | None = None,
        similarity: float | None = None,
        radius: Literal["shortest", "mean", "longest"] = "shortest",
        scale: float = 1.0,
        fixed_boundary: bool = False,
        no_self_intersections: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Remove noise from a mesh and keep its edges.

        The noise of the mesh is estimated, and decides how much is done: nothing where there is none. The
        normals of faces are filtered (Zheng et al. 2011), then vertices follow them; other methods by
        ``method``. Vertices and faces keep their order.

        Parameters
        ----------
        method : ``"bilateral"``, ``"normals"`` or ``"taubin"``
            Method: normals (of faces, filtered; keeps edges), bilateral (offsets of neighbours), taubin
            (keeps no edges).
        noise : float, optional
            Standard deviation of the noise in mean edge lengths, 0 to 10. Default: estimated.
        iterations : int, optional
            Iterations. Default: by the noise.
        similarity : float, optional
            With ``method=normals``: differences of unit normals beyond it are edges, above 0, at most 2.
            Default: by the noise.
        radius : ``"shortest"``, ``"mean"`` or ``"longest"``
            With ``method=bilateral``: edge length at each vertex by which the size of its neighbourhood goes.
        scale : float
            With ``method=bilateral``: σc in those lengths; neighbours are those within 2σc.
        fixed_boundary : bool
            Leave vertices on the boundary where they are.
        no_self_intersections : bool
            Move vertices less far where faces would intersect others.
        progress : function, optional
            Called with the number of kernels since the last call.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rm.generate("icosphere", 3, noise=0.2, device="cpu").denoise().report.noise > 0.1
        True
        """
        whole(0, 10000, iterations=iterations)
        return self._apply(
            "denoise",
            progress,
            {
                "method": method,
                "noise": noise,
                "iterations": iterations,
                "similarity": similarity,
                "radius": radius,
                "scale": scale,
                "fixed_boundary": fixed_boundary,
                "no_self_intersections": no_self_intersections,
            },
        )

    def smooth(
        self,
        *,
        time_step: float | str | None = None,
        steps: int = 1,
        weights: Literal["cotangent", "uniform", "intrinsic"] = "cotangent",
        mass: Literal["barycentric", "mixed", "unit"] = "barycentric",
        solver: Literal["auto", "assembled", "matrix-free", "direct"] = "auto",
        boundary: Literal["free", "fixed"] = "free",
        preconditioner: Literal["auto", "jacobi", "schwarz", "none"] = "auto",
        tolerance: float = 0.0001,
        max_iterations: int = 5000,
        keep_volume: bool = False,
        no_self_intersections: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Smooth a mesh by mean curvature flow.

        Implicit steps (M + T L) x' = M x, solved by conjugate gradients or a factorization: any time step is
        stable. Vertices and faces keep their order; isolated vertices stay.

        Parameters
        ----------
        time_step : float or str, optional
            Time of a step: in squared units of the mesh, such as 0.01, or in squared mean edge lengths of the
            input, such as 1.5h2; with ``mass=unit`` a number that multiplies L. Default: 1h2, with ``mass``
            unit 1.
        steps : int
            Steps; weights and masses are computed anew for each.
        weights : ``"cotangent"``, ``"uniform"`` or ``"intrinsic"``
            Weights of edges: cotangent (flow by mean curvature), uniform (evens out the edges, too) or
            intrinsic (flow by mean curvature, of a better triangulation).
        mass : ``"barycentric"``, ``"mixed"`` or ``"unit"``
            Masses of vertices: barycentric (a third of the area of the faces), mixed (Voronoi areas, Meyer et
            al. 2003), or unit.
        solver : ``"auto"``, ``"assembled"``, ``"matrix-free"`` or ``"direct"``
            Store the matrix, compute its weights in every iteration, which takes less memory, or factor it.
        boundary : ``"free"`` or ``"fixed"``
            Let the vertices of the boundary move, or keep them where they are.
        preconditioner : ``"auto"``, ``"jacobi"``, ``"schwarz"`` or ``"none"``
            It takes fewer iterations where faces differ in size or shape.
        tolerance : float
            How much smaller than the first the last residual of a step shall be.
        max_iterations : int
            Iterations after which a step ends even so.
        keep_volume : bool
            Scale each component of a closed surface about its centre after each step, so that it keeps its
            volume.
        no_self_intersections : bool
            Move vertices less far where faces would intersect others.
        progress : function, optional
            Called with the number of kernels since the last call.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rm.generate("bumpy-sphere", 3, device="cpu").smooth(time_step="10h2").report.converged
        True
        """
        whole(1, steps=steps)
        whole(max_iterations=max_iterations)
        return self._apply(
            "smooth",
            progress,
            {
                "time_step": time_step,
                "steps": steps,
                "weights": weights,
                "mass": mass,
                "solver": solver,
                "boundary": boundary,
                "preconditioner": preconditioner,
                "tolerance": tolerance,
                "max_iterations": max_iterations,
                "keep_volume": keep_volume,
                "no_self_intersections": no_self_intersections,
            },
        )

    def deform(
        self,
        handles: Mapping[int, Iterable[float] | None] | str | PathLike[str],
        *,
        tolerance: float = 0.0001,
        iterations: int = 500,
        progress: Progress = None,
    ) -> Mesh:
        """Deform a mesh by moving some of its vertices, as rigidly as possible.

        Vertices that are named go to given positions, all others follow such that the surface around each is
        turned rather than stretched: a minimum of the as-rigid-as-possible energy over spokes and rims
        (Sorkine and Alexa 2007; Chao et al. 2010). Each part of the mesh needs a handle.

        Parameters
        ----------
        handles : positions by vertex, None for one that stays; or a file, or text
            Vertices and where they go: a file with lines VERTEX X Y Z, or VERTEX alone for one that stays,
            vertices from 0; or a list such as 12:0,0,1;7.
        tolerance : float
            The deformation ends when the gradient of the energy is this part of the first one, between 0 and
            1.
        iterations : int
            Iterations at most.
        progress : function, optional
            Called with the number of kernels since the last call.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> sphere = rm.generate("icosphere", 3, device="cpu")
        >>> longer = sphere.deform({0: sphere.vertices[0], 3: 2 * sphere.vertices[3]})
        >>> longer.report.converged
        True
        """
        handles = places_of("handles", handles)
        whole(1, iterations=iterations)
        return self._apply(
            "deform",
            progress,
            {
                "handles": handles,
                "tolerance": tolerance,
                "iterations": iterations,
            },
        )

    def delaunay(
        self,
        *,
        order: Literal["auto", "sequence", "rounds"] = "auto",
        max_normal_deviation: float | None = None,
        no_self_intersections: bool = False,
        validate: bool = False,
        repair: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Flip edges until a mesh is Delaunay.

        An edge is flipped where its two opposite angles add up to more than 180 degrees. Vertices keep their
        place and their order; a face stands where the one stood of which it was made. The mesh has to be an
        oriented manifold, with or without boundary; ``repair`` makes one of any mesh first.

        Parameters
        ----------
        order : ``"auto"``, ``"sequence"`` or ``"rounds"``
            Order of the flips.
        max_normal_deviation : float, optional
            Flip no edge if a face's normal would turn by more.
        no_self_intersections : bool
            Take back flips that would make faces intersect others.
        validate : bool
            Check the result before it is written.
        repair : bool
            Make an oriented manifold of the input first, as the command repair does.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            The exception names the element.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rm.generate("grid", 20, device="cpu").delaunay().report.non_delaunay_after
        0
        """
        return self._apply(
            "delaunay",
            progress,
            {
                "order": order,
                "max_normal_deviation": max_normal_deviation,
                "no_self_intersections": no_self_intersections,
                "validate": validate,
                "repair": repair,
            },
        )

    def remesh(
        self,
        target_length: Length | None = None,
        *,
        iterations: int | None = None,
        feature_angle: float | None = None,
        merge_features: float | None = None,
        boundary: Literal["fixed", "slide", "free"] = "slide",
        project: bool = False,
        fast: bool = False,
        vertices: int | None = None,
        ratio: float | None = None,
        adaptive: bool = False,
        tolerance: Length | None = None,
        range: tuple[float, float] | None = None,
        most_faces: int | None = None,
        smoothing: int = 3,
        step: float = 1.0,
        weights: Literal["area", "uniform"] = "area",
        no_self_intersections: bool = False,
        validate: bool = False,
        repair: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Remesh: triangles as equilateral as possible, with edges of a given length.

        Isotropic remeshing (Botsch and Kobbelt 2004): in each iteration, edges longer than 4/3 of the target
        length are split, edges shorter than 4/5 of it are collapsed, edges are flipped towards valence 6, and
        vertices are smoothed within the surface. Boundary and several components are welcome; the mesh must
        be an oriented manifold. Vertices and faces come out in an order of their own.

        Parameters
        ----------
        target_length : float or str, optional
            Target length of edges. Default: 1x, at most 5%; with ``fast`` 3x.
        iterations : int, optional
            Iterations. Default: 3.
        feature_angle : float, optional
            Keep edges whose faces' normals have a greater angle than this, 180: none. Default: 30 where such
            edges form curves; with ``fast`` 50.
        merge_features : float, optional
            Merge two features where edges between them are shorter than this many target lengths, 0 to 0.2:
            none goes farther than a tenth of the target length. Default: 0.12.
        boundary : ``"fixed"``, ``"slide"`` or ``"free"``
            The boundary stays as it is (fixed), its vertices move along it (slide), or to the middle of their
            neighbours.
        project : bool
            Move vertices back to the surface of the input.
        fast : bool
            Put vertices into clusters, and join these to triangles (Valette and Chassery 2004), for a result
            that is a lot coarser than the input; ``iterations`` are rounds of Lloyd's algorithm. Default: 10.
        vertices : int, optional
            Number of vertices, instead of a target length.
        ratio : float, optional
            Number of vertices as a part of those of the input, instead of a target length.
        adaptive : bool
            Shorter edges where the surface bends, and where the surfaces would be farther apart than
            ``tolerance``; vertices are moved back to the surface of the input.
        tolerance : float or str, optional
            How far the surfaces before and after may be from each other. Default: 0.2%.
        range : tuple[float, float], optional
            Shortest and longest target length, in target lengths. Default: 0.25,4, and shorter where
            ``tolerance`` needs it.
        most_faces : int, optional
            Give ``tolerance`` up where it takes more faces than this, about. Default: four times those of the
            input, or of the target length everywhere.
        smoothing : int
            Steps of smoothing in an iteration.
        step : float
            How much of the way a vertex goes in a step of smoothing, 0 to 1.
        weights : ``"area"`` or ``"uniform"``
            How smoothing weights triangles.
        no_self_intersections : bool
            Take back collapses, flips and moves that would make faces intersect others.
        validate : bool
            Check the mesh after every phase.
        repair : bool
            Make an oriented manifold of the input first, as the command repair does.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            The exception names the element.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> coarse = ball.remesh("2x")
        >>> len(coarse) < len(ball) / 2, coarse.report.before.faces
        (True, 1280)
        """
        whole(iterations=iterations)
        whole(vertices=vertices)
        whole(most_faces=most_faces)
        whole(smoothing=smoothing)
        return self._apply(
            "remesh",
            progress,
            {
                "target_length": target_length,
                "iterations": iterations,
                "feature_angle": feature_angle,
                "merge_features": merge_features,
                "boundary": boundary,
                "project": project,
                "fast": fast,
                "vertices": vertices,
                "ratio": ratio,
                "adaptive": adaptive,
                "tolerance": tolerance,
                "range": range,
                "most_faces": most_faces,
                "smoothing": smoothing,
                "step": step,
                "weights": weights,
                "no_self_intersections": no_self_intersections,
                "validate": validate,
                "repair": repair,
            },
        )

    def simplify(
        self,
        faces: int | None = None,
        *,
        ratio: float | None = None,
        max_error: Length | None = None,
        topology: Literal["keep", "free"] = "keep",
        feature_angle: float | None = None,
        fixed_boundary: bool = False,
        curve_weight: float = 10.0,
        max_turn: float = 75.0,
        order: Literal["auto", "sequence", "rounds"] = "auto",
        share: float = 0.125,
        no_self_intersections: bool = False,
        validate: bool = False,
        repair: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Simplify: fewer faces at the least cost in shape.

        Edges are collapsed in the order of their quadric errors (Garland and Heckbert 1997), to a number of
        faces, to a share of them, or as long as the two surfaces stay within a distance; with both, whichever
        comes first. Boundary, components and holes stay, unless ``topology`` free is given; the mesh must be
        an oriented manifold. Vertices and faces keep the order of those of the input that they come from.

        Parameters
        ----------
        faces : int, optional
            Number of faces.
        ratio : float, optional
            Number of faces as a part of those of the input, 0 to 1.
        max_error : float or str, optional
            How far the surfaces may be from each other: in the units of the positions, or 0.1%: of the
            input's diagonal.
        topology : ``"keep"`` or ``"free"``
            Treatment of components, holes and tunnels: keep; or free: holes and tunnels close, small
            components vanish or are joined where that is needed, so that any number of faces is reached.
        feature_angle : float, optional
            Keep edges whose faces' normals have a greater angle than this. Default: none.
        fixed_boundary : bool
            Keep the vertices of the boundary where they are.
        curve_weight : float
            How much the shape of boundary and features counts, beside that of faces.
        max_turn : float
            Largest angle by which a collapse may turn a face.
        order : ``"auto"``, ``"sequence"`` or ``"rounds"``
            Order of the collapses.
        share : float
            In rounds: collapse at most this share of the faces, as edges, before costs are looked at again.
        no_self_intersections : bool
            Take collapses back whose faces would intersect others; intersections of the input stay.
        validate : bool
            Check the mesh after every stage.
        repair : bool
            Make an oriented manifold of the input first, as the command repair does.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            The exception names the element.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> len(rm.generate("icosphere", 3, device="cpu").simplify(100))
        100
        """
        whole(faces=faces)
        return self._apply(
            "simplify",
            progress,
            {
                "faces": faces,
                "ratio": ratio,
                "max_error": max_error,
                "topology": topology,
                "feature_angle": feature_angle,
                "fixed_boundary": fixed_boundary,
                "curve_weight": curve_weight,
                "max_turn": max_turn,
                "order": order,
                "share": share,
                "no_self_intersections": no_self_intersections,
                "validate": validate,
                "repair": repair,
            },
        )

    def repair(
        self,
        *,
        weld: Length | None = None,
        remove_zero_area: bool = False,
        remove_components: int = 0,
        remove_isolated: bool = False,
        fill_holes: int | None = None,
        check: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Make an oriented manifold of a mesh.

        Drops degenerate and duplicate faces and folds, turns faces so that neighbours agree, and cuts what
        cannot be oriented. At edges of more than two faces, the flattest pairs of faces stay together, so
        that sheets pass through each other, and the rest is cut apart; so are vertices where several fans
        meet. What remains keeps its order and its place; copies of vertices come last. Attributes follow
        their elements. The report lists every change by the input's numbers, from 0.

        Parameters
        ----------
        weld : float or str, optional
            First make vertices one that are at most this far apart; 0: those at the same place.
        remove_zero_area : bool
            Drop faces without area; where neighbours remain, this leaves a boundary.
        remove_components : int
            Drop components of fewer faces than this, and their vertices.
        remove_isolated : bool
            Remove vertices without a face.
        fill_holes : int, optional
            At the end, fill holes of at most this many edges; before that, close cracks and T-junctions, up
            to the distance of ``weld`` or a hundred-thousandth of the diagonal.
        check : bool
            Only look whether anything needs repair, which is then an error.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            With ``check``, if the mesh needs repair.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> flipped = rm.Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 1, 2], [1, 2, 3]], "cpu")
        >>> flipped.repair().faces.tolist()
        [[0, 1, 2], [1, 3, 2]]
        """
        whole(remove_components=remove_components)
        whole(fill_holes=fill_holes)
        return self._apply(
            "repair",
            progress,
            {
                "weld": weld,
                "remove_zero_area": remove_zero_area,
                "remove_components": remove_components,
                "remove_isolated": remove_isolated,
                "fill_holes": fill_holes,
                "check": check,
            },
        )

    def fill(
        self,
        *,
        method: Literal["flat", "smooth"] = "smooth",
        up_to: int | None = None,
        perimeter: Length | None = None,
        keep_largest: bool = False,
        borders: bool = False,
        join: Length | None = None,
        no_join: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Fill the holes of a mesh.

        A hole is a boundary loop. The outer border of an open surface, such as a terrain, is none, and is
        left (``borders`` closes it as well). Two rims that face each other, as where a ring of a tube is
        missing, are one hole. New faces come behind the others, and so do new vertices; what was there keeps
        its place and its order. The mesh has to be an oriented manifold, whose boundary loops may touch at
        vertices; ``ribbonmesh repair`` makes one of any mesh.

        Parameters
        ----------
        method : ``"flat"`` or ``"smooth"``
            Triangles between the vertices of the hole, or refined and faired ones that continue the surface's
            curvature.
        up_to : int, optional
            Leave holes of more edges.
        perimeter : float or str, optional
            Leave holes with a longer boundary.
        keep_largest : bool
            Leave the hole with the longest boundary.
        borders : bool
            Close the outer borders of open surfaces as well, such as that of a terrain.
        join : float or str, optional
            Join pairs of holes whose boundaries lie near each other, at most this far apart, by a strip of
            faces, whatever their size.
        no_join : bool
            Join no rims that face each other: each gets a lid.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            The exception names the element.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 2, device="cpu")
        >>> rm.Mesh(ball.vertices, ball.faces[1:], "cpu").fill().info().boundary_edges
        0
        """
        whole(up_to=up_to)
        return self._apply(
            "fill",
            progress,
            {
                "method": method,
                "up_to": up_to,
                "perimeter": perimeter,
                "keep_largest": keep_largest,
                "borders": borders,
                "join": join,
                "no_join": no_join,
            },
        )

    def resolve(
        self,
        *others: Mesh,
        progress: Progress = None,
    ) -> Mesh:
        """Make meshes that pass through themselves or each other one that does not.

        The result is the exact surface of the volume within any of the meshes: the union of ``boolean``, of
        one mesh or of several. That of closed meshes is closed, an oriented manifold, and free of
        intersections. Attributes that all meshes have follow.

        Parameters
        ----------
        *others : Mesh
            Further meshes.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            Nothing is left of meshes of which ``mesh`` is open.
        MeshError
            Rounding the result makes new intersections again and again.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> other = rm.Mesh(ball.vertices + 0.4, ball.faces, "cpu")
        >>> len(ball.resolve(other).intersections().pairs)
        0
        """
        return self._apply(
            "resolve",
            progress,
            {
            },
            others,
        )

    def boolean(
        self,
        *others: Mesh,
        op: Literal["union", "intersection", "difference", "xor"] = "union",
        provenance: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Combine meshes: union, intersection, difference, symmetric difference.

        Faces are cut where meshes cross, with exact predicates; the parts that enclose the result are kept.
        Meshes may touch, coincide in faces, pass through themselves and have cavities. Vertices of the meshes
        stay; those where faces cross are rounded to single precision, and what rounding lets intersect is cut
        again. The result of closed meshes is closed, an oriented manifold, and free of intersections. Parts
        of meshes with holes are chosen by generalised winding numbers, with a warning. Attributes that all
        meshes have follow.

        Parameters
        ----------
        *others : Mesh
            Further meshes.
        op : ``"union"``, ``"intersection"``, ``"difference"`` or ``"xor"``
            Volume that the result encloses.
        provenance : bool
            Add to each face of the result the index of its mesh and of its face there, as columns
            ``input_mesh`` and ``input_face``.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        MeshError
            Rounding the result makes new intersections again and again.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu")
        >>> other = rm.Mesh(ball.vertices + 0.4, ball.faces, "cpu")
        >>> lens = ball.boolean(other, op="intersection")
        >>> len(lens.intersections().pairs)
        0
        """
        return self._apply(
            "boolean",
            progress,
            {
                "op": op,
                "provenance": provenance,
            },
            others,
        )

    def wrap(
        self,
        *,
        resolution: int = 128,
        offset: float = 1.0,
        no_winding: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Wrap any triangles in a closed surface without self-intersections.

        What is within a distance of the triangles, or has a winding number of more than one half, is a
        volume. Its surface is extracted from a grid and drawn to the triangles. The result is always a closed
        oriented manifold with outward faces, free of intersections; sharp edges become rounder.

        Parameters
        ----------
        resolution : int
            Cubes of the grid along the longest edge of the bounding box.
        offset : float
            Distance of the surface from the triangles before it is drawn to them, in cubes, 0.5 to 8; gaps of
            less than twice this are closed.
        no_winding : bool
            Do not ask for winding numbers: only gaps are closed, not holes.
        progress : function, optional
            Called with the number of kernels since the last call.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> rm.generate("icosphere", 2, device="cpu").wrap(resolution=16).info().boundary_edges
        0
        """
        whole(2, 1024, resolution=resolution)
        return self._apply(
            "wrap",
            progress,
            {
                "resolution": resolution,
                "offset": offset,
                "no_winding": no_winding,
            },
        )

    def clean(
        self,
        *,
        faces: int | None = None,
        weld: Length | None = None,
        no_weld: bool = False,
        remove_components: int = 0,
        fill: Literal["flat", "smooth"] = "smooth",
        wrap: Literal["when-needed", "always", "never"] = "when-needed",
        resolution: int | None = None,
        offset: float = 1.0,
        memory: float | str | None = None,
        no_winding: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Make any triangles a closed mesh without self-intersections.

        Repairs, fills holes, resolves intersections, and simplifies to a number of faces, in one call. What
        is too bad for that is wrapped, see ``ribbonmesh wrap``. The result is a closed oriented manifold with
        outward faces, free of intersections; the report has every step.

        Parameters
        ----------
        faces : int, optional
            Simplify to at most this many faces; an odd number is made even.
        weld : float or str, optional
            First make vertices one that are at most this far apart, and split edges where the surface ends at
            vertices that lie on them; unless given, vertices at the same place become one, and where the
            surface ends those within 0.001% of the diagonal.
        no_weld : bool
            Weld no vertices, and close no cracks.
        remove_components : int
            Drop components of fewer faces than this, and their vertices.
        fill : ``"flat"`` or ``"smooth"``
            How holes are filled.
        wrap : ``"when-needed"``, ``"always"`` or ``"never"``
            Wrap where repairing fails, always, or never.
        resolution : int, optional
            Cubes of the grid along the longest edge of the bounding box. Default: 128, or fewer where a wrap
            would have more than 50 times the faces of the mesh.
        offset : float
            Distance of the surface from the triangles before it is drawn to them, in cubes, 0.5 to 8; gaps of
            less than twice this are closed.
        memory : float or str, optional
            Refuse a mesh for which this may not be enough, in bytes, MB or GB; with the input and the result.
        no_winding : bool
            Do not ask for winding numbers: only gaps are closed, not holes.
        progress : function, optional
            Called with the number of kernels since the last call.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 2, device="cpu")
        >>> cleaned = rm.Mesh(ball.vertices, ball.faces[5:, ::-1], "cpu").clean()
        >>> cleaned.info().volume > 0
        True
        """
        whole(4, faces=faces)
        whole(remove_components=remove_components)
        whole(2, 1024, resolution=resolution)
        return self._apply(
            "clean",
            progress,
            {
                "faces": faces,
                "weld": weld,
                "no_weld": no_weld,
                "remove_components": remove_components,
                "fill": fill,
                "wrap": wrap,
                "resolution": resolution,
                "offset": offset,
                "memory": memory,
                "no_winding": no_winding,
            },
        )

    def parameterize(
        self,
        *,
        method: Literal["isometric", "tutte", "lscm", "spectral", "bff", "bff-disk"] = "isometric",
        steps: int = 200,
        tolerance: float = 0.0001,
        cut: bool = False,
        progress: Progress = None,
    ) -> Mesh:
        """Map a disk to the plane as one chart.

        The mesh has to be a disk: connected, an oriented manifold with one boundary loop and no handles. With
        ``cut``, one that is closed, has handles or several boundary loops is cut along short loops. The
        result has texture coordinates in the unit square. Maps that keep lengths turn no triangle over; those
        that keep angles may, which the report counts. ``ribbonmesh unwrap`` takes any mesh, which it cuts.

        Parameters
        ----------
        method : ``"isometric"``, ``"tutte"``, ``"lscm"``, ``"spectral"``, ``"bff"`` or ``"bff-disk"``
            The map to the plane.
        steps : int
            Steps of Newton's method at most, 1 to 10,000; of ``isometric`` alone.
        tolerance : float
            Stop when a step gains less than this part of the energy that the map has above an isometry; of
            ``isometric`` alone.
        cut : bool
            Cut what is not a disk along short loops: closed meshes, handles, several boundary loops.
        progress : function, optional
            Called with the number of kernels since the last call.

        Raises
        ------
        NotManifoldError
            The mesh is not a disk.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> flat = rm.generate("grid", 20, device="cpu").parameterize()
        >>> flat.report.flipped
        0
        """
        whole(1, 10000, steps=steps)
        return self._apply(
            "parameterize",
            progress,
            {
                "method": method,
                "steps": steps,
                "tolerance": tolerance,
                "cut": cut,
            },
        )

    def unwrap(
        self,
        *,
        resolution: int = 1024,
        density: float | None = None,
        padding: int = 4,
        cone: float = 40.0,
        max_stretch: float = 1.2,
        progress: Progress = None,
    ) -> Mesh:
        """Give a mesh texture coordinates: charts in a square, without overlap.

        Faces merge to charts, each a disk; each chart is mapped to the plane so that no triangle is turned
        over and lengths are kept as well as they can be; charts are packed into a square of texels. Any mesh
        will do. Vertices and faces keep their place and their order; texture coordinates of the input are
        replaced.

        Parameters
        ----------
        resolution : int
            Side of the square texture in texels, 1 to 32,768.
        density : float, optional
            Texels per unit of length: the texture is as large as it has to be, at most 32,768 texels wide.
        padding : int
            Texels between charts, 0 to 256.
        cone : float
            Normals of a chart are in a cone of this half angle, on average; 1 to 80.
        max_stretch : float
            Divide charts in which the greatest factor by which lengths change is more than this on average;
            more than 1.01.
        progress : function, optional
            Called with the number of kernels since the last call.

        Examples
        --------
        >>> import ribbonmesh as rm
        >>> ball = rm.generate("icosphere", 3, device="cpu").unwrap()
        >>> ball.report.flipped
        0
        """
        whole(1, 32768, resolution=resolution)
        whole(0, 256, padding=padding)
        return self._apply(
            "unwrap",
            progress,
            {
                "resolution": resolution,
                "density": density,
                "padding": padding,
                "cone": cone,
                "max_stretch": max_stretch,
            },
        )
