// The eight queries and vertex normals by OpenMesh and by CGAL's Surface_mesh, on one thread.
//
//     g++ -std=c++17 -O3 -DNDEBUG -march=native benches/peers/halfedges.cpp -lOpenMeshCore -o halfedges
//     ./halfedges mesh.off [RUNS]
//
// Reads triangles of an OFF or OBJ file. A query is one pass over all elements that writes the indices of
// their neighbours into memory allocated before: with the starts of rows for VV, VE and VF, else a fixed
// number a row. Milliseconds of processor time, the least and the median of RUNS (11); construction a third
// as often. The program fails if the two libraries give different results.
// `halfedges.py` runs it beside `ribbonmesh`.
#include <CGAL/Simple_cartesian.h>
#include <CGAL/Surface_mesh.h>
#include <CGAL/boost/graph/iterator.h>
#include <OpenMesh/Core/Mesh/TriMesh_ArrayKernelT.hh>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

using Index = std::uint32_t;
using Vector = std::array<float, 3>;
const char *const WORK[] = {"construction",      "VV", "VE", "VF", "EV", "EF", "FV", "FE", "FF", "EE",
                            "normals, gathered", "normals, added"};
const int QUERIES = 9;

[[noreturn]] void fail(const std::string &why) {
    std::fprintf(stderr, "halfedges: %s\n", why.c_str());
    std::exit(1);
}

struct Triangles {
    std::vector<Vector> points;
    std::vector<std::array<Index, 3>> faces;
    explicit Triangles(const std::string &path) {
        std::ifstream file(path);
        if (!file) fail("could not open " + path);
        path.size() > 4 && path.substr(path.size() - 4) == ".obj" ? obj(file) : off(file);
        for (const auto &face : faces)
            for (Index v : face)
                if (v >= points.size()) fail(path + " has a face with a vertex that is not there");
    }
    void off(std::istream &file) {
        std::string word;
        std::size_t vertices = 0, count = 0, edges = 0;
        if (!(file >> word >> vertices >> count >> edges) || word != "OFF") fail("no header of an OFF file");
        points.resize(vertices), faces.resize(count);
        for (auto &p : points)
            if (!(file >> p[0] >> p[1] >> p[2])) fail("a vertex has no three coordinates");
        for (auto &f : faces)
            if (!(file >> edges >> f[0] >> f[1] >> f[2]) || edges != 3) fail("a face is not a triangle");
    }
    void obj(std::istream &file) {
        for (std::string line, word; std::getline(file, line);) {
            std::istringstream words(line);
            if (!(words >> word)) continue;
            if (word == "v") {
                Vector &p = points.emplace_back();
                if (!(words >> p[0] >> p[1] >> p[2])) fail("a vertex has no three coordinates");
            }
            if (word != "f") continue;
            std::vector<Index> corners;
            // a word that is no number gives an index that is refused later
            while (words >> word) corners.push_back(Index(std::atol(word.c_str()) - 1));
            if (corners.size() != 3) fail("a face is not a triangle");
            faces.push_back({corners[0], corners[1], corners[2]});
        }
    }
};

// Where a query writes.
struct Out {
    Index *start, *at;
    const Index *first;
    void row() { *start++ = Index(at - first); }
    void put(Index i) { *at++ = i; }
};

Vector cross(const float *a, const float *b, const float *c) {
    const float u[] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, v[] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    return {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
}
void add(Vector &to, const Vector &n) { to[0] += n[0], to[1] += n[1], to[2] += n[2]; }
void unit(Vector &n) {
    const float length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > 0) n[0] /= length, n[1] /= length, n[2] /= length;
}

