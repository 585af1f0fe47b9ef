//! Machine code of the CPU, by Cranelift: four elements at a time.

use super::column::{Column, EvaluateError, check};
use super::emit::emit;
use super::expression::{Expression, Input};
use crate::function::angle::FAR;
use crate::machine::{Machine, far_turns};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I32, I32X4, I64};
use cranelift_codegen::ir::{
    AbiParam, BlockArg, ConstantData, Endianness, FuncRef, InstBuilder, MemFlagsData, StackSlotData,
    StackSlotKind, Type, Value,
};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module, ModuleError, default_libcall_names};
use std::cell::RefCell;
use std::mem::ManuallyDrop;
use std::ops::Range;
use thiserror::Error;

/// Elements for which the code is called at a time.
const CHUNK: usize = 2048;

/// Elements that an instruction computes.
const LANES: usize = 4;

/// The element number, in words of four, the addresses of inputs and of results, and the number of the first
/// element.
type Code = unsafe extern "C" fn(usize, *const *const f32, *const *mut f32, usize);

/// An expression as machine code for this processor.
pub struct MachineCode {
    /// The memory of the code. Taken when it is freed.
    module: ManuallyDrop<JITModule>,
    code: Code,
    inputs: Vec<Input>,
    width: usize,
}

// SAFETY: after the code is made, the module is only used to free it, by the last owner. The code works on
// arguments and constants alone.
unsafe impl Send for MachineCode {}
// SAFETY: as above.
unsafe impl Sync for MachineCode {}

