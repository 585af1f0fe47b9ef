//! Compaction: contiguous ids again.
use super::mesh::DynamicMesh;
use ribbonmesh::device::{ElementKind, tiles};
use ribbonmesh::{Buffer, Result};
use ribbonmesh_dynamic_kernels::elements::{CountLiving, MoveTopology, NumberLiving, PlainFaces, ScanLiving};

/// Where elements went.
pub struct Compaction {
    news: [Buffer<u32>; 3],
    olds: [Buffer<u32>; 3],
}
impl Compaction {
    /// The new id of each old one, `NONE` for deleted elements.
    pub fn news(&self, kind: ElementKind) -> &Buffer<u32> {
        &self.news[kind as usize]
    }
    /// The old id of each new one.
    pub fn olds(&self, kind: ElementKind) -> &Buffer<u32> {
        &self.olds[kind as usize]
    }
}

impl DynamicMesh {
    /// The number of living elements of each kind: vertices, edges, faces. Waits.
    /// # Errors
    /// Out of memory; what the driver says.
    pub fn living(&mut self) -> Result<[u32; 3]> {
        let (_, total) = self.sums()?;
        let words = total.read()?;
        Ok([words[0], words[1], words[2]])
    }

    fn sums(&mut self) -> Result<([Buffer<u32>; 3], Buffer<u32>)> {
        self.write_control()?;
        let device = self.device.clone();
        let mut total = device.zeros::<u32>(3)?;
        let mut all = Vec::new();
        for kind in 0..3 {
            let n = tiles(self.ids[kind as usize]);
            let mut sums = device.zeros::<u32>(n as usize)?;
            device.launch(n, CountLiving { mesh: self.view(), kind, sums: sums.view_mut() })?;
            let scan = ScanLiving { mesh: self.view(), kind, sums: sums.view_mut(), total: total.view_mut() };
            device.launch(1, scan)?;
            all.push(sums);
        }
        let [v, e, f] = three(all);
        Ok(([v, e, f], total))
    }

    /// Gives living elements contiguous ids, in the order of their old ones. Attributes follow by
    /// [`crate::DynamicAttribute::compact`]. Linear.
    /// # Errors
    /// Out of memory; what the driver says.
    pub fn compact(&mut self) -> Result<Compaction> {
        let device = self.device.clone();
        let (sums, total) = self.sums()?;
        let (mut news, mut olds) = (Vec::new(), Vec::new());
        let total = total.read()?;
        for kind in 0..3u32 {
            let (n, living) = (self.ids[kind as usize], total[kind as usize]);
            let mut ids = device.zeros::<u32>(n as usize)?;
            let mut old = device.zeros::<u32>(living as usize)?;
            let number = NumberLiving {
                mesh: self.view(),
                kind,
                sums: sums[kind as usize].view(),
                ids: ids.view_mut(),
                olds: old.view_mut(),
            };
            device.launch(tiles(n), number)?;
            news.push(ids);
            olds.push(old);
        }
        let (news, olds) = (three(news), three(olds));
        let mut fv = device.zeros(self.fv.len())?;
        let mut fe = device.zeros(self.fe.len())?;
        let mut eh = device.zeros(self.eh.len())?;
        let [v, e, f] = &news;
        let blocks = tiles(self.ids[1].max(self.ids[2]));
        let moving = MoveTopology {
            mesh: self.view(),
            v: v.view(),
            e: e.view(),
            f: f.view(),
            fv: fv.view_mut(),
            fe: fe.view_mut(),
            eh: eh.view_mut(),
        };
        device.launch(blocks, moving)?;
        (self.fv, self.fe, self.eh) = (fv, fe, eh);
        self.dead.clear()?;
        self.ids = [total[0], total[1], total[2]];
        self.write_control()?;
        Ok(Compaction { news, olds })
    }

    /// The faces by their vertices, three ids each, for a mesh without deleted faces: after [`DynamicMesh::compact`].
    /// # Errors
    /// Out of memory; what the driver says.
    pub fn faces(&self) -> Result<Buffer<u32>> {
        let n = self.ids[2];
        let mut faces = self.device.zeros(3 * n as usize)?;
        let plain = PlainFaces { n, fv: self.fv.view(), faces: faces.view_mut() };
        self.device.launch(tiles(n), plain)?;
        Ok(faces)
    }
}

fn three<T>(v: Vec<T>) -> [T; 3] {
    let mut v = v.into_iter();
    std::array::from_fn(|_| v.next().unwrap_or_else(|| unreachable!("three kinds of elements")))
}
