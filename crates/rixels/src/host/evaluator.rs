//! Formulas over fields that are on a device.
use super::column::DeviceColumn;
use super::error::{Result, RixelError, count};
use crate::device::evaluate::Evaluate;
use crate::device::fields::{FIELDS, FieldsArguments};
use rayon::prelude::*;
use ribbonmesh::device::BufferView;
use ribbonmesh::{Buffer, Device, DeviceKind, Error, TextArgument, TextKernel};
use ribbonmesh_expression::{Column, EvaluateError, Expression, PTX_ENTRY, Program};

/// Elements that a thread of the CPU takes at a time.
const PART: usize = 1 << 14;
/// Threads of a block.
const THREADS: u32 = 256;
/// Blocks for a multiprocessor.
const BLOCKS: u32 = 8;

/// How formulas are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Way {
    /// Bytecode, chunk by chunk, on all threads of the CPU.
    Chunks,
    /// Bytecode by a kernel, an element for each thread at a time.
    Kernel,
    /// PTX that the driver has compiled.
    Compiled,
}

/// PTX of a formula.
struct Compiled {
    /// The strides of its inputs.
    strides: Vec<u32>,
    /// PTX.
    text: String,
    /// The kernel, once the driver has compiled it.
    kernel: Option<TextKernel>,
}

/// A formula, ready to be evaluated on a device as often as wanted.
pub struct Evaluator {
    device: Device,
    expression: Expression,
    program: Program,
    code: Buffer<u32>,
    inputs: Option<(Vec<u32>, Buffer<u32>)>,
    compiled: Option<Compiled>,
}

