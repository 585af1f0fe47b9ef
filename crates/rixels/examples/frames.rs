//! Prints times of pictures, of rixels, and of the thesis's three expressions (table 6.2):
//! `cargo run --release -p ribbonmesh-rixels --example frames -- LEVEL…`, where a level is that of an
//! icosphere. Runs on the first GPU, or on the CPU without one.

use ribbonmesh::glam::{DMat4, DVec3, Vec3};
use ribbonmesh::mesh::shapes::icosphere;
use ribbonmesh::{Buffer, Device, DeviceKind};
use ribbonmesh_expression::{Expression, Field, Type};
use ribbonmesh_rixels::{
    Depth, DeviceColumn, Evaluator, Options, Painter, RixelError, Scene, Values, View, Way,
};
use std::cell::RefCell;
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let levels: Vec<u32> = std::env::args().skip(1).map(|level| level.parse()).collect::<Result<_, _>>()?;
    let device = Device::auto();
    println!("{}", device.name());
    for level in levels {
        pictures(&device, level)?;
    }
    formulas(&device)
}

/// The least milliseconds of a call, and the mean.
fn milliseconds(repetitions: usize, mut call: impl FnMut() -> Outcome<()>) -> Outcome<[f64; 2]> {
    let mut all = vec![];
    for _ in 0..repetitions + 2 {
        let start = Instant::now();
        call()?;
        all.push(1e3 * start.elapsed().as_secs_f64());
    }
    // the first two take memory
    let all = &all[2..];
    Ok([all.iter().copied().fold(f64::INFINITY, f64::min), all.iter().sum::<f64>() / all.len() as f64])
}

fn pictures(device: &Device, level: u32) -> Outcome<()> {
    let mesh = icosphere(level)?;
    let points: Vec<Vec3> = mesh.positions.iter().map(|p| p.as_vec3()).collect();
    let values: Vec<f32> = points.iter().map(|p| (5.0 * p.x).sin() * p.y).collect();
    let (positions, values) = (device.upload(&points)?, device.upload(&values)?);
    let faces = device.upload(mesh.faces.as_flattened())?;
    let scene = Scene { positions: &positions, faces: &faces, values: Values::OfVertices(&values) };
    println!("{} faces", mesh.faces.len());
    println!("   size  distance  covered  draw ms  rixels ms (mean)     bytes  of 15 m");
    let repetitions = if device.kind() == DeviceKind::Cuda { 30 } else { 3 };
    for (size, away, depth) in [
        (1024, 2.2, Depth::Linear16),
        (1024, 2.2, Depth::Linear32),
        (1024, 1.02, Depth::Linear16),
        (1024, 6.0, Depth::Linear16),
        (1024, 20.0, Depth::Linear16),
        (4096, 2.2, Depth::Linear16),
    ] {
        let projection = View::perspective(1.0, 1.0, 0.01, 100.0);
        let eye = DMat4::from_translation(DVec3::new(0.0, 0.0, -away));
        let view = View::new(size, size, eye, projection)?;
        let painter = RefCell::new(Painter::new(device));
        painter.borrow_mut().draw(&scene, &view)?;
        let drawn = device.time_repeated(repetitions, || {
            painter.borrow_mut().draw(&scene, &view).map_err(|error| match error {
                RixelError::Library(error) => error,
                error => unreachable!("drawn before: {error}"),
            })
        })?;
        let mut painter = painter.into_inner();
        let options = Options { depth };
        let [least, mean] = milliseconds(repetitions, || {
            painter.encode(&scene, &view, &options)?;
            Ok(())
        })?;
        let rixels = painter.encode(&scene, &view, &options)?;
        let (count, bytes) = (rixels.count(), rixels.bytes().len());
        println!(
            "{size:>7}  {away:>8}  {:>5.1} %  {:>7.3}  {least:>9.3} ({mean:.3})  {bytes:>8}  {:>5.1} %",
            100.0 * f64::from(count) / f64::from(view.pixels()),
            1e3 * drawn.mean,
            100.0 * bytes as f64 / (15.0 * f64::from(count)),
        );
    }
    Ok(())
}

fn formulas(device: &Device) -> Outcome<()> {
    const COUNT: usize = 1 << 20;
    let fields = ["VelocityX", "VelocityY", "Pressure"].map(|name| Field::new(name, Type::Scalar, "cells"));
    let values = [0.1_f32, 0.7, -0.3]
        .map(|first| (0..COUNT).map(|i| first + (i % 1000) as f32 * 0.001).collect::<Vec<_>>());
    let buffers: Vec<Buffer<f32>> =
        values.iter().map(|values| device.upload(values)).collect::<Result<_, _>>()?;
    let columns: Vec<_> = buffers.iter().map(|buffer| Some(DeviceColumn::new(buffer))).collect();
    println!("1024² elements, milliseconds: preparation, evaluation, evaluation with a copy to the host");
    for text in ["abs(Pressure)", "sqrt(VelocityX^2+VelocityY^2)", "(VelocityX^2+VelocityY^2)/2 + Pressure"] {
        println!("{text}");
        let ways: &[Way] = match device.kind() {
            DeviceKind::Cpu => &[Way::Chunks],
            DeviceKind::Cuda => &[Way::Kernel, Way::Compiled],
        };
        for way in ways {
            let start = Instant::now();
            let mut evaluator = Evaluator::new(device, &Expression::parse(text, &fields)?)?;
            let mut results = device.zeros(COUNT)?;
            if *way == Way::Compiled {
                evaluator.evaluate_by(*way, &columns, 0, &mut device.zeros(0)?)?;
            }
            let prepared = 1e3 * start.elapsed().as_secs_f64();
            let mut here = vec![0.0; COUNT];
            let both = RefCell::new((evaluator, &mut results));
            let on_device = device.time_repeated(50, || {
                let (evaluator, results) = &mut *both.borrow_mut();
                evaluator.evaluate_by(*way, &columns, COUNT, results).map_err(|error| match error {
                    RixelError::Library(error) => error,
                    error => unreachable!("prepared before: {error}"),
                })
            })?;
            let (mut evaluator, results) = both.into_inner();
            let [least, mean] = milliseconds(50, || {
                evaluator.evaluate_by(*way, &columns, COUNT, results)?;
                results.read_into(0, &mut here)?;
                Ok(())
            })?;
            println!("  {way:?}  {prepared:.3}  {:.4}  {least:.3} ({mean:.3})", 1e3 * on_device.mean);
        }
    }
    Ok(())
}