/// An expression that could not be compiled.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// A processor that the compiler does not know, or that lacks an instruction.
    #[error("the processor has no {0}: use Program::evaluate, which gives the same bits")]
    Processor(&'static str),
    /// An error of the compiler.
    #[error("the code could not be compiled: {0}")]
    Compiler(#[from] Box<ModuleError>),
}

impl MachineCode {
    /// Compiles an expression.
    pub fn new(expression: &Expression) -> Result<Self, CompileError> {
        let mut flags = settings::builder();
        for (name, value) in
            [("opt_level", "speed"), ("is_pic", "false"), ("use_colocated_libcalls", "false")]
        {
            // names that this release has
            let _ = flags.set(name, value);
        }
        let target = cranelift_native::builder().map_err(CompileError::Processor)?;
        let isa = target
            .finish(settings::Flags::new(flags))
            .map_err(|error| CompileError::Compiler(Box::new(ModuleError::Compilation(error))))?;
        if isa.isa_flags().iter().any(|flag| flag.name == "has_fma" && flag.as_bool() == Some(false)) {
            return Err(CompileError::Processor("fused multiplication and addition"));
        }
        let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
        builder.symbol(FAR_TURNS, far_turns_of_lanes as *const u8);
        let mut module = JITModule::new(builder);
        match compile(&mut module, expression) {
            Ok(code) => Ok(Self {
                module: ManuallyDrop::new(module),
                code,
                inputs: expression.inputs().to_vec(),
                width: expression.roots().len(),
            }),
            Err(error) => {
                // SAFETY: no function was handed out.
                unsafe { module.free_memory() };
                Err(error.into())
            }
        }
    }

    /// The components of fields that are read, in the order of the columns for evaluation.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Evaluates elements, as [`Program::evaluate`](crate::Program::evaluate) does, with the same bits.
    pub fn evaluate(
        &self,
        columns: &[Column<'_>],
        elements: Range<usize>,
        results: &mut [f32],
    ) -> Result<(), EvaluateError> {
        check(columns, self.inputs.len(), &elements, self.width, results)?;
        // columns that are not one after the other in memory or end within a word of lanes
        let mut gathered = vec![0.0; columns.len() * CHUNK];
        let mut scattered = vec![0.0; self.width * CHUNK];
        let mut inputs = vec![std::ptr::null(); columns.len()];
        let mut places = vec![std::ptr::null_mut(); self.width];
        for (number, results) in results.chunks_mut(CHUNK * self.width).enumerate() {
            let start = elements.start + number * CHUNK;
            let count = results.len() / self.width;
            let whole = count.is_multiple_of(LANES);
            for ((column, gathered), input) in
                columns.iter().zip(gathered.chunks_exact_mut(CHUNK)).zip(&mut inputs)
            {
                let values = column.contiguous(start..start + count).filter(|_| whole);
                *input = match values {
                    Some(values) => values.as_ptr(),
                    None => {
                        column.gather(start..start + count, gathered);
                        gathered.as_ptr()
                    }
                };
            }
            let direct = whole && self.width == 1;
            if direct {
                places[0] = results.as_mut_ptr();
            } else {
                let chunks = scattered.chunks_exact_mut(CHUNK);
                chunks.zip(&mut places).for_each(|(chunk, place)| *place = chunk.as_mut_ptr());
            }
            // SAFETY: the code reads and writes `count` numbers, rounded up to whole words of lanes, at each
            // address: there are so many, or the arrays of a chunk are used, whose length is a multiple of
            // the lanes. Nothing else refers to the results meanwhile.
            unsafe { (self.code)(count.next_multiple_of(LANES), inputs.as_ptr(), places.as_ptr(), start) };
            if !direct {
                for (place, chunk) in scattered.chunks_exact(CHUNK).enumerate() {
                    let to = results.iter_mut().skip(place).step_by(self.width);
                    to.zip(chunk).for_each(|(to, from)| *to = *from);
                }
            }
        }
        Ok(())
    }
}

impl Drop for MachineCode {
    fn drop(&mut self) {
        // SAFETY: the module is taken once, here, and nobody can call the code any more.
        unsafe { ManuallyDrop::take(&mut self.module).free_memory() };
    }
}

/// Adds the function of an expression to a module.
fn compile(module: &mut JITModule, expression: &Expression) -> Result<Code, Box<ModuleError>> {
    let mut signature = module.make_signature();
    signature.params.push(AbiParam::new(I64));
    let far = module.declare_function(FAR_TURNS, Linkage::Import, &signature)?;
    signature.params.extend([AbiParam::new(I64); 3]);
    let function = module.declare_function("expression", Linkage::Local, &signature)?;

    let mut context = module.make_context();
    context.func.signature = signature;
    let far = module.declare_func_in_func(far, &mut context.func);
    let frontend = module.target_config();
    let mut memory = FunctionBuilderContext::new();
    write(FunctionBuilder::new(&mut context.func, &mut memory), far, expression, frontend);
    module.define_function(function, &mut context)?;
    module.finalize_definitions()?;
    let address = module.get_finalized_function(function);
    // SAFETY: the code at the address was made with this signature, which `extern "C"` has on the target.
    Ok(unsafe { std::mem::transmute::<*const u8, Code>(address) })
}

/// Writes the loop over words of lanes.
fn write(
    mut builder: FunctionBuilder<'_>,
    far: FuncRef,
    expression: &Expression,
    frontend: cranelift_codegen::isa::TargetFrontendConfig,
) {
    let [entry, head, body, end] = [(); 4].map(|()| builder.create_block());
    builder.append_block_params_for_function_params(entry);
    builder.switch_to_block(entry);
    let &[count, inputs, places, first] = builder.block_params(entry) else { return };
    let mut pointers = |list: Value, length: usize| -> Vec<_> {
        (0..length).map(|i| builder.ins().load(I64, MEMORY, list, 8 * i as i32)).collect()
    };
    let inputs = pointers(inputs, expression.inputs().len());
    let places = pointers(places, expression.roots().len());
    let zero = builder.ins().iconst(I64, 0);
    builder.ins().jump(head, &[BlockArg::Value(zero)]);

    let element = builder.append_block_param(head, I64);
    builder.switch_to_block(head);
    let more = builder.ins().icmp(IntCC::UnsignedLessThan, element, count);
    builder.ins().brif(more, body, &[], end, &[]);

    builder.switch_to_block(body);
    let offset = builder.ins().ishl_imm_u(element, 2);
    let writer = Writer { far, builder: RefCell::new(builder) };
    let load = |input: u32| {
        let mut builder = writer.builder.borrow_mut();
        let address = builder.ins().iadd(inputs[input as usize], offset);
        builder.ins().load(F32X4, MEMORY, address, 0)
    };
    let index = || {
        let lanes = writer.vector(I32X4, [0, 1, 2, 3]);
        let mut builder = writer.builder.borrow_mut();
        let number = builder.ins().iadd(first, element);
        let number = builder.ins().ireduce(I32, number);
        let number = builder.ins().splat(I32X4, number);
        let number = builder.ins().iadd(number, lanes);
        builder.ins().fcvt_from_uint(F32X4, number)
    };
    let results = emit(expression.graph(), expression.roots(), &writer, load, index);
    let mut builder = writer.builder.into_inner();
    for (result, place) in results.into_iter().zip(places) {
        let address = builder.ins().iadd(place, offset);
        builder.ins().store(MEMORY, result, address, 0);
    }
    let next = builder.ins().iadd_imm_u(element, LANES as i64);
    builder.ins().jump(head, &[BlockArg::Value(next)]);

    builder.switch_to_block(end);
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(frontend);
}

/// Memory that is there, of any alignment.
const MEMORY: MemFlagsData = MemFlagsData::new().with_notrap();

/// The name of [`far_turns_of_lanes`] in the code.
const FAR_TURNS: &str = "far_turns";

/// Operands and results of [`far_turns_of_lanes`].
#[repr(C, align(16))]
struct Turns {
    x: [f32; LANES],
    quadrant: [i32; LANES],
    rest: [f32; LANES],
}

/// Replaces the turns of lanes whose angle is far.
///
/// # Safety
///
/// `turns` points to a value that nothing else refers to.
unsafe extern "C" fn far_turns_of_lanes(turns: *mut Turns) {
    // SAFETY: by the contract above.
    let turns = unsafe { &mut *turns };
    for lane in 0..LANES {
        if turns.x[lane].abs() > FAR {
            (turns.quadrant[lane], turns.rest[lane]) = far_turns(turns.x[lane]);
        }
    }
}

/// A machine that writes Cranelift's code, for four lanes at a time.
struct Writer<'a> {
    far: FuncRef,
    builder: RefCell<FunctionBuilder<'a>>,
}

/// Writes an instruction.
macro_rules! write_instruction {
    ($writer:expr, $instruction:ident $(, $operand:expr)*) => {
        $writer.builder.borrow_mut().ins().$instruction($($operand),*)
    };
}

impl Writer<'_> {
    fn vector(&self, of_type: Type, lanes: [u32; LANES]) -> Value {
        let bytes: ConstantData = lanes.iter().flat_map(|lane| lane.to_le_bytes()).collect();
        let mut builder = self.builder.borrow_mut();
        let constant = builder.func.dfg.constants.insert(bytes);
        builder.ins().vconst(of_type, constant)
    }

    /// The same bits as lanes of another type.
    fn cast(&self, to: Type, value: Value) -> Value {
        write_instruction!(self, bitcast, to, MemFlagsData::new().with_endianness(Endianness::Little), value)
    }

    fn compare(&self, condition: FloatCC, a: Value, b: Value) -> Value {
        write_instruction!(self, fcmp, condition, a, b)
    }
}

