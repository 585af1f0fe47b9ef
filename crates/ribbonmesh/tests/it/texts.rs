//! Kernels from texts of PTX.
use ribbonmesh::{Device, DeviceKind, Error, TextArgument};
use ribbonmesh_suite::suite;

/// Doubles numbers, and adds one of them.
fn text(add: u32) -> String {
    format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry double(.param .u64 n, .param .u64 from, \
         .param .u64 to) {{\n.reg .b32 %i, %v, %k; .reg .b64 %n, %a, %b, %w; .reg .pred %p;\n\
         ld.param.u64 %n, [n]; ld.param.u64 %a, [from]; ld.param.u64 %b, [to];\n\
         mov.u32 %i, %tid.x; mov.u32 %k, %ctaid.x; mov.u32 %v, %ntid.x; mad.lo.u32 %i, %k, %v, %i;\n\
         cvt.u64.u32 %w, %i; setp.ge.u64 %p, %w, %n; @%p bra $end;\n\
         mad.lo.u64 %a, %w, 4, %a; mad.lo.u64 %b, %w, 4, %b;\n\
         ld.global.u32 %v, [%a]; shl.b32 %v, %v, 1; add.u32 %v, %v, {add}; st.global.u32 [%b], %v;\n$end: ret;\n}}\n"
    )
}

suite! {
    fn texts(device) {
        if device.kind() == DeviceKind::Cpu {
            assert!(matches!(device.text_kernel("", "double"), Err(Error::NoGpu { .. })));
            assert!(matches!(device.wait_for_text_kernel("", "double"), Err(Error::NoGpu { .. })));
            return;
        }
        let numbers: Vec<u32> = (0..1000).collect();
        let from = device.upload(&numbers).expect("memory");
        let mut to = device.zeros::<u32>(1000).expect("memory");
        // more than a device keeps, and the first ones again
        for add in (0..70).chain(0..3) {
            let kernel = device.wait_for_text_kernel(&text(add), "double").expect("PTX");
            let address = TextArgument::read(&from).after(4);
            let arguments = [TextArgument::number(999), address, TextArgument::write(&mut to)];
            // SAFETY: the text reads 999 numbers from the second on, and writes as many.
            unsafe { device.launch_text(&kernel, (4, 256), &arguments) }.expect("a launch");
            drop(kernel);
            let found = to.read().expect("memory");
            assert!((0..999).all(|i| found[i] == 2 * (i as u32 + 1) + add) && found[999] == 0);
        }
        // without a wait
        let later = text(1000);
        let mut looks = 0;
        while device.text_kernel(&later, "double").expect("PTX").is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
            looks += 1;
            assert!(looks < 30_000, "never loaded");
        }
        // refused, again and again, and nothing else is disturbed
        for text in ["no PTX", "\0", &later.replace("double", "triple")] {
            for _ in 0..2 {
                let error = device.wait_for_text_kernel(text, "double").err();
                assert!(matches!(error, Some(Error::Cuda { .. })), "{error:?}");
                assert!(matches!(device.text_kernel(text, "double"), Err(Error::Cuda { .. })));
            }
        }
        let kernel = device.wait_for_text_kernel(&later, "double").expect("PTX");
        let other = Device::cuda(0).expect("a GPU");
        // SAFETY: refused.
        let refused = unsafe { other.launch_text(&kernel, (1, 32), &[]) };
        assert!(matches!(refused, Err(Error::OtherDevice { .. })));
        let elsewhere = other.zeros::<u32>(4).expect("memory");
        // SAFETY: refused.
        let refused = unsafe { device.launch_text(&kernel, (1, 32), &[TextArgument::read(&elsewhere)]) };
        assert!(matches!(refused, Err(Error::OtherDevice { .. })));
        device.synchronize().expect("no error is left");
    }
}
