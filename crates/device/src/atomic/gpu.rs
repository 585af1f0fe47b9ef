//! The operations on the GPU: one instruction for each order and scope. All but one fold away, because both
//! are constants where the functions are inlined.
use super::Scope;
use core::arch::asm;

#[rustfmt::skip]
macro_rules! each_scope {
    ($order:ident, $scope:ident, $emit:ident, $(($o:ident, $name:literal)),*) => {
        match ($order, $scope) {
            $(
                (Order::$o, Scope::Block) => $emit!($name, ".cta"),
                (Order::$o, Scope::Device) => $emit!($name, ".gpu"),
                (Order::$o, Scope::System) => $emit!($name, ".sys"),
            )*
        }
    };
}
#[rustfmt::skip]
macro_rules! rmw {
    ($t:ident, $reg:ident, $ptx:literal, $p:ident, $v:ident, $order:ident, $scope:ident) => {{
        let old: $t;
        macro_rules! emit { ($o:literal, $s:literal) => {
            core::arch::asm!(concat!("atom", $o, $s, ".global.", $ptx, " {o}, [{p}], {v};"),
                o = out($reg) old, p = in(reg64) $p, v = in($reg) $v, options(nostack, preserves_flags))
        } }
        gpu::each_scope!($order, $scope, emit,
            (Relaxed, ".relaxed"), (Acquire, ".acquire"), (Release, ".release"), (AcqRel, ".acq_rel"));
        old
    }};
}
#[rustfmt::skip]
macro_rules! load {
    ($t:ident, $reg:ident, $ptx:literal, $p:ident, $order:ident, $scope:ident) => {{
        let v: $t;
        macro_rules! emit { ($o:literal, $s:literal) => {
            core::arch::asm!(concat!("ld", $o, $s, ".global.", $ptx, " {v}, [{p}];"),
                v = out($reg) v, p = in(reg64) $p, options(nostack, preserves_flags))
        } }
        gpu::each_scope!($order, $scope, emit,
            (Relaxed, ".relaxed"), (Acquire, ".acquire"), (Release, ".relaxed"), (AcqRel, ".acquire"));
        v
    }};
}
#[rustfmt::skip]
macro_rules! store {
    ($t:ident, $reg:ident, $ptx:literal, $p:ident, $v:ident, $order:ident, $scope:ident) => {{
        macro_rules! emit { ($o:literal, $s:literal) => {
            core::arch::asm!(concat!("st", $o, $s, ".global.", $ptx, " [{p}], {v};"),
                v = in($reg) $v, p = in(reg64) $p, options(nostack, preserves_flags))
        } }
        gpu::each_scope!($order, $scope, emit,
            (Relaxed, ".relaxed"), (Acquire, ".relaxed"), (Release, ".release"), (AcqRel, ".release"));
    }};
}
#[rustfmt::skip]
macro_rules! cas {
    ($t:ident, $reg:ident, $ptx:literal, $p:ident, $current:ident, $new:ident, $order:ident, $scope:ident) => {{
        let old: $t;
        macro_rules! emit { ($o:literal, $s:literal) => {
            core::arch::asm!(concat!("atom", $o, $s, ".global.cas.", $ptx, " {o}, [{p}], {c}, {n};"),
                o = out($reg) old, p = in(reg64) $p, c = in($reg) $current, n = in($reg) $new,
                options(nostack, preserves_flags))
        } }
        gpu::each_scope!($order, $scope, emit,
            (Relaxed, ".relaxed"), (Acquire, ".acquire"), (Release, ".release"), (AcqRel, ".acq_rel"));
        old
    }};
}
pub(super) use {cas, each_scope, load, rmw, store};

#[inline(always)]
pub(super) fn fence(scope: Scope) {
    match scope {
        // SAFETY: orders memory, touches none.
        Scope::Block => unsafe { asm!("fence.acq_rel.cta;", options(nostack, preserves_flags)) },
        // SAFETY: orders memory, touches none.
        Scope::Device => unsafe { asm!("fence.acq_rel.gpu;", options(nostack, preserves_flags)) },
        // SAFETY: orders memory, touches none.
        Scope::System => unsafe { asm!("fence.acq_rel.sys;", options(nostack, preserves_flags)) },
    }
}