impl Machine for Writer<'_> {
    type Float = Value;
    type Int = Value;
    type Mask = Value;

    fn constant(&self, value: f32) -> Value {
        self.vector(F32X4, [value.to_bits(); LANES])
    }
    fn integer(&self, value: i32) -> Value {
        self.vector(I32X4, [value as u32; LANES])
    }
    fn add(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, fadd, a, b)
    }
    fn sub(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, fsub, a, b)
    }
    fn mul(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, fmul, a, b)
    }
    fn div(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, fdiv, a, b)
    }
    fn fma(&self, a: Value, b: Value, c: Value) -> Value {
        write_instruction!(self, fma, a, b, c)
    }
    fn neg(&self, x: Value) -> Value {
        write_instruction!(self, fneg, x)
    }
    fn abs(&self, x: Value) -> Value {
        write_instruction!(self, fabs, x)
    }
    fn sqrt(&self, x: Value) -> Value {
        write_instruction!(self, sqrt, x)
    }
    fn floor(&self, x: Value) -> Value {
        write_instruction!(self, floor, x)
    }
    fn ceil(&self, x: Value) -> Value {
        write_instruction!(self, ceil, x)
    }
    fn trunc(&self, x: Value) -> Value {
        write_instruction!(self, trunc, x)
    }
    fn rint(&self, x: Value) -> Value {
        write_instruction!(self, nearest, x)
    }
    fn less(&self, a: Value, b: Value) -> Value {
        self.compare(FloatCC::LessThan, a, b)
    }
    fn less_equal(&self, a: Value, b: Value) -> Value {
        self.compare(FloatCC::LessThanOrEqual, a, b)
    }
    fn equal(&self, a: Value, b: Value) -> Value {
        self.compare(FloatCC::Equal, a, b)
    }
    fn both(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, band, a, b)
    }
    fn either(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, bor, a, b)
    }
    fn not(&self, a: Value) -> Value {
        write_instruction!(self, bnot, a)
    }
    fn select(&self, mask: Value, a: Value, b: Value) -> Value {
        let mask = self.cast(F32X4, mask);
        write_instruction!(self, bitselect, mask, a, b)
    }
    fn bits(&self, x: Value) -> Value {
        self.cast(I32X4, x)
    }
    fn float_of_bits(&self, bits: Value) -> Value {
        self.cast(F32X4, bits)
    }
    fn int_add(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, iadd, a, b)
    }
    fn int_sub(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, isub, a, b)
    }
    fn int_and(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, band, a, b)
    }
    fn int_or(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, bor, a, b)
    }
    fn shift_left(&self, a: Value, places: u32) -> Value {
        let places = write_instruction!(self, iconst, I32, i64::from(places));
        write_instruction!(self, ishl, a, places)
    }
    fn shift_right(&self, a: Value, places: u32) -> Value {
        let places = write_instruction!(self, iconst, I32, i64::from(places));
        write_instruction!(self, sshr, a, places)
    }
    fn int_equal(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, icmp, IntCC::Equal, a, b)
    }
    fn int_less(&self, a: Value, b: Value) -> Value {
        write_instruction!(self, icmp, IntCC::SignedLessThan, a, b)
    }
    fn to_float(&self, a: Value) -> Value {
        write_instruction!(self, fcvt_from_sint, F32X4, a)
    }
    fn to_int(&self, x: Value) -> Value {
        write_instruction!(self, fcvt_to_sint_sat, I32X4, x)
    }

    fn far_turns(&self, far: Value, x: Value, near: (Value, Value)) -> (Value, Value) {
        let mut builder = self.builder.borrow_mut();
        let (rarely, always) = (builder.create_block(), builder.create_block());
        let quadrant = builder.append_block_param(always, I32X4);
        let rest = builder.append_block_param(always, F32X4);
        let any = builder.ins().vany_true(far);
        let near_values = [BlockArg::Value(near.0), BlockArg::Value(near.1)];
        builder.ins().brif(any, rarely, &[], always, &near_values);

        builder.set_cold_block(rarely);
        builder.switch_to_block(rarely);
        let size = size_of::<Turns>() as u32;
        let slot = builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, size, 4));
        let address = builder.ins().stack_addr(I64, slot, 0);
        let word = size_of::<[f32; LANES]>() as i32;
        for (place, value) in (0..).zip([x, near.0, near.1]) {
            builder.ins().store(MEMORY, value, address, place * word);
        }
        builder.ins().call(self.far, &[address]);
        let replaced = [
            BlockArg::Value(builder.ins().load(I32X4, MEMORY, address, word)),
            BlockArg::Value(builder.ins().load(F32X4, MEMORY, address, 2 * word)),
        ];
        builder.ins().jump(always, &replaced);
        builder.switch_to_block(always);
        (quadrant, rest)
    }
}
