//! Replacement of `cuda.rs` without the feature `cuda`: a GPU that cannot exist. It has the same calls, and
//! no values, so that the compiler knows that none is ever made.
use super::foreign::{CudaHandles, Order, Release};
use crate::{Error, Result};
use ribbonmesh_device::{AnyKernel, Status};

/// An NVIDIA GPU: none.
pub enum Cuda {}
/// Memory of one: none.
pub enum Memory {}
/// Memory of the host that its driver has pinned: none.
pub enum Pinned {}
impl Pinned {
    pub fn bytes(&self) -> &[u8] {
        match *self {}
    }
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match *self {}
    }
}
/// A point in its work: none.
pub enum Event {}
/// A loader of texts of PTX. No GPU gives one.
pub struct TextLoader;
/// An entry point of a text. No GPU gives one.
#[derive(Clone)]
pub struct TextFunction;

impl TextLoader {
    pub fn load(&self, _: &str, _: &str) -> Result<TextFunction> {
        Err(Error::BuiltWithoutCuda)
    }
}

impl Cuda {
    pub fn text_loader(&self) -> TextLoader {
        match *self {}
    }
    /// # Safety
    /// There is no such machine.
    pub unsafe fn launch_text(&self, _: &TextFunction, _: (u32, u32), _: &mut [u64]) -> Result<()> {
        match *self {}
    }
    pub fn new(_ordinal: usize) -> Result<Self> {
        Err(Error::BuiltWithoutCuda)
    }
    pub fn with_cards(_: &super::Cards) -> Result<Self> {
        Err(Error::BuiltWithoutCuda)
    }
    pub fn as_cards(_: usize, _: usize) -> Result<Self> {
        Err(Error::BuiltWithoutCuda)
    }
    pub fn cards_of(&self, _: u32) -> u32 {
        match *self {}
    }
    pub fn sharing(&self) -> Option<super::Sharing> {
        match *self {}
    }
    pub fn name(&self) -> String {
        match *self {}
    }
    pub fn loading(&self) -> super::Loading {
        match *self {}
    }
    pub fn shared_limit(&self) -> u64 {
        match *self {}
    }
    pub fn multiprocessors(&self) -> u32 {
        match *self {}
    }
    pub fn free_memory(&self) -> Option<super::FreeMemory> {
        match *self {}
    }
    /// # Safety
    /// There is no such machine.
    pub unsafe fn launch(&self, _: (u32, u32), _: u32, _: u32, _: u32, _: &dyn AnyKernel) -> Result<()> {
        match *self {}
    }
    /// # Safety
    /// There is no such machine.
    pub unsafe fn launch_resident(&self, _: u32, _: u32, _: u32, _: &dyn AnyKernel) -> Result<u32> {
        match *self {}
    }
    pub fn barrier(&self) -> *mut u32 {
        match *self {}
    }
    pub fn take_status(&self) -> Result<[u32; Status::WORDS]> {
        match *self {}
    }
    pub fn handles(&self) -> CudaHandles {
        match *self {}
    }
    /// # Safety
    /// There is no such machine.
    pub unsafe fn adopt(&self, _: u64, _: usize, _: Release) -> Result<Memory> {
        match *self {}
    }
    pub fn least_shared_bytes(&self) -> usize {
        match *self {}
    }
    pub fn alloc(&self, _: usize, _: usize) -> Result<Memory> {
        match *self {}
    }
    pub fn pinned(&self, _: usize) -> Option<Pinned> {
        match *self {}
    }
    pub fn zero(&self, _: &mut Memory) -> Result<()> {
        match *self {}
    }
    pub fn write(&self, _: &mut Memory, _: usize, _: &[u8]) -> Result<()> {
        match *self {}
    }
    pub fn read_with_status(&self, _: &Memory, _: usize, _: &mut [u8]) -> Result<[u32; Status::WORDS]> {
        match *self {}
    }
    pub fn copy(&self, _: &Memory, _: &mut Memory, _: usize) -> Result<()> {
        match *self {}
    }
    pub fn address(&self, _: &Memory) -> *const u8 {
        match *self {}
    }
    pub fn address_mut(&self, _: &mut Memory) -> *mut u8 {
        match *self {}
    }
    pub fn event(&self) -> Result<Event> {
        match *self {}
    }
    /// # Safety
    /// There is no such machine.
    pub unsafe fn order(&self, _: usize, _: Order) -> Result<()> {
        match *self {}
    }
    pub fn seconds_between(&self, _: &Event, _: &Event) -> Result<f64> {
        match *self {}
    }
}