struct Open {
    using Mesh = OpenMesh::TriMesh_ArrayKernelT<>;
    Mesh mesh;
    explicit Open(const Triangles &of) {
        mesh.reserve(of.points.size(), of.points.size() + of.faces.size(), of.faces.size());
        for (const auto &p : of.points) mesh.add_vertex({p[0], p[1], p[2]});
        auto v = [](Index i) { return OpenMesh::VertexHandle(int(i)); };
        for (const auto &f : of.faces) mesh.add_face(v(f[0]), v(f[1]), v(f[2]));
        if (mesh.n_faces() != of.faces.size()) fail("OpenMesh does not take all faces");
    }
    auto vertices() const { return mesh.vertices(); }
    auto edges() const { return mesh.edges(); }
    auto faces() const { return mesh.faces(); }
    template <class V, class Do> void vv(V v, Do put) const { for (auto n : mesh.vv_range(v)) put(n); }
    template <class V, class Do> void ve(V v, Do put) const { for (auto n : mesh.ve_range(v)) put(n); }
    template <class V, class Do> void vf(V v, Do put) const { for (auto n : mesh.vf_range(v)) put(n); }
    template <class F, class Do> void fv(F f, Do put) const { for (auto n : mesh.fv_range(f)) put(n); }
    template <class F, class Do> void fe(F f, Do put) const { for (auto n : mesh.fe_range(f)) put(n); }
    template <class F, class Do> void fh(F f, Do put) const { for (auto n : mesh.fh_range(f)) put(n); }
    template <class E> auto half(E e, int side) const { return mesh.halfedge_handle(e, side); }
    template <class H> auto twin(H h) const { return mesh.opposite_halfedge_handle(h); }
    template <class H> auto next(H h) const { return mesh.next_halfedge_handle(h); }
    template <class H> auto prev(H h) const { return mesh.prev_halfedge_handle(h); }
    template <class H> auto to(H h) const { return mesh.to_vertex_handle(h); }
    template <class H> auto edge(H h) const { return mesh.edge_handle(h); }
    template <class H> auto face(H h) const { return mesh.face_handle(h); }
    template <class V> const float *point(V v) const { return mesh.point(v).data(); }
    std::size_t count() const { return mesh.n_edges(); }
};

struct Cgal {
    using Kernel = CGAL::Simple_cartesian<float>;
    using Mesh = CGAL::Surface_mesh<Kernel::Point_3>;
    Mesh mesh;
    explicit Cgal(const Triangles &of) {
        mesh.reserve(of.points.size(), of.points.size() + of.faces.size(), of.faces.size());
        for (const auto &p : of.points) mesh.add_vertex({p[0], p[1], p[2]});
        using V = Mesh::Vertex_index;
        for (const auto &f : of.faces) mesh.add_face(V(f[0]), V(f[1]), V(f[2]));
        if (mesh.number_of_faces() != of.faces.size()) fail("CGAL does not take all faces");
    }
    auto vertices() const { return mesh.vertices(); }
    auto edges() const { return mesh.edges(); }
    auto faces() const { return mesh.faces(); }
    template <class V, class Do> void around(V v, Do with) const {
        if (auto h = mesh.halfedge(v); h.is_valid())
            for (auto n : CGAL::halfedges_around_target(h, mesh)) with(n);
    }
    template <class V, class Do> void vv(V v, Do put) const {
        around(v, [&](auto h) { put(mesh.source(h)); });
    }
    template <class V, class Do> void ve(V v, Do put) const {
        around(v, [&](auto h) { put(mesh.edge(h)); });
    }
    template <class V, class Do> void vf(V v, Do put) const {
        around(v, [&](auto h) { if (auto f = mesh.face(h); f.is_valid()) put(f); });
    }
    template <class F, class Do> void fh(F f, Do put) const {
        for (auto h : CGAL::halfedges_around_face(mesh.halfedge(f), mesh)) put(h);
    }
    template <class F, class Do> void fv(F f, Do put) const { fh(f, [&](auto h) { put(mesh.target(h)); }); }
    template <class F, class Do> void fe(F f, Do put) const { fh(f, [&](auto h) { put(mesh.edge(h)); }); }
    template <class E> auto half(E e, int side) const { return mesh.halfedge(e, side); }
    template <class H> auto twin(H h) const { return mesh.opposite(h); }
    template <class H> auto next(H h) const { return mesh.next(h); }
    template <class H> auto prev(H h) const { return mesh.prev(h); }
    template <class H> auto to(H h) const { return mesh.target(h); }
    template <class H> auto edge(H h) const { return mesh.edge(h); }
    template <class H> auto face(H h) const { return mesh.face(h); }
    template <class V> const float *point(V v) const { return &mesh.point(v).x(); }
    std::size_t count() const { return mesh.number_of_edges(); }
};

// Neighbours that are not there have the index 2³² - 1 in both libraries.
template <class Of> Index *query(const Of &m, int which, Out out) {
    auto put = [&](auto n) { out.put(Index(n.idx())); };
    switch (which) {
    case 0: for (auto v : m.vertices()) out.row(), m.vv(v, put); break;
    case 1: for (auto v : m.vertices()) out.row(), m.ve(v, put); break;
    case 2: for (auto v : m.vertices()) out.row(), m.vf(v, put); break;
    case 3: for (auto e : m.edges()) put(m.to(m.half(e, 1))), put(m.to(m.half(e, 0))); break;
    case 4: for (auto e : m.edges()) put(m.face(m.half(e, 0))), put(m.face(m.half(e, 1))); break;
    case 5: for (auto f : m.faces()) m.fv(f, put); break;
    case 6: for (auto f : m.faces()) m.fe(f, put); break;
    case 7: for (auto f : m.faces()) m.fh(f, [&](auto h) { put(m.face(m.twin(h))); }); break;
    default:
        for (auto e : m.edges())
            for (int side : {0, 1}) {
                const auto h = m.half(e, side);
                if (m.face(h).is_valid()) put(m.edge(m.next(h))), put(m.edge(m.prev(h)));
                else out.put(~Index(0)), out.put(~Index(0));
            }
    }
    return out.at;
}