impl Evaluator {
    /// Translates a formula to bytecode, which takes some microseconds, and uploads it.
    /// # Errors
    /// [`RixelError::Program`] for a formula that needs too many registers; out of memory; errors of the
    /// driver.
    pub fn new(device: &Device, expression: &Expression) -> Result<Self> {
        let program = Program::new(expression)?;
        let code = device.upload(program.words())?;
        Ok(Self {
            device: device.clone(),
            expression: expression.clone(),
            program,
            code,
            inputs: None,
            compiled: None,
        })
    }
    /// The formula.
    pub fn expression(&self) -> &Expression {
        &self.expression
    }
    /// Numbers of a result: 1 or 3.
    pub fn width(&self) -> usize {
        self.program.width()
    }
    /// The way that [`Evaluator::evaluate`] has taken last, or takes first: on a GPU the kernel, until the
    /// driver has compiled the formula on another thread.
    pub fn way(&self) -> Way {
        match self.device.kind() {
            DeviceKind::Cpu => Way::Chunks,
            DeviceKind::Cuda if self.compiled.as_ref().is_some_and(|of| of.kernel.is_some()) => Way::Compiled,
            DeviceKind::Cuda => Way::Kernel,
        }
    }
    /// Evaluates the formula for `count` elements; the result has one or three numbers for each. `columns`
    /// are those of the fields that the formula was parsed with, in their order; fields that it does not name
    /// may be left out (`None`). Does not wait, but for a formula that names more than 12 fields: on a GPU
    /// the first call waits until the driver has compiled it.
    /// # Errors
    /// [`RixelError::Evaluate`] for a column that is missing or too short, [`Error::TooMany`] for too
    /// many elements; out of memory; errors of the driver.
    pub fn evaluate(&mut self, columns: &[Option<DeviceColumn<'_>>], count: usize) -> Result<Buffer<f32>> {
        let mut to = self.device.unspecified(count.saturating_mul(self.width()))?;
        self.evaluate_into(columns, count, &mut to)?;
        Ok(to)
    }
    /// As [`Evaluator::evaluate`], into a buffer that there is already.
    /// # Errors
    /// As [`Evaluator::evaluate`]; [`EvaluateError::Result`] for a buffer of another length.
    pub fn evaluate_into(
        &mut self,
        columns: &[Option<DeviceColumn<'_>>],
        count: usize,
        to: &mut Buffer<f32>,
    ) -> Result<()> {
        if self.device.kind() == DeviceKind::Cpu {
            return self.evaluate_by(Way::Chunks, columns, count, to);
        }
        let inputs = self.columns(columns, count, to)?;
        let wait = slots(&inputs).1 > FIELDS;
        match self.compiled(&inputs, wait)? {
            Some(kernel) => self.by_text(&kernel, &inputs, count, to),
            None => self.by_kernel(&inputs, count, to),
        }
    }
    /// As [`Evaluator::evaluate_into`], in a given way.
    /// # Errors
    /// As [`Evaluator::evaluate_into`]; [`RixelError::Way`] or [`Error::NoGpu`] for a way that the device
    /// does not have; [`Error::TooMany`] for more than 12 fields by [`Way::Kernel`].
    pub fn evaluate_by(
        &mut self,
        way: Way,
        columns: &[Option<DeviceColumn<'_>>],
        count: usize,
        to: &mut Buffer<f32>,
    ) -> Result<()> {
        let inputs = self.columns(columns, count, to)?;
        match (way, to.host_slice_mut()) {
            (Way::Chunks, Some(results)) => in_chunks(&self.device, &self.program, &inputs, results),
            (Way::Chunks, None) => Err(RixelError::Way { way: "chunk by chunk", device: self.device.name() }),
            (Way::Kernel, _) => self.by_kernel(&inputs, count, to),
            (Way::Compiled, _) => match self.compiled(&inputs, true)? {
                Some(kernel) => self.by_text(&kernel, &inputs, count, to),
                None => unreachable!("it was waited for"),
            },
        }
    }
    /// The compiled formula for columns with these strides, if the driver has it, or after a wait.
    fn compiled(&mut self, inputs: &[(usize, DeviceColumn<'_>)], wait: bool) -> Result<Option<TextKernel>> {
        let strides = || inputs.iter().map(|(_, column)| column.stride);
        let known = self.compiled.take().filter(|of| of.strides.iter().copied().eq(strides()));
        let mut all = match known {
            Some(known) => known,
            None => {
                let strides: Vec<u32> = strides().collect();
                let text = self.expression.ptx(&strides)?;
                Compiled { strides, text, kernel: None }
            }
        };
        if all.kernel.is_none() {
            all.kernel = if wait {
                Some(self.device.wait_for_text_kernel(&all.text, PTX_ENTRY)?)
            } else {
                self.device.text_kernel(&all.text, PTX_ENTRY)?
            };
        }
        let kernel = all.kernel.clone();
        self.compiled = Some(all);
        Ok(kernel)
    }
    fn by_text(
        &self,
        kernel: &TextKernel,
        inputs: &[(usize, DeviceColumn<'_>)],
        elements: usize,
        to: &mut Buffer<f32>,
    ) -> Result<()> {
        let mut arguments = vec![TextArgument::number(elements as u64), TextArgument::write(to)];
        arguments.extend(inputs.iter().map(|(_, column)| column.argument()));
        let shape = (self.blocks(elements), THREADS);
        // SAFETY: the PTX is that of a formula with these inputs: it takes the number of elements, the
        // address of the results, and one for each input; results and columns were checked to have all
        // elements.
        unsafe { self.device.launch_text(kernel, shape, &arguments)? };
        Ok(())
    }
    fn blocks(&self, elements: usize) -> u32 {
        (elements.div_ceil(THREADS as usize) as u32).min(BLOCKS * self.device.multiprocessors())
    }
    /// The column and the component of each input, after checks.
    fn columns<'a>(
        &self,
        columns: &[Option<DeviceColumn<'a>>],
        elements: usize,
        to: &Buffer<f32>,
    ) -> Result<Vec<(usize, DeviceColumn<'a>)>> {
        let n = count("elements", elements)?;
        let needed = elements.saturating_mul(self.width());
        count("numbers of a result", needed)?;
        if to.len() != needed {
            return Err(EvaluateError::Result { found: to.len(), elements, needed }.into());
        }
        if !to.device().same(&self.device) {
            return Err(Error::OtherDevice { what: "the buffer of results" }.into());
        }
        let of_input = |(k, input): (usize, &ribbonmesh_expression::Input)| {
            let column = columns.get(input.field).copied().flatten();
            let missing = EvaluateError::Columns { columns: columns.len(), inputs: input.field + 1 };
            let column = column.ok_or(missing)?;
            if !column.has(input.component as u32, n) {
                return Err(EvaluateError::Short { column: k, element: elements - 1 }.into());
            }
            count("numbers of a field", column.view.len())?;
            if !column.device.same(&self.device) {
                return Err(Error::OtherDevice { what: "the buffer of a field" }.into());
            }
            Ok((input.field, column.component(input.component as u32)))
        };
        self.program.inputs().iter().enumerate().map(of_input).collect()
    }
    fn by_kernel(
        &mut self,
        inputs: &[(usize, DeviceColumn<'_>)],
        elements: usize,
        to: &mut Buffer<f32>,
    ) -> Result<()> {
        let (slots, fields) = slots(inputs);
        if fields > FIELDS {
            let (count, limit) = (fields as u64, FIELDS as u64);
            return Err(Error::TooMany { what: "fields in a formula", count, limit }.into());
        }
        let mut views = [BufferView::empty(); FIELDS];
        let mut table = vec![];
        for (slot, (_, column)) in slots.into_iter().zip(inputs) {
            views[slot] = column.view;
            table.extend([slot as u32, column.first, column.stride]);
        }
        let known = self.inputs.take().filter(|(known, _)| *known == table);
        let (table, inputs) = match known {
            Some(known) => known,
            None => {
                let buffer = self.device.upload(&table)?;
                (table, buffer)
            }
        };
        let [f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11] = views;
        let kernel = Evaluate {
            n: elements as u32,
            width: self.program.width() as u32,
            code: self.code.view(),
            inputs: inputs.view(),
            fields: FieldsArguments { f0, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11 },
            to: to.view_mut(),
        };
        self.device.launch(self.blocks(elements), kernel)?;
        self.inputs = Some((table, inputs));
        Ok(())
    }
}

/// The place of each input's field among the different fields, and the number of these.
fn slots(inputs: &[(usize, DeviceColumn<'_>)]) -> (Vec<usize>, usize) {
    let mut fields: Vec<usize> = vec![];
    let slot = |(field, _): &(usize, DeviceColumn<'_>)| {
        fields.iter().position(|other| other == field).unwrap_or_else(|| {
            fields.push(*field);
            fields.len() - 1
        })
    };
    let slots = inputs.iter().map(slot).collect();
    (slots, fields.len())
}

/// Evaluates bytecode by all threads.
fn in_chunks(
    device: &Device,
    program: &Program,
    inputs: &[(usize, DeviceColumn<'_>)],
    results: &mut [f32],
) -> Result<()> {
    let columns: Vec<Column<'_>> =
        inputs.iter().map(|(_, column)| column.on_host()).collect::<Result<_>>()?;
    let width = program.width();
    device.install(|| {
        results.par_chunks_mut(PART * width).enumerate().try_for_each(|(part, results)| {
            let first = part * PART;
            program.evaluate(&columns, first..first + results.len() / width, results)
        })
    })?;
    Ok(())
}
