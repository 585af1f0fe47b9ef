//! Tables 6.2 to 6.4: compiling and evaluating the thesis's expressions in several ways.
use super::time_on;
use anyhow::Result;
use ribbonmesh::{Buffer, Device, DeviceKind};
use ribbonmesh_expression::{Column, Expression, Field, MachineCode, Program, Type};
use ribbonmesh_rixels::{DeviceColumn, Evaluator, Way};
use serde::Serialize;
use std::time::Instant;

/// Elements of a field.
const COUNT: usize = 1 << 20;
/// The fields.
const FIELDS: [&str; 3] = ["VelocityX", "VelocityY", "Pressure"];
/// The expressions of table 6.2.
pub const EXPRESSIONS: [&str; 3] =
    ["abs(Pressure)", "sqrt(VelocityX^2+VelocityY^2)", "(VelocityX^2+VelocityY^2)/2 + Pressure"];

/// A way of evaluation of one expression, milliseconds, medians.
#[derive(Clone, Serialize)]
pub struct Tier {
    /// The expression.
    pub expression: &'static str,
    /// Its way of evaluation.
    pub way: &'static str,
    /// From the text until it can be evaluated.
    pub compile_ms: f64,
    /// Evaluation, with inputs and results where it takes place.
    pub execute_ms: f64,
    /// With a copy: of the fields from the GPU before an evaluation on the CPU, or of the result from there
    /// after one on the GPU, to memory of the host that is kept ([`ribbonmesh::HostBuffer`]). None without a
    /// GPU.
    pub copied_ms: Option<f64>,
    /// The least of these times.
    pub copied_least_ms: Option<f64>,
}

impl Tier {
    /// The time of a frame: with the copy where there is one.
    pub fn frame_ms(&self) -> f64 {
        self.copied_ms.unwrap_or(self.execute_ms)
    }
    /// The frames after which this way has repaid its compilation against another one (6.4.3), before they
    /// are rounded up; none if its frames take longer.
    pub fn break_even(&self, other: &Self) -> Option<f64> {
        let saved = other.frame_ms() - self.frame_ms();
        (saved > 0.0).then(|| ((self.compile_ms - other.compile_ms) / saved).max(0.0))
    }
}

/// The names of the ways.
pub const WALK: &str = "walk over the tree";
/// One thread of the CPU.
pub const CHUNKS: &str = "bytecode in chunks";
/// One thread of the CPU.
pub const MACHINE: &str = "machine code";
/// All threads of the CPU.
pub const THREADS: &str = "bytecode in chunks, all threads";
/// A kernel of this library.
pub const KERNEL: &str = "bytecode in a kernel";
/// A kernel by the driver's compiler.
pub const PTX: &str = "PTX";

/// The median milliseconds of some repetitions, after one that is not counted.
fn milliseconds(repetitions: usize, work: impl FnMut() -> Result<()>) -> Result<f64> {
    Ok(median_and_least(repetitions, work)?[0])
}

/// The median and the least milliseconds.
fn median_and_least(repetitions: usize, mut work: impl FnMut() -> Result<()>) -> Result<[f64; 2]> {
    work()?;
    let mut once = || -> Result<f64> {
        let begin = Instant::now();
        work()?;
        Ok(1e3 * begin.elapsed().as_secs_f64())
    };
    let mut all = (0..repetitions.max(1)).map(|_| once()).collect::<Result<Vec<_>>>()?;
    all.sort_by(f64::total_cmp);
    Ok([all[all.len() / 2], all[0]])
}

/// Values of the fields, and the same on a device.
struct Data<'a> {
    device: &'a Device,
    fields: Vec<Field>,
    values: [Vec<f32>; 3],
    buffers: Vec<Buffer<f32>>,
    repetitions: usize,
}

/// Measures all ways that there are on the device; those on the CPU, too.
pub fn measure(device: &Device) -> Result<Vec<Tier>> {
    let values = [0.1_f32, 0.7, -0.3]
        .map(|first| (0..COUNT).map(|i| first + (i % 1000) as f32 * 0.001).collect::<Vec<_>>());
    let data = Data {
        device,
        fields: FIELDS.map(|name| Field::new(name, Type::Scalar, "cells")).to_vec(),
        buffers: values.iter().map(|values| device.upload(values)).collect::<Result<_, _>>()?,
        values,
        repetitions: if device.kind() == DeviceKind::Cuda { 50 } else { 9 },
    };
    let mut all = vec![];
    for text in EXPRESSIONS {
        let expression = Expression::parse(text, &data.fields)?;
        let tiers = [data.on_cpu(text, &expression)?, data.on_device(text, &expression)?];
        for tier in tiers.into_iter().flatten() {
            eprintln!("{text}, {}: {:.3} ms, {:.4} ms", tier.way, tier.compile_ms, tier.execute_ms);
            all.push(tier);
        }
    }
    Ok(all)
}