// The normals of faces, twice as long as their areas, and their sums: gathered over VF, or added over FV.
template <class Of>
void normals(const Of &m, bool gather, std::vector<Vector> &of_faces, std::vector<Vector> &result) {
    if (!gather) std::fill(result.begin(), result.end(), Vector{});
    for (auto f : m.faces()) {
        std::size_t v[3], k = 0;
        const float *p[3];
        m.fv(f, [&](auto n) { v[k] = n.idx(), p[k++] = m.point(n); });
        const Vector n = cross(p[0], p[1], p[2]);
        if (gather) of_faces[f.idx()] = n;
        else for (std::size_t corner : v) add(result[corner], n);
    }
    if (gather)
        for (auto v : m.vertices()) {
            Vector n{};
            m.vf(v, [&](auto f) { add(n, of_faces[f.idx()]); });
            result[v.idx()] = n;
        }
    for (auto &n : result) unit(n);
}

struct Times { double least, median; };
template <class Do> Times timed(int runs, Do work) {
    std::vector<double> ms;
    auto now = [] {
        timespec t;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return 1e3 * t.tv_sec + 1e-6 * t.tv_nsec;
    };
    for (int i = 0; i <= runs; i++) {
        const double before = now();
        work();
        if (i > 0) ms.push_back(now() - before); // the first run does not count
    }
    std::sort(ms.begin(), ms.end());
    return {ms[0], ms[ms.size() / 2]};
}

// Times, and sums of what was written, which do not depend on the order of neighbours.
struct Found { std::vector<Times> times; std::vector<std::uint64_t> sums; std::vector<Vector> normals; };
template <class Of> Found measure(const Triangles &of, int runs) {
    std::unique_ptr<Of> made;
    Found found;
    found.times.push_back(timed((runs + 2) / 3, [&] { made.reset(), made = std::make_unique<Of>(of); }));
    const std::size_t f = of.faces.size(), v = of.points.size(), e = made->count();
    std::vector<Index> starts(v + 1), values(std::max(4 * e, 3 * f));
    for (int q = 0; q < QUERIES; q++) {
        Index *end = nullptr;
        const Out out{starts.data(), values.data(), values.data()};
        found.times.push_back(timed(runs, [&] { end = query(*made, q, out); }));
        std::uint64_t sum = std::uint64_t(end - values.data()) << 40;
        const bool of_edges = q == 1 || q == 6 || q == 8; // whose numbers differ between the libraries
        if (!of_edges) for (const Index *i = values.data(); i < end; i++) sum += *i;
        found.sums.push_back(sum);
    }
    std::vector<Vector> of_faces(f), result(v);
    for (bool gather : {true, false})
        found.times.push_back(timed(runs, [&] { normals(*made, gather, of_faces, result); }));
    found.normals = result;
    return found;
}

int main(int count, char **arguments) {
    if (count < 2 || count > 3) fail("usage: halfedges MESH.off|MESH.obj [RUNS]");
    const Triangles mesh(arguments[1]);
    const int runs = count > 2 ? std::max(1, std::atoi(arguments[2])) : 11;
    const Found all[] = {measure<Open>(mesh, runs), measure<Cgal>(mesh, runs)};
    const Found &other = all[1];
    if (other.sums != all[0].sums) fail("the libraries give different neighbours");
    for (std::size_t v = 0; v < mesh.points.size(); v++)
        for (int k = 0; k < 3; k++)
            if (!(std::abs(other.normals[v][k] - all[0].normals[v][k]) < 1e-2f))
                fail("the libraries give different normals");
    std::printf("%zu faces; OpenMesh %x.%x, CGAL %s; ", mesh.faces.size(), OM_GET_VER, OM_GET_MAJ,
                CGAL_STR(CGAL_VERSION));
    std::printf("processor ms, least (median) of %d\n\n", runs);
    std::printf("| work | OpenMesh | CGAL |\n|---|---|---|\n");
    for (std::size_t i = 0; i < all[0].times.size(); i++) {
        std::printf("| %s |", WORK[i]);
        for (const Found &of : all) std::printf(" %.3f (%.3f) |", of.times[i].least, of.times[i].median);
        std::printf("\n");
    }
}
