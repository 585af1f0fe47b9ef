//! Times of the lowest eigenpairs of a mesh, on the GPU if there is one: three runs, the last with times of
//! its parts; on a CPU the last one alone.
//!
//!     cargo run --release --example spectrum_speed -- MESH [COUNT [VALUES.csv]]
use ribbonmesh::{Device, MeshOptions, Surface};
use ribbonmesh_spectra::{SpectrumOptions, spectrum};
use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

/// Seconds of all threads of this process, in steps of 0.01, where Linux tells.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |i: usize| fields.get(i).and_then(|text| text.parse::<f64>().ok()).unwrap_or(0.0);
    (ticks(11) + ticks(12)) / 100.0
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mesh = ribbonmesh_io::read(arguments.next().ok_or("a mesh is needed")?)?.mesh;
    let count = arguments.next().map_or(Ok(100), |count| count.parse())?;
    let device = Device::auto();
    println!("{}: {} vertices, {count} pairs", device.name(), mesh.positions.len());
    let surface = Surface::new(&device, &mesh, &MeshOptions::default())?;
    let on_cpu = Device::cuda(0).is_err();
    // the first run of a process compiles kernels
    for timed in if on_cpu { &[true][..] } else { &[false, false, true] } {
        let options = SpectrumOptions { count, timed: *timed, ..SpectrumOptions::default() };
        let (started, before) = (Instant::now(), processor());
        let found = spectrum(&surface, &options)?;
        device.synchronize()?;
        let seconds = [started.elapsed().as_secs_f64(), processor() - before];
        println!("{:.3} s, processors {:.2} s: {:?}", seconds[0], seconds[1], found.report());
        if *timed {
            let values = found.values();
            println!("{:?} … {:?}", &values[..values.len().min(5)], values.last());
            if let Some(file) = arguments.next() {
                let mut text = String::new();
                values.iter().try_for_each(|value| writeln!(text, "{value:?}"))?;
                std::fs::write(file, text)?;
            }
        }
    }
    Ok(())
}
