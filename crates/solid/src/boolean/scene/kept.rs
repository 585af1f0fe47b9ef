//! Faces of a scene that are in the result.
use crate::boolean::kernels::result::{MarkTurned, MarkVertices, NumberCorners, SpreadStates};
use crate::boolean::scene::Scene;
use crate::repair::set;
use ribbonmesh::{Buffer, Result, array};

/// The faces of a scene that are in the result, and their vertices.
pub(crate) struct Kept {
    pub(crate) vertices: Buffer<u32>,
    pub(crate) faces: Buffer<u32>,
    /// Vertices of these faces by their numbers in the result, in the order of the result.
    pub(crate) corners: Buffer<u32>,
    /// Those that are turned, by their places in the list.
    pub(crate) turned: Vec<u32>,
    /// The number in the result of each vertex of the input that it has.
    pub(crate) numbers: Buffer<u32>,
}

impl Scene {
    /// Gives the faces of sets their state in the result, and drops all others.
    pub(crate) fn choose(&mut self, sets: &[u32], states: &[u32]) -> Result<()> {
        let (device, n) = (self.device.clone(), self.count());
        let mut of_roots = device.zeros::<u32>(n as usize)?;
        set(&mut of_roots, sets, states)?;
        self.states = device.unspecified(n as usize)?;
        let spread = SpreadStates {
            kinds: self.kinds.view(),
            roots: self.roots.view(),
            of_roots: of_roots.view(),
            states: self.states.view_mut(),
        };
        device.launch_each(n, spread)
    }
    /// Drops faces from the result.
    pub(crate) fn drop_faces(&mut self, list: &[u32]) -> Result<()> {
        set(&mut self.states, list, &vec![0; list.len()])
    }
    /// The faces of the result that are faces of the input, with numbers for their vertices and for others
    /// that are `used`; and the places of `some` of these faces.
    pub(crate) fn kept(&self, used: &[u32], some: &[u32]) -> Result<(Kept, Vec<u32>)> {
        let device = &self.device;
        let list = array::select(&self.states)?;
        let n = list.len() as u32;
        let mut marks = device.zeros::<u32>(self.vertices() as usize)?;
        set(&mut marks, used, &vec![1; used.len()])?;
        let faces = self.faces.view().wide();
        device.launch_each(n, MarkVertices { list: list.view(), faces, used: marks.view_mut() })?;
        let vertices = array::select(&marks)?;
        let mut numbers = marks;
        array::exclusive_scan(&mut numbers)?;
        let mut corners = device.unspecified::<u32>(3 * n as usize)?;
        let number = NumberCorners {
            list: list.view(),
            faces,
            states: self.states.view(),
            numbers: numbers.view(),
            to: corners.view_mut().wide(),
        };
        device.launch_each(n, number)?;
        let mut turned = device.unspecified::<u32>(n as usize)?;
        let (states, marks) = (self.states.view(), turned.view_mut());
        device.launch_each(n, MarkTurned { list: list.view(), states, turned: marks })?;
        let turned = array::select(&turned)?.read()?;
        let mut places = vec![];
        if !some.is_empty() {
            let mut of_faces = device.unspecified::<u32>(self.count() as usize)?;
            array::scatter(&array::count_up(device, n)?, &list, &mut of_faces)?;
            places = array::gather(&of_faces, &device.upload(some)?)?.read()?;
        }
        Ok((Kept { vertices, faces: list, corners, turned, numbers }, places))
    }
}