impl Data<'_> {
    /// The time of the text alone.
    fn parsing(&self, text: &str) -> Result<f64> {
        milliseconds(99, || {
            Expression::parse(text, &self.fields)?;
            Ok(())
        })
    }
    /// The copy of the fields that an expression names to the host; none if they are there.
    fn copies(&self, expression: &Expression) -> Result<Option<[f64; 2]>> {
        if self.device.kind() == DeviceKind::Cpu {
            return Ok(None);
        }
        let mut here = self.device.host_buffer::<f32>(COUNT)?;
        median_and_least(self.repetitions, || {
            for input in expression.inputs() {
                self.buffers[input.field].read_into(0, &mut here)?;
            }
            Ok(())
        })
        .map(Some)
    }
    /// One thread of the CPU.
    fn on_cpu(&self, text: &'static str, expression: &Expression) -> Result<Vec<Tier>> {
        let (parsing, copies) = (self.parsing(text)?, self.copies(expression)?);
        let mut results = vec![0.0; COUNT];
        let tier = |way, compile_ms, execute_ms: f64| Tier {
            expression: text,
            way,
            compile_ms,
            execute_ms,
            copied_ms: copies.map(|[median, _]| median + execute_ms),
            copied_least_ms: copies.map(|[_, least]| least + execute_ms),
        };
        let repetitions = self.repetitions.min(9);
        let walked = milliseconds(3, || {
            for (element, result) in results.iter_mut().enumerate() {
                *result = expression.walk(element as u32, |field, _| self.values[field][element])[0];
            }
            Ok(())
        })?;
        let program = Program::new(expression)?;
        let columns: Vec<_> =
            program.inputs().iter().map(|input| Column::new(&self.values[input.field])).collect();
        let encoding = milliseconds(99, || {
            Program::new(expression)?;
            Ok(())
        })?;
        let in_chunks =
            milliseconds(repetitions, || Ok(program.evaluate(&columns, 0..COUNT, &mut results)?))?;
        let compiling = milliseconds(9, || {
            MachineCode::new(expression)?;
            Ok(())
        })?;
        let code = MachineCode::new(expression)?;
        let executing = milliseconds(repetitions, || Ok(code.evaluate(&columns, 0..COUNT, &mut results)?))?;
        Ok(vec![
            tier(WALK, parsing, walked),
            tier(CHUNKS, parsing + encoding, in_chunks),
            tier(MACHINE, parsing + compiling, executing),
        ])
    }
    /// All threads of the CPU, or the GPU.
    fn on_device(&self, text: &'static str, expression: &Expression) -> Result<Vec<Tier>> {
        let ways: &[_] = match self.device.kind() {
            DeviceKind::Cpu => &[(THREADS, Way::Chunks)],
            DeviceKind::Cuda => &[(KERNEL, Way::Kernel), (PTX, Way::Compiled)],
        };
        ways.iter().map(|&(name, way)| self.by(text, expression, name, way)).collect()
    }
    fn by(&self, text: &'static str, expression: &Expression, name: &'static str, way: Way) -> Result<Tier> {
        let columns: Vec<_> = self.buffers.iter().map(|buffer| Some(DeviceColumn::new(buffer))).collect();
        let compile_ms = self.parsing(text)? + self.compiling(expression, way)?;
        let mut results = self.device.zeros(COUNT)?;
        let mut evaluator = Evaluator::new(self.device, expression)?;
        let timing = time_on(self.device, self.repetitions, || {
            evaluator.evaluate_by(way, &columns, COUNT, &mut results)
        })?;
        let mut here = self.device.host_buffer::<f32>(COUNT)?;
        let copied = median_and_least(self.repetitions, || {
            evaluator.evaluate_by(way, &columns, COUNT, &mut results)?;
            Ok(results.read_into(0, &mut here)?)
        })?;
        let [copied_ms, copied_least_ms] = copied.map(|ms| (way != Way::Chunks).then_some(ms));
        let execute_ms = 1e3 * timing.median;
        Ok(Tier { expression: text, way: name, compile_ms, execute_ms, copied_ms, copied_least_ms })
    }
    /// Until it can be evaluated. Compiled ways are compiled for other strides each time, since a device
    /// keeps what it has compiled.
    fn compiling(&self, expression: &Expression, way: Way) -> Result<f64> {
        let mut stride = 1;
        let mut nothing = self.device.zeros(0)?;
        milliseconds(9, || {
            stride += 1;
            let column = |buffer| Some(DeviceColumn::interleaved(buffer, 0, stride));
            let columns: Vec<_> = self.buffers.iter().map(column).collect();
            Ok(Evaluator::new(self.device, expression)?.evaluate_by(way, &columns, 0, &mut nothing)?)
        })
    }
}
